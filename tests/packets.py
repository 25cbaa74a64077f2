#!/usr/bin/env python3
"""Writes packets.h: the packets of test_capture.c and what is right for them.

usage: tests/packets.py >tests/packets.h

Every value is computed here, in Python, by the plain rule of RFC 1071: one
16-bit word after the other.  None of the library's code is involved, so the
literals in packets.h are an independent witness.  The frames are built from
their RFCs; addresses are documentation addresses.
"""
import struct
import zlib

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


def be16(data, at):
    return struct.unpack_from('>H', data, at)[0]


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
everything_over('SLIP', 8, lambda p: b'\1\x45' + bytes(14) + p, 16)
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
for source, port, tunnel in ((2268, 50000, 'AMT'), (50000, 2152, 'GTP'),
                             (50000, 4341, 'LISP'),
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
         'GTP': ['edge udp 0868'],
         'MPLS': ['edge ethertype 8847'], 'LISP': ['edge udp 10f5'],
         'VXLAN': ['edge udp 12b5']}.get(tunnel, []))
for source, port in ((50000, 2268), (4789, 50000), (50000, 4788)):
    msg = message(UDP, b'tunnel', ports=(source, port))
    row(f'udp over ipv6 without, from {source} to {port}', ETHERNET,
        eth(ipv6(UDP, msg)),
        [site('udp', 60, 'bad', 0, right(UDP, SRC6, DST6, msg))] +
        (['edge udp 08dc'] if port == 2268 else []))
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
    [head4(p), site('tcp', 50, 'bad', 0x0bad, want)], flags=0xfefff5ff)
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
    ['tcp@78 unverifiable longer than what carries it'],
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
for name, body in (('home address of the wrong length',
                    b'\x01\x02\0\0\xc9\x0f' + HOME6),
                   ('option beyond its header',
                    b'\x01\x02\0\0\xc9\x11' + HOME6),
                   ('home address that its header cuts off',
                    b'\xc9\x10' + HOME6[:4]),
                   ('two home addresses', b'\xc9\x10' + HOME6 + b'\xc9\x10' +
                    SRC6 + b'\0\0')):
    frame, _ = ext(DEST, opts(TCP, body))
    row(name, ETHERNET, frame, [f'tcp@{54 + 2 + len(body) + 16} unverifiable '
                                'malformed: impossible options'])
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
BEYOND = 'longer than what carries it'
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
p = ipv4(108, b'\x06\0\0\2' + bytes(30))
row('IPComp', ETHERNET, eth(p),
    [head4(p), cannot('payload', None, 'compressed')])
row('IPComp over ipv6', ETHERNET, eth(ipv6(108, bytes(12))),
    [cannot('payload', None, 'compressed')])
p = ipv4(61, bytes(12))
row('any internal protocol', ETHERNET, eth(p), [head4(p), 'edge protocol 003d'])
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

# --- other links -------------------------------------------------------------

PPP, C_HDLC, WLAN, FRELAY, PRISM, IP_FC, RADIOTAP, AVS, PPI, IPOIB = (
    9, 104, 105, 107, 119, 122, 127, 163, 192, 242)


def kind_of(packet):
    return b'\x86\xdd' if packet[0] >> 4 == 6 else b'\x08\0'


def ppp_kind(packet):
    return b'\0\x57' if packet[0] >> 4 == 6 else b'\0\x21'


def llc(packet):
    return b'\xaa\xaa\x03\0\0\0' + kind_of(packet) + packet


def wlan(control=b'\x08\x01', rest=22):
    def wrap(packet):
        return control + bytes(rest) + llc(packet)
    return wrap


everything_over('PPP', PPP, lambda p: b'\xff\x03' + ppp_kind(p) + p, 4)
everything_over('PPP, compressed', PPP, lambda p: ppp_kind(p)[1:] + p, 1)
everything_over('PPP, control compressed', PPP, lambda p: ppp_kind(p) + p, 2)
everything_over('PPP with direction', 204,
                lambda p: b'\1\xff\x03' + ppp_kind(p) + p, 5)
everything_over('PPPoE', ETHERNET, lambda p: MAC + b'\x88\x64\x11\0\0\x07' +
                struct.pack('>H', 2 + len(p)) + ppp_kind(p) + p + b'\x55' * 3,
                22)
everything_over('PPPoE without Ethernet', 51, lambda p: b'\x11\0\0\x07' +
                struct.pack('>H', 2 + len(p)) + ppp_kind(p) + p, 8)
everything_over('Cisco HDLC', C_HDLC,
                lambda p: b'\x0f\0' + kind_of(p) + p, 4)
everything_over('PPP on Cisco HDLC', C_HDLC,
                lambda p: b'\xff\x03' + ppp_kind(p) + p, 4)
everything_over('Frame Relay', FRELAY, lambda p: b'\x18\x41\x03' + (
    b'\x8e' if p[0] >> 4 == 6 else b'\xcc') + p, 4)
everything_over('Frame Relay, three bytes, SNAP', FRELAY,
                lambda p: b'\x18\x40\x41\x03\0\x80\0\0\0' + kind_of(p) + p, 11)
everything_over('Frame Relay, Cisco', FRELAY,
                lambda p: b'\x18\x41' + kind_of(p) + p, 4)
everything_over('802.11', WLAN, wlan(), 32)
everything_over('802.11, quality of service', WLAN,
                wlan(b'\x88\x02', 24), 34)
everything_over('802.11, HT control', WLAN, wlan(b'\x88\x82', 28), 38)
everything_over('802.11, four addresses', WLAN, wlan(b'\x08\x03', 28), 38)
everything_over('radiotap', RADIOTAP, lambda p: b'\0\0\x08\0\0\0\0\0' +
                wlan()(p), 40)
everything_over('radiotap, time and flags, padded', RADIOTAP,
                lambda p: b'\0\0\x19\0\x03\0\0\x80\0\0\0\0' + bytes(4) +
                b'\x11' * 8 + b'\x20' + b'\x88\x02' + bytes(24) + b'\xee\xee' +
                llc(p), 25 + 26 + 2 + 8)
everything_over('radiotap, flags without padding', RADIOTAP,
                lambda p: b'\0\0\x09\0\x02\0\0\0\x02' + b'\x88\x02' +
                bytes(24) + llc(p), 9 + 34)
everything_over('prism', PRISM, lambda p: b'\x44\0\0\0\x90\0\0\0' +
                bytes(136) + wlan()(p), 176)
everything_over('prism that is AVS', PRISM, lambda p: bytes.fromhex(
    '8021100100000040') + bytes(56) + wlan()(p), 96)
everything_over('AVS', AVS, lambda p: bytes.fromhex('8021100200000048') +
                bytes(64) + wlan()(p), 104)
everything_over('IP over Fibre Channel', IP_FC, lambda p: bytes(16) + llc(p),
                24)
everything_over('IP over InfiniBand', IPOIB,
                lambda p: bytes(40) + kind_of(p) + b'\0\0' + p, 44)
everything_over('ATM', 100, llc, 8)
everything_over('SunATM', 123, lambda p: b'\x02\x40\0\x2a' + llc(p), 12)
everything_over('FDDI', 10, lambda p: b'\x50' + MAC + llc(p), 21)
everything_over('Token Ring', 6, lambda p: b'\x10\x40' + MAC + llc(p), 22)
everything_over('Token Ring with a route', 6, lambda p: b'\x10\x40' + MAC[:6] +
                b'\x80' + MAC[7:] + b'\x06\x30\0\x11\0\x20' + llc(p), 28)
everything_over('netfilter log', 239, lambda p: bytes([
    10 if p[0] >> 4 == 6 else 2]) + bytes.fromhex('000000' '0800010008000300'
    '0600050003ee0000') + struct.pack('<HH', 4 + len(p), 9) + p, 24)
everything_over('PPI', PPI, lambda p: b'\0\0\x08\0\x01\0\0\0' + eth(p), 22)
everything_over('PKTAP', 258, lambda p: struct.pack('<III', 108, 1, 1) +
                bytes(96) + eth(p), 122)
everything_over('IPsec interface', 109, lambda p: struct.pack(
    '<I', 24 if p[0] >> 4 == 6 else 2) + bytes(8) + p, 12)
everything_over('packet filter log', 117, lambda p: bytes([
    61, 24 if p[0] >> 4 == 6 else 2]) + bytes(62) + p, 64)
everything_over('802.1ah', ETHERNET, lambda p: MAC + b'\x88\xa8\0\x05\x88\xe7'
                b'\0\0\x12\x34' + eth(p), 36)
everything_over('MACsec, only authenticated', ETHERNET, lambda p: MAC +
                b'\x88\xe5\x20\0\0\0\0\x01' + bytes(8) + kind_of(p) + p +
                b'\x5a' * 16, 30)
everything_over('Arista time stamp', ETHERNET, lambda p: MAC + b'\xd2\x8b\0\1'
                b'\0\x10' + bytes(8) + kind_of(p) + p, 28)
everything_over('Cisco metadata', ETHERNET, lambda p: MAC + b'\x89\x09\1\1\0\1'
                b'\0\0' + kind_of(p) + p, 22)


def labels(packet, *values):
    out = b''
    for i, value in enumerate(values):
        last = i == len(values) - 1
        out += struct.pack('>I', value << 12 | last << 8 | 64)
    return out + packet


everything_over('MPLS', ETHERNET, lambda p: MAC + b'\x88\x47' +
                labels(p, 0x10101), 18)
everything_over('three MPLS labels', ETHERNET, lambda p: MAC + b'\x88\x47' +
                labels(p, 0x7ffff, 0x10, 0x11), 26)
everything_over('MPLS, Ethernet', ETHERNET, lambda p: MAC + b'\x88\x48' +
                labels(b'\x02' + eth(p)[1:], 16), 32)
