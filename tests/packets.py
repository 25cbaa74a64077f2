#!/usr/bin/env python3
"""Writes packets.h: the packets of test_capture.c and what is right for them.

usage: tests/packets.py >tests/packets.h

Every value is computed here, in Python, by the plain rule of RFC 1071: one
16-bit word after the other.  None of the library's code is involved, so the
literals in packets.h are an independent witness.  The frames are built from
their RFCs; addresses are documentation addresses.
"""
import struct

ETHERNET, NULL, LOOP, RAW, SLL, SLL2 = 1, 0, 108, 101, 113, 276

# --- the plain model ---------------------------------------------------------


def ones_sum(data):
    total = 0
    for i in range(0, len(data), 2):
        word = data[i] << 8 | (data[i + 1] if i + 1 < len(data) else 0)
        total += word
        total = (total & 0xffff) + (total >> 16)
    return total


def checksum(data):
    return ones_sum(data) ^ 0xffff


def put16(data, at, value):
    return data[:at] + struct.pack('>H', value) + data[at + 2:]


# --- addresses ---------------------------------------------------------------

def ip4(text):
    return bytes(int(part) for part in text.split('.'))


def ip6(tail, prefix='20010db8'):
    return bytes.fromhex(prefix) + bytes(11) + bytes([tail])


SRC4, DST4 = ip4('192.0.2.1'), ip4('198.51.100.2')
HOP4, HOME4 = ip4('203.0.113.3'), ip4('192.0.2.77')
SRC6, DST6, HOP6, HOME6 = ip6(1), ip6(2), ip6(3), ip6(9)


def pseudo(src, dst, length, proto):
    if len(src) == 4:
        return src + dst + struct.pack('>BBH', 0, proto, length)
    return src + dst + struct.pack('>II', length, proto)


# --- layers ------------------------------------------------------------------

TCP, UDP, ICMP, ICMPV6 = 6, 17, 1, 58
FIELD = {TCP: 16, UDP: 6, ICMP: 2, ICMPV6: 2}
NAME = {TCP: 'tcp', UDP: 'udp', ICMP: 'icmp', ICMPV6: 'icmpv6'}


def message(proto, data, udp_len=None, ports=(40000, 443), doff=5):
    if proto == TCP:
        return struct.pack('>HHIIBBHHH', *ports, 0x01020304, 0x0a0b0c0d,
                           doff << 4, 0x18, 8192, 0, 0) + data
    if proto == UDP:
        length = 8 + len(data) if udp_len is None else udp_len
        return struct.pack('>HHHH', *ports, length, 0) + data
    kind = 128 if proto == ICMPV6 else 8
    return struct.pack('>BBHHH', kind, 0, 0, 0x1234, 1) + data


def right(proto, src, dst, msg, length=None):
    """The value for the field of @msg, which is 0."""
    length = len(msg) if length is None else length
    head = b'' if proto == ICMP else pseudo(src, dst, length, proto)
    value = checksum(head + msg)
    return 0xffff if proto == UDP and value == 0 else value


def ipv4(proto, payload, total=None, options=b'', frag=0, src=SRC4, dst=DST4,
         check=None, ihl=None, version=4):
    ihl = 5 + len(options) // 4 if ihl is None else ihl
    total = 20 + len(options) + len(payload) if total is None else total
    header = struct.pack('>BBHHHBBH', version << 4 | ihl, 0, total, 0x1234,
                         frag, 64, proto, 0) + src + dst + options
    value = checksum(header) if check is None else check
    return put16(header, 10, value) + payload


def ipv6(first, payload, length=None, src=SRC6, dst=DST6, version=6):
    length = len(payload) if length is None else length
    return struct.pack('>IHBB', version << 28, length & 0xffff, first,
                       64) + src + dst + payload


MAC = bytes.fromhex('00005e005302' '00005e005301')


def eth(packet, kind=None, tags=()):
    kind = kind or (0x86dd if packet[0] >> 4 == 6 else 0x0800)
    tagged = b''.join(struct.pack('>HH', tpid, 5) for tpid in tags)
    return MAC + tagged + struct.pack('>H', kind) + packet


def snap(packet, oui='000000'):
    kind = 0x86dd if packet[0] >> 4 == 6 else 0x0800
    body = bytes.fromhex('aaaa03' + oui) + struct.pack('>H', kind) + packet
    # what the length does not count is padding, and not zero here
    return MAC + struct.pack('>H', len(body)) + body + b'\xde\xad\xbe\xef'


def sll(packet):
    kind = 0x86dd if packet[0] >> 4 == 6 else 0x0800
    return bytes.fromhex('00040001000600005e0053010000') + struct.pack(
        '>H', kind) + packet


def sll2(packet):
    kind = 0x86dd if packet[0] >> 4 == 6 else 0x0800
    return struct.pack('>HHIHBB', kind, 0, 2, 1, 4, 6) + bytes.fromhex(
        '00005e0053010000') + packet


