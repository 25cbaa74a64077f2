#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""seeds.py - first inputs for the fuzz targets, from the sample capture.

usage: fuzz/seeds.py     writes to build/fuzz/found/TARGET

From there `scripts/fuzz TARGET SECONDS` goes on, and `scripts/fuzz --merge
TARGET` keeps what is worth keeping in fuzz/corpus.
"""
import gzip
import os
import struct

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAMPLE = os.path.join(TOP, "tests/captures/sample.pcap")
OPTIONS = ["-a", "-w", "--json", "--csv", "-s", "--verdict=bad,partial",
           "--protocol=udp,ipv4", "-f udp"]
LINES = ["verify f", "verify --hex f", "explain --raw f", "explain f 1", "fix f -o out", "fix --in-place f",
         "fix -n -r -l f", "fix - -o -", "break f -o out -s 100",
         "break --in-place -S 7 --how=swap,flip f", "sum f",
         "sum --hex --offset=1 --length 4 f", "routines --json", "routines",
         "report f", "--help", "--version", "verify --help", "fix --usage",
         "verify f f f missing", "verify ."] + \
        ["verify %s f" % o for o in OPTIONS]
PROFILES = ["csum-profile 1\nsum portable\ncopy portable\n",
            "csum-profile 1", "csum-profile 1\n# why\n\n copy avx2 # not\n",
            "csum-profile 2\nsum bogus\n", "csum-profile 1\nsum\n"]


def packets():
    with open(SAMPLE, "rb") as f:
        data = f.read()
    at = 24
    while at < len(data):
        n, = struct.unpack_from("<I", data, at + 8)
        yield data[at + 16:at + 16 + n]
        at += 16 + n


def pcap(list_, order="<"):
    out = struct.pack(order + "IHHIIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)
    for p in list_:
        out += struct.pack(order + "IIII", 1, 2, len(p), len(p)) + p
    return out


def block(order, kind, body):
    body += bytes(-len(body) % 4)
    n = len(body) + 12
    return struct.pack(order + "II", kind, n) + body + \
        struct.pack(order + "I", n)


def pcapng(list_, order="<"):
    out = block(order, 0x0a0d0d0a,
                struct.pack(order + "IHHq", 0x1a2b3c4d, 1, 0, -1))
    out += block(order, 1, struct.pack(order + "HHI", 1, 0, 0))
    for p in list_:
        out += block(order, 6, struct.pack(order + "IIIII", 0, 0, 0, len(p),
                                           len(p)) + p + bytes(-len(p) % 4) +
                     struct.pack(order + "HHI", 2, 4, 1 << 9))
        out += block(order, 3, struct.pack(order + "I", len(p)) + p)
    out += block(order, 0xbad, b"none")
    return out


def dump(p, kind):
    """Hex as tcpdump, hexdump -C, xxd and xxd -p write it."""
    rows = [p[at:at + 16].hex() for at in range(0, len(p), 16)]
    spaced = [" ".join(r[i:i + 2] for i in range(0, len(r), 2)) for r in rows]
    at = range(0, len(p), 16)
    lines = [["\t0x%04x:  %s" % pair for pair in zip(at, spaced)],
             ["%08x  %s  |...|" % pair for pair in zip(at, spaced)] +
             ["*", "%08x" % (len(rows) * 16 + 32)],
             ["%08x: %s  ..." % pair for pair in zip(at, rows)],
             [p.hex()[i:i + 60] for i in range(0, 2 * len(p), 60)]][kind % 4]
    return "\n".join(lines + [""]).encode()


def put(target, name, data):
    folder = os.path.join(TOP, "build/fuzz/found", target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)


def main():
    short = [p for p in packets() if len(p) < 400]
    files = []
    for i in range(0, len(short), 3):
        three = short[i:i + 3]
        files += [pcap(three), pcap(three, ">"), pcapng(three),
                  pcapng(three, ">"), gzip.compress(pcap(three))]
    for i, p in enumerate(short):
        put("walk", "seed%d" % i, b"\0\0\0" + p)
        put("walk", "ip%d" % i, b"\1\0\2" + p[14:])
        put("api", "seed%d" % i, struct.pack(">H", len(p)) + p + p[::-1])
        put("routines", "seed%d" % i, struct.pack(">IBB", i, i, i) + p)
    for i, f in enumerate(files):
        for target in "reader", "fix", "verify":
            put(target, "seed%d" % i, f)
        put("explain", "seed%d" % i, b"\1" + f)
    for i, p in enumerate(short):
        for target in "reader", "fix", "verify":
            put(target, "dump%d" % i, dump(p, i))
        put("explain", "dump%d" % i, b"\1" + dump(p, i))
    for i, line in enumerate(LINES):
        put("cli", "seed%d" % i, line.encode() + b"\n" + files[i % len(files)])
    for i, p in enumerate(PROFILES):
        put("profile", "seed%d" % i, p.encode())


main()