everything_over('MPLS, control word, Ethernet', ETHERNET, lambda p: MAC +
                b'\x88\x47' + labels(b'\0\0\0\x07' + eth(p), 16), 36)
everything_over('MPLS, Ethernet from address 4', ETHERNET, lambda p: MAC +
                b'\x88\x47' + labels(b'\x40' + eth(p)[1:], 16), 32)
row('MPLS, about the pseudowire', ETHERNET,
    MAC + b'\x88\x47' + labels(b'\x10\0\0\x21' + bytes(10), 16),
    ['edge ethertype 8847'])

row('MACsec, encrypted', ETHERNET, MAC + b'\x88\xe5\x0c\0' + bytes(40),
    ['payload unverifiable encrypted'])
row('802.11, encrypted', WLAN, b'\x08\x41' + bytes(60),
    ['payload unverifiable encrypted'])
row('802.11, beacon', WLAN, b'\x80\0' + bytes(60), ['edge wlan 8000'])
row('802.11, no data', WLAN, b'\x48\x01' + bytes(60), ['edge wlan 4801'])
row('802.11, aggregate', WLAN, b'\x88\x01' + bytes(22) + b'\x80\0' +
    bytes(40), ['edge wlan 8801'])
row('PPP, link control', PPP, b'\xff\x03\xc0\x21\x01\x01\0\x04',
    ['edge ppp c021'])
row('Frame Relay, link management', FRELAY, b'\x18\x41\x03\x08' + bytes(8),
    ['edge nlpid 0008'])

# --- tunnels -----------------------------------------------------------------


def inner_tcp(at, wrap=lambda p: p):
    """TCP over IPv4 in a wrap of @at bytes, and its sites from 0 on."""
    def sites(start):
        return [good('ipv4', start + at + 10,
                     struct.unpack('>H', p_tcp4[10:12])[0]),
                good('tcp', start + at + 36, tcp4_value)]
    return wrap(p_tcp4), sites


def over_ipv4(name, proto, payload, sites, outer=()):
    p = ipv4(proto, payload)
    row(name, ETHERNET, eth(p), [head4(p), *outer, *sites(34)])


def over_udp(name, port, payload, sites, source=50000):
    msg, value = finish(UDP, SRC4, DST4, message(UDP, payload,
                                                 ports=(source, port)))
    p = ipv4(UDP, msg)
    row(name, ETHERNET, eth(p), [head4(p), good('udp', 40, value), *sites(42)])


def gre(payload, kind=0x0800, flags=0, rest=b''):
    return struct.pack('>HH', flags, kind) + rest + payload


GRE_NONE = ['gre absent 0000']
over_ipv4('IPv4 in IPv4', 4, *inner_tcp(0))
p = ipv6(TCP, tcp6)
over_ipv4('IPv6 in IPv4', 41, p, lambda at: [good('tcp', at + 56, tcp6_value)])
row('IPv4 in IPv6', ETHERNET, eth(ipv6(4, p_tcp4)), inner_tcp(0)[1](54))
row('IPv6 in IPv6', ETHERNET, eth(ipv6(41, p)), [good('tcp', 110, tcp6_value)])
over_ipv4('EtherIP', 97, *inner_tcp(16, lambda p: b'\x30\0' + eth(p)))
over_ipv4('MPLS in IP', 137, *inner_tcp(4, lambda p: labels(p, 77)))
over_ipv4('Ethernet in IP', 143, *inner_tcp(14, eth))
over_ipv4('GRE', 47, *inner_tcp(4, gre), outer=GRE_NONE)
over_ipv4('GRE, key and sequence', 47,
          *inner_tcp(12, lambda p: gre(p, flags=0x3000, rest=bytes(8))),
          outer=GRE_NONE)
over_ipv4('NVGRE', 47, *inner_tcp(22, lambda p: gre(
    eth(p), 0x6558, 0x2000, b'\0\x12\x34\0')), outer=GRE_NONE)
over_ipv4('ERSPAN, first', 47, *inner_tcp(18, lambda p: gre(
    eth(p), 0x88be)), outer=GRE_NONE)
over_ipv4('ERSPAN, second', 47, *inner_tcp(30, lambda p: gre(
    eth(p), 0x88be, 0x1000, bytes(4) + b'\x10\x05\0\x07' + bytes(4))),
    outer=GRE_NONE)
over_ipv4('ERSPAN, third', 47, *inner_tcp(34, lambda p: gre(
    eth(p), 0x22eb, 0x1000, bytes(4) + b'\x20\x05\0\x07' + bytes(8))),
    outer=GRE_NONE)
over_ipv4('ERSPAN, third, longer', 47, *inner_tcp(42, lambda p: gre(
    eth(p), 0x22eb, 0x1000, bytes(4) + b'\x20\x05\0\x07' + bytes(7) +
    b'\x01' + bytes(8))), outer=GRE_NONE)
over_ipv4('ERSPAN, third, IP', 47, *inner_tcp(20, lambda p: gre(
    p, 0x22eb, 0x1000, bytes(4) + b'\x20\x05\0\x07' + bytes(6) +
    b'\x08\0')), outer=GRE_NONE)
over_ipv4('PPTP', 47, *inner_tcp(20, lambda p: gre(
    b'\xff\x03\0\x21' + p, 0x880b, 0x3081,
    struct.pack('>H', 4 + len(p)) + bytes(10))), outer=GRE_NONE)
over_ipv4('WCCP', 47, *inner_tcp(8, lambda p: gre(
    b'\0\0\0\0' + p, 0x883e)), outer=GRE_NONE)
over_ipv4('metadata in GRE', 47, *inner_tcp(12, lambda p: gre(
    b'\x08\0\1\1\0\1\0\0' + p, 0x8909)), outer=GRE_NONE)
body, sites = inner_tcp(8, lambda p: gre(p, flags=0x8000, rest=bytes(4)))
over_ipv4('GRE with its sum', 47, put16(body, 4, checksum(body)), sites,
          outer=[good('gre', 38, checksum(body))])
body, sites = inner_tcp(12, lambda p: gre(p, flags=0xa000, rest=bytes(8)))
over_ipv4('GRE with its sum and key, wrong', 47, put16(body, 4, 0x1234), sites,
          outer=[site('gre', 38, 'bad', 0x1234, checksum(body))])
p = ipv4(47, gre(p_tcp4), frag=0x2000)
row('GRE, first fragment', ETHERNET, eth(p),
    [head4(p), 'gre absent 0000'] + inner_tcp(4)[1](34))
for cookie in (0, 4, 8, 12):
    session = struct.pack('>I', 0x12345678) + b'\xc0' * cookie
    over_ipv4(f'L2TP version 3 over IP, {cookie} bytes in front', 115,
              *inner_tcp(18 + cookie, lambda p: session + eth(p)))
    over_udp(f'L2TP version 3 over UDP, {cookie} bytes in front', 1701,
             *inner_tcp(22 + cookie, lambda p: b'\0\3\0\0' + session +
                        eth(p)))
p = ipv4(115, bytes(60))
row('L2TP version 3, control', ETHERNET, eth(p), [head4(p)])
p = ipv4(115, struct.pack('>I', 7) + b'\xc0' * 4 + eth(b'\x45\0\0\1' + bytes(40)))
row('L2TP version 3, nothing that can be told', ETHERNET, eth(p),
    [head4(p), 'edge protocol 0073'])
over_udp('VXLAN', 4789, *inner_tcp(22, lambda p: b'\x08' + bytes(7) + eth(p)))
cut = put16(message(UDP, b'\x08' + bytes(7) + eth(p_tcp4),
                    ports=(50000, 4789)), 6, 0x1234)
inner_ipv4 = inner_tcp(0)[1](64)[0]
p = ipv4(UDP, cut[:-3], frag=0x2000)
row('VXLAN, first fragment', ETHERNET, eth(p),
    [head4(p), cannot('udp', 40, 'fragment'), inner_ipv4,
     cannot('tcp', 100, 'fragment')])
p = ipv4(UDP, put16(cut[:-3], 4, len(cut) - 1), frag=0x2000)
row('VXLAN, first fragment, inner packet longer than the datagram', ETHERNET,
    eth(p), [head4(p), cannot('udp', 40, 'fragment'), inner_ipv4,
             cannot('tcp', 100, BEYOND)])
inner_ipv4 = inner_tcp(0)[1](34)[0]
p = ipv4(4, p_tcp4[:-3], frag=0x2000)
row('IPv4 in IPv4, first fragment', ETHERNET, eth(p),
    [head4(p), inner_ipv4, cannot('tcp', 70, 'fragment')])
p = ipv4(4, p_tcp4, frag=0x0005)
row('IPv4 in IPv4, last fragment', ETHERNET, eth(p),
    [head4(p), cannot('payload', None, 'fragment')])
p = ipv4(4, ipv4(TCP, tcp4, frag=0x2000), frag=0x2000)
row('first fragment in a first fragment', ETHERNET, eth(p),
    [head4(p), good('ipv4', 44, checksum(put16(p[20:40], 10, 0))),
     cannot('tcp', 70, 'fragment')])
over_udp('VXLAN, before it had a port', 8472,
         *inner_tcp(22, lambda p: b'\x08' + bytes(7) + eth(p)))
over_udp('VXLAN without a network', 4789, b'\0' * 8 + eth(p_tcp4),
         lambda at: ['edge udp 12b5'])
for number, wrap, at, name in (
        (1, lambda p: p, 8, 'IPv4'), (3, eth, 22, 'Ethernet'),
        (4, lambda p: b'\0\x02\x01\x01' + bytes(4) + p, 16, 'NSH'),
        (5, lambda p: labels(p, 99), 12, 'MPLS'), (0, eth, 22, 'nothing')):
    over_udp(f'VXLAN-GPE, {name}', 4790, *inner_tcp(
        at, lambda p: b'\x0c\0\0' + bytes([number]) + bytes(4) + wrap(p)))