def loop(order, v6_family):
    def wrap(packet):
        family = v6_family if packet[0] >> 4 == 6 else 2
        return struct.pack(order + 'I', family) + packet
    return wrap


# --- rows --------------------------------------------------------------------

rows = []


def row(name, link, frame, want, wirelen=0, flags=0, caplen=None,
        fill=(0, 0)):
    """@fill: (byte, count) of more data at the end; @caplen cuts the frame."""
    if caplen is not None:
        wirelen = wirelen or len(frame)
        frame = frame[:caplen]
    rows.append((name, link, wirelen, flags, fill, frame, '; '.join(want)))


def site(layer, at, verdict, found, expected=None):
    text = f'{layer}@{at} {verdict} {found:04x}'
    return text if expected is None else f'{text} {expected:04x}'


def good(layer, at, value):
    return site(layer, at, 'good', value, value)


def header_site(start):
    def of(packet):
        return good('ipv4', start + 10, struct.unpack('>H', packet[10:12])[0])
    return of


def finish(proto, src, dst, msg):
    """@msg with its right checksum, and that."""
    value = right(proto, src, dst, msg)
    return put16(msg, FIELD[proto], value), value


def everything_over(name, link, wrap, at):
    """TCP, UDP and ICMP over both IPs in one kind of frame, IP at @at."""
    for proto in (TCP, UDP, ICMP):
        msg, value = finish(proto, SRC4, DST4, message(proto, b'odd'))
        packet = ipv4(proto, msg)
        row(f'{name} ipv4 {NAME[proto]}', link, wrap(packet),
            [header_site(at)(packet),
             good(NAME[proto], at + 20 + FIELD[proto], value)])
    for proto in (TCP, UDP, ICMPV6):
        msg, value = finish(proto, SRC6, DST6, message(proto, b'even'))
        row(f'{name} ipv6 {NAME[proto]}', link, wrap(ipv6(proto, msg)),
            [good(NAME[proto], at + 40 + FIELD[proto], value)])


everything_over('ethernet', ETHERNET, eth, 14)
everything_over('ethernet, padded', ETHERNET,
                lambda p: eth(p) + b'\xde\xad\xbe\xef\x55', 14)
everything_over('vlan', ETHERNET, lambda p: eth(p, tags=[0x8100]), 18)
everything_over('qinq', ETHERNET, lambda p: eth(p, tags=[0x88a8, 0x8100]), 22)
everything_over('three old tags', ETHERNET,
                lambda p: eth(p, tags=[0x9100, 0x9200, 0x8100]), 26)
everything_over('snap', ETHERNET, snap, 22)
everything_over('snap, bridged', ETHERNET, lambda p: snap(p, '0000f8'), 22)
everything_over('cooked', SLL, sll, 16)
everything_over('cooked v2', SLL2, sll2, 20)
for number in (101, 12, 14):
    everything_over(f'raw {number}', number, lambda p: p, 0)
everything_over('null, little endian', NULL, loop('<', 30), 4)
everything_over('null, big endian', NULL, loop('>', 28), 4)
everything_over('loop', LOOP, loop('>', 24), 4)
everything_over('null, Linux', NULL, loop('<', 10), 4)
everything_over('null, Windows', NULL, loop('<', 23), 4)

tcp4, tcp4_value = finish(TCP, SRC4, DST4, message(TCP, b'GET /'))
tcp6, tcp6_value = finish(TCP, SRC6, DST6, message(TCP, b'GET /'))
udp4, udp4_value = finish(UDP, SRC4, DST4, message(UDP, b'hello'))
udp6, udp6_value = finish(UDP, SRC6, DST6, message(UDP, b'hello'))
ICMP_DATA = bytes(range(9))
icmp4, icmp4_value = finish(ICMP, SRC4, DST4, message(ICMP, ICMP_DATA))
p_tcp4, p_udp4, p_icmp4 = ipv4(TCP, tcp4), ipv4(UDP, udp4), ipv4(ICMP, icmp4)
head4 = header_site(14)

row('link type IPV4', 228, p_tcp4,
    [header_site(0)(p_tcp4), good('tcp', 36, tcp4_value)])
row('link type IPV6', 229, ipv6(TCP, tcp6), [good('tcp', 56, tcp6_value)])
row('LLC with the IP service access point', ETHERNET,
    MAC + struct.pack('>H', 3 + len(p_tcp4)) + b'\x06\x06\x03' + p_tcp4,
    [header_site(17)(p_tcp4), good('tcp', 53, tcp4_value)])
row('cooked, LLC and SNAP', SLL,
    sll(p_tcp4)[:14] + bytes.fromhex('0004aaaa030000000800') + p_tcp4,
    [header_site(24)(p_tcp4), good('tcp', 60, tcp4_value)])

# where the walk ends: nothing is found, and the edge says why
row('ARP', ETHERNET, eth(b'\0\1' + bytes(26), 0x0806), ['edge ethertype 0806'])
row('spanning tree', ETHERNET,
    MAC + b'\0\x26\x42\x42\x03' + bytes(43), ['edge llc 0042'])
