#!/usr/bin/env python3
"""Writes captures that only files or users tell how to read.

usage: tests/declared.py FOLDER

Of each there is a wrong one and NAME-right, which a repair of it has to give:
check sequences that a file declares, formats, link types that are not what the
file says, tunnels on other ports, ESP that is not encrypted.
"""
import contextlib
import io
import os
import struct
import sys
import zlib

with contextlib.redirect_stdout(io.StringIO()):
    import packets as p

GOOD = p.eth(p.p_tcp4)
BAD = GOOD[:50] + bytes([GOOD[50] ^ 1]) + GOOD[51:]


def fcs(frame):
    return struct.pack('<I', zlib.crc32(frame))


def pcap(frames, link=1, order='<', version=(2, 4), swap=False, cut=None):
    out = struct.pack(order + 'IHHIIII', 0xa1b2c3d4, *version, 0, 0, 65535, link)
    for frame in frames:
        lengths = [len(frame[:cut]), len(frame)]
        if swap:
            lengths.reverse()
        out += struct.pack(order + 'IIII', 0, 0, *lengths) + frame[:cut]
    return out


def block(kind, body):
    body += bytes(-len(body) % 4)
    length = struct.pack('<I', 12 + len(body))
    return struct.pack('<I', kind) + length + body + length


def option(code, value):
    return struct.pack('<HH', code, len(value)) + value + bytes(-len(value) % 4)


def pcapng(blocks, options=b''):
    return block(0x0a0d0d0a, struct.pack('<IHHq', 0x1a2b3c4d, 1, 0, -1)) + \
        block(1, struct.pack('<HHI', 1, 0, 0) + options) + b''.join(blocks)


def enhanced(frame, options=b''):
    return block(6, struct.pack('<IIIII', 0, 0, 0, len(frame), len(frame)) +
                 frame + bytes(-len(frame) % 4) + options)


def snoop(frames, datalink=4):
    out = b'snoop\0\0\0' + struct.pack('>II', 2, datalink)
    for frame in frames:
        padding = -len(frame) % 4
        out += struct.pack('>IIIIII', len(frame), len(frame),
                           24 + len(frame) + padding, 0, 0, 0) + frame + \
            bytes(padding)
    return out


def erf(records):
    out = b''
    for kind, data in records:
        padding = -len(data) % 8
        out += struct.pack('<II', 0, 0x6553f100) + struct.pack(
            '>BBHHH', kind, 4, 16 + len(data) + padding, 0,
            len(data) - (2 if kind == 2 else 0)) + data + bytes(padding)
    return out


def esp(inner, number, icv):
    padding = -(len(inner) + 2) % 4
    return bytes([0, 0, 1, 0, 0, 0, 0, 1]) + inner + bytes(
        range(1, padding + 1)) + bytes([padding, number]) + bytes(
        range(0x80, 0x80 + icv))


def main():
    folder = sys.argv[1]

    def write(name, wrong, right):
        for suffix, data in ('', wrong), ('-right', right):
            with open(os.path.join(folder, name + suffix), 'wb') as out:
                out.write(data)

    def each(name, make):
        write(name, make(BAD), make(GOOD))

    each('fcs-pcap', lambda f: pcap([f + fcs(f)], 0x24000001))
    each('fcs-pcap-big', lambda f: pcap([f + fcs(f)], 0x24000001, '>'))
    each('fcs-pcapng', lambda f: pcapng([enhanced(f + fcs(f))],
                                        option(13, b'\4') + option(0, b'')))
    each('fcs-flags', lambda f: pcapng([enhanced(f + fcs(f), option(
        2, struct.pack('<I', 4 << 5)))]))
    each('fcs-bits', lambda f: pcapng([enhanced(f + fcs(f))],
                                      option(13, b'\x20') + option(0, b'')))
    for name, link, head in (('ppp', 9, b'\xff\3\0\x21'),
                             ('hdlc', 104, b'\x0f\0\x08\0')):
        each(f'fcs-{name}-16', lambda f: pcap(
            [head + f[14:] + p.crc16(head + f[14:], 0xffff)],
            0x14000000 | link))
        each(f'fcs-{name}-32', lambda f: pcap(
            [head + f[14:] + fcs(head + f[14:])], 0x24000000 | link))
    write('fcs-alone', pcap([GOOD + b'abcd'], 0x24000001),
          pcap([GOOD + fcs(GOOD)], 0x24000001))
    # nothing declares them
    each('trailer', lambda f: pcap([f + b'abcd']))
    write('fcs-cut', pcap([BAD + fcs(BAD)], 0x24000001, cut=-2),
          pcap([GOOD + fcs(BAD)], 0x24000001, cut=-2))
    each('snoop', lambda f: snoop([f, GOOD, f]))
    each('snoop-other', lambda f: snoop([BAD], 9))
    each('erf', lambda f: erf([(2, b'\0\0' + f), (48, bytes(30)),
                               (22, GOOD[14:]), (2, b'\0\0' + f)]))
    each('erf-one', lambda f: erf([(22, f[14:])]))
    for order, name in ('<', 'little'), ('>', 'big'):
        each(f'swapped-{name}', lambda f: pcap([f, GOOD + bytes(9)], 1, order,
                                               (2, 2), True))
        each(f'swapped-2.3-{name}', lambda f: pcap(
            [f, GOOD], 1, order, (2, 3), True, cut=None))
    each('events', lambda f: pcapng([block(0x204, bytes(20)), enhanced(f),
                                     block(0x222, bytes(20)), enhanced(GOOD),
                                     block(5, bytes(12)), enhanced(f)]))
    each('raw', lambda f: pcap([f[14:]]))
    vxlan = b'\x08' + bytes(7)
    each('port', lambda f: pcap([p.eth(p.ipv4(p.UDP, p.message(
        p.UDP, vxlan + f, ports=(50000, 10001))))]))
    each('type', lambda f: pcap([f[:12] + b'\x93\0\0\5' + f[12:]]))
    each('gre', lambda f: pcap([p.eth(p.ipv4(47, b'\0\0\x12\x34' + f))]))
    for icv in 0, 8, 12, 16:
        each(f'esp-{icv}', lambda f: pcap([p.eth(p.ipv4(
            50, esp(f[34:], p.TCP, icv)))]))
        each(f'esp-tunnel-{icv}', lambda f: pcap([p.eth(p.ipv4(
            50, esp(f[14:], 4, icv)))]))

    def segment(inner):
        msg = p.message(p.TCP, inner, ports=(50000, 7777))
        value = p.right(p.TCP, p.SRC4, p.DST4, msg)
        return p.eth(p.ipv4(p.TCP, p.put16(msg, 16, value)))
    each('tcp', lambda f: pcap([segment(vxlan + f)]))


main()
