#!/usr/bin/env python3
"""Writes where.pcap: wrong checksums in VLANs, tunnels, fragments, and no IP.

usage: tests/where.py FOLDER
"""
import contextlib
import io
import os
import struct
import sys

import pcap

with contextlib.redirect_stdout(io.StringIO()):
    import packets as p

BEGIN = 1764577800.25  # 2025-12-01 08:30:00 UTC


def wrong(msg, at):
    return p.put16(msg, at, 0x1234)


def udp(data=b'hello', ports=(40000, 443)):
    return wrong(p.message(p.UDP, data, ports=ports), 6)


def qinq(packet):
    tags = struct.pack('>HHHH', 0x88a8, 0x6000 | 7, 0x8100, 0x2000 | 4094)
    return p.MAC + tags + struct.pack('>H', 0x0800) + packet


def cdp():
    """A Cisco Discovery Protocol message with a wrong checksum."""
    body = bytes.fromhex('aaaa03' '00000c' '2000' '02b4' '1234' '0001' '0008'
                         '61626364')
    return p.MAC + struct.pack('>H', len(body)) + body


inner = p.ipv4(p.UDP, udp(ports=(1, 2)), src=p.HOME4, dst=p.HOP4)
large = udp(bytes(64))
tcp6 = wrong(p.message(p.TCP, b'six'), 16)
frames = [
    p.eth(p.ipv4(p.UDP, udp())),
    qinq(p.ipv4(p.UDP, udp())),
    p.eth(p.ipv4(4, inner), tags=[0x8100]),
    p.eth(p.ipv6(p.TCP, tcp6)),
    # two fragments, and the first one of two
    p.eth(p.ipv4(p.UDP, large[:24], frag=0x2000), tags=[0x8100]),
    p.eth(p.ipv4(p.UDP, large[24:], frag=3), tags=[0x8100]),
    p.eth(p.ipv4(p.UDP, large[:24], frag=0x2000, src=p.HOP4), tags=[0x8100]),
    cdp(),
]
pcap.write(os.path.join(sys.argv[1], 'where.pcap'), frames,
           [BEGIN + i for i in range(len(frames))])