row('SNAP of another kind', ETHERNET,
    MAC + b'\0\x10\xaa\xaa\x03\0\0\x0c\x20\x04' + bytes(43), ['edge llc 00aa'])
row('length that is none', ETHERNET, eth(bytes(46), 1501), ['edge ethertype 05dd'])
row('AppleTalk loopback', NULL, struct.pack('<I', 16) + bytes(20),
    ['edge family 0010'])
row('link type 147', 147, bytes(20), ['edge linktype 0093'])
p = ipv4(108, bytes(12))
row('IPComp', ETHERNET, eth(p), [head4(p), 'edge protocol 006c'])
row('IPComp over IPv6', ETHERNET, eth(ipv6(108, bytes(12))),
    ['edge protocol 006c'])
row('ICMP over IPv6', ETHERNET, eth(ipv6(1, bytes(12))), ['edge protocol 0001'])
p = ipv4(58, bytes(12))
row('ICMPv6 over IPv4', ETHERNET, eth(p), [head4(p), 'edge protocol 003a'])
row('no next header', ETHERNET, eth(ipv6(59, b'junk')), [])
row('HIP', ETHERNET, eth(ipv6(139, bytes(8))), ['edge protocol 008b'])

# --- the two zeros

ports = (40000, 443)


def zero_sum(proto, src, dst):
    """A message whose computed checksum is 0: two bytes make up for it."""
    msg = message(proto, b'\0\0')
    value = checksum((b'' if proto == ICMP else
                      pseudo(src, dst, len(msg), proto)) + msg)
    return msg[:-2] + struct.pack('>H', value)


msg = zero_sum(TCP, SRC4, DST4)
p = ipv4(TCP, msg)
row('tcp 0x0000 is right', ETHERNET, eth(p), [head4(p), good('tcp', 50, 0)])
p = ipv4(TCP, put16(msg, 16, 0xffff))
row('tcp 0xffff means the same', ETHERNET, eth(p),
    [head4(p), site('tcp', 50, 'good', 0xffff, 0)])
p = ipv4(ICMP, zero_sum(ICMP, SRC4, DST4))
row('icmp 0x0000 is right', ETHERNET, eth(p), [head4(p), good('icmp', 36, 0)])
p = ipv4(ICMP, put16(bytes(8), 2, 0xffff))
row('icmp of zeros', ETHERNET, eth(p), [head4(p), good('icmp', 36, 0xffff)])
p = ipv4(ICMP, bytes(8))
row('icmp of zeros, not even a checksum', ETHERNET, eth(p),
    [head4(p), site('icmp', 36, 'bad', 0, 0xffff)])
msg = zero_sum(UDP, SRC4, DST4)
p = ipv4(UDP, put16(msg, 6, 0xffff))
row('udp 0xffff is right', ETHERNET, eth(p),
    [head4(p), good('udp', 40, 0xffff)])
p = ipv4(UDP, message(UDP, b'hello'))
row('udp over ipv4 without', ETHERNET, eth(p),
    [head4(p), site('udp', 40, 'absent', 0)])
msg = zero_sum(UDP, SRC6, DST6)
row('udp over ipv6 0xffff is right', ETHERNET,
    eth(ipv6(UDP, put16(msg, 6, 0xffff))), [good('udp', 60, 0xffff)])
row('udp over ipv6 with the other zero', ETHERNET, eth(ipv6(UDP, msg)),
    [site('udp', 60, 'bad', 0, 0xffff)])
msg = message(UDP, b'hello')
row('udp over ipv6 without', ETHERNET, eth(ipv6(UDP, msg)),
    [site('udp', 60, 'bad', 0, right(UDP, SRC6, DST6, msg))])
for source, port, tunnel in ((2268, 50000, 'AMT'), (50000, 4341, 'LISP'),
                             (50000, 4754, 'GRE in UDP'),
                             (50000, 4789, 'VXLAN'), (50000, 6081, 'Geneve'),
                             (50000, 6635, 'MPLS')):
    # nothing in it that any of them would look into
    msg = message(UDP, b"\0\0\x88\xcc\0\1\1\0\0\0\0\0",
                  ports=(source, port))
    row(f'udp over ipv6 without, {tunnel}', ETHERNET, eth(ipv6(UDP, msg)),
        [site('udp', 60, 'absent', 0)] +
        {'GRE in UDP': ['gre absent 0000', 'edge ethertype 88cc'],
         'Geneve': ['edge ethertype 88cc'],
         'MPLS': ['edge ethertype 8847']}.get(tunnel, []))
for source, port in ((50000, 2268), (4789, 50000), (50000, 4788)):
    msg = message(UDP, b'tunnel', ports=(source, port))
    row(f'udp over ipv6 without, from {source} to {port}', ETHERNET,
        eth(ipv6(UDP, msg)),
        [site('udp', 60, 'bad', 0, right(UDP, SRC6, DST6, msg))])
