#!/usr/bin/env python3
"""Writes mistakes.h: packets whose checksum is wrong, and by which mistake.

usage: tests/mistakes.py >tests/mistakes.h

Each mistake is made here as the program that makes it would, on the packets of
packets.py and with its plain model; none of the library's code is involved.
"""
import contextlib
import io
import struct

with contextlib.redirect_stdout(io.StringIO()):
    import packets as p

rows = []
FIRST, SECOND = 0, 1  # checksums of a packet, IPv4 header first


def row(name, frame, index, want, flags=0):
    rows.append((name, frame, index, flags, want))


def bad4(proto, data, value, **how):
    """Ethernet, IPv4, and a message with @value for its checksum."""
    msg = p.put16(p.message(proto, data), p.FIELD[proto], value)
    return p.eth(p.ipv4(proto, msg, **how))


def bad6(proto, data, value, extensions=b'', first=None):
    msg = p.put16(p.message(proto, data), p.FIELD[proto], value)
    return p.eth(p.ipv6(first or proto, extensions + msg))


def pseudo4(proto, length, src=p.SRC4, dst=p.DST4):
    return p.pseudo(src, dst, length, proto)


ODD, EVEN = b'odd', b'even'
udp, tcp = p.message(p.UDP, ODD), p.message(p.TCP, EVEN)
udp_right = p.right(p.UDP, p.SRC4, p.DST4, udp)
tcp_right = p.right(p.TCP, p.SRC4, p.DST4, tcp)

# --- left to the network card, or left out

row('pseudo-header only', bad4(p.UDP, ODD, p.ones_sum(pseudo4(17, 11))),
    SECOND, 'offload')
row('pseudo-header without length', bad4(p.TCP, EVEN,
                                         p.ones_sum(pseudo4(6, 0))),
    SECOND, 'large-send')
row('flagged by the capture', bad4(p.TCP, EVEN, 0x0bad), SECOND, 'flagged',
    flags=0x200)
row('left 0', bad4(p.TCP, EVEN, 0), SECOND, 'zero')
row('icmp of zeros', p.eth(p.ipv4(p.ICMP, bytes(8))), SECOND, 'zero')
row('udp over ipv6 with the wrong zero',
    p.eth(p.ipv6(p.UDP, p.zero_sum(p.UDP, p.SRC6, p.DST6))), FIRST, 'zeros')
row('not complemented', bad4(p.UDP, ODD, udp_right ^ 0xffff), SECOND,
    'complement')
row('bytes swapped', bad4(p.UDP, ODD, udp_right >> 8 | (udp_right & 255) << 8),
    SECOND, 'swap')
header = p.ipv4(p.UDP, b'')[:20]
right = struct.unpack('>H', header[10:12])[0]
row('ipv4 header, bytes swapped',
    p.eth(p.ipv4(p.UDP, b'', check=right >> 8 | (right & 255) << 8)), FIRST,
    'swap')

# --- the pseudo-header

row('without pseudo-header', bad4(p.UDP, ODD, p.checksum(udp)), SECOND,
    'no-pseudo')
row('icmpv6 without pseudo-header',
    bad6(p.ICMPV6, ODD, p.checksum(p.message(p.ICMPV6, ODD))), FIRST,
    'no-pseudo')
icmp = p.message(p.ICMP, ODD)
row('icmp with pseudo-header',
    bad4(p.ICMP, ODD, p.checksum(pseudo4(1, len(icmp)) + icmp)), SECOND,
    'pseudo')
seeded = p.put16(tcp, 16, p.ones_sum(pseudo4(6, len(tcp))))
row('the field was not cleared',
    bad4(p.TCP, EVEN, p.checksum(pseudo4(6, len(tcp)) + seeded)), SECOND,
    'pseudo-twice')
for length, what in ((44, 'of the IP packet'), (4, 'without its header'),
                     (0x1800, 'in the wrong byte order')):
    row(f'length {what}', bad4(p.TCP, EVEN,
                               p.checksum(pseudo4(6, length) + tcp)),
        SECOND, f'length {length}')
