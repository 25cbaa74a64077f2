#!/usr/bin/env python3
"""Captures whose sums are wrong for no reason that a single packet can tell.

usage: tests/chance.py FOLDER SEED

headers.pcap   10,000 IPv4 headers with a random value in the sum, each of a
               sender of its own; what they carry is right
stale.pcap     99 TCP packets of one flow whose window, a small number, was
               rewritten a bit: the sums are stale by differences that vary
ttl.pcap       50 packets of one flow, the TTL lower than in the sum
zeros.pcap     50 UDP packets without a checksum behind a NAT that has updated
               the 0: of one flow, so all hold the same value
mixed.pcap     the same and ttl.pcap, among 200 right ones of other flows
"""
import random
import struct
import sys

import pcap


def fold(data):
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(">%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return total


def frame(src, dst, protocol, upper, ttl=64, header=None):
    ip = bytearray(struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(upper),
                               0x1234, 0, ttl, protocol, 0, src, dst))
    right = 0xffff - fold(bytes(ip))
    struct.pack_into(">H", ip, 10, right if header is None else header(right))
    return bytes.fromhex("00005e00530200005e0053010800") + bytes(ip) + upper


def tcp(rnd, src, dst, ports, more=0):
    """@more: by which the window on the wire is greater than in the sum."""
    body = bytes(rnd.randrange(256) for _ in range(rnd.randrange(40, 90)))
    segment = bytearray(struct.pack(">HHIIBBHHH", *ports, rnd.getrandbits(32),
                                    rnd.getrandbits(32), 0x50, 0x18,
                                    rnd.randrange(200, 2000), 0, 0) + body)
    pseudo = src + dst + struct.pack(">HH", 6, len(segment))
    struct.pack_into(">H", segment, 16, 0xffff - fold(pseudo + bytes(segment)))
    window, = struct.unpack_from(">H", segment, 14)
    struct.pack_into(">H", segment, 14, window + more)
    return bytes(segment)


def udp(rnd, src, dst, value):
    body = bytes(rnd.randrange(256) for _ in range(rnd.randrange(40, 90)))
    del src, dst
    return struct.pack(">HHHH", 40000, 4000, 8 + len(body), value) + body


def host(i):
    return struct.pack(">BBH", 10, 1 + (i >> 16), i & 0xffff)


def main():
    folder, seed = sys.argv[1], int(sys.argv[2])
    rnd = random.Random(seed)
    peer = bytes([192, 0, 2, 9])
    headers = []
    for i in range(10000):
        headers.append(frame(host(i + 1), peer, 6,
                             tcp(rnd, host(i + 1), peer, (1024, 80)),
                             header=lambda r: (r + rnd.randrange(1, 0xfffe)) %
                             0xffff))
    a, b = host(70001), host(70002)
    stale = [frame(a, peer, 6, tcp(rnd, a, peer, (2222, 22),
                                   rnd.choice((-1, 1)) * rnd.randrange(1, 40)))
             for _ in range(99)]
    ttl = [frame(b, peer, 6, tcp(rnd, b, peer, (3333, 22)), 63,
                 lambda r: r - 0x100 if r > 0x100 else r + 0xfeff)
           for _ in range(50)]
    zeros = [frame(a, peer, 17, udp(rnd, a, peer, 0x5aa5)) for _ in range(50)]
    right = [frame(host(i), peer, 6, tcp(rnd, host(i), peer, (5000 + i, 80)))
             for i in range(200)]
    mixed = zeros + ttl + right
    rnd.shuffle(mixed)
    for name in "headers", "stale", "ttl", "zeros", "mixed":
        pcap.write("%s/%s.pcap" % (folder, name), locals()[name])


main()