p = ipv4(TCP, message(TCP, b''), check=0)
value = checksum(put16(p[:20], 10, 0))
row('ipv4 header without', ETHERNET, eth(p),
    [site('ipv4', 24, 'bad', 0, value),
     site('tcp', 50, 'bad', 0, right(TCP, SRC4, DST4, message(TCP, b'')))])
p = p_tcp4[:8] + b'\x3f' + p_tcp4[9:]
row('TTL changed, checksum not', ETHERNET, eth(p),
    [site('ipv4', 24, 'bad', struct.unpack('>H', p[10:12])[0],
          checksum(put16(p[:20], 10, 0))), good('tcp', 50, tcp4_value)])

# --- left to the network card


def unfinished(proto, src, dst, msg, length):
    return put16(msg, FIELD[proto], ones_sum(pseudo(src, dst, length, proto)))


for proto in (TCP, UDP):
    msg = message(proto, b'to be finished')
    want = right(proto, SRC4, DST4, msg)
    for length, what in ((len(msg), 'unfinished'), (0, 'large send')):
        part = unfinished(proto, SRC4, DST4, msg, length)
        p = ipv4(proto, part)
        row(f'{NAME[proto]} over ipv4, {what}', ETHERNET, eth(p),
            [head4(p), site(NAME[proto], 34 + FIELD[proto], 'partial',
                            ones_sum(pseudo(SRC4, DST4, length, proto)),
                            want)])
        part = unfinished(proto, SRC6, DST6, msg, length)
        row(f'{NAME[proto]} over ipv6, {what}', ETHERNET,
            eth(ipv6(proto, part)),
            [site(NAME[proto], 54 + FIELD[proto], 'partial',
                  ones_sum(pseudo(SRC6, DST6, length, proto)),
                  right(proto, SRC6, DST6, msg))])
msg = put16(message(TCP, b'epb'), 16, 0x0bad)
p = ipv4(TCP, msg)
want = right(TCP, SRC4, DST4, put16(msg, 16, 0))
row('flags: checksum not ready', ETHERNET, eth(p),
    [head4(p), site('tcp', 50, 'partial', 0x0bad, want)], flags=0x200)
row('flags: something else', ETHERNET, eth(p),
    [head4(p), site('tcp', 50, 'bad', 0x0bad, want)], flags=0xfffff5ff)
row('flags: not ready, and yet right', ETHERNET, eth(p_tcp4),
    [head4(p_tcp4), good('tcp', 50, tcp4_value)], flags=0x200)
p = ipv4(TCP, unfinished(TCP, SRC4, DST4, message(TCP, b''), 20))
value = ones_sum(pseudo(SRC4, DST4, 20, TCP))
p = ipv4(TCP, put16(message(TCP, b''), 16, value ^ 0xffff))
row('inverted pseudo-header sum is only wrong', ETHERNET, eth(p),
    [head4(p), site('tcp', 50, 'bad', value ^ 0xffff,
                    right(TCP, SRC4, DST4, message(TCP, b'')))])

# segmentation offload: the IP length is 0, the capture record has it
DATA = b'\x42' * 1460
msg = message(TCP, DATA)
part = unfinished(TCP, SRC4, DST4, msg, 0)
p = ipv4(TCP, part, total=0, check=0)
row('ipv4 length 0, nothing filled in', ETHERNET, eth(p)[:-1460],
    [site('ipv4', 24, 'partial', 0, checksum(p[:20])),
     site('tcp', 50, 'partial', ones_sum(pseudo(SRC4, DST4, 0, TCP)),
          right(TCP, SRC4, DST4, msg))], fill=(0x42, 1460))
done, value = finish(TCP, SRC4, DST4, msg)
p = ipv4(TCP, done, total=0)
row('ipv4 length 0, all filled in', ETHERNET, eth(p)[:-1460],
    [head4(p), good('tcp', 50, value)], fill=(0x42, 1460))
p = ipv4(TCP, done, total=0, check=0x1234)
row('ipv4 length 0, header wrong', ETHERNET, eth(p)[:-1460],
    [site('ipv4', 24, 'bad', 0x1234, checksum(put16(p[:20], 10, 0))),
     good('tcp', 50, value)], fill=(0x42, 1460))
done, value = finish(TCP, SRC6, DST6, msg)
row('ipv6 length 0', ETHERNET, eth(ipv6(TCP, done, length=0))[:-1460],
    [good('tcp', 70, value)], fill=(0x42, 1460))
p = ipv4(TCP, tcp4, total=0)
row('ipv4 length 0, the length of 802.3 counts', ETHERNET, snap(p),
    [header_site(22)(p), good('tcp', 58, tcp4_value)])
BIG = 70000
jumbo = bytes.fromhex('0600c204') + struct.pack('>I', 8 + 20 + BIG)
done, value = finish(TCP, SRC6, DST6, message(TCP, b'\x17' * BIG))
row('jumbogram, tcp', ETHERNET,
    eth(ipv6(0, jumbo + done, length=0))[:-BIG] + b'',
    [good('tcp', 78, value)], fill=(0x17, BIG))