over_udp('Geneve', 6081, *inner_tcp(22, lambda p: b'\0\0\x65\x58' + bytes(4) +
                                    eth(p)))
over_udp('Geneve with options, IPv4', 6081, *inner_tcp(
    16, lambda p: b'\x02\0\x08\0' + bytes(4) + b'\1' * 8 + p))
over_udp('Geneve of a later version', 6081, b'\x40\0\x08\0' + bytes(4) +
         p_tcp4, lambda at: ['edge udp 17c1'])
over_udp('GTP', 2152, *inner_tcp(8, lambda p: b'\x30\xff' + struct.pack(
    '>H', len(p)) + bytes(4) + p))
over_udp('GTP with a number and extensions', 2152, *inner_tcp(
    24, lambda p: b'\x36\xff' + struct.pack('>H', 16 + len(p)) + bytes(4) +
    b'\0\1\0\x85' + b'\1\x10\0\x40' + b'\2' + bytes(6) + b'\0' + p))
over_udp('GTP, echo', 2152, b'\x32\x01\0\4' + bytes(8), lambda at: [])
over_udp('L2TP', 1701, *inner_tcp(12, lambda p: b'\x40\x02' + struct.pack(
    '>H', 12 + len(p)) + bytes(4) + b'\xff\x03\0\x21' + p))
over_udp('L2TP, sequence and offset', 1701, *inner_tcp(
    18, lambda p: b'\x0a\x02' + bytes(8) + b'\0\x02\xee\xee' +
    b'\xff\x03\0\x21' + p), source=1701)
over_udp('L2TP, control', 1701, b'\xc8\x02\0\x0c' + bytes(8), lambda at: [])
p = ipv6(TCP, tcp6)
for extra, name in ((b'', ''), (b'\0\0' + bytes(6), ', origin'),
                    (b'\0\1\0\0' + bytes(9) + b'\0\0' + bytes(6),
                     ', authentication and origin')):
    over_udp('Teredo' + name, 3544, extra + p, lambda at: [
        good('tcp', at + len(extra) + 56, tcp6_value)])
over_udp('Teredo, from a server', 50000, p, lambda at: [
    good('tcp', at + 56, tcp6_value)], source=3544)
over_udp('not Teredo, from that port', 50000, b'\x60' + bytes(47),
         lambda at: ['edge udp 0dd8'], source=3544)
over_udp('LISP', 4341, *inner_tcp(8, lambda p: bytes(8) + p))
over_udp('GRE in UDP', 4754, gre(p_tcp4), lambda at: [
    *GRE_NONE, *inner_tcp(4)[1](at)])
over_udp('MPLS in UDP', 6635, *inner_tcp(4, lambda p: labels(p, 77)))
over_udp('VXLAN, from its port', 50000, b'\x08' + bytes(7) + eth(p_tcp4),
         lambda at: [], source=4789)
p = ipv4(AH, bytes([4, 4]) + bytes(22) + p_tcp4)
row('IPv4 behind an authentication header', ETHERNET, eth(p),
    [head4(p), *inner_tcp(0)[1](58)])
# padding of the inner frame is data of the outer packet
over_udp('VXLAN, padded inside', 4789, *inner_tcp(
    22, lambda p: b'\x08' + bytes(7) + eth(p) + b'\xde\xad\xbe'))
p = ipv4(TCP, tcp4, total=20 + len(tcp4) + 1)
over_ipv4('inner packet beyond the outer one', 4, p, lambda at: [
    good('ipv4', at + 10, struct.unpack('>H', p[10:12])[0]),
    f'tcp@{at + 36} unverifiable longer than what carries it'])


def nested(n, core):
    for _ in range(n):
        core = ipv4(4, core)
    return core


p = nested(15, p_tcp4)
row('sixteen IPv4 headers', ETHERNET, eth(p),
    [header_site(14 + 20 * i)(p[20 * i:]) for i in range(16)] +
    [good('tcp', 14 + 320 + 16, tcp4_value)])
p = nested(20, p_tcp4)
row('more than that', ETHERNET, eth(p),
    [header_site(14 + 20 * i)(p[20 * i:]) for i in range(17)] +
    ['edge depth 0010'])

# --- protocols ----------------------------------------------------------------


def summed(msg, at, pseudo_of=None, cover=None, length=None, src=SRC4,
           dst=DST4, hole=None):
    """@msg with its sum at @at."""
    covered = msg if cover is None else msg[:cover]
    if hole:
        covered = covered[:hole[0]] + covered[hole[1]:]
    head = b'' if pseudo_of is None else pseudo(
        src, dst, len(msg) if length is None else length, pseudo_of)
    value = checksum(head + covered)
    return put16(msg, at, value), value


def upper4(name, proto, layer, msg, at, **how):
    """Good, and with another value in the field."""
    done, value = summed(msg, at, **how)
    p = ipv4(proto, done)
    row(name, ETHERNET, eth(p), [head4(p), good(layer, 34 + at, value)])
    p = ipv4(proto, put16(done, at, value ^ 0x5a00))
    row(name + ', wrong', ETHERNET, eth(p),
        [head4(p), site(layer, 34 + at, 'bad', value ^ 0x5a00, value)])


def upper6(name, proto, layer, msg, at, **how):
    done, value = summed(msg, at, src=SRC6, dst=DST6, **how)
    row(name, ETHERNET, eth(ipv6(proto, done)),
        [good(layer, 54 + at, value)])


def udplite(coverage, data=b'covered or not'):
    return struct.pack('>HHHH', 40000, 443, coverage, 0) + data


for upper, version in ((upper4, 4), (upper6, 6)):
    upper(f'udplite over ipv{version}, all', 136, 'udplite', udplite(0), 6,
          pseudo_of=136)
    upper(f'udplite over ipv{version}, header', 136, 'udplite', udplite(8), 6,
          pseudo_of=136, cover=8)
    upper(f'udplite over ipv{version}, some', 136, 'udplite', udplite(13), 6,
          pseudo_of=136, cover=13)
    for code, cover in ((0, None), (1, 16), (2, 20), (4, 28)):
        upper(f'dccp over ipv{version}, coverage {code}', 33, 'dccp',
              struct.pack('>HHBBHII', 5001, 5002, 4, code, 0, 0x01000001,
                          7) + bytes(range(13)), 6, pseudo_of=33, cover=cover)
    upper(f'pgm over ipv{version}', 113, 'pgm', struct.pack(
        '>HHBBH6sH', 7500, 7501, 4, 0, 0, b'source', 5) + b'payload', 6)
    upper(f'eigrp over ipv{version}', 88, 'eigrp', struct.pack(
        '>BBHIIIHH', 2, 5, 0, 0, 0, 0, 0, 10) + b'\0\1\0\x0c' + bytes(8), 2)
    upper(f'rsvp over ipv{version}', 46, 'rsvp', struct.pack(
        '>BBHBBH', 0x10, 1, 0, 64, 0, 12) + b'\0\4\1\1', 2, cover=12)
    nhrp_msg = struct.pack('>HH5sBHHHBBBB', 1, 0x800, bytes(5), 255, 28, 0, 0,
                           1, 1, 4, 0) + b'\xc0\0\2\1' * 2
    upper(f'nhrp over ipv{version}', 54, 'nhrp', nhrp_msg + b'\xee' * 3, 12,
          cover=28)
upper6('mobility header', 135, 'mobility', struct.pack(
    '>BBBBHHIHH', 59, 1, 5, 0, 0, 7, 1, 0, 2)[:16], 4, pseudo_of=135)
msg, value = summed(nhrp_msg, 12)
over_ipv4('nhrp over gre', 47, gre(msg, 0x2001), lambda at: [
    good('nhrp', at + 16, value)], outer=GRE_NONE)
for kind, layer in ((0x16, 'igmp'), (0x13, 'dvmrp'), (0xfc, 'rgmp'),
                    (0x14, 'pim')):
    upper4(f'igmp type {kind:#x}', 2, layer, struct.pack(
        '>BBH4s', kind, 0, 0, b'\xe0\0\0\1'), 2)
for version, name in ((0x21, 'vrrp 2'), (0x22, 'carp')):
    upper4(name, 112, 'vrrp', struct.pack(
        '>BBBBBBH4s8s', version, 1, 100, 1, 0, 1, 0, b'\xc0\0\2\x09',
        b'password'), 6)
vrrp3 = struct.pack('>BBBBHH4s', 0x31, 1, 100, 1, 100, 0, b'\xc0\0\2\x09')
upper4('vrrp 3', 112, 'vrrp', vrrp3, 6)
upper6('vrrp 3 over ipv6', 112, 'vrrp', vrrp3, 6, pseudo_of=112)
msg, value = summed(vrrp3, 6, pseudo_of=112)
p = ipv4(112, msg)
row('vrrp 3 with pseudo-header', ETHERNET, eth(p),
    [head4(p), good('vrrp', 40, value)])
hello = b'\xff\xff\xff\0\0\x0a\x02\x01\0\0\0\x28' + bytes(8)
ospf2 = struct.pack('>BBHIIHHQ', 2, 1, 44, 0x0a000001, 0, 0, 0, 0) + hello
upper4('ospf 2', 89, 'ospf', ospf2, 12, hole=(16, 24))
ospf2 = struct.pack('>BBHIIHHQ', 2, 1, 44, 0x0a000001, 0, 0, 1,
                    0x1122334455667788) + hello
upper4('ospf 2, password', 89, 'ospf', ospf2 + b'\xee' * 7, 12, cover=44,
       hole=(16, 24))
p = ipv4(89, struct.pack('>BBHIIHHQ', 2, 1, 44, 0x0a000001, 0, 0, 2,
                         0x0000011000000001) + hello + bytes(16))
