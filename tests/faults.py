#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""faults.py - every call of the C library that a command makes, made to fail.

usage: faults.py CSUM LIBRARY SAMPLES [CASE]...

Each command runs once for each call that it makes, and that call fails (see
faults.c).  Then either the outcome is the same as without the failure, or the
exit status is 2 with a message; what is written is whole or not there; nothing
is left over.  Of what measures, the outcome is what was measured and not the
figures.  Prints TAP.

Of more than SOME allocations, so many fail in turn, evenly spaced; each of them
does with CSUM_TEST_SLOW=1, and of all other calls always.
"""
import concurrent.futures
import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

CSUM, LIBRARY, SAMPLES = (os.path.abspath(a) for a in sys.argv[1:4])
ONLY = sys.argv[4:]
TIMEOUT = 60
SLOW = os.environ.get("CSUM_TEST_SLOW") == "1"
SOME = 60

# kind, what it fails with (0: a shorter read or write), all later ones as well
FAULTS = [
    ("alloc", errno.ENOMEM, False),
    ("alloc", errno.ENOMEM, True),
    ("read", errno.EIO, False),
    ("read", errno.EINTR, False),
    ("read", 0, False),
    ("write", errno.ENOSPC, False),
    ("write", errno.EINTR, False),
    ("write", 0, True),
    ("seek", errno.EIO, False),
    ("sync", errno.EIO, False),
    ("rename", errno.EACCES, False),
    ("unlink", errno.EACCES, False),
    ("close", errno.EIO, False),
    ("open", errno.EMFILE, False),
    ("stat", errno.EIO, False),
    ("owner", errno.EPERM, False),
    ("mode", errno.EPERM, False),
    ("thread", errno.EAGAIN, True),
    ("process", errno.EAGAIN, False),
    ("map", errno.ENOMEM, False),
    ("list", errno.EIO, False),
    ("live", 0, False),
]
# What a program must take without a word: nothing is wrong.
HARMLESS = {(errno.EINTR, "read"), (errno.EINTR, "write"), (0, "read"),
            (0, "write")}


def rows_of(status, stdout, out):
    """What a benchmark in JSON measured; that some got slower is noise."""
    try:
        doc = json.loads(stdout)
        rows = [(r["subject"], r["size"], r["offset"], r["op"],
                 len(r["samples_ns"]) > 0) for run in doc["runs"]
                for r in run["rows"]]
        return (0 if status == 1 else status), doc["schema"], rows, out
    except (ValueError, KeyError):
        return status, stdout, out


PROFILE = rb"csum-profile 1\n# by csum elect\nsum \w+\ncopy \w+\n"


def contest_of(status, stdout, out):
    """What was compared, and that there is a profile; who won is noise."""
    lines = re.findall(rb"(?m)^(?:cpu|seed|sums,|copies,|elected:| *\d+) ",
                       stdout)
    return status, lines, re.sub(PROFILE, b"whole", out) if out else out


def all_of(status, stdout, out):
    return status, stdout, out


class Case:
    """A command, the files it starts from, and the one that it may write."""

    def __init__(self, name, argv, stdin=None, out=None, env=None, old=None,
                 crashes=0, shape=all_of, kinds=None):
        self.name, self.argv, self.stdin = name, argv, stdin
        self.out, self.env, self.old = out, env or {}, old
        # without memory, fts_open() of glibc and pcap_compile() of libpcap use
        # a NULL pointer: so many times
        self.crashes = crashes
        self.shape = shape
        self.kinds = kinds  # None: calls of all kinds fail


# a machine that need not be asked for
MACHINE = {"HWLOC_SYNTHETIC": "pack:1 l3:1 core:2 pu:1"}
BENCH = ["bench", "--json", "--time=0.001", "--size=20", "--routine=portable"]


def bench(option, *kinds):
    """With an option more, and what that brings; the rest is as without."""
    return Case("bench " + option, BENCH + [option], env=MACHINE,
                shape=rows_of, kinds=kinds or None)


CASES = [
    Case("sum", ["sum", "sample.pcap", "text"]),
    Case("sum --hex", ["sum", "--hex"], stdin="hex"),
    Case("verify", ["verify", "-j1", "sample.pcap"]),
    Case("verify -a --why", ["verify", "-j1", "-a", "-w", "sample.pcap"]),
    Case("verify -j2", ["verify", "-j2", "-a", "sample.pcap", "folder"],
         crashes=1),
    Case("verify --json", ["verify", "-j1", "--json", "-a", "folder"],
         crashes=1),
    Case("verify gzip", ["verify", "-j1", "packed.gz"]),
    Case("verify zstd", ["verify", "-j1", "packed.zst"]),
    Case("verify lz4", ["verify", "-j2", "packed.lz4"]),
    Case("verify -f", ["verify", "-j1", "-f", "udp", "sample.pcap"],
         crashes=2),
    Case("verify -", ["verify", "-"], stdin="sample.pcap"),
    Case("verify -i", ["verify", "-a", "-i", "none"],
         env={"FAULT_LIVE": "sample.pcap"}),
    Case("verify dump", ["verify", "-j1", "-a", "dump"]),
    Case("merge", ["merge", "said.json"]),
    Case("merge --json", ["merge", "--json", "-"], stdin="said.json"),
    Case("explain", ["explain", "sample.pcap", "49"]),
    Case("explain fragment", ["explain", "pieces.pcap", "1"]),
    Case("fix -o", ["fix", "sample.pcap", "-o", "out"], out="out"),
    Case("fix over", ["fix", "-r", "sample.pcap", "-o", "out"], out="out",
         old="text"),
    Case("fix pieces", ["fix", "long.pcap", "-o", "out"], out="out"),
    Case("fix --in-place", ["fix", "-i", "place.pcap"], out="place.pcap",
         old="sample.pcap"),
    Case("fix - -o -", ["fix", "-", "-o", "-"], stdin="pieces.pcap"),
    Case("break", ["break", "-s", "100", "sample.pcap", "-o", "out"],
         out="out"),
    Case("break --in-place", ["break", "-i", "-s", "100", "place.pcap"],
         out="place.pcap", old="sample.pcap"),
    Case("bench", BENCH, env=MACHINE, shape=rows_of),
    bench("--load=mine.so", "alloc", "map", "process"),
    bench("--mix=sample.pcap"),
    bench("--compare=run.json"),
    bench("--background=stream", "map", "process"),
    Case("report", ["report", "run.json", "-o", "out"], out="out"),
    Case("report - over", ["report", "-o", "out"], stdin="run.json", out="out",
         old="text"),
    Case("elect", ["elect", "-n", "-t", "0.001", "-s", "20", "-o", "out"],
         out="out", env=MACHINE, shape=contest_of),
    Case("routines", ["routines"]),
    Case("routines --json", ["routines", "--json"]),
    Case("--help", ["--help"]),
    Case("verify --help", ["verify", "--help"]),
    Case("profile", ["sum", "text"], env={"CSUM_PROFILE": "profile"}),
]


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


class Outcome:
    pass


def run(case, fault=None, at=0):
    """The command in a folder of its own."""
    with tempfile.TemporaryDirectory(dir=ROOM) as folder:
        for name in os.listdir(SAMPLES):
            path = os.path.join(SAMPLES, name)
            if case.old and case.out == name or name == "count":
                continue
            os.symlink(path, os.path.join(folder, name))
        if case.old:
            shutil.copy(os.path.join(SAMPLES, case.old),
                        os.path.join(folder, case.out))
        before = set(os.listdir(folder))
        env = dict(os.environ, LD_PRELOAD=LIBRARY, **case.env)
        if fault:
            env.update(FAULT_CALL=fault[0], FAULT_AT=str(at),
                       FAULT_ERRNO=str(fault[1]),
                       FAULT_STAY=str(int(fault[2])))
            if not at:
                env["FAULT_COUNT"] = folder + "/count"
        stdin = open(os.path.join(SAMPLES, case.stdin), "rb") \
            if case.stdin else subprocess.DEVNULL
        o = Outcome()
        try:
            p = subprocess.run([CSUM] + case.argv, cwd=folder, env=env,
                               stdin=stdin, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, timeout=TIMEOUT)
            o.status, o.stdout, o.stderr = p.returncode, p.stdout, p.stderr
        except subprocess.TimeoutExpired:
            o.status, o.stdout, o.stderr = "hangs", b"", b""
        if stdin is not subprocess.DEVNULL:
            stdin.close()
        o.out = read(os.path.join(folder, case.out)) if case.out else None
        o.count = int(read(folder + "/count") or 0)
        o.left = set(os.listdir(folder)) - before - {"count", case.out}
        return o


def wrong(case, good, o, fault):
    """What must not be, in words; None if all is well."""
    shape = case.shape(o.status, o.stdout, o.out)
    whole = case.shape(good.status, good.stdout, good.out)
    same = shape == whole
    old = read(os.path.join(SAMPLES, case.old)) if case.old else None
    if o.left and not (fault[0] == "unlink" and o.status == 2 and all(
            name.encode() in o.stderr for name in o.left)):
        return "left over: %s" % ", ".join(sorted(o.left))
    if case.out and o.out != old and shape[-1] != whole[-1]:
        return "the output is neither the old file nor the new one"
    if same:
        return None
    if (fault[1], fault[0]) in HARMLESS:
        return "status %s, or another output, though nothing was wrong" \
            % o.status
    if o.status != 2:
        return "status %s and not the whole output" % o.status
    if not o.stderr:
        return "status 2 without a message"
    return None


def each(case, good, fault):
    """The failures of one kind of call: how many calls, and what was wrong."""
    count = run(case, fault).count
    step = max(1, count // SOME) if fault[0] == "alloc" and not SLOW else 1
    found = []
    crashes = case.crashes if fault[0] == "alloc" else 0
    tried = range(1, count + 1, step)
    for at in tried:
        o = run(case, fault, at)
        problem = wrong(case, good, o, fault)
        if problem and o.status == -signal.SIGSEGV and crashes:
            crashes -= 1
        elif problem:
            text = o.stderr.decode(errors="replace").strip()
            found.append("call %d: %s: %s" % (at, problem, text[-200:]))
    return len(tried), count, found


def name_of(fault):
    kind, code, stay = fault
    return "%s %s%s" % (kind, errno.errorcode.get(code, "short"),
                        " from then on" if stay else "")


def main():
    n = failed = calls = 0
    cases = [c for c in CASES if not ONLY or c.name in ONLY]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = []
        for case in cases:
            good = run(case)
            for fault in FAULTS:
                if case.kinds and fault[0] not in case.kinds:
                    continue
                jobs.append((case, fault, pool.submit(each, case, good,
                                                      fault)))
        for case, fault, job in jobs:
            tried, count, found = job.result()
            if not count:
                continue
            n += 1
            calls += tried
            print("%sok %d - %s: %s, %s of %d" % (
                "not " if found else "", n, case.name, name_of(fault),
                "each" if tried == count else tried, count))
            for line in found[:5]:
                print("# " + line)
            failed += bool(found)
            sys.stdout.flush()
    print("# %d calls failed in turn" % calls)
    print("1..%d" % n)
    return 1 if failed else 0


with tempfile.TemporaryDirectory() as ROOM:
    status = main()
sys.exit(status)
