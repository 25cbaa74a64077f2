#!/usr/bin/env python3
"""Writes captures of messages in fragments: right.pcap and wrong-*.pcap.

usage: tests/fragmented.py FOLDER

Messages and what they carry are built, summed and cut up by the plain model of
packets.py.  In a wrong one, fields are changed: inside, with the sums around
them made right for that, as a program that breaks only those would leave it; or
all of them.
"""
import contextlib
import io
import os
import random
import struct
import sys

import pcap

with contextlib.redirect_stdout(io.StringIO()):
    import packets as p


class Maker:
    """Messages with @wrong fields: inside, own, around."""

    def __init__(self, wrong):
        self.wrong = wrong
        self.number = 0
        self.random = random.Random(1)
        self.packets = []

    def value(self, which, value):
        return value ^ 0x5a11 if which in self.wrong else value

    def put(self, which, msg, at, head=b'', covered=None):
        """@msg with the sum of @head and it, its field and @covered."""
        covered = msg if covered is None else covered
        value = p.checksum(head + p.put16(covered, at, 0))
        return p.put16(msg, at, self.value(which, value or 0xffff))

    def transport(self, which, proto, msg, at, cover=None, length=None,
                  six=False):
        length = len(msg) if length is None else length
        head = p.pseudo(p.SRC6 if six else p.SRC4, p.DST6 if six else p.DST4,
                        length, proto)
        covered = msg if cover is None else msg[:cover]
        return self.put(which, msg, at, head, covered)

    def udp(self, which, port, data, six=False):
        return self.transport(which, p.UDP, p.message(
            p.UDP, data, ports=(50000, port)), 6, six=six)

    def data(self, length):
        return bytes(self.random.randrange(256) for _ in range(length))

    # --- what can be inside

    def tcp_packet(self, length):
        return p.ipv4(p.TCP, self.transport('inside', p.TCP, p.message(
            p.TCP, self.data(length)), 16))

    def vxlan(self, which, packet, six=False):
        return self.udp(which, 4789, b'\x08' + bytes(7) + p.eth(packet), six)

    def gre(self, which, packet):
        return self.put(which, p.gre(packet, flags=0x8000, rest=bytes(4)), 4)

    def sctp(self, length):
        msg = p.sctp(0)[:12] + bytes([0, 3]) + struct.pack('>H', length + 4) + \
            self.data(length)
        field = struct.unpack('>I', p.crc32c(msg))[0]
        if 'own' in self.wrong:
            field ^= 0x5a11a55a
        return p.sctp_field(msg, struct.pack('>I', field))

    # --- fragments

    def pieces(self, proto, msg, cuts, six=False):
        self.number += 1
        cuts = [at for at in cuts if at < len(msg)] + [len(msg)]
        at = 0
        for end in cuts:
            part, more = msg[at:end], end < len(msg)
            if six:
                yield p.ipv6(44, struct.pack('>BBHI', proto, 0, at | more,
                                             self.number) + part)
            else:
                packet = p.ipv4(proto, part, frag=more << 13 | at // 8)
                packet = p.put16(p.put16(packet, 4, self.number), 10, 0)
                yield p.put16(packet, 10, p.checksum(packet[:20]))
            at = end

    def cuts(self, length):
        return sorted(self.random.sample(range(80, length, 8), 3))

    def add(self, proto, msg, cuts=None, six=False, wrap=lambda x: x):
        cuts = cuts or self.cuts(len(msg))
        frames = [p.eth(wrap(x)) for x in self.pieces(proto, msg, cuts, six)]
        self.random.shuffle(frames)
        self.packets += frames

    def everything(self):
        for length in (400, 401):
            packet = self.tcp_packet(length)
            self.add(p.UDP, self.vxlan('own', packet))
            self.add(p.UDP, self.vxlan('own', packet, six=True), six=True)
            self.add(47, self.gre('own', packet))
            self.add(4, packet)
            self.add(p.UDP, self.udp('own', 4754, self.gre('inside', packet)))
            self.add(132, self.sctp(length))
            self.add(132, self.sctp(length), six=True)
        # of before 2002: right, but nothing would write it
        old = p.sctp(0)[:12] + bytes([0, 3, 0, 104]) + self.data(100)
        self.add(132, p.sctp_field(old, p.adler32(old)), [32, 48])
        self.partly()
        self.within()

    def partly(self):
        """Only a part is covered: of the first piece, or of some pieces."""
        data = self.data(300)
        for cover in (20, 96, 97 + 7):
            msg = struct.pack('>HHHH', 50000, 50001, cover, 0) + data
            self.add(136, self.transport('own', 136, msg, 6, cover=cover),
                     [96, 104, 200])
        msg = struct.pack('>HHBBHI', 1, 2, 3, 1 + 8, 0, 0) + data
        self.add(33, self.transport('own', 33, msg, 6, cover=12 + 32),
                 [96, 104])
        # a password is left out, and may itself be cut
        ospf = struct.pack('>BBHIIHHQ', 2, 1, 24 + 300, 1, 0, 0, 1,
                           0x7061737377) + data
        for cut in (24, 32):
            self.add(89, self.put('own', ospf, 12, covered=ospf[:16] +
                                  bytes(8) + ospf[24:]), [cut, 104])
        self.add(p.ICMP, self.put('own', p.message(p.ICMP, data), 2), [96])

    def hidden(self):
        """What is covered ends in a later fragment, or leaves out some of it."""
        data = self.data(300)
        msg = struct.pack('>HHHH', 50000, 50001, 100, 0) + data
        self.add(136, self.transport('own', 136, msg, 6, cover=100), [96, 200])
        ospf = struct.pack('>BBHIIHHQ', 2, 1, 24 + 300, 1, 0, 0, 1,
                           0x7061737377) + data
        self.add(89, self.put('own', ospf, 12, covered=ospf[:16] + bytes(8) +
                              ospf[24:]), [16, 104])
        # CDP takes its last byte for the low one of its word, with a sign
        cdp = b'\x02\xb4\0\0' + self.data(300) + b'\x7f'
        cdp = self.put('own', cdp, 2, covered=cdp[:-1] + b'\0' + cdp[-1:])
        frame = p.snap(p.ipv4(p.TCP, b''))
        frame = frame[:12] + struct.pack('>H', 8 + len(cdp)) + \
            bytes.fromhex('aaaa0300000c2000') + cdp
        self.add(p.UDP, self.udp('own', 4789, b'\x08' + bytes(7) + frame))
        # tunnels in each other
        packet = self.tcp_packet(300)
        for _ in range(4):
            body = self.gre('own', packet)
            packet = p.ipv4(47, body)
        self.add(47, body, [200])

    def within(self):
        """The fragments themselves in a tunnel whose sum covers them."""
        for wrap in (lambda x: p.ipv4(47, self.gre('around', x)),
                     lambda x: p.ipv4(p.UDP, self.vxlan('around', x)),
                     lambda x: p.ipv6(p.UDP, self.vxlan('around', x, True)),
                     lambda x: p.ipv4(p.UDP, self.udp(
                         'around', 4754, self.gre('around', x)))):
            msg = p.message(p.UDP, self.data(301), ports=(50000, 50001))
            self.add(p.UDP, self.transport('inside', p.UDP, msg, 6), wrap=wrap)
            self.add(p.UDP, self.vxlan('own', self.tcp_packet(302)), wrap=wrap)


def main():
    folder = sys.argv[1]
    for name, wrong in (('right', ()), ('wrong-inside', ('inside',)),
                        ('wrong-own', ('own',)), ('wrong-around', ('around',)),
                        ('wrong-all', ('inside', 'own', 'around'))):
        maker = Maker(wrong)
        maker.everything()
        pcap.write(os.path.join(folder, f'{name}.pcap'), maker.packets)
        # captured on two interfaces
        twice = [packet for packet in maker.packets for _ in range(2)]
        pcap.write(os.path.join(folder, f'{name}-twice.pcap'), twice)
    # the piece with the field again, and never the rest of that copy
    for name, wrong in ('right', ()), ('wrong', ('inside',)):
        maker = Maker(wrong)
        msg = maker.transport('inside', p.TCP, p.message(p.TCP, bytes(50)), 16)
        first, last = maker.pieces(p.TCP, msg, [8])
        pcap.write(os.path.join(folder, f'{name}-again.pcap'),
                   [p.eth(last), p.eth(last), p.eth(first)])
    maker = Maker(())
    maker.hidden()
    pcap.write(os.path.join(folder, 'hidden.pcap'), maker.packets)


main()