row('ospf 2, cryptographic', ETHERNET, eth(p), [head4(p), 'ospf@46 absent 0000'])
lls, lls_value = summed(b'\0\0\0\3\0\1\0\4\0\0\0\1', 0)
with_lls = ospf2[:30] + b'\x12' + ospf2[31:]
msg, value = summed(with_lls, 12, hole=(16, 24))
p = ipv4(89, msg + lls)
row('ospf 2 with a local block', ETHERNET, eth(p),
    [head4(p), good('ospf', 46, value), good('ospf-lls', 78, lls_value)])
ospf3 = struct.pack('>BBHIIHH', 3, 1, 36, 0x0a000001, 0, 0, 0) + \
    bytes.fromhex('0000000501000013000a00280000000000000000')
upper6('ospf 3', 89, 'ospf', ospf3, 12, pseudo_of=89)
msg, value = summed(ospf3, 12, pseudo_of=89, src=SRC6, dst=DST6)
row('ospf 3, authenticated', ETHERNET,
    eth(ipv6(89, ospf3 + b'\0\1\0\x10' + bytes(12))),
    ['ospf@66 absent 0000'])
upper4('pim', 103, 'pim', b'\x20\0\0\0\0\1\0\2\0\x69', 2)
upper6('pim over ipv6', 103, 'pim', b'\x20\0\0\0\0\1\0\2\0\x69', 2,
       pseudo_of=103)
body, sites = inner_tcp(8, lambda p: b'\x21\0\0\0\0\0\0\0' + p)
msg, value = summed(body, 2, cover=8)
over_ipv4('pim register', 103, msg, sites, outer=[good('pim', 36, value)])
msg, value = summed(body, 2)
over_ipv4('pim register, all covered', 103, msg, sites,
          outer=[good('pim', 36, value)])
over_ipv4('pim register, wrong', 103, put16(body, 2, 0x1234), sites,
          outer=[site('pim', 36, 'bad', 0x1234, checksum(body[:8]))])
for cover, pseudo_len, name in ((8, 8, ''), (None, None, ', all covered')):
    msg, value = summed(body, 2, pseudo_of=103, cover=cover, length=pseudo_len,
                        src=SRC6, dst=DST6)
    row('pim register over ipv6' + name, ETHERNET, eth(ipv6(103, msg)),
        [good('pim', 56, value), *sites(54)])
for data in (b'\x01\x01\0\x08cdp!', b'\x01\x01\0\x07cdp', b'\x01\x01\0\x07cd\xb0'):
    msg = b'\x02\xb4\0\0' + data
    words = msg
    if len(msg) % 2:
        last = msg[-1] if msg[-1] < 0x80 else 0xff00 + msg[-1] - 1
        words = msg[:-1] + struct.pack('>H', last)
    value = checksum(words)
    msg = put16(msg, 2, value)
    body = b'\xaa\xaa\x03\0\0\x0c\x20\0' + msg
    row(f'cdp of {len(msg)} bytes, last {msg[-1]:#x}', ETHERNET,
        MAC + struct.pack('>H', len(body)) + body + b'\xee\xee',
        [good('cdp', 24, value)])
    row(f'cdp of {len(msg)} bytes over HDLC, last {msg[-1]:#x}', C_HDLC,
        b'\x8f\0\x20\0' + msg, [good('cdp', 6, value)])

# --- sctp: not a sum, RFC 9260, appendix A, bit by bit


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return struct.pack('<I', crc ^ 0xffffffff)


def adler32(data):
    a, b = 1, 0
    for byte in data:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return struct.pack('>I', b << 16 | a)


def sctp(chunk):
    return struct.pack('>HHII', 5000, 5001, 0xdeadbeef, 0) + \
        bytes([chunk, 3, 0, 19]) + bytes(range(15)) + b'\0'


def sctp_field(msg, field):
    return msg[:8] + field + msg[12:]


for chunk in (0, 1):
    msg = sctp(chunk)
    want = crc32c(msg).hex()
    for field, verdict in (
            (crc32c(msg), f'good {want} {want}'),
            (adler32(msg), f'good {adler32(msg).hex()} {adler32(msg).hex()}'),
            (bytes(4), f'bad 00000000 {want}' if chunk else 'absent 00000000'),
            (b'\1\2\3\4', f'bad 01020304 {want}')):
        p = ipv4(132, sctp_field(msg, field))
        row(f'sctp, chunk {chunk}, {field.hex()}', ETHERNET, eth(p),
            [head4(p), f'sctp@42 {verdict}'])
row('sctp over ipv6', ETHERNET,
    eth(ipv6(132, sctp_field(msg, crc32c(msg)))), [f'sctp@62 good {want} {want}'])
msg = put16(sctp(0), 8, 0x0102)
p = ipv4(132, msg, frag=0x2000)
row('sctp, first fragment', ETHERNET, eth(p),
    [head4(p), 'sctp@42 unverifiable fragment'])

# --- what ICMP errors quote


def icmp_error(kind, quote, word=bytes(4), extension=b''):
    body = bytes([kind, 1, 0, 0]) + word + quote + extension
    return summed(body, 2)


def quoted(layer, at, text):
    return f'quoted {layer}@{at} {text}'


QUOTE_IP = quoted('ipv4', 52, '{0} {0}'.format(
    p_udp4[10:12].hex())).replace('@52 ', '@52 good ')
QUOTE_UDP = quoted('udp', 68, 'good {0:04x} {0:04x}'.format(udp4_value))
PART = 'quoted in part'
for kind in (3, 4, 5, 11, 12):
    msg, value = icmp_error(kind, p_udp4)
    p = ipv4(ICMP, msg)
    row(f'icmp {kind} quotes all', ETHERNET, eth(p),
        [head4(p), good('icmp', 36, value), QUOTE_IP, QUOTE_UDP])
msg, value = icmp_error(8, p_udp4)
p = ipv4(ICMP, msg)
row('icmp 8 quotes nothing', ETHERNET, eth(p),
    [head4(p), good('icmp', 36, value)])
msg, value = icmp_error(3, p_tcp4[:28])
p = ipv4(ICMP, msg)
row('icmp 3 quotes 8 bytes of tcp', ETHERNET, eth(p),
    [head4(p), good('icmp', 36, value),
     quoted('ipv4', 52, f'good {p_tcp4[10:12].hex()} {p_tcp4[10:12].hex()}'),
     f'quoted tcp unverifiable {PART}'])
wrong = p_udp4[:8] + b'\x01' + p_udp4[9:-1] + b'X'
msg, value = icmp_error(11, wrong)
p = ipv4(ICMP, msg)
row('icmp 11 quotes what a router changed', ETHERNET, eth(p),
    [head4(p), good('icmp', 36, value),
     quoted('ipv4', 52, f'bad {wrong[10:12].hex()} '
            f'{checksum(put16(wrong[:20], 10, 0)):04x}'),
     quoted('udp', 68, f'bad {udp4_value:04x} ' + '{:04x}'.format(
         right(UDP, SRC4, DST4, put16(wrong[20:], 6, 0))))])
msg, value = icmp_error(3, ipv4(99, bytes(8)))
p = ipv4(ICMP, msg)
row('icmp 3 quotes an unknown protocol', ETHERNET, eth(p),
    [head4(p), good('icmp', 36, value), quoted('ipv4', 52, 'good {0} {0}'.format(
        ipv4(99, bytes(8))[10:12].hex()))])
ext, ext_value = summed(b'\x20\0\0\0\0\x08\1\1\0\0\x11\x40', 2)
padded = p_udp4 + bytes(128 - len(p_udp4))
for word, name in ((b'\0\x20\0\0', 'counted'), (bytes(4), 'not counted'),
                   (b'\0\xff\0\0', 'something else there')):
    msg, value = icmp_error(11, padded, word, ext)
    p = ipv4(ICMP, msg)
    row(f'icmp 11 with an extension, {name}', ETHERNET, eth(p),
        [head4(p), good('icmp', 36, value), QUOTE_IP, QUOTE_UDP,
         good('icmp-ext', 172, ext_value)])
msg, value = icmp_error(11, p_udp4 + bytes(7), b'\0\x0a\0\0',
                        put16(ext, 2, 0x1234))
p = ipv4(ICMP, msg)
at = 42 + 40 + 2
row('icmp 11 with a wrong extension', ETHERNET, eth(p),
    [head4(p), good('icmp', 36, value), QUOTE_IP, QUOTE_UDP,
     site('icmp-ext', at, 'bad', 0x1234, ext_value)])
msg, value = icmp_error(11, padded, b'\0\x20\0\0', put16(ext, 2, 0))
p = ipv4(ICMP, msg)
row('icmp 11 with an extension without a sum', ETHERNET, eth(p),
    [head4(p), good('icmp', 36, value), QUOTE_IP, QUOTE_UDP,
     'icmp-ext@172 absent 0000'])
zeros, _ = finish(UDP, SRC4, DST4, message(UDP, b'data' + bytes(9)))
quote = ipv4(UDP, zeros)
msg, value = icmp_error(11, quote + bytes(128 - len(quote)), b'\0\x20\0\0', ext)
p = ipv4(ICMP, msg)
row('icmp 11, padding and data cannot be told', ETHERNET, eth(p),
    [head4(p), good('icmp', 36, value),
     quoted('ipv4', 52, 'good {0} {0}'.format(quote[10:12].hex())),
     f'quoted udp@68 unverifiable {PART}', good('icmp-ext', 172, ext_value)])
msg, value = summed(bytes([42, 0, 0, 0]) + bytes(4) + ext, 2)
p = ipv4(ICMP, msg)
row('extended echo request', ETHERNET, eth(p),
    [head4(p), good('icmp', 36, value), good('icmp-ext', 44, ext_value)])
