#!/usr/bin/env python3
"""Writes captures of random packets in packets: right.pcapng and wrong.pcapng.

usage: tests/nested.py FOLDER SEED

Each packet is a random stack of layers, built from the inside out by the plain
model of packets.py, in a random link layer, and on its way cut into fragments of
any size, some of which are in tunnels of their own and cut again.  In wrong.pcapng
one field of each packet is wrong, and every sum around that field is right for the
packet as it is; so a repair has to give right.pcapng again.  The file layers has a
line for each packet: the layer that is wrong.
"""
import contextlib
import io
import os
import random
import struct
import sys
import zlib

import pcap

with contextlib.redirect_stdout(io.StringIO()):
    import packets as p

PACKETS, DEEPEST = 300, 5
SCTP, UDPLITE, FRAGMENT = 132, 136, 44
ETHERNET, LOWPAN, LOWPAN_FCS = 1, 230, 195


def flat(items):
    """One list of what are items and lists of items."""
    return [one for item in items
            for one in (item if isinstance(item, list) else [item])]


class Builder:
    """One packet; field number @wrong, in the order of building, is wrong."""

    def __init__(self, number, seed, wrong):
        self.random = random.Random(seed)
        self.wrong = wrong
        self.fields = []  # the layer of each
        self.messages = 8 * number  # numbers of those in fragments

    def field(self, layer, value, never=()):
        """@value, or another one; never one that means none, or @never."""
        number = len(self.fields)
        self.fields.append(layer)
        if number != self.wrong:
            return value
        wrong = value ^ 0x0101
        while wrong in (0, 0xffff, value, *never):
            wrong = (wrong + 0x1234) & 0xffff
        return wrong

    def choose(self, *what):
        return self.random.choice(what)

    def data(self):
        return self.random.randbytes(self.random.randint(1, 60))

    def header4(self, packet):
        value, = struct.unpack('>H', packet[10:12])
        return p.put16(packet, 10, self.field('ipv4', value))

    def ip(self, proto, payload, over6):
        """The IP packet around a message whose own sum is there."""
        if not over6:
            return self.header4(p.ipv4(proto, payload))
        if self.choose(False, False, False, True):
            return p.ipv6(60, bytes([proto, 0, 1, 4, 0, 0, 0, 0]) + payload)
        return p.ipv6(proto, payload)

    def transport(self, over6, proto, msg, cover=None):
        src, dst = (p.SRC6, p.DST6) if over6 else (p.SRC4, p.DST4)
        name, at = ('udplite', 6) if proto == UDPLITE else (
            p.NAME[proto], p.FIELD[proto])
        head = b'' if proto == p.ICMP else p.pseudo(src, dst, len(msg), proto)
        value = p.checksum(head + msg[:cover])
        if proto in (p.UDP, UDPLITE):
            value = value or 0xffff
        # what a card would be left with is not wrong
        never = (p.ones_sum(head), p.ones_sum(p.pseudo(src, dst, 0, proto)))
        return p.put16(msg, at, self.field(name, value, never))

    def sctp(self):
        data = self.data()
        data += bytes(-len(data) % 4)
        msg = p.sctp(0)[:12] + struct.pack('>BBH', 0, 3, 4 + len(data)) + data
        value = bytearray(p.crc32c(msg))
        self.fields.append('sctp')
        if self.wrong == len(self.fields) - 1:
            value[2] ^= 1
        return p.sctp_field(msg, bytes(value))

    def leaf(self):
        over6 = self.choose(False, True)
        proto = self.choose(p.TCP, p.UDP, p.ICMPV6 if over6 else p.ICMP, SCTP,
                            UDPLITE)
        if proto == SCTP:
            return self.ip(proto, self.sctp(), over6)
        data = self.data()
        if proto == UDPLITE:
            cover = self.choose(0, 8, 8 + len(data) // 2)
            msg = struct.pack('>HHHH', 40000, 40001, cover, 0) + data
            return self.ip(proto, self.transport(over6, proto, msg,
                                                 cover or None), over6)
        msg = p.message(proto, data, ports=(40000, 40001))
        return self.ip(proto, self.transport(over6, proto, msg), over6)

    def datagram(self, port, payload, over6=None):
        if over6 is None:
            over6 = self.choose(False, True)
        if self.choose(*[False] * 7, True):
            msg = struct.pack('>HHHH', 50000, port, 8, 0) + payload
            return self.ip(UDPLITE, self.transport(over6, UDPLITE, msg, 8),
                           over6)
        msg = p.message(p.UDP, payload, ports=(50000, port))
        return self.ip(p.UDP, self.transport(over6, p.UDP, msg), over6)

    def wlan(self, packet):
        """802.11: plain, with a queue, in a mesh, aggregated."""
        kind = self.choose('plain', 'queue', 'mesh', 'aggregate')
        if kind == 'plain':
            return p.wlan()(packet)
        if kind == 'queue':
            return b'\x88\1' + bytes(22) + b'\6\0' + p.llc(packet)
        if kind == 'mesh':
            return b'\x88\3' + bytes(28) + b'\0\1' + self.choose(
                b'\0\x1f' + bytes(4), b'\1\x1f' + bytes(10)) + p.llc(packet)
        return b'\x88\1' + bytes(22) + b'\x80\0' + p.subframe(packet, True)

    def frame(self, packet):
        """Ethernet around IP, with tags, LLC or labels."""
        kind = p.kind_of(packet)
        head = self.choose(
            b'', b'\x81\0\0\5', b'\x88\xa8\0\5\x81\0\0\6', b'\x89\x2f\0\x50\0\1',
            b'\x89\x88' + bytes(6), b'\x88\x64\x11\0\0\1', b'\x88\x47', b'llc',
            b'tagged llc')
        if head[-3:] == b'llc':
            body = p.llc(packet)
            return p.MAC + (b'' if head == b'llc' else b'\x81\0\0\5') + \
                struct.pack('>H', len(body)) + body
        if head == b'\x88\x47':
            return p.MAC + head + p.labels(packet, 77)
        if head[:2] == b'\x88\x64':
            return p.MAC + head + struct.pack('>H', 2 + len(packet)) + (
                b'\0\x57' if kind == b'\x86\xdd' else b'\0\x21') + packet
        return p.MAC + head + kind + packet

    def gre(self, payload, kind):
        if self.choose(False, True):
            return struct.pack('>HH', 0, kind) + payload
        msg = struct.pack('>HHI', 0x8000, kind, 0) + payload
        return p.put16(msg, 4, self.field('gre', p.checksum(msg)))

    def capwap_pieces(self, frame, radio):
        """RFC 5415, section 3.4"""
        at, datagrams, over6 = 0, [], self.choose(False, True)
        self.messages += 1
        for end in self.ends(len(frame)):
            datagrams.append(self.datagram(5247, b'\0\x10' + radio + bytes(
                [0x80 | 0x40 * (end == len(frame))]) + struct.pack(
                    '>HH', self.messages, at) + frame[at:end], over6))
            at = end
        return datagrams

    def tunnel(self, packet):
        """In one packet, or a list of them."""
        kind, = struct.unpack('>H', p.kind_of(packet))
        over6 = self.choose(False, True)
        how = self.choose('ip', 'gre', 'gre-frame', 'vxlan', 'geneve', 'gtp',
                          'gtp0', 'lisp', 'capwap', 'tzsp', 'mpls', 'erm',
                          'amt', 'ayiya', 'etherip', 'gre-udp', 'mpls-ip',
                          'gre-wlan', 'capwap-wlan', 'tzsp-wlan')
        if how == 'ip':
            return self.ip(41 if kind == 0x86dd else 4, packet, over6)
        if how == 'gre':
            return self.ip(47, self.gre(packet, kind), over6)
        if how == 'gre-udp':
            return self.datagram(4754, self.gre(packet, kind))
        if how == 'gre-wlan':
            return self.ip(47, self.gre(self.wlan(packet), 0x8240), over6)
        if how == 'mpls':
            return self.datagram(6635, p.labels(packet, 99))
        if how == 'mpls-ip':
            return self.ip(137, p.labels(packet, 99, 17), over6)
        head = {'lisp': b'\x08' + bytes(7), 'amt': b'\6\0',
                'gtp': b'\x30\xff' + struct.pack('>H', len(packet)) + bytes(4),
                'gtp0': b'\x1e\xff' + struct.pack('>H', len(packet)) +
                bytes(16),
                'ayiya': b'\x45\x52\x11' + (
                    b'\x29' if kind == 0x86dd else b'\4') + bytes(40)}.get(how)
        port = {'lisp': 4341, 'amt': 2268, 'gtp': 2152, 'gtp0': 3386,
                'ayiya': 5072, 'vxlan': 4789, 'geneve': 6081, 'capwap': 5247,
                'capwap-wlan': 5247, 'tzsp': 37008, 'tzsp-wlan': 37008,
                'erm': 7932}.get(how)
        if head:
            return self.datagram(port, head + packet)
        frame = self.wlan(packet) if how.endswith('wlan') else \
            self.frame(packet)
        if how == 'gre-frame':
            return self.ip(47, self.gre(frame, 0x6558), over6)
        if how == 'etherip':
            return self.ip(97, b'\x30\0' + frame, over6)
        if how.startswith('capwap') and self.choose(False, True):
            return self.capwap_pieces(frame, b'\x43' if how == 'capwap-wlan'
                                      else b'\4')
        head = {'vxlan': b'\x08' + bytes(7),
                'geneve': b'\0\0\x65\x58' + bytes(4),
                'capwap': b'\0\x10\4\x20' + bytes(4),
                'capwap-wlan': b'\0\x10\x43\0' + bytes(4),
                'tzsp': b'\1\0\0\1\1', 'tzsp-wlan': b'\1\0\0\x12\1',
                'erm': bytes(12)}[how]
        return self.datagram(port, head + frame)

    def ends(self, length):
        """Where pieces of a message of @length end: any multiples of 8."""
        places = range(1, (length + 7) // 8)
        count = min(len(places), self.random.randint(1, 3))
        return [8 * at for at in sorted(self.random.sample(places, count))] + \
            [length]

    def cut(self, packet):
        """In fragments; the header in front is made again for each."""
        over6 = packet[0] >> 4 == 6
        head = packet[:40 if over6 else 20]
        body = packet[len(head):]
        if not over6 and self.fields[-1] != 'ipv4':
            return [packet]
        if not over6:
            self.fields.pop()
        pieces, at = [], 0
        self.messages += 1
        for end in self.ends(len(body)):
            more = end < len(body)
            if over6:
                pieces.append(struct.pack(
                    '>IHBB', 0x60000000, 8 + end - at, 44, 64) + head[8:] +
                    struct.pack('>BBHI', head[6], 0, at | more,
                                self.messages) + body[at:end])
            else:
                piece = head[:2] + struct.pack(
                    '>HHH', 20 + end - at, self.messages,
                    more << 13 | at // 8) + head[8:10] + b'\0\0' + head[12:]
                pieces.append(self.header4(p.put16(
                    piece, 10, p.checksum(piece))) + body[at:end])
            at = end
        return pieces

    def fcs(self, frame):
        value = bytearray(struct.pack('<I', zlib.crc32(frame)))
        self.fields.append('fcs')
        if self.wrong == len(self.fields) - 1:
            value[3] ^= 0x10
        return frame + bytes(value)

    def lowpan(self, packet):
        """IEEE 802.15.4: as it is, or compressed; and that in fragments."""
        head = b'\x61\xdc\1\xcd\xab' + bytes(range(16))
        link = self.choose(LOWPAN, LOWPAN_FCS)
        size, start = 40, packet[6:7]
        if self.choose(False, True) or packet[6] == FRAGMENT or \
                b'\x14\x7f' in packet[40:52]:
            # no fragment, of IP or CAPWAP, is put together behind a
            # compressed header
            size, start = 0, b'\x41'
        elif packet[6] == p.UDP:
            # ports and sum in line, RFC 6282, section 4.3
            size, start = 48, b'\x7e\0' + packet[8:40] + b'\xf0' + \
                packet[40:44] + packet[46:48]
        else:
            start = b'\x7a\0' + start + packet[8:40]
        pieces = [start + packet[size:]]
        ends = [end for end in self.ends(len(packet)) if end >= size]
        if len(ends) > 1 and len(packet) < 2048 and self.choose(False, True):
            self.messages += 1
            words = struct.pack('>HH', 0xc000 | len(packet), self.messages)
            pieces = [words + start + packet[size:ends[0]]]
            for at, end in zip(ends, ends[1:]):
                pieces.append(bytes([words[0] | 0x20]) + words[1:] +
                              bytes([at // 8]) + packet[at:end])
            self.random.shuffle(pieces)
        return [(link, 0, head + piece + (
            p.crc16(head + piece) if link == LOWPAN_FCS else b''))
                for piece in pieces]

    def link(self, packet):
        """(link type, bytes of check sequence, frame), or a list of them"""
        kind = p.kind_of(packet)
        name = self.choose('ethernet', 'ethernet', 'ethernet-fcs', 'sll',
                           'sll2', 'raw', 'null', 'ppp', 'hdlc', 'wlan',
                           'wlan-fcs', 'radiotap', 'radiotap-fcs', 'lowpan')
        if name == 'lowpan' and packet[0] >> 4 == 6:
            return self.lowpan(packet)
        if name == 'ethernet-fcs':
            return ETHERNET, 4, self.fcs(self.frame(packet))
        if name.startswith('wlan'):
            frame = self.wlan(packet)
            return (105, 4, self.fcs(frame)) if name == 'wlan-fcs' else \
                (105, 0, frame)
        if name.startswith('radiotap'):
            frame = self.wlan(packet)
            has = name == 'radiotap-fcs'
            return 127, 0, b'\0\0\x09\0\2\0\0\0' + bytes([0x10 * has]) + (
                self.fcs(frame) if has else frame)
        if name == 'sll':
            return 113, 0, p.sll(packet)
        if name == 'sll2':
            return 276, 0, p.sll2(packet)
        if name == 'raw':
            return 101, 0, packet
        if name == 'null':
            return 0, 0, p.loop('<', 30)(packet)
        if name == 'ppp':
            return 9, 0, b'\xff\3\0' + (
                b'\x57' if kind == b'\x86\xdd' else b'\x21') + packet
        if name == 'hdlc':
            return 104, 0, b'\x0f\0' + kind + packet
        return ETHERNET, 0, self.frame(packet)

    def build(self):
        packets = [self.leaf()]
        for _ in range(self.random.randrange(DEEPEST)):
            packets = self.maybe_cut(packets)
            packets = flat(self.tunnel(packet) for packet in packets)
        packets = self.maybe_cut(packets)
        self.random.shuffle(packets)
        return flat(self.link(packet) for packet in packets)

    def maybe_cut(self, packets):
        """One of them in fragments, now and then."""
        if len(packets) > 6 or self.choose(False, False, True):
            return packets
        # the last one: so it is the one whose header has been made last
        return packets[:-1] + self.cut(packets[-1])


def main():
    folder, seed = sys.argv[1], int(sys.argv[2])
    right, wrong, layers = [], [], []
    for number in range(PACKETS):
        mine = f'{seed}.{number}'
        builder = Builder(number, mine, None)
        right += builder.build()
        field = random.Random(mine + 'x').randrange(len(builder.fields))
        layers.append(builder.fields[field])
        wrong += Builder(number, mine, field).build()
    order = '<>'[seed % 2]
    pcap.write_ng(os.path.join(folder, 'right.pcapng'), right, order)
    pcap.write_ng(os.path.join(folder, 'wrong.pcapng'), wrong, order)
    with open(os.path.join(folder, 'layers'), 'w', encoding='ascii') as out:
        out.write(''.join(f'{layer}\n' for layer in layers))


main()