ext = bytes([6, 0, 1, 4, 0, 0, 0, 0])  # destination options: padding
row('length with the extension headers',
    bad6(p.TCP, EVEN, p.checksum(p.pseudo(p.SRC6, p.DST6, 32, 6) + tcp), ext,
         60), FIRST, 'length 32')
row('protocol of the first extension header',
    bad6(p.TCP, EVEN, p.checksum(p.pseudo(p.SRC6, p.DST6, 24, 60) + tcp), ext,
         60), FIRST, 'protocol 60')
route = bytes([131, 7, 4]) + p.HOP4 + b'\0'
row('destination of the header, not of the route',
    bad4(p.UDP, ODD, udp_right, options=route), SECOND, 'destination')
home = bytes([6, 2, 1, 2, 0, 0, 0xc9, 16]) + p.HOME6
row('source of the header, not the home address',
    bad6(p.TCP, EVEN, p.right(p.TCP, p.SRC6, p.DST6, tcp), home, 60), FIRST,
    'source')

# --- the message

last = udp[:-1] + b'\0' + udp[-1:]
row('the odd byte on the wrong side',
    bad4(p.UDP, ODD, p.checksum(pseudo4(17, 11) + last)), SECOND, 'odd-side')
row('the odd byte left out',
    bad4(p.UDP, ODD, p.checksum(pseudo4(17, 11) + udp[:-1])), SECOND,
    'odd-byte')
TRAILER = b'\xde\xad\xbe\xef\x55'
row('trailer included',
    bad4(p.UDP, ODD, p.checksum(pseudo4(17, 11) + udp + TRAILER)) + TRAILER,
    SECOND, 'trailer 5')
row('trailer included and counted',
    bad4(p.UDP, ODD, p.checksum(pseudo4(17, 16) + udp + TRAILER)) + TRAILER,
    SECOND, 'trailer 5')
row('trailer included, but not the frame check sequence',
    bad4(p.UDP, ODD, p.checksum(pseudo4(17, 11) + udp + b'\x77')) +
    b'\x77\1\2\3\4', SECOND, 'trailer 1')
options = b'\x94\x04\x12\x34'
head = p.ipv4(p.UDP, b'', options=options, check=0)[:24]
row('options left out',
    p.eth(p.ipv4(p.UDP, b'', options=options, check=p.checksum(head[:20]))),
    FIRST, 'options')


def lost_carry(data, order, folds):
    """Words added in 16 bits, carries added back @folds times."""
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(f'{order}{len(data) // 2}H', data))
    for _ in range(folds):
        total = (total & 0xffff) + (total >> 16)
    value = ~total & 0xffff
    return value if order == '>' else value >> 8 | (value & 255) << 8


heavy = p.message(p.UDP, b'\xff' * 60 + b'\x01\x02')
for order, name in (('>', 'big endian'), ('<', 'little endian')):
    row(f'no carries, {name}',
        bad4(p.UDP, heavy[8:], lost_carry(pseudo4(17, len(heavy)) + heavy,
                                          order, 0)), SECOND, 'carry')
# data for which adding the carries makes another carry
for order, name in (('>', 'big endian'), ('<', 'little endian')):
    for v in range(0x10000):
        m = p.message(p.UDP, b'\xff\xff\xff\xff' + struct.pack('>H', v))
        once = lost_carry(pseudo4(17, len(m)) + m, order, 1)
        if once != lost_carry(pseudo4(17, len(m)) + m, order, 2):
            break
    row(f'carries added once, {name}', bad4(p.UDP, m[8:], once), SECOND,
        'carry')

# --- changed after the sum was made

good = p.eth(p.ipv4(p.TCP, p.put16(tcp, 16, tcp_right)))


def change(frame, at, data):
    return frame[:at] + data + frame[at + len(data):]


row('TTL', change(good, 22, b'\x3f'), FIRST, 'changed TTL 64 63')
row('type of service', change(good, 15, b'\x03'), FIRST,
    'changed type of service 0 3')