for kind in (1, 2, 3, 4):
    msg = bytes([kind, 0, 0, 0]) + bytes(4) + ipv6(UDP, udp6)
    msg, value = summed(msg, 2, pseudo_of=ICMPV6, src=SRC6, dst=DST6)
    row(f'icmpv6 {kind} quotes all', ETHERNET, eth(ipv6(ICMPV6, msg)),
        [good('icmpv6', 56, value),
         quoted('udp', 108, 'good {0:04x} {0:04x}'.format(udp6_value))])
quote = ipv6(UDP, udp6)
msg = bytes([3, 0, 0, 0, 16, 0, 0, 0]) + quote + bytes(128 - len(quote)) + ext
msg, value = summed(msg, 2, pseudo_of=ICMPV6, src=SRC6, dst=DST6)
row('icmpv6 3 with an extension', ETHERNET, eth(ipv6(ICMPV6, msg)),
    [good('icmpv6', 56, value),
     quoted('udp', 108, 'good {0:04x} {0:04x}'.format(udp6_value)),
     good('icmp-ext', 192, ext_value)])

# --- malformed, for each protocol that has a way to be

HEADER = 'malformed: impossible header length'
LENGTH = 'malformed: impossible length field'
for proto, layer, at, msg, reason in (
        (136, 'udplite', 6, udplite(3), LENGTH),
        (136, 'udplite', 6, udplite(23), LENGTH),
        (33, 'dccp', 6, b'\0' * 4 + b'\x02\0' + bytes(10), HEADER),
        (33, 'dccp', 6, b'\0' * 4 + b'\x05\0' + bytes(10), HEADER),
        (33, 'dccp', 6, b'\0' * 4 + b'\x04\x02' + bytes(10), LENGTH),
        (89, 'ospf', 12, b'\x03\1\0\x10' + bytes(20),
         'malformed: wrong IP version'),
        (89, 'ospf', 12, b'\x02\1\0\x17' + bytes(20), LENGTH),
        (89, 'ospf', 12, b'\x02\1\0\x19' + bytes(20), LENGTH),
        (103, 'pim', 2, b'\x21\0\0\1\0\0', 'malformed: no room for its header'),
        (46, 'rsvp', 2, b'\x10\1\0\1\x40\0\0\x07', LENGTH),
        (46, 'rsvp', 2, b'\x10\1\0\1\x40\0\0\x09', LENGTH),
        (54, 'nhrp', 12, bytes(10) + b'\0\x15' + bytes(8), LENGTH)):
    p = ipv4(proto, msg)
    row(f'{layer} {msg.hex()}', ETHERNET, eth(p),
        [head4(p), f'{layer}@{34 + at} unverifiable {reason}'])

# --- samples in sFlow, and the header in a null register


def item(kind, body):
    return struct.pack('>II', kind, len(body)) + body


def sampled(proto, packet, cut=0):
    return item(1, struct.pack('>IIII', proto, len(packet) + 4, 4,
                               len(packet) - cut) +
                packet[:len(packet) - cut])


def sflow(agent, *samples):
    return struct.pack('>II', 5, 1 if len(agent) == 4 else 2) + agent + \
        struct.pack('>IIII', 0, 1, 2, len(samples)) + b''.join(samples)


def flow(kind, *records):
    words = 7 if kind == 1 else 10
    return item(kind, bytes(4 * words) + struct.pack('>I', len(records)) +
                b''.join(records))


def sampled_tcp(at, cut=False):
    head = p_tcp4[10:12].hex()
    return [quoted('ipv4', at + 10, f'good {head} {head}'),
            quoted('tcp', at + 36, 'unverifiable ' + PART if cut else
                   'good {0:04x} {0:04x}'.format(tcp4_value))]


OTHER = item(2, bytes(20))  # counters
for agent in (SRC4, SRC6):
    at = len(agent)
    over_udp(f'sFlow, agent of {at} bytes', 6343, sflow(
        agent, OTHER, flow(1, item(1001, bytes(16)), sampled(1, eth(p_tcp4)))),
        lambda start: sampled_tcp(start + at + 24 + 28 + 8 + 32 + 24 + 24 +
                                  14))
over_udp('sFlow, expanded, cut, and two samples', 6343, sflow(
    SRC4, flow(3, sampled(11, p_tcp4, cut=1)), flow(1, sampled(11, p_tcp4))),
    lambda start: sampled_tcp(start + 28 + 8 + 44 + 24, True) +
    sampled_tcp(start + 28 + 8 + 44 + 24 + len(p_tcp4) - 1 + 8 + 32 + 24))
over_udp('sFlow of another version', 6343, b'\0\0\0\4' + sflow(
    SRC4, flow(1, sampled(11, p_tcp4)))[4:],
         lambda at: ['edge udp 18c7'])
over_udp('sFlow, a sample longer than the datagram', 6343, sflow(
    SRC4, struct.pack('>II', 1, 200) + flow(1, sampled(11, p_tcp4))[8:]),
    lambda at: ['edge udp 18c7'])
dummy = ipv4(103, b'')
for value in (struct.unpack('>H', dummy[10:12])[0], 0):
    body = b'\x21\0\0\0\x40\0\0\0'
    body = put16(body, 2, checksum(body)) + put16(dummy, 10, value)
    p = ipv4(103, body)
    row(f'null register, {value:#x}', ETHERNET, eth(p),
        [head4(p), good('pim', 36, struct.unpack('>H', body[2:4])[0]),
         quoted('ipv4', 52, ('good' if value else 'bad') + f' {value:04x} ' +
                dummy[10:12].hex())])


# --- what fooled others: one kind after the other, and what only resembles it


def fcs(frame, start=0):
    """The frame check sequence over @frame, as it is sent."""
    return struct.pack('<I', zlib.crc32(frame[start:]))


def crc16(data, start=0):
    """RFC 1662, section C.2, where @start, which also ends it, is 0xffff."""
    crc = start
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return struct.pack('<H', crc ^ start)


def crc_site(layer, at, found, expected):
    verdict = 'good' if found == expected else 'bad'
    return f'{layer}@{at} {verdict} {found.hex()} {expected.hex()}'


inner4 = eth(p_tcp4)
tcp_sites = inner_tcp(0)[1]

# The sum around a packet whose card has yet to finish it is that of the finished
# one; or of the packet as it is; anything else is wrong, and should be the first.
part_value = ones_sum(pseudo(SRC4, DST4, len(tcp4), TCP))
p_part4 = ipv4(TCP, put16(tcp4, 16, part_value))
for over6 in (False, True):
    src, dst, start = (SRC6, DST6, 54) if over6 else (SRC4, DST4, 34)
    outer = ipv6 if over6 else ipv4
    for name, proto, layer, at, head in (
            ('VXLAN', UDP, 'udp', 6, message(UDP, b'', ports=(
                50000, 4789)) + b'\x08' + bytes(7) + MAC + b'\x08\0'),
            ('TZSP, odd', UDP, 'udp', 6, message(UDP, b'', ports=(
                50000, 37008)) + b'\1\0\0\1\1' + MAC + b'\x08\0'),
            ('GRE', 47, 'gre', 4, gre(b'', flags=0x8000, rest=bytes(4)))):
        if proto == UDP:
            head = put16(head, 4, len(head) + len(p_part4))

        def sum_around(packet):
            before = pseudo(src, dst, len(head + packet), proto)
            return checksum((before if proto == UDP else b'') + head + packet)
        field = start + len(head) + 36
        done, as_is = sum_around(p_tcp4), sum_around(p_part4)
        for what, value, want in (('', done, done), (' as it is', as_is, as_is),
                                  (' wrong', done ^ 0x1234, done)):
            frame = eth(outer(proto, put16(head, at, value) + p_part4))
            row(f'{name} over {outer.__name__}, unfinished{what}', ETHERNET,
                frame, ([] if over6 else [head4(frame[14:])]) + [
                    site(layer, start + at, 'good' if value == want else 'bad',
                         value, want),
                    good('ipv4', field - 26, be16(p_part4, 10)),
                    site('tcp', field, 'partial', part_value, tcp4_value)])
MAC4 = bytes.fromhex('4c005e005302' '00005e005301')
MAC6 = bytes.fromhex('6c005e005302' '00005e005301')
for mac, name in ((MAC4, '4'), (MAC6, '6')):
    row(f'pseudowire, address from {name}', ETHERNET, MAC + b'\x88\x47' +
        labels(mac + inner4[12:], 77), tcp_sites(32))
bad_head = put16(p_tcp4, 10, 0x1234)
row('MPLS, IPv4 with a wrong header sum', ETHERNET, MAC + b'\x88\x47' +
    labels(bad_head, 77),
    [site('ipv4', 28, 'bad', 0x1234, struct.unpack('>H', p_tcp4[10:12])[0]),
     good('tcp', 54, tcp4_value)])
# an address that is the start of an IPv4 header whose lengths fit, and neither
# header sum is right
twice = b'\x45\0\0\x30' + bytes(8) + b'\x08\0' + bad_head
row('pseudowire, two readings', ETHERNET, MAC + b'\x88\x47' +
    labels(twice, 77), ['payload unverifiable can be read in two ways'])

cdp_body = b'\x02\xb4\0\0\0\1\0\x08name'
cdp_value = checksum(cdp_body)
cdp_llc = b'\xaa\xaa\x03\0\0\x0c\x20\0' + put16(cdp_body, 2, cdp_value)
row('LLC behind a tag', ETHERNET, MAC + b'\x81\0\0\5' +
    struct.pack('>H', len(cdp_llc)) + cdp_llc + bytes(20),
    [good('cdp', 28, cdp_value)])
row('spanning tree behind a tag', ETHERNET, MAC + b'\x81\0\0\5\0\x07' +
    b'\x42\x42\x03' + bytes(40), ['edge llc 0042'])

