#!/usr/bin/env python3
"""Packets whose inner checksum is left to the network card, in a tunnel with sums.

usage: tests/unfinished.py FOLDER

finished.pcap: VXLAN and GRE with a sum around TCP, over IPv4 and IPv6, all right.
left.pcap: the same with the inner field left unfinished, as local checksum offload
hands them over: the sum around is that of the finished packet.  wrong.pcap: with
the sum around wrong as well.  as-is.pcap: the sum around fits the unfinished field.
"""
import contextlib
import io
import os
import struct
import sys

import pcap

with contextlib.redirect_stdout(io.StringIO()):
    import packets as p


def tcp(six, left):
    """TCP in IP; its field holds the sum of the pseudo-header if @left."""
    src, dst = (p.SRC6, p.DST6) if six else (p.SRC4, p.DST4)
    msg = p.message(p.TCP, b'some data that is odd')
    head = p.pseudo(src, dst, len(msg), p.TCP)
    value = p.checksum(head + p.put16(msg, 16, 0))
    if left:
        value = 0xffff ^ p.checksum(head)
    msg = p.put16(msg, 16, value)
    return (p.ipv6 if six else p.ipv4)(p.TCP, msg)


def around(six, kind, inner):
    """The bytes of a tunnel with the place of its field, and its IP header."""
    if kind == 'gre':
        return struct.pack('>HHHH', 0x8000, 0x86dd if inner[0] >> 4 == 6
                           else 0x0800, 0, 0) + inner, 4, 47
    frame = bytes(12) + (b'\x86\xdd' if inner[0] >> 4 == 6 else b'\x08\0')
    body = b'\x08' + bytes(7) + frame + inner
    return struct.pack('>HHHH', 50000, 4789, 8 + len(body), 0) + body, 6, p.UDP


def packet(outer6, inner6, kind, left, how):
    done, at, proto = around(outer6, kind, tcp(inner6, False))
    msg = around(outer6, kind, tcp(inner6, left))[0]
    src, dst = (p.SRC6, p.DST6) if outer6 else (p.SRC4, p.DST4)
    head = p.pseudo(src, dst, len(msg), proto) if kind == 'vxlan' else b''
    value = p.checksum(head + p.put16(msg if how == 'as is' else done, at, 0))
    if how == 'wrong':
        value ^= 0x1234
    msg = p.put16(msg, at, value)
    return p.eth((p.ipv6 if outer6 else p.ipv4)(proto, msg))


def main():
    for name, left, how in (('finished', False, ''), ('left', True, ''),
                            ('wrong', True, 'wrong'), ('as-is', True, 'as is')):
        pcap.write(os.path.join(sys.argv[1], name + '.pcap'), [
            packet(outer6, inner6, kind, left, how)
            for kind in ('vxlan', 'gre')
            for outer6 in (False, True) for inner6 in (False, True)])


main()
