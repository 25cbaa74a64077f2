#!/usr/bin/env python3
"""Writes captures of random packets in packets: right.pcap and wrong.pcap.

usage: tests/nested.py FOLDER SEED

Each packet is a random stack of layers, built from the inside out by the plain
model of packets.py, in a random link layer, whole or in random fragments.  In
wrong.pcap one field of each packet is wrong, and every sum around that field is
right for the packet as it is; so a repair has to give right.pcap again.  The
file layers has a line for each packet: the layer that is wrong.
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

PACKETS, DEEPEST = 300, 5
OPEN = 4  # as many of one message in fragments are verified


class Builder:
    """One packet; field number @wrong, in the order of building, is wrong."""

    def __init__(self, seed, wrong):
        self.random = random.Random(seed)
        self.wrong = wrong
        self.fields = []  # the layer of each
        self.headers = 0  # bytes in front of the innermost data

    def field(self, layer, value):
        """@value, or another one; never one that means none."""
        number = len(self.fields)
        self.fields.append(layer)
        if number != self.wrong:
            return value
        return value ^ 0x0101 if value not in (0x0101, 0xfefe) else 0x1234

    def choose(self, *what):
        return self.random.choice(what)

    def data(self):
        return self.random.randbytes(self.random.randint(1, 60))

    def addresses(self, over6):
        if over6:
            return p.SRC6, p.DST6
        return p.SRC4, p.DST4

    def header4(self, packet):
        value, = struct.unpack('>H', packet[10:12])
        return p.put16(packet, 10, self.field('ipv4', value))

    def ip(self, proto, payload, over6):
        """The IP packet around a message whose own sum is there."""
        self.headers += 40 if over6 else 20
        if over6:
            return p.ipv6(proto, payload)
        return self.header4(p.ipv4(proto, payload))

    def transport(self, over6, proto, msg):
        src, dst = self.addresses(over6)
        value = p.right(proto, src, dst, msg)
        name = p.NAME[proto]
        return p.put16(msg, p.FIELD[proto], self.field(name, value))

    def leaf(self):
        over6 = self.choose(False, True)
        proto = self.choose(p.TCP, p.UDP, p.ICMPV6 if over6 else p.ICMP)
        self.headers = {p.TCP: 20}.get(proto, 8)
        msg = self.transport(over6, proto, p.message(
            proto, self.data(), ports=(40000, 40001)))
        return self.ip(proto, msg, over6)

    def datagram(self, port, payload):
        over6 = self.choose(False, True)
        self.headers += 8
        msg = self.transport(over6, p.UDP, p.message(
            p.UDP, payload, ports=(50000, port)))
        return self.ip(p.UDP, msg, over6)

    def frame(self, packet):
        """Ethernet around IP, with tags, LLC or labels."""
        kind = p.kind_of(packet)
        head = self.choose(
            b'', b'\x81\0\0\5', b'\x88\xa8\0\5\x81\0\0\6', b'\x89\x2f\0\x50\0\1',
            b'\x89\x88' + bytes(6), b'\x88\x64\x11\0\0\1', b'\x88\x47', b'llc')
        if head == b'llc':
            self.headers += 22
            body = p.llc(packet)
            return p.MAC + struct.pack('>H', len(body)) + body
        if head == b'\x88\x47':
            self.headers += 18
            return p.MAC + head + p.labels(packet, 77)
        if head[:2] == b'\x88\x64':
            self.headers += 22
            return p.MAC + head + struct.pack('>H', 2 + len(packet)) + (
                b'\0\x57' if kind == b'\x86\xdd' else b'\0\x21') + packet
        self.headers += 14 + len(head)
        return p.MAC + head + kind + packet

    def gre(self, payload, kind):
        if self.choose(False, True):
            self.headers += 4
            return struct.pack('>HH', 0, kind) + payload
        self.headers += 8
        msg = struct.pack('>HHI', 0x8000, kind, 0) + payload
        return p.put16(msg, 4, self.field('gre', p.checksum(msg)))

    def tunnel(self, packet):
        kind, = struct.unpack('>H', p.kind_of(packet))
        over6 = self.choose(False, True)
        how = self.choose('ip', 'gre', 'gre-frame', 'vxlan', 'geneve', 'gtp',
                          'gtp0', 'lisp', 'capwap', 'tzsp', 'mpls', 'erm',
                          'amt', 'ayiya', 'etherip', 'gre-udp')
        if how == 'ip':
            return self.ip(41 if kind == 0x86dd else 4, packet, over6)
        if how == 'gre':
            return self.ip(47, self.gre(packet, kind), over6)
        if how == 'gre-udp':
            return self.datagram(4754, self.gre(packet, kind))
        if how == 'mpls':
            self.headers += 4
            return self.datagram(6635, p.labels(packet, 99))
        head = {'lisp': b'\x08' + bytes(7), 'amt': b'\6\0',
                'gtp': b'\x30\xff' + struct.pack('>H', len(packet)) + bytes(4),
                'gtp0': b'\x1e\xff' + struct.pack('>H', len(packet)) +
                bytes(16),
                'ayiya': b'\x45\x52\x11' + (
                    b'\x29' if kind == 0x86dd else b'\4') + bytes(40)}.get(how)
        port = {'lisp': 4341, 'amt': 2268, 'gtp': 2152, 'gtp0': 3386,
                'ayiya': 5072, 'vxlan': 4789, 'geneve': 6081, 'capwap': 5247,
                'tzsp': 37008, 'erm': 7932}.get(how)
        if head:
            self.headers += len(head)
            return self.datagram(port, head + packet)
        frame = self.frame(packet)
        if how == 'gre-frame':
            return self.ip(47, self.gre(frame, 0x6558), over6)
        if how == 'etherip':
            self.headers += 2
            return self.ip(97, b'\x30\0' + frame, over6)
        head = {'vxlan': b'\x08' + bytes(7),
                'geneve': b'\0\0\x65\x58' + bytes(4),
                'capwap': b'\0\x10\4\x20' + bytes(4),
                'tzsp': b'\1\0\0\1\1', 'erm': bytes(12)}[how]
        self.headers += len(head)
        return self.datagram(port, head + frame)

    def cut(self, packet):
        """In fragments, all that is known of what it carries in the first."""
        over6 = packet[0] >> 4 == 6
        head = packet[:40 if over6 else 20]
        body = packet[len(head):]
        first = (self.headers + 7) // 8 * 8
        if first >= len(body):
            return [packet]
        ends = sorted({at * 8 for at in self.random.sample(
            range(first // 8, (len(body) + 7) // 8),
            min(3, (len(body) + 7) // 8 - first // 8))} | {len(body)})
        pieces, at, number = [], 0, self.random.randrange(1, 0xffff)
        for end in ends:
            more = end < len(body)
            if over6:
                piece = struct.pack('>IHBB', 0x60000000, 8 + end - at, 44,
                                    64) + head[8:] + struct.pack(
                    '>BBHI', head[6], 0, at | more, number) + body[at:end]
            else:
                piece = head[:2] + struct.pack(
                    '>HHH', 20 + end - at, number, more << 13 | at // 8) + \
                    head[8:10] + b'\0\0' + head[12:]
                piece = p.put16(piece, 10, p.checksum(piece)) + body[at:end]
            pieces.append(piece)
            at = end
        self.random.shuffle(pieces)
        return pieces

    def build(self):
        packet = self.leaf()
        for _ in range(self.random.randrange(DEEPEST)):
            packet = self.tunnel(packet)
        # the header of the outermost packet is made again in each piece
        pieces = [packet]
        if self.choose(False, False, True) and len(self.fields) <= OPEN:
            if packet[0] >> 4 == 4:
                self.fields.pop()
            self.headers -= 40 if packet[0] >> 4 == 6 else 20
            pieces = self.cut(packet)
            if len(pieces) == 1 and packet[0] >> 4 == 4:
                self.fields.append('ipv4')
        return [p.eth(piece) for piece in pieces]


def main():
    folder, seed = sys.argv[1], int(sys.argv[2])
    right, wrong, layers = [], [], []
    for number in range(PACKETS):
        mine = f'{seed}.{number}'
        builder = Builder(mine, None)
        right += builder.build()
        field = random.Random(mine + 'x').randrange(len(builder.fields))
        layers.append(builder.fields[field])
        wrong += Builder(mine, field).build()
    pcap.write(os.path.join(folder, 'right.pcap'), right)
    pcap.write(os.path.join(folder, 'wrong.pcap'), wrong)
    with open(os.path.join(folder, 'layers'), 'w', encoding='ascii') as out:
        out.write(''.join(f'{layer}\n' for layer in layers))


main()