for name, form in (('carp over ipv6', 0x21), ('vrrp 2 over ipv6', 0x22)):
    upper6(name, 112, 'vrrp', struct.pack('>BBBBHH4s', form, 1, 100, 7, 0, 0,
                                          b'\xc0\0\2\x09') + b'\x5a' * 24, 6)

# RFC 9800: the sum is for the block and the last segment
for name, at_end, on_way in (
        ('one of four', '20010db8e0030000', '20010db8000100020007e003'),
        ('with a function', '20010db80007e003', '20010db800010007e003'),
        ('a block of 48 bits', '20010db8000ae003', '20010db8000a00020007e003'),
        ('a block of 64 bits', '20010db8000a0001e003',
         '20010db8000a00010007e003'),
        ('a local block', 'fc000001e0030000', 'fc00000100010007e003'),
        ('the block of segments', '5f000001e0030000', '5f00000100010007e003'),
        ('a full address', '20010db800060000',
         '20010db8000100020003000400050006')):
    end = bytes.fromhex(at_end.ljust(32, '0'))
    way = bytes.fromhex(on_way.ljust(32, '0'))
    msg, value = finish(UDP, SRC6, end, message(UDP, b'segments'))
    row(f'last segment, {name}', ETHERNET, eth(ipv6(UDP, msg, dst=way)),
        [good('udp', 60, value)])
    wrong = put16(msg, 6, value ^ 0x0101)
    row(f'last segment, {name}, wrong', ETHERNET,
        eth(ipv6(UDP, wrong, dst=way)),
        [site('udp', 60, 'bad', value ^ 0x0101, right(UDP, SRC6, way, put16(
            msg, 6, 0)))] if on_way.startswith('2001') else
        ['udp@60 unverifiable the route hides the final destination'])
srh = bytes([UDP, 4, 4, 1, 1, 0, 0, 0])
end = bytes.fromhex('20010db800020000'.ljust(32, '0'))
msg, value = finish(UDP, SRC6, end, message(UDP, b'segments'))
row('last segment, with a routing header', ETHERNET, eth(ipv6(
    ROUTING, srh + bytes.fromhex('20010db800010002'.ljust(32, '0')) +
    bytes.fromhex('20010db800030004'.ljust(32, '0')) + msg,
    dst=bytes.fromhex('20010db800030004'.ljust(32, '0')))),
    [good('udp', 100, value)])
wrong = put16(msg, 6, value ^ 0x0101)
row('last segment, with a routing header, wrong', ETHERNET, eth(ipv6(
    ROUTING, srh + bytes.fromhex('20010db800010002'.ljust(32, '0')) +
    bytes.fromhex('20010db800030004'.ljust(32, '0')) + wrong,
    dst=bytes.fromhex('20010db800030004'.ljust(32, '0')))),
    ['udp@100 unverifiable the route hides the final destination'])

for link in (9, 50):
    for first in (b'\x0f', b'\x8f'):
        everything_over(f'Cisco HDLC under {link}, {first.hex()}', link,
                        lambda p: first + b'\0' + kind_of(p) + p, 4)
everything_over('Cisco HDLC behind a direction', 204,
                lambda p: b'\1\x0f\0' + kind_of(p) + p, 5)
everything_over('Cisco HDLC under null', NULL,
                lambda p: b'\x0f\0' + kind_of(p) + p, 4)
row('family 15 and nonsense', NULL, b'\x0f\0\0\0' + bytes(range(44)),
    ['edge family 000f'])
row('PPP, pppd', 166, b'\1\x03\0\x21' + p_tcp4, tcp_sites(4))
over_ipv4('PPTP, acknowledgment alone', 47, gre(b'', 0x880b, 0x2081,
                                                bytes(8)),
          lambda at: [], outer=GRE_NONE)
row('PPTP, acknowledgment in a padded frame', ETHERNET,
    eth(ipv4(47, gre(b'', 0x880b, 0x2081, bytes(8)))) + bytes(14),
    [head4(ipv4(47, gre(b'', 0x880b, 0x2081, bytes(8)))), *GRE_NONE])

# frame check sequences
ht = b'\0\0\x09\0\x02\0\0\0'
data = wlan()(p_tcp4)
hit = data[:-1] + bytes([data[-1] ^ 1])
for flags, frame, name in ((0x10, data, 'right'), (0x10, hit, 'unknown'),
                           (0x50, hit, 'known')):
    head = ht + bytes([flags])
    damaged = 'tcp@77 unverifiable damaged on its way: wrong frame check'
    tcp = good('tcp', 77, tcp4_value)
    if flags == 0x10 and frame is hit:
        tcp = site('tcp', 77, 'bad', tcp4_value, right(
            TCP, SRC4, DST4, put16(hit[52:], 16, 0)))
    elif frame is hit:
        tcp = damaged
    row(f'radiotap with a check sequence, damage {name}', RADIOTAP,
        head + frame + fcs(data),
        [crc_site('fcs', 9 + len(data), fcs(data), fcs(frame)),
         tcp_sites(41)[0], tcp])
ppi_head = struct.pack('<BBHIHH8sHHHHBBBb', 0, 0, 8 + 24, 105, 2, 20, bytes(8), 1,
                       0, 0, 0, 0, 0, 0, 0)
row('PPI with a check sequence', 192, ppi_head + data + fcs(data),
    [crc_site('fcs', 32 + len(data), fcs(data), fcs(data)), *tcp_sites(32 + 32)])
row('mPacket', 274, b'\x55' * 7 + b'\xd5' + inner4 + fcs(inner4),
    [crc_site('fcs', 8 + len(inner4), fcs(inner4), fcs(inner4)),
     *tcp_sites(22)])
row('mPacket that was not interrupted', 274, b'\x55' * 7 + b'\xe6' + inner4 +
    fcs(inner4), [crc_site('fcs', 8 + len(inner4), fcs(inner4), fcs(inner4)),
                  *tcp_sites(22)])
row('mPacket that was interrupted', 274, b'\x55' * 7 + b'\xe6' + inner4[:-9] +
    b'abcd', ['edge linktype 0112'])
row('mPacket that goes on', 274, b'\x55' * 6 + b'\x61\x61' + inner4,
    ['edge linktype 0112'])

# 802.11 in all its forms
MESH = b'\x88\x03', b'\0\1'
for mode, extra in ((0, 0), (1, 6), (2, 12)):
    everything_over(f'mesh control, {extra} bytes more', WLAN,
                    lambda p: MESH[0] + bytes(28) + MESH[1] +
                    bytes([mode, 31]) + bytes(4 + extra) + llc(p),
                    32 + 6 + extra + 8)
everything_over('a queue that looks like mesh control', WLAN,
                lambda p: b'\x88\1' + bytes(22) + b'\0\1' + llc(p), 34)
row('spanning tree in a mesh', WLAN, MESH[0] + bytes(28) + MESH[1] +
    b'\0\x1f' + bytes(4) + b'\x42\x42\x03' + bytes(40), ['edge llc 0042'])
everything_over('radiotap, padding not said', RADIOTAP,
                lambda p: ht + b'\0' + b'\x88\x01' + bytes(22) + b'\0\0' +
                b'\0\0' + llc(p), 9 + 28 + 8)
row('LLC that starts with zeros', RADIOTAP, ht + b'\0' + b'\x88\x01' +
    bytes(22) + b'\0\0' + b'\0\0\x03\x2c' + bytes(range(60)), ['edge llc 0000'])


def subframe(packet, last=False, mesh=b''):
    body = mesh + llc(packet)
    frame = MAC + struct.pack('>H', len(body)) + body
    return frame if last else frame + bytes(-len(frame) % 4)


aggregate = subframe(p_tcp4) + subframe(p_tcp4, True)
row('A-MSDU', WLAN, b'\x88\1' + bytes(22) + b'\x80\0' + aggregate,
    tcp_sites(26 + 22) + tcp_sites(26 + len(subframe(p_tcp4)) + 22))
row('A-MSDU in a mesh', WLAN, b'\x88\3' + bytes(28) + b'\x80\1' +
    subframe(p_tcp4, True, b'\0\x1f' + bytes(4)), tcp_sites(32 + 14 + 6 + 8))
row('A-MSDU bit on a frame', WLAN, b'\x88\1' + bytes(22) + b'\x80\0' +
    llc(p_tcp4), tcp_sites(34))
row('802.11, a later fragment', WLAN, b'\x08\1' + bytes(20) + b'\x11\0' +
    bytes(40), ['edge wlan 0801'])
for kind in (0x8200, 0x8240, 0x82ff):
    over_ipv4(f'802.11 in GRE {kind:#x}', 47, *inner_tcp(
        36, lambda p: gre(wlan()(p), kind)), outer=GRE_NONE)
over_ipv4('A-MSDU in GRE', 47, gre(b'\x88\1' + bytes(22) + b'\x80\0' +
                                   subframe(p_tcp4, True), 0x8240),
          lambda at: tcp_sites(at + 4 + 48), outer=GRE_NONE)
over_ipv4('nonsense in GRE 0x8200', 47, gre(b'\x37\xa4' + bytes(range(60)),
                                            0x8200),
          lambda at: ['edge wlan 37a4'], outer=GRE_NONE)

# tags
for name, tag in (('0x8200', b'\x82\0\0\5\x81\0\0\5'),
                  ('time of Cisco', b'\x89\x88' + bytes(6)),
                  ('HSR', b'\x89\x2f\0\x50\0\1'),
                  ('Realtek, 8 bytes', b'\x88\x99\x04' + bytes(5)),
                  ('Realtek, 4 bytes', b'\x88\x99\xa0\0')):
    everything_over(f'tag: {name}', ETHERNET,
                    lambda p: MAC + tag + kind_of(p) + p, 14 + len(tag))