row('jumbogram longer than the frame', ETHERNET,
    eth(ipv6(0, jumbo + done, length=0))[:-BIG],
    ['tcp@78 unverifiable longer than the frame on the wire'],
    fill=(0x17, BIG - 1))
jumbo = b'\x11' + jumbo[1:4] + struct.pack('>I', 8 + 8 + BIG)
done, value = finish(UDP, SRC6, DST6,
                     message(UDP, b'\x17' * BIG, udp_len=0))
row('jumbogram, udp', ETHERNET,
    eth(ipv6(0, jumbo + done, length=0))[:-BIG],
    [good('udp', 68, value)], fill=(0x17, BIG))
small = bytes.fromhex('0600c204') + struct.pack('>I', 65535)
row('jumbo option below 65536 is ignored', ETHERNET,
    eth(ipv6(0, small + tcp6, length=0)), [good('tcp', 78, tcp6_value)])

# --- options of IPv4: source routes

for kind, name in ((131, 'loose'), (137, 'strict')):
    for pointer, dst, what in ((4, SRC4, 'waiting'), (8, SRC4, 'half way'),
                               (12, DST4, 'done')):
        options = bytes([1, kind, 11, pointer]) + HOP4 + SRC4
        msg, value = finish(UDP, HOME4, dst, message(UDP, b'route'))
        p = ipv4(UDP, msg, options=options, src=HOME4)
        row(f'{name} source route, {what}', ETHERNET, eth(p),
            [head4(p), good('udp', 14 + 32 + 6, value)])
p = ipv4(UDP, udp4, options=b'\x07\x03\x04\0')
row('record route is no source route', ETHERNET, eth(p),
    [head4(p), good('udp', 44, udp4_value)])
p = ipv4(UDP, udp4, options=b'\x01\x01\x00\x83')
row('end of options', ETHERNET, eth(p),
    [head4(p), good('udp', 44, udp4_value)])
for options in (b'\x83\x00\x04\x00', b'\x83\xff\x04\x00', b'\x01\x01\x01\x83',
                b'\x83\x03\x04\x00', b'\x83\x03\x02\x00',
                b'\x83\x02\x00\x00'):
    p = ipv4(UDP, udp4, options=options)
    row(f'route option {options.hex()} is none', ETHERNET, eth(p),
        [head4(p), good('udp', 44, udp4_value)])

# --- extension headers


def ext(first, chain, src=SRC6, dst=DST6, proto=TCP, header_dst=DST6,
        header_src=SRC6):
    msg, value = finish(proto, src, dst, message(proto, b'after'))
    frame = eth(ipv6(first, chain + msg, dst=header_dst, src=header_src))
    return frame, [good(NAME[proto], 54 + len(chain) + FIELD[proto], value)]


