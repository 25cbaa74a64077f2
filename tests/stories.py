#!/usr/bin/env python3
"""Captures in which somebody breaks checksums, and who it is.

usage: tests/stories.py DIR [SEED]

Writes DIR/NAME.pcap (pcapng where interfaces or directions matter) for each story
below and DIR/stories.json: the kind, subject and wire that csum has to conclude.
Traffic is simulated: TCP connections with handshake, data, acknowledgements and
retransmission of what arrives with a wrong checksum; UDP questions and answers;
pings.  What is broken, and where between sender and place of capture, is the story.
"""
import json
import os
import random
import socket
import struct
import sys

import pcap


def csum(data, start=0):
    if len(data) % 2:
        data += b'\0'
    s = start + sum(struct.unpack('!%dH' % (len(data) // 2), data))
    while s >> 16:
        s = (s & 0xffff) + (s >> 16)
    return s


def raw_sum(data):
    """Without any carry coming back."""
    if len(data) % 2:
        data += b'\0'
    return sum(struct.unpack('!%dH' % (len(data) // 2), data))


def addr(text):
    return socket.inet_pton(socket.AF_INET6 if ':' in text else socket.AF_INET,
                            text)


class Packet:
    """An IP packet as its fields; bytes() puts them together."""

    def __init__(self, src, dst, proto, body, **kw):
        self.src, self.dst, self.proto, self.body = src, dst, proto, body
        self.ttl, self.tos, self.ident, self.df = 64, 0, 0, 0x4000
        self.ports, self.seq, self.ack, self.flags, self.options = \
            (0, 0), 0, 0, 0, b''
        self.smac, self.dmac = b'\2\0\0\0\0\1', b'\2\0\0\0\0\2'
        self.interface, self.direction, self.time = 0, 0, 0
        self.header_sum = self.sum = None    # None: the right one
        self.__dict__.update(kw)

    def v6(self):
        return ':' in self.src

    def pseudo(self, src=None, dst=None, length=None, proto=None):
        n = len(self.upper(0)) if length is None else length
        return addr(src or self.src) + addr(dst or self.dst) + \
            struct.pack('!II', n, self.proto if proto is None else proto)

    def upper(self, value):
        if self.proto == 6:
            head = 20 + len(self.options)
            return struct.pack('!HHIIBBHHH', *self.ports, self.seq, self.ack,
                               head // 4 << 4, self.flags, 4096, value, 0) + \
                self.options + self.body
        if self.proto == 17:
            return struct.pack('!HHHH', *self.ports, 8 + len(self.body),
                               value) + self.body
        kind = (128 if self.flags else 129) if self.v6() else \
            (8 if self.flags else 0)
        return struct.pack('!BBHHH', kind, 0, value, self.ident, self.seq) + \
            self.body

    def right_sum(self, **kw):
        data = self.upper(0)
        if self.proto == 1:
            return 0xffff ^ csum(data)
        s = 0xffff ^ csum(self.pseudo(**kw) + data)
        return s or (0xffff if self.proto == 17 else 0)

    def header(self, value):
        return struct.pack('!BBHHHBBH', 0x45, self.tos,
                           20 + len(self.upper(0)), self.ident, self.df,
                           self.ttl, self.proto, value) + \
            addr(self.src) + addr(self.dst)

    def right_header(self):
        return 0xffff ^ csum(self.header(0))

    def freeze(self):
        """What is summed so far stays, whatever changes afterwards."""
        self.sum = self.right_sum() if self.sum is None else self.sum
        if self.header_sum is None:
            self.header_sum = 0 if self.v6() else self.right_header()

    def wrong(self):
        return self.sum not in (None, self.right_sum()) or \
            (not self.v6() and
             self.header_sum not in (None, self.right_header()))

    def bytes(self):
        p = self.upper(self.right_sum() if self.sum is None else self.sum)
        if self.v6():
            ip = struct.pack('!IHBB', 6 << 28, len(p), self.proto,
                             self.ttl) + addr(self.src) + addr(self.dst)
        else:
            ip = self.header(self.right_header() if self.header_sum is None
                             else self.header_sum)
        return self.dmac + self.smac + \
            struct.pack('!H', 0x86dd if self.v6() else 0x800) + ip + p


class Net:
    """A place of capture, and traffic that passes it."""

    def __init__(self, rng, tamper=None, lossy=True, capture=None):
        self.rng, self.packets, self.now = rng, [], 1.7e9
        self.tamper = tamper        # before the place of capture
        self.capture = capture      # in the file only
        self.lossy = lossy          # receivers drop what is wrong
        self.router = b'\2\0\0\0\0\xfe'
        self.local = {}

    def mac(self, host):
        name = host.split('/')[0]
        return self.local.get(name, self.router)

    def lan(self, name, *addresses):
        for a in addresses:
            self.local[a] = b'\2\0\0\0' + struct.pack('!H', name)

    def send(self, p):
        """True if it arrives."""
        self.now += self.rng.uniform(1e-4, 1e-3)
        p.time = self.now
        p.smac, p.dmac = self.mac(p.src), self.mac(p.dst)
        if p.smac == self.router:
            p.ttl -= 3
        p.freeze()
        if self.tamper:
            self.tamper(p)
        arrives = not (self.lossy and p.wrong())
        if self.capture:
            self.capture(p)
        self.packets.append(p)
        return arrives

    def tcp(self, a, b, port, turns=6, size=(40, 1200)):
        rng = self.rng
        ports = (rng.randrange(32768, 60000), port)
        seq = {a: rng.getrandbits(32), b: rng.getrandbits(32)}
        mss = struct.pack('!BBH', 2, 4, 1460)

        def segment(src, flags, body=b'', options=b''):
            dst = b if src == a else a
            for _ in range(4):
                p = Packet(src, dst, 6, body, flags=flags, seq=seq[src],
                           ack=seq[dst] if flags & 16 else 0,
                           options=options, ident=rng.getrandbits(16),
                           ports=ports if src == a else ports[::-1])
                if self.send(p):
                    seq[src] = seq[src] + len(body) + bool(flags & 3)
                    seq[src] &= 0xffffffff
                    return True
            return False

        if not (segment(a, 2, options=mss) and segment(b, 18, options=mss)
                and segment(a, 16)):
            return False
        for _ in range(turns):
            for x, y in ((a, b), (b, a)):
                for _ in range(rng.randrange(1, 3)):
                    if not segment(x, 24, rng.randbytes(rng.randint(*size))):
                        return False
                segment(y, 16)
        segment(a, 17), segment(b, 17), segment(a, 16)
        return True

    def udp(self, a, b, port, size=(20, 400), turns=1):
        rng = self.rng
        ports = (rng.randrange(32768, 60000), port)
        for _ in range(turns):
            if self.send(Packet(a, b, 17, rng.randbytes(rng.randint(*size)),
                                ports=ports, ident=rng.getrandbits(16))):
                self.send(Packet(b, a, 17, rng.randbytes(rng.randint(*size)),
                                 ports=ports[::-1],
                                 ident=rng.getrandbits(16)))

    def ping(self, a, b):
        proto = 58 if ':' in a else 1
        p = Packet(a, b, proto, self.rng.randbytes(56), flags=1,
                   seq=len(self.packets) & 0xffff, ident=77)
        if self.send(p):
            self.send(Packet(b, a, proto, p.body, seq=p.seq, ident=77))


ME, ME6, OTHER = '192.0.2.10', '2001:db8::a', '192.0.2.20'
SERVERS = ['203.0.113.%d' % i for i in range(1, 9)]
SERVERS6 = ['2001:db8:113::%x' % i for i in range(1, 4)]


def traffic(net, clients=(ME, OTHER), rounds=4, v6=True):
    net.lan(0x0a, ME, ME6)
    net.lan(0x14, OTHER)
    for _ in range(rounds):
        for c in clients:
            net.tcp(c, net.rng.choice(SERVERS), 443)
            net.udp(c, net.rng.choice(SERVERS), 53)
            net.ping(c, net.rng.choice(SERVERS))
        if v6:
            net.tcp(ME6, net.rng.choice(SERVERS6), 443)
            net.udp(ME6, net.rng.choice(SERVERS6), 53)


def mine(p):
    return p.src in (ME, ME6)


def has_pseudo(p):
    return p.proto in (6, 17)


# --- what happens to a packet ---------------------------------------------

def partial(p):
    if mine(p) and has_pseudo(p):
        p.sum = csum(p.pseudo())


def left_zero(p):
    if mine(p) and has_pseudo(p):
        p.sum = 0
    if mine(p):
        p.header_sum = 0


def stale(rng):
    """The card overwrites what its driver leaves there."""
    def f(p):
        if mine(p) and has_pseudo(p):
            p.sum = rng.getrandbits(16)
    return f


def flip(rng, share, who=lambda p: True, bits=1):
    def f(p):
        if not who(p) or len(p.body) < 8 or rng.random() >= share:
            return
        body = bytearray(p.body)
        for _ in range(bits):
            body[rng.randrange(len(body))] ^= 1 << rng.randrange(8)
        p.body = bytes(body)
    return f


def burst(rng, share, who=lambda p: True):
    def f(p):
        if who(p) and len(p.body) >= 40 and rng.random() < share:
            at = rng.randrange(len(p.body) - 16)
            p.body = p.body[:at] + rng.randbytes(16) + p.body[at + 16:]
    return f


def stuck_bit(rng, who=lambda p: True):
    """A bit of a memory cell that is always 1: where it lies varies little."""
    def f(p):
        if who(p) and len(p.body) > 300 and rng.random() < 0.2:
            body = bytearray(p.body)
            body[100] |= 0x10
            p.body = bytes(body)
    return f


def from_router(net):
    return lambda p: p.smac == net.router


def ttl(net):
    def f(p):
        if p.smac == net.router and not p.v6():
            p.ttl -= 1
    return f


def tos(net):
    def f(p):
        if p.smac == net.router and not p.v6():
            p.tos = 0xb8
    return f


def congestion(rng, net):
    def f(p):
        if p.smac == net.router and not p.v6() and rng.random() < 0.2:
            p.tos |= 1
    return f


def clamp(p):
    if p.options[:2] == b'\2\4':
        p.options = struct.pack('!BBH', 2, 4, 1380)


def nat(keep_header):
    """Addresses of OTHER change on the way out; the header sum follows."""
    def f(p):
        if p.src == OTHER:
            p.src = '192.0.2.99'
            if not keep_header:
                p.header_sum = None
    return f


def stack(mistake, who=mine):
    def f(p):
        if who(p) and has_pseudo(p):
            p.sum = mistake(p)
    return f


def no_pseudo(p):
    return 0xffff ^ csum(p.upper(0))


def not_complemented(p):
    return csum(p.pseudo() + p.upper(0))


def swapped(p):
    s = p.right_sum()
    return s >> 8 | (s & 0xff) << 8


def odd_left_out(p):
    data = p.upper(0)
    return 0xffff ^ csum(p.pseudo() + data[:len(data) & ~1])


def carry_lost(p):
    s = raw_sum(p.pseudo() + p.upper(0))
    return 0xffff ^ ((s & 0xffff) + (s >> 16) & 0xffff)


def ip_length(p):
    return p.right_sum(length=len(p.upper(0)) + 20)


def anonymise(prefix):
    def f(p):
        p.freeze()
        for end in ('src', 'dst'):
            a = getattr(p, end)
            b = bytearray(addr(a))
            if len(b) == 4:
                b[0] = 10
                b[1] ^= prefix + b[2]
                b[3] ^= 0x55
            else:
                b[1] ^= 0x2a
                b[7] ^= prefix
                b[15] ^= 0x33
            setattr(p, end, socket.inet_ntop(
                socket.AF_INET if len(b) == 4 else socket.AF_INET6, bytes(b)))
    return f


def recalculated(f):
    """The same by a tool that at least mends IPv4 headers."""
    def g(p):
        f(p)
        p.header_sum = None
    return g


def blank(p):
    p.freeze()
    if has_pseudo(p):
        p.body = b'\0' * len(p.body)


def cut(n):
    def f(p):
        p.freeze()
        if len(p.body) > n:
            p.body = p.body[:n]
            p.header_sum = None
    return f


def both(*fs):
    def f(p):
        for x in fs:
            x(p)
    return f


def story(seed, tamper=None, capture=None, run=traffic, lossy=True, **kw):
    rng = random.Random(seed)
    net = Net(rng, lossy=lossy)
    net.tamper = tamper(rng, net) if tamper else None
    net.capture = capture(rng, net) if capture else None
    run(net, **kw)
    return net


def in_file(f):
    return dict(capture=lambda rng, net: f)


def on_wire(f):
    return dict(tamper=lambda rng, net: f)


def merge_received(rng, net):
    """Segments in a row to ME become one long one, with the sum of the first."""
    def f(p):
        if p.dst == ME and p.proto == 6 and len(p.body) > 40:
            p.freeze()
            p.body += rng.randbytes(1460 * 2)
            p.header_sum = None
    return f


def two_cards(net):
    traffic(net)
    rng = net.rng
    for p in net.packets:
        p.interface = rng.randrange(2)
        if p.interface == 0 and mine(p) and has_pseudo(p):
            p.sum = csum(p.pseudo())


def leaked(net):
    """Sums of another host, unfinished, as they come in."""
    traffic(net)
    for p in net.packets:
        p.direction = 2 if p.src == ME else 1


ME_ANY = [{'host': ME}, {'host': ME6}]
ROUTER = [{'host': '02:00:00:00:00:fe'}]

STORIES = {
    # name: (kind, accepted subjects or None, wire, how to make it)
    'all-right': ('none', None, False, {}),
    'offload': ('offload', ME_ANY, False, in_file(partial)),
    'offload-zero': ('offload', ME_ANY, False, in_file(left_zero)),
    'offload-garbage': ('offload', ME_ANY, False,
                        dict(capture=lambda r, n: stale(r))),
    'merged': ('offload', [{'host': ME}], False,
               dict(capture=merge_received, v6=False)),
    'flips-from-server': ('corruption', [{'host': SERVERS[0]}], True, dict(
        tamper=lambda r, n: flip(r, .08, lambda p: p.src == SERVERS[0]),
        rounds=20)),
    'flips-behind-router': ('corruption', ROUTER, True, dict(
        tamper=lambda r, n: flip(r, .05, from_router(n)), rounds=12)),
    'flips-to-me': ('corruption', None, True, dict(
        tamper=lambda r, n: flip(r, .05, lambda p: p.dst == ME), rounds=12)),
    'flips-in-capture': ('corruption', None, False, dict(
        capture=lambda r, n: flip(r, .04), rounds=12)),
    'bursts': ('corruption', [{'host': OTHER}], True, dict(
        tamper=lambda r, n: burst(r, .1, lambda p: p.src == OTHER),
        rounds=12)),
    'stuck-bit': ('corruption', [{'host': OTHER}], True, dict(
        tamper=lambda r, n: stuck_bit(r, lambda p: p.src == OTHER),
        rounds=12)),
    'router-ttl': ('rewrite', ROUTER, True,
                   dict(tamper=lambda r, n: ttl(n))),
    'router-tos': ('rewrite', ROUTER, True,
                   dict(tamper=lambda r, n: tos(n))),
    'router-ecn': ('rewrite', ROUTER, True, dict(
        tamper=lambda r, n: congestion(r, n), rounds=8)),
    'clamped': ('rewrite', None, True, on_wire(clamp)),
    'nat': ('rewrite', [{'host': '192.0.2.99'}, {'host': '02:00:00:00:00:14'}],
            True, dict(tamper=lambda r, n: nat(False), rounds=6)),
    'stack-no-pseudo': ('stack', ME_ANY, True, on_wire(stack(no_pseudo))),
    'stack-complement': ('stack', ME_ANY, True,
                         on_wire(stack(not_complemented))),
    'stack-swapped': ('stack', ME_ANY, True, on_wire(stack(swapped))),
    'stack-odd': ('stack', ME_ANY, True,
                  dict(on_wire(stack(odd_left_out)), rounds=8)),
    'stack-carry': ('stack', ME_ANY, True,
                    dict(on_wire(stack(carry_lost)), rounds=60)),
    'stack-length': ('stack', ME_ANY, True, on_wire(stack(ip_length))),
    'anonymised': ('anonymised', None, False, in_file(anonymise(9))),
    'anonymised-headers-right': ('anonymised', None, False,
                                 in_file(recalculated(anonymise(9)))),
    'blanked': ('anonymised', None, False, in_file(blank)),
    'cut': ('truncation', None, False, dict(in_file(cut(100)), rounds=6)),
    'offload-and-flips': ('mixed', ME_ANY, True, dict(
        tamper=lambda r, n: flip(r, .05, lambda p: p.dst == ME),
        capture=lambda r, n: partial, rounds=12)),
    'ttl-and-stack': ('mixed', None, True, dict(
        tamper=lambda r, n: both(ttl(n), stack(no_pseudo)), rounds=6)),
    'two-cards': ('offload', [{'interface': 0}, {'host': '02:00:00:00:00:0a'}],
                  False, dict(run=two_cards)),
    'leaked': ('stack', [{'host': OTHER}], True, dict(
        run=leaked, tamper=lambda r, n: stack(
            lambda p: csum(p.pseudo()), lambda p: p.src == OTHER))),
}

PARTS = {
    'offload-and-flips': ['corruption', 'offload'],
    'ttl-and-stack': ['rewrite', 'stack'],
}


def write_pcap(path, packets):
    pcap.write(path, [p.bytes() for p in packets], [p.time for p in packets])


def block(kind, body):
    body += b'\0' * (-len(body) % 4)
    n = struct.pack('<I', len(body) + 12)
    return struct.pack('<I', kind) + n + body + n


def write_pcapng(path, packets):
    with open(path, 'wb') as f:
        f.write(block(0x0a0d0d0a, struct.pack('<IHHq', 0x1a2b3c4d, 1, 0, -1)))
        for _ in range(1 + max(p.interface for p in packets)):
            f.write(block(1, struct.pack('<HHI', 1, 0, 0)))
        for p in packets:
            data, t = p.bytes(), int(p.time * 1e6)
            options = struct.pack('<HHIHH', 2, 4, p.direction, 0, 0) \
                if p.direction else b''
            f.write(block(6, struct.pack('<IIIII', p.interface, t >> 32,
                                         t & 0xffffffff, len(data), len(data))
                          + data + b'\0' * (-len(data) % 4) + options))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    seed = int(sys.argv[2]) if len(sys.argv) == 3 else 1
    out = []
    for name, (kind, subjects, wire, how) in STORIES.items():
        net = story('%s %d' % (name, seed), **how)
        ng = any(p.interface or p.direction for p in net.packets)
        file = name + ('.pcapng' if ng else '.pcap')
        (write_pcapng if ng else write_pcap)(
            os.path.join(sys.argv[1], file), net.packets)
        out.append(dict(name=name, file=file, kind=kind, subjects=subjects,
                        wire=wire, parts=PARTS.get(name)))
    with open(os.path.join(sys.argv[1], 'stories.json'), 'w') as f:
        json.dump(out, f, indent=1)


if __name__ == '__main__':
    main()