row('Realtek, loop detection', ETHERNET, MAC + b'\x88\x99\x23' + bytes(40),
    ['edge ethertype 8899'])
row('0x8200 around nonsense', ETHERNET, MAC + b'\x82\0\0\5\x12\x34' +
    bytes(40), ['edge ethertype 1234'])
row('HSR supervision', ETHERNET, MAC + b'\x88\xfb' + bytes(40),
    ['edge ethertype 88fb'])
everything_over('FabricPath', ETHERNET, lambda p: MAC + b'\x89\x03\x0b\xc1' +
                eth(p), 30)
row('FabricPath around nonsense', ETHERNET, MAC + b'\x89\x03\0\x40' + MAC +
    b'\x6b\x8b' + bytes(30), ['edge ethertype 8903'])

# link types
everything_over('Broadcom tag', 281, lambda p: MAC + bytes(4) + kind_of(p) + p,
                18)
everything_over('Broadcom tag in front', 282, lambda p: bytes(4) + eth(p), 18)
everything_over('DSA tag', 284, lambda p: MAC + bytes(4) + kind_of(p) + p, 18)
everything_over('DSA tag with a type', 285,
                lambda p: MAC + b'\xda\xda' + bytes(6) + kind_of(p) + p, 22)
row('DSA tag in a file of Ethernet', ETHERNET, MAC + b'\xc0\0\0\5\x08\0' +
    p_tcp4, ['edge ethertype c000'])
everything_over('Juniper', 178, lambda p: b'\x4d\x47\x43\1' + eth(p), 18)
everything_over('Juniper, extended', 178,
                lambda p: b'\x4d\x47\x43\x80\0\4' + bytes(4) + eth(p), 24)
everything_over('Juniper, no Ethernet', 178,
                lambda p: b'\x4d\x47\x43\2' + bytes(4) + p, 8)
everything_over('Juniper, PPP', 179,
                lambda p: b'\x4d\x47\x43\0\xff\3\0' +
                (b'\x57' if p[0] >> 4 == 6 else b'\x21') + p, 8)
everything_over('Juniper, Cisco HDLC', 181,
                lambda p: b'\x4d\x47\x43\0\x0f\0' + kind_of(p) + p, 8)
everything_over('Juniper, Frame Relay', 180,
                lambda p: b'\x4d\x47\x43\0\x18\x41' + b'\x03' +
                (b'\x8e' if p[0] >> 4 == 6 else b'\xcc') + p, 8)
row('Juniper without its magic', 178, b'\0\0\0\0' + inner4,
    ['edge linktype 00b2'])


def erf(kind, payload, more=b''):
    return bytes(8) + bytes([kind, 4]) + struct.pack(
        '>HHH', 16 + len(more) + len(payload), 0, len(payload)) + more + payload


everything_over('ERF', 197, lambda p: erf(2, b'\0\0' + eth(p)), 32)
everything_over('ERF, two extensions', 197, lambda p: erf(
    0x82, b'\0\0' + eth(p), b'\x80' + bytes(7) + bytes(8)), 48)
row('ERF, IPv4', 197, erf(22, p_tcp4), tcp_sites(16))
row('ERF, HDLC', 197, erf(1, b'\xff\3\0\x21' + p_tcp4), tcp_sites(20))
row('ERF, padding that looks like a frame', 197, erf(48, b'\0\0' + inner4),
    [])
row('ERF, ATM', 197, erf(3, b'\0\0' + inner4), ['edge linktype 00c5'])
row('GPRS LLC', 169, bytes(20), ['edge linktype 00a9'])

cooked = bytes.fromhex('00040001000600005e0053010000')
row('cooked, a tag in place of the protocol', SLL, cooked +
    b'\x00\xc8\x08\0' + p_tcp4, tcp_sites(18))
row('cooked, tag 4', SLL, cooked + b'\0\4\x08\0' + p_tcp4, tcp_sites(18))
row('cooked, protocol 4 is LLC', SLL, cooked + b'\0\4\x42\x42\x03' +
    bytes(30), ['edge llc 0042'])
row('cooked, protocol 3', SLL, cooked + b'\0\3' + p_tcp4, tcp_sites(16))
row('cooked, protocol 3 and no IP', SLL, cooked + b'\0\3\x45\x42\x86\x72' +
    bytes(40), ['edge ethertype 0003'])

# tunnels in UDP
capwap = b'\0\x10\4\x20' + bytes(4)
over_udp('CAPWAP, 802.3', 5247, *inner_tcp(22, lambda p: capwap + eth(p)))
over_udp('CAPWAP, from its port', 50000, *inner_tcp(
    22, lambda p: capwap + eth(p)), source=5247)
over_udp('CAPWAP, 802.11', 5247, *inner_tcp(
    40, lambda p: b'\0\x10\x43\0' + bytes(4) + wlan()(p)))
over_udp('CAPWAP, 802.11 with swapped control', 5247, *inner_tcp(
    40, lambda p: b'\0\x10\x43\0' + bytes(4) + wlan(b'\1\x08')(p)))
over_udp('CAPWAP, first piece', 5247, b'\0\x10\4\x80\0\7\0\0' + inner4[:48],
         lambda at: [tcp_sites(at + 22)[0], 'tcp unverifiable fragment'])
over_udp('CAPWAP, later piece', 5247, b'\0\x10\4\xc0\0\7\0\x30' + inner4[48:],
         lambda at: ['payload unverifiable fragment'])
over_udp('CAPWAP, keep alive', 5247, b'\0\x10\4\x08' + bytes(30),
         lambda at: [])
# RFC 5415, section 3: over IPv6 in UDP-Lite, whose sum covers its header alone
upper6_lite = struct.pack('>HHHH', 50000, 5247, 8, 0) + capwap + inner4
done, value = summed(upper6_lite, 6, pseudo_of=136, cover=8, src=SRC6, dst=DST6)
row('CAPWAP in UDP-Lite', ETHERNET, eth(ipv6(136, done)),
    [good('udplite', 60, value), *tcp_sites(54 + 8 + 8 + 14)])
# RFC 2684, section 5.2: a bridged frame with its check sequence
for padding in (b'', b'\0\0'):
    body = bytes.fromhex('aaaa030080c20001') + padding
    row(f'bridged with a check sequence, {len(padding)} bytes in front', 100,
        body + inner4 + fcs(inner4),
        [crc_site('fcs', len(body + inner4), fcs(inner4), fcs(inner4)),
         *tcp_sites(len(body) + 14)])
over_udp('text to CAPWAP', 5247, b'\1hello, this is not capwap at all, no',
         lambda at: ['edge udp 147f'])
over_udp('TZSP, tags', 37008, *inner_tcp(
    4 + 1 + 3 + 1 + 14, lambda p: b'\1\0\0\1\0\x0a\1\x55\1' + eth(p)))
over_udp('TZSP, 802.11', 37008, *inner_tcp(
    5 + 32, lambda p: b'\1\0\0\x12\1' + wlan()(p)))
over_udp('TZSP, keep alive', 37008, b'\1\4\0\0\1', lambda at: [])
AYIYA = b'\x45\x52\x11'
over_udp('AYIYA', 5072, AYIYA + b'\x29' + bytes(4 + 16 + 20) + ipv6(TCP, tcp6),
         lambda at: [good('tcp', at + 44 + 56, tcp6_value)])
over_udp('AYIYA, nothing', 5072, b'\x45\x52\x10\x3b' + bytes(40),
         lambda at: [])
over_udp('GTP, version 0', 3386, *inner_tcp(
    20, lambda p: b'\x1e\xff' + struct.pack('>H', len(p)) + bytes(16) + p))
over_udp('GTP, version 0, echo', 3386, b'\x1e\1\0\0' + bytes(16),
         lambda at: [])
over_udp('LISP control', 4342, *inner_tcp(4, lambda p: b'\x80\0\0\0' + p))
over_udp('LISP control, a reply', 4342, b'\x20\0\0\0' + p_tcp4,
         lambda at: [])
over_udp('HP mirror', 7932, *inner_tcp(26, lambda p: bytes(12) + eth(p)))
over_udp('text to HP mirror', 7932, b'this is no mirrored frame, is it?',
         lambda at: ['edge udp 1efc'])
over_udp('AMT data', 50000, *inner_tcp(2, lambda p: b'\6\0' + p), source=2268)
over_udp('WireGuard', 51820, bytes(40), lambda at: ['edge udp ca6c'])
over_udp('ESP in UDP', 4500, b'\1' * 40, lambda at: ['edge udp 1194'])
over_udp('IKE in UDP', 4500, bytes(40), lambda at: [])
for port in (8472, 4790):
    body = b'\x0c\0\0\3' + bytes(4) if port == 4790 else b'\x08' + bytes(7)
    msg = message(UDP, body + inner4, ports=(50000, port))
    row(f'udp over ipv6 without, VXLAN on {port}', ETHERNET,
        eth(ipv6(UDP, msg)), [site('udp', 60, 'absent', 0), *tcp_sites(84)])


chunk = struct.pack('>HHII', 7, 9, 0x11223344, 0) + \
    b'\0\3\0\x14' + bytes(12) + b'data'
chunk = chunk[:8] + crc32c(chunk) + chunk[12:]
over_udp('SCTP in UDP', 9899, chunk,
         lambda at: [crc_site('sctp', at + 8, chunk[8:12], chunk[8:12])])
over_udp('text to SCTP in UDP', 9899, b'a datagram with nothing of SCTP.',
         lambda at: ['edge udp 26ab'])


def ipfix(*sets):
    body = b''.join(struct.pack('>HH', number, 4 + len(data)) + data
                    for number, data in sets)
    return struct.pack('>HHIII', 10, 16 + len(body), 0, 0, 1) + body


