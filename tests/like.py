#!/usr/bin/env python3
"""What tests/test_like_cli.sh does to captures, and how it compares them.

usage: tests/like.py rewrite FROM TO     other addresses and ports, sums as before
       tests/like.py cut FROM TO         the front of each packet
       tests/like.py compare CSUM A B    the same verdicts, wrong by as much
       tests/like.py padded CSUM CUT TO  CUT filled up with zeros is right
"""
import json
import struct
import subprocess
import sys

FRONT = 62  # bytes: Ethernet, IPv4 and TCP, with some of what is behind
NO_SUMS = {"sctp", "fcs", "rocev2", "ospf-lsa"}


def records(path):
    with open(path, "rb") as f:
        data = f.read()
    at = 24
    while at < len(data):
        _, _, n, wire = struct.unpack_from("<IIII", data, at)
        yield bytearray(data[at + 16:at + 16 + n]), wire, data[at:at + 8]
        at += 16 + n


def write(path, source, list_):
    with open(source, "rb") as f:
        header = f.read(24)
    with open(path, "wb") as f:
        f.write(header)
        for packet, wire, time in list_:
            f.write(time + struct.pack("<II", len(packet), wire) + packet)


def rewrite(packet):
    """As a tool does that knows of no checksum."""
    kind, = struct.unpack_from(">H", packet, 12)
    ip = 14
    if kind == 0x0800:
        packet[ip + 15] ^= 0x5a
        packet[ip + 16] ^= 0x01
        upper = ip + 4 * (packet[ip] & 15)
        first = not struct.unpack_from(">H", packet, ip + 6)[0] & 0x1fff
        protocol = packet[ip + 9]
    elif kind == 0x86dd:
        packet[ip + 23] ^= 0x33
        upper, first, protocol = ip + 40, True, packet[ip + 6]
    else:
        return
    if protocol in (6, 17) and first and upper + 1 < len(packet):
        packet[upper + 1] ^= 0x40


def sites(csum, path):
    out = subprocess.run([csum, "verify", "--json", "--all", path],
                         stdout=subprocess.PIPE, check=False).stdout
    return [s for s in map(json.loads, out.decode().splitlines())
            if s["type"] == "site" and s["class"] == "real"]


def wrong_by(site):
    """What an update has to keep, in the terms of the field."""
    if "found" not in site or site["verdict"] not in ("bad", "absent"):
        return None
    found = int(site["found"], 16)
    if site["verdict"] == "absent" or not found:
        return found
    expected = int(site["expected"], 16)
    if site["protocol"] in NO_SUMS:
        return found ^ expected
    return (found - expected) % 0xffff


def compare(csum, a, b):
    a, b = sites(csum, a), sites(csum, b)
    same = len(a) == len(b) and len(a) > 0
    for x, y in zip(a, b):
        if [(x["frame"], x["protocol"], x["verdict"], wrong_by(x))] != \
                [(y["frame"], y["protocol"], y["verdict"], wrong_by(y))]:
            print(x, y)
            same = False
    return same


def padded(csum, cut, to):
    write(to, cut, [(p + bytes(wire - len(p)), wire, time)
                    for p, wire, time in records(cut)])
    known = {(s["frame"], s["protocol"]): s["verdict"]
             for s in reversed(sites(csum, to))}
    done = 0
    for s in sites(csum, cut):
        if s["verdict"] != "unverifiable" or "found" not in s or \
                s["protocol"] in NO_SUMS or "field_frame" in s:
            continue
        if "snap length" in s["reason"]:
            if known.get((s["frame"], s["protocol"])) == "bad":
                print(s)
                return False
            done += 1
    return done > 10


def main():
    what, *args = sys.argv[1:]
    if what == "compare":
        return compare(*args)
    if what == "padded":
        return padded(*args)
    list_ = list(records(args[0]))
    if what == "cut":
        list_ = [(p[:FRONT], wire, time) for p, wire, time in list_]
    else:
        for packet, _, _ in list_:
            rewrite(packet)
    write(args[1], args[0], list_)
    return True


sys.exit(0 if main() else 1)