def opts(following, body):
    assert len(body) % 8 == 6
    return bytes([following, (len(body) - 6) // 8]) + body


PAD6 = b'\x01\x04' + bytes(4)
HOP_BY_HOP, ROUTING, FRAGMENT, AH, DEST = 0, 43, 44, 51, 60
for proto in (TCP, UDP, ICMPV6):
    row(f'hop-by-hop, {NAME[proto]}', ETHERNET,
        *ext(HOP_BY_HOP, opts(proto, PAD6), proto=proto))
    row(f'destination options, {NAME[proto]}', ETHERNET,
        *ext(DEST, opts(proto, b'\0' * 6 + b'\x01\x06' + bytes(6)),
             proto=proto))
    row(f'atomic fragment, {NAME[proto]}', ETHERNET,
        *ext(FRAGMENT, bytes([proto, 0, 0, 0]) + b'\xca\xfe\xba\xbe',
             proto=proto))
    row(f'authentication header, {NAME[proto]}', ETHERNET,
        *ext(AH, bytes([proto, 5]) + bytes(26), proto=proto))
home = opts(TCP, b'\x01\x02\0\0\xc9\x10' + HOME6)
row('home address', ETHERNET, *ext(DEST, home, src=HOME6))
row('home address of the wrong length', ETHERNET,
    *ext(DEST, opts(TCP, b'\x01\x02\0\0\xc9\x0f' + HOME6)))
row('option beyond its header', ETHERNET,
    *ext(DEST, opts(TCP, b'\x01\x02\0\0\xc9\x11' + HOME6)))
row('home address that its header cuts off', ETHERNET,
    *ext(DEST, opts(TCP, b'\xc9\x10' + HOME6[:4])))
row('home address option in hop-by-hop means nothing', ETHERNET,
    *ext(HOP_BY_HOP, opts(TCP, b'\x01\x02\0\0\xc9\x10' + HOME6)))


def routing(kind, left, body, word=b'\0\0\0\0', following=TCP):
    return bytes([following, len(body) // 8, kind, left]) + word + body


for left, dst in ((0, DST6), (1, HOME6), (2, HOME6)):
    row(f'routing type 0, {left} left', ETHERNET,
        *ext(ROUTING, routing(0, left, HOP6 + HOME6), dst=dst))
for left, dst in ((0, DST6), (1, HOME6)):
    row(f'routing type 2, {left} left', ETHERNET,
        *ext(ROUTING, routing(2, left, HOME6), dst=dst))
for left, dst in ((0, DST6), (1, HOME6), (2, HOME6)):
    row(f'segment routing, {left} left', ETHERNET,
        *ext(ROUTING, routing(4, left, HOME6 + HOP6, b'\x01\0\0\0'), dst=dst))
row('segment routing with a TLV', ETHERNET,
    *ext(ROUTING, routing(4, 1, HOME6 + HOP6 + b'\x04\x06' + bytes(6),
                          b'\x01\0\0\0'), dst=HOME6))
# RFC 6554: two addresses, 15 bytes left out of the first, 14 of the last
last = b'\x0a\x0b'
for left, dst in ((0, DST6), (1, DST6[:14] + last), (2, DST6[:14] + last)):
    row(f'RPL, {left} left', ETHERNET,
        *ext(ROUTING, routing(3, left, b'\x07' + last + bytes(5),
                              b'\xfe\x50\0\0'), dst=dst))
row('RPL, whole addresses', ETHERNET,
    *ext(ROUTING, routing(3, 1, HOP6 + HOME6, b'\0\0\0\0'), dst=HOME6))
chain = (opts(DEST, PAD6) + opts(ROUTING, PAD6) +
         routing(0, 1, HOME6, following=FRAGMENT) +
         bytes([AH, 0, 0, 0, 1, 2, 3, 4]) + bytes([DEST, 4]) + bytes(22) +
         opts(UDP, b'\x01\x02\0\0\xc9\x10' + HOP6))
row('all extension headers in a row', ETHERNET,
    *ext(HOP_BY_HOP, chain, src=HOP6, dst=HOME6, proto=UDP))
p = ipv4(AH, bytes([UDP, 4]) + bytes(22) + udp4)
row('authentication header over ipv4', ETHERNET, eth(p),
    [head4(p), good('udp', 14 + 20 + 24 + 6, udp4_value)])

# --- what cannot be verified: why, and that nothing is called bad

SNAPPED = 'cut short by the snap length'
BEYOND = 'longer than the frame on the wire'
ROUTE = 'the route hides the final destination'
NO_ROOM = 'malformed: no room for its header'
VERSION = 'malformed: wrong IP version'
HEADER = 'malformed: impossible header length'
LENGTH = 'malformed: impossible length field'
TOTAL = 'malformed: IP length below that of its header'


def cannot(layer, at, reason):
    return f'{layer}{"" if at is None else f"@{at}"} unverifiable {reason}'


for what, chain in (
        ('too many segments', routing(0, 3, HOP6 + HOME6)),
        ('no address', routing(2, 1, b'')),
        ('segment routing, too many', routing(4, 3, HOME6 + HOP6)),
        ('unknown routing type', routing(5, 1, HOME6)),
        ('RPL, too many', routing(3, 3, b'\x07' + last + bytes(5),
                                  b'\xfe\x50\0\0')),
        ('RPL, no address', routing(3, 1, b'', b'\xff\x00\0\0')),
        ('RPL, padding over all', routing(3, 1, bytes(8), b'\xff\xf0\0\0'))):
    frame, _ = ext(ROUTING, chain)
    row(what, ETHERNET, frame, [cannot('tcp', 54 + len(chain) + 16, ROUTE)])
row('unknown routing type, none left', ETHERNET,
    *ext(ROUTING, routing(5, 0, HOME6)))

for proto in (TCP, UDP, ICMP):
    msg = message(proto, bytes(40))
    first = ipv4(proto, msg, frag=0x2000)
    row(f'first fragment, {NAME[proto]}', ETHERNET, eth(first),
        [head4(first),
         site('udp', 40, 'absent', 0) if proto == UDP else
         cannot(NAME[proto], 34 + FIELD[proto], 'fragment')])
    later = ipv4(proto, msg, frag=0x0005)
    row(f'last fragment, {NAME[proto]}', ETHERNET, eth(later),
        [head4(later), cannot(NAME[proto], None, 'fragment')])
p = ipv4(UDP, put16(message(UDP, bytes(32), udp_len=2000), 6, 0x1234),
         frag=0x2000)
row('first fragment of a long datagram', ETHERNET, eth(p),
    [head4(p), cannot('udp', 40, 'fragment')])
p = ipv4(AH, bytes(40), frag=0x2005)
row('middle fragment behind an authentication header', ETHERNET, eth(p),
    [head4(p), cannot('payload', None, 'fragment')])
p = ipv4(TCP, tcp4, frag=0x4000)
row("don't fragment is no fragment", ETHERNET, eth(p),
    [head4(p), good('tcp', 50, tcp4_value)])
for proto in (TCP, UDP, ICMPV6):
    msg = put16(message(proto, bytes(40)), FIELD[proto], 0x1234)
    row(f'first fragment over ipv6, {NAME[proto]}', ETHERNET,
        eth(ipv6(FRAGMENT, bytes([proto, 0, 0, 1, 1, 2, 3, 4]) + msg)),
        [cannot(NAME[proto], 62 + FIELD[proto], 'fragment')])
    row(f'last fragment over ipv6, {NAME[proto]}', ETHERNET,
        eth(ipv6(FRAGMENT, bytes([proto, 0, 0, 8, 1, 2, 3, 4]) + msg)),
        [cannot(NAME[proto], None, 'fragment')])
row('last fragment over ipv6, of an extension header', ETHERNET,
    eth(ipv6(FRAGMENT, bytes([DEST, 0, 0, 8, 1, 2, 3, 4]) + bytes(40))),
    [cannot('payload', None, 'fragment')])
row('first fragment that ends in an extension header', ETHERNET,
    eth(ipv6(FRAGMENT, bytes([DEST, 0, 0, 1, 1, 2, 3, 4]) + b'\x06\x02' +
             bytes(6))), [cannot('payload', None, 'fragment')])

p = ipv4(50, bytes(32))
row('ESP', ETHERNET, eth(p), [head4(p), cannot('payload', None, 'encrypted')])
row('ESP over ipv6', ETHERNET, eth(ipv6(50, bytes(32))),
    [cannot('payload', None, 'encrypted')])

# cut by the snap length, at each place that matters
F4, F6 = eth(p_tcp4), eth(ipv6(TCP, tcp6))
row('cut before the ethertype', ETHERNET, F4, [cannot('link', None, SNAPPED)],
    caplen=13)
row('cut at the ethertype', ETHERNET, F4, [cannot('ipv4', None, SNAPPED)],
    caplen=14)
row('cut in the ipv4 header', ETHERNET, F4, [cannot('ipv4', None, SNAPPED)],
    caplen=33)
row('cut behind the ipv4 header', ETHERNET, F4,
    [head4(p_tcp4), cannot('tcp', None, SNAPPED)], caplen=34)
row('cut behind the tcp checksum', ETHERNET, F4,
    [head4(p_tcp4), cannot('tcp', 50, SNAPPED)], caplen=52)
row('cut at the last byte', ETHERNET, F4,
    [head4(p_tcp4), cannot('tcp', 50, SNAPPED)], caplen=len(F4) - 1)
row('cut in the padding', ETHERNET, F4 + bytes(6),
    [head4(p_tcp4), good('tcp', 50, tcp4_value)], caplen=len(F4))
row('cut in the ipv6 header', ETHERNET, F6, [cannot('ipv6', None, SNAPPED)],
    caplen=53)
row('cut behind the ipv6 header', ETHERNET, F6, [cannot('tcp', None, SNAPPED)],
    caplen=54)
row('cut in an extension header', ETHERNET, ext(DEST, home)[0],
    [cannot('payload', None, SNAPPED)], caplen=70)
p = ipv4(TCP, tcp4, options=b'\x01' * 8)
row('cut in the options', ETHERNET, eth(p), [cannot('ipv4', 24, SNAPPED)],
    caplen=41)
row('cut in a tag', ETHERNET, eth(p_tcp4, tags=[0x8100]),
    [cannot('link', None, SNAPPED)], caplen=17)
row('cut in SNAP', ETHERNET, snap(p_tcp4), [cannot('link', None, SNAPPED)],
    caplen=21)
for link, frame, n in ((SLL, sll(p_tcp4), 15), (SLL2, sll2(p_tcp4), 19),
                       (NULL, loop('<', 2)(p_tcp4), 3), (RAW, p_tcp4, 0)):
    row(f'cut in the link layer {link}', link, frame,
        [cannot('link', None, SNAPPED)], caplen=n)
p = ipv4(UDP, message(UDP, bytes(64)))
row('cut, but absent all the same', ETHERNET, eth(p),
    [head4(p), site('udp', 40, 'absent', 0)], caplen=60)

# lengths that cannot be
row('frame of 12 bytes', ETHERNET, MAC, [cannot('link', None, NO_ROOM)])
row('frame of nothing', ETHERNET, b'', [cannot('link', None, NO_ROOM)])
row('tag at the end', ETHERNET, eth(b'\0\5', 0x8100),
    [cannot('link', None, NO_ROOM)])
row('raw packet of nothing', RAW, b'', [cannot('link', None, NO_ROOM)])
row('ipv4 header of 19 bytes', ETHERNET, eth(p_tcp4[:19]),
    [cannot('ipv4', None, NO_ROOM)])
row('ipv6 header of 39 bytes', ETHERNET, eth(ipv6(TCP, b'')[:39]),
    [cannot('ipv6', None, NO_ROOM)])
row('ipv4 that says 6', ETHERNET, eth(ipv4(TCP, tcp4, version=6), 0x0800),
    [cannot('ipv4', 24, VERSION)])
row('ipv6 that says 4', ETHERNET, eth(ipv6(TCP, tcp6, version=4), 0x86dd),
    [cannot('ipv6', None, VERSION)])
row('raw that says 5', RAW, ipv4(TCP, tcp4, version=5),
    [cannot('ipv4', 10, VERSION)])
row('header of 4 words', ETHERNET, eth(ipv4(TCP, tcp4, ihl=4)),
    [cannot('ipv4', 24, HEADER)])
row('header of 15 words in 10', ETHERNET, eth(ipv4(TCP, bytes(20), ihl=15)),
    [cannot('ipv4', 24, NO_ROOM)])
p = ipv4(TCP, tcp4, total=19)
row('total length below the header', ETHERNET, eth(p),
    [head4(p), cannot('tcp', None, TOTAL)])
p = ipv4(TCP, tcp4, total=20)
row('total length of the header alone', ETHERNET, eth(p),
    [head4(p), cannot('tcp', None, NO_ROOM)])
p = ipv4(TCP, tcp4, total=46)
row('total length beyond the frame', ETHERNET, eth(p),
    [head4(p), cannot('tcp', 50, BEYOND)])
p = ipv4(TCP, b'', total=40)
row('total length beyond the frame, which has no segment', ETHERNET, eth(p),
    [head4(p), cannot('tcp', None, BEYOND)])
row('extension header beyond the frame', ETHERNET,
    eth(ipv6(DEST, b'', length=48)), [cannot('payload', None, BEYOND)])
row('ip length beyond that of 802.3', ETHERNET,
    MAC + struct.pack('>H', 8 + 44) + snap(p_tcp4)[14:],
    [header_site(22)(p_tcp4), cannot('tcp', 58, BEYOND)])
row('payload length beyond the frame', ETHERNET,
    eth(ipv6(TCP, tcp6, length=26)), [cannot('tcp', 70, BEYOND)])
p = ipv4(UDP, udp4, total=60)
row('total length beyond the frame, but the datagram is whole', ETHERNET,
    eth(p), [head4(p), good('udp', 40, udp4_value)])
p = ipv4(TCP, message(TCP, b'')[:19])
row('tcp header of 19 bytes', ETHERNET, eth(p),
    [head4(p), cannot('tcp', 50, NO_ROOM)])
for doff in (4, 6, 15):
    p = ipv4(TCP, message(TCP, b'', doff=doff))
    row(f'tcp data offset {doff} in 20 bytes', ETHERNET, eth(p),
        [head4(p), cannot('tcp', 50, HEADER)])
for length in (0, 1, 7, 14, 65535):
    p = ipv4(UDP, put16(message(UDP, b'hello', udp_len=length), 6, 0x1234))
    row(f'udp length {length} in 13 bytes', ETHERNET, eth(p),
        [head4(p), cannot('udp', 40, LENGTH)])
p = ipv4(UDP, message(UDP, b'')[:7])
row('udp header of 7 bytes', ETHERNET, eth(p),
    [head4(p), cannot('udp', None, NO_ROOM)])
p = ipv4(UDP, udp4 + b'not covered')
row('udp length below the ip length', ETHERNET, eth(p),
    [head4(p), good('udp', 40, udp4_value)])
p = ipv4(ICMP, b'\x08\x00\x12')
row('icmp of 3 bytes', ETHERNET, eth(p),
    [head4(p), cannot('icmp', None, NO_ROOM)])
row('extension header beyond its packet', ETHERNET,
    eth(ipv6(DEST, b'\x06\x01' + bytes(6) + bytes(4))),
    [cannot('payload', None, NO_ROOM)])
row('extension header of nothing', ETHERNET, eth(ipv6(DEST, b'')),
    [cannot('payload', None, NO_ROOM)])


# --- output ------------------------------------------------------------------

def c_string(text):
    lines = [text[i:i + 60] for i in range(0, len(text), 60)] or ['']
    return '\n\t  '.join(f'"{line}"' for line in lines)


HEAD = """\
/* SPDX-License-Identifier: BSD-2-Clause */
/* packets.h - written by packets.py, which says what this is. */
#ifndef CSUM_TEST_PACKETS_H
#define CSUM_TEST_PACKETS_H

#include <stdint.h>

struct packet_row {
	const char *name;
	uint32_t linktype;
	uint32_t wirelen; /* 0: all of it is there */
	uint32_t flags;
	uint8_t fill; /* value of the bytes behind the hex ones */
	uint32_t nfill;
	const char *hex;
	/* layer@field verdict found expected, or why unverifiable; ... */
	const char *want;
};

/* clang-format off */
static const struct packet_row packet_rows[] = {"""

print(HEAD)
for name, link, wirelen, flags, fill, frame, want in rows:
    print(f'\t{{ {c_string(name)}, {link}, {wirelen}, {flags:#x}, '
          f'{fill[0]:#x}, {fill[1]},\n\t  {c_string(frame.hex())},\n'
          f'\t  {c_string(want)} }},')
print('};\n/* clang-format on */\n\n#endif')