frame_template = struct.pack('>HHHHHHI', 256, 2, 1, 4, 0x8000 | 315, 4, 9)
section = struct.pack('>HHHHHH', 257, 2, 1, 4, 315, 65535)
record = bytes(4) + bytes([len(inner4)]) + inner4
long_record = bytes(4) + b'\xff' + struct.pack('>H', len(inner4)) + inner4


def quoted_sites(start):
    return ['quoted ' + text for text in tcp_sites(start)]


over_udp('IPFIX, frames', 4739, ipfix((2, section), (257, record +
                                                     long_record)),
         lambda at: quoted_sites(at + 16 + 16 + 4 + 5 + 14) +
         quoted_sites(at + 16 + 16 + 4 + len(record) + 7 + 14))
over_udp('IPFIX, packets', 4739, ipfix(
    (2, struct.pack('>HHHH', 258, 1, 313, len(p_tcp4))), (258, p_tcp4)),
    lambda at: quoted_sites(at + 16 + 12 + 4))
over_udp('IPFIX, an enterprise has another 315', 4739, ipfix(
    (2, frame_template), (256, bytes(8))), lambda at: [])
over_udp('IPFIX, a template that is elsewhere', 4739, ipfix((257, record)),
         lambda at: ['edge udp 1283'])

# RoCE: the invariant CRC
base = b'\x04\x40\xff\xff\0\0\0\x11\0\0\0\5'


def roce(payload, over6=False):
    src, dst = (SRC6, DST6) if over6 else (SRC4, DST4)
    msg = message(UDP, payload + bytes(4), ports=(50000, 4791))
    p = ipv6(UDP, msg) if over6 else ipv4(UDP, msg)
    head = len(p) - len(msg)
    masked = bytearray(p)
    for at in (0, 1, 2, 3, 7) if over6 else (1, 8, 10, 11):
        masked[at] |= 0x0f if over6 and at == 0 else 0xff
    masked[head + 6] = masked[head + 7] = masked[head + 12] = 0xff
    crc = struct.pack('<I', zlib.crc32(b'\xff' * 8 + bytes(masked[:-4])))
    return p[:-4] + crc, crc


for over6 in (False, True):
    p, crc = roce(base + b'payload!', over6)
    outer = [] if over6 else [head4(p), site('udp', 40, 'absent', 0)]
    if over6:
        msg = p[40:]
        value = right(UDP, SRC6, DST6, msg)
        p = p[:46] + struct.pack('>H', value) + p[48:]
        outer = [good('udp', 60, value)]
    row(f'RoCE over {"ipv6" if over6 else "ipv4"}', ETHERNET, eth(p),
        [*outer, crc_site('rocev2', 14 + len(p) - 4, crc, crc)])
p, crc = roce(base + b'payload!')
wrong = bytes([crc[0] ^ 1]) + crc[1:]
row('RoCE, wrong', ETHERNET, eth(p[:-4] + wrong),
    [head4(p), site('udp', 40, 'absent', 0),
     crc_site('rocev2', 14 + len(p) - 4, wrong, crc)])
over_udp('too short for RoCE', 4791, b'RoCE port', lambda at: [
    'edge udp 12b7'])


def fletcher(data, field):
    c0 = c1 = 0
    for byte in data:
        c0 = (c0 + byte) % 255
        c1 = (c1 + c0) % 255
    x = ((len(data) - field - 1) * c0 - c1) % 255 or 255
    return x << 8 | ((510 - c0 - x) % 255 or 255)


def lsa(body, wrong=0):
    head = struct.pack('>HBBIIIHH', 7, 2, 1, 0x0a000001, 0x0a000001,
                       0x80000001, 0, 20 + len(body))
    value = fletcher((head + body)[2:], 14)
    return put16(head, 16, value ^ wrong) + body, value


one, value1 = lsa(b'\0\0\0\0' + bytes(12))
two, value2 = lsa(b'\0\1\0\1' + bytes(range(13)), 0x0100)
update = struct.pack('>BBHIIHHQI', 2, 4, 28 + len(one + two), 0x0a000001, 0,
                     0, 0, 0, 2) + one + two
value = checksum(update[:16] + update[24:])
update = put16(update, 12, value)
p = ipv4(89, update)
row('ospf advertisements', ETHERNET, eth(p),
    [head4(p), good('ospf', 46, value), good('ospf-lsa', 78, value1),
     site('ospf-lsa', 78 + len(one), 'bad', value2 ^ 0x0100, value2)])

# a redirect quotes in an option
quote = ipv6(TCP, tcp6)
option = quote + bytes(-len(quote) % 8)
body = b'\x89\0\0\0' + bytes(4) + HOP6 + DST6 + b'\2\1' + bytes(6) + bytes(
    [4, 1 + len(option) // 8]) + bytes(6) + option
value = right(ICMPV6, SRC6, DST6, body)
row('redirect', ETHERNET, eth(ipv6(ICMPV6, put16(body, 2, value))),
    [good('icmpv6', 56, value),
     'quoted ' + good('tcp', 54 + 56 + 56, tcp6_value)])
body = b'\x89\0\0\0' + bytes(4) + HOP6 + DST6 + b'\2\1' + bytes(6)
value = right(ICMPV6, SRC6, DST6, body)
row('redirect without a quote', ETHERNET,
    eth(ipv6(ICMPV6, put16(body, 2, value))), [good('icmpv6', 56, value)])

# 6LoWPAN: addresses and ports that are only hinted at
LOW = bytes.fromhex('418801cdab02000100')
LOW_SRC, LOW_DST = (bytes.fromhex('fe80' + '00' * 6 + '000000fffe00000' + n)
                    for n in '12')
whole = struct.pack('>HHHH', 0xf0b1, 0xf0b2, 8 + 5, 0) + b'hello'
value = right(UDP, LOW_SRC, LOW_DST, whole)
low = LOW + b'\x7e\x33\xf3\x12' + struct.pack('>H', value) + b'hello'
row('6LoWPAN, UDP', 230, low, [good('udp', 13, value)])
row('6LoWPAN, check sequence', 195, low + crc16(low),
    [crc_site('fcs', len(low), crc16(low), crc16(low)), good('udp', 13, value)])
row('6LoWPAN, strength of the signal', 195, low + b'\xaa\xbb',
    [f'fcs@{len(low)} unverifiable can be read in two ways',
     good('udp', 13, value)])
tap = bytes.fromhex('00000c00' '00000100' '01000000')
for name, end in (('', crc16(low)), (', wrong', b'\xaa\xbb')):
    row(f'802.15.4 TAP, check sequence{name}', 283, tap + low + end,
        [crc_site('fcs', 12 + len(low), end, crc16(low)),
         good('udp', 25, value)])
row('6LoWPAN, UDP, wrong', 230, LOW + b'\x7e\x33\xf3\x12\0\7hello',
    [site('udp', 13, 'bad', 7, value)])
row('6LoWPAN, UDP without', 230, LOW + b'\x7e\x33\xf7\x12hello',
    ['udp absent 0000'])
for form, addresses, src, dst in (
        (b'\x7e\0', SRC6 + DST6, SRC6, DST6),
        (b'\x7e\x11', SRC6[8:] + DST6[8:], b'\xfe\x80' + bytes(6) + SRC6[8:],
         b'\xfe\x80' + bytes(6) + DST6[8:]),
        (b'\x7e\x3b', b'\1', LOW_SRC, b'\xff\2' + bytes(13) + b'\1'),
        (b'\x7e\x39', b'\2' + bytes(4) + b'\7', LOW_SRC,
         b'\xff\2' + bytes(13) + b'\7'),
        (b'\x6d\x33', b'\1\2\3\x40', LOW_SRC, LOW_DST)):
    whole = struct.pack('>HHHH', 0x1234, 0x5678, 8 + 4, 0) + b'even'
    value = right(UDP, src, dst, whole)
    lead = LOW + form + addresses + b'\xf0\x12\x34\x56\x78'
    if form == b'\x6d\x33': # fields of traffic and hops in line
        lead = LOW + b'\x6c\x33' + addresses + b'\xf0\x12\x34\x56\x78'
    row(f'6LoWPAN, form {form.hex()}', 230,
        lead + struct.pack('>H', value) + b'even',
        [good('udp', len(lead), value)])
row('6LoWPAN, a context hides an address', 230, LOW + b'\x7e\xf7\0\xf3\x12'
    b'\1\2hello', ['udp@14 unverifiable compressed'])
msg, value = finish(ICMPV6, LOW_SRC, LOW_DST, message(ICMPV6, b'ping'))
row('6LoWPAN, ICMPv6 in line', 230, LOW + b'\x7a\x33\x3a' + msg,
    [good('icmpv6', 14, value)])
row('6LoWPAN, as it is', 230, LOW + b'\x41' + ipv6(TCP, tcp6),
    [good('tcp', 10 + 56, tcp6_value)])
row('6LoWPAN, first piece', 230, LOW + b'\xc0\x50\0\1\x7e\x33' + bytes(30),
    ['payload unverifiable compressed'])
row('6LoWPAN, first piece, UDP', 230,
    LOW + b'\xc0\x50\0\1\x7e\x33\xf3\x12' + bytes([1, 2]) + bytes(30),
    ['udp@17 unverifiable fragment'])
row('6LoWPAN, later piece', 230, LOW + b'\xe0\x50\0\1\6' + bytes(32),
    ['payload unverifiable fragment'])
row('6LoWPAN, a fragment behind a compressed header', 230,
    LOW + b'\x7a\x33\x2c' + bytes([UDP, 0, 0, 1, 0, 0, 0, 7]) + udp6,
    ['udp@26 unverifiable fragment'])
row('no 6LoWPAN', 230, LOW + b'\0' + bytes(30), ['edge lowpan 0000'])


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