row('do not fragment', change(p.eth(p.ipv4(p.TCP, tcp, frag=0x4000)), 20,
                              b'\0\0'), FIRST, 'changed flags 2 0')
cut = change(good, 16, struct.pack('>H', 42))
row('total length, to all of the frame', cut, FIRST,
    'changed total length 44 42')
large = change(p.eth(p.ipv4(p.TCP, tcp, total=0)), 16, struct.pack('>H', 44))
row('total length, of a large send', large, FIRST,
    'changed total length 0 44')
syn = bytearray(p.message(p.TCP, bytes([2, 4]) + struct.pack('>H', 1460),
                          doff=6))
syn[13] = 2
syn = bytes(syn)
syn = p.put16(syn, 16, p.right(p.TCP, p.SRC4, p.DST4, syn))
row('maximum segment size',
    p.eth(p.ipv4(p.TCP, change(syn, 22, struct.pack('>H', 1380)))), SECOND,
    'changed maximum segment size 1460 1380')
echo = p.put16(icmp, 2, p.right(p.ICMP, p.SRC4, p.DST4, icmp))
row('type of icmp', p.eth(p.ipv4(p.ICMP, b'\0' + echo[1:])), SECOND,
    'changed type 8 0')
nat = change(good, 26, p.ip4('203.0.2.1'))
row('an address, seen in the header', nat, FIRST, 'address')
row('an address, seen in the message', nat, SECOND, 'address')
LONG = p.message(p.UDP, b'all of it' + TRAILER)
long4 = p.put16(LONG, 6, p.right(p.UDP, p.SRC4, p.DST4, LONG))
long6 = p.put16(LONG, 6, p.right(p.UDP, p.SRC6, p.DST6, LONG))
row('udp length, the rest is there', p.eth(p.ipv4(p.UDP, p.put16(
    long4, 4, 17))), SECOND, 'changed length 22 17')
row('udp and total length, the rest is there', p.eth(p.ipv4(p.UDP, p.put16(
    long4, 4, 17), total=37)), SECOND, 'changed length 22 17')
row('udp and payload length of ipv6', p.eth(p.ipv6(p.UDP, p.put16(
    long6, 4, 17), length=17)), FIRST, 'changed length 22 17')
# cut or segmented: the length in the pseudo-header differs by as much
shorter = change(p.eth(p.ipv4(p.TCP, p.put16(tcp, 16, p.right(
    p.TCP, p.SRC4, p.DST4, tcp + bytes(1000))), total=1044)), 16,
    struct.pack('>H', 44))
row('total length, seen in the header', shorter, FIRST, 'address')
row('total length, seen in the message', shorter, SECOND, 'address')
row('the capture says that it was valid', change(good, 54, b'\x75'), SECOND,
    'valid', flags=0x400)
# what cannot be told
row('a port', change(good, 36, b'\x12\x34'), SECOND, '')
row('an address, and the header follows',
    p.eth(p.ipv4(p.TCP, p.put16(tcp, 16, tcp_right), dst=p.HOP4)), SECOND, '')
row('the identification', change(good, 18, b'\x21\x56'), FIRST, '')
row('a flipped bit', change(good, 54, b'\x75'), SECOND, '')

HEAD = """\
/* SPDX-License-Identifier: BSD-2-Clause */
/* mistakes.h - written by mistakes.py, which says what this is. */
#ifndef CSUM_TEST_MISTAKES_H
#define CSUM_TEST_MISTAKES_H

#include <stdint.h>

struct mistake_row {
	const char *name;
	const char *hex; /* an Ethernet frame */
	unsigned site;
	uint32_t flags;
	const char *want; /* cause, and its detail; "": none */
};

/* clang-format off */
static const struct mistake_row mistake_rows[] = {"""

print(HEAD)
for name, frame, index, flags, want in rows:
    print(f'\t{{ "{name}",\n\t  {p.c_string(frame.hex())},\n'
          f'\t  {index}, {flags:#x}, "{want}" }},')
print('};\n/* clang-format on */\n\n#endif')
