#!/usr/bin/env python3
"""Are verify and fix of one mind?  Over every capture that there is.

usage: tests/agree.py CSUM FOLDER...

Of each file below the FOLDERs that csum can read: what verify calls bad or
partial is what fix repairs or names; what verify calls bad or partial after that
is what fix has named, with exit status 1; and a second repair changes nothing.
Prints TAP, a test for each FOLDER.
"""
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

CSUM = sys.argv[1]
WRONG = {'bad', 'partial'}
BATCH, SECONDS = 100, 300
LINE = re.compile(r': frame \d+: ([\w-]+) (bad|partial): (left )?(0x[0-9a-f]+)')


def run(*argv):
    done = subprocess.run([CSUM, *argv], capture_output=True, timeout=SECONDS)
    return done.returncode, done.stdout.decode('utf-8', 'replace')


def verified(folder, names):
    """{name: Counter of (protocol, verdict, value)}"""
    found = {name: collections.Counter() for name in names}
    for at in range(0, len(names), BATCH):
        batch = names[at:at + BATCH]
        out = run('verify', '--json', '--verdict', 'bad,partial', '--',
                  *(os.path.join(folder, name) for name in batch))[1]
        for line in out.splitlines():
            site = json.loads(line)
            if site['type'] == 'site' and site['class'] == 'real' and \
                    site['verdict'] in WRONG:
                name = os.path.relpath(site['file'], folder)
                found[name][site['protocol'], site['verdict'],
                            site['found']] += 1
    return found


def repaired(path, to):
    """(status, what was wrong, what of it was left)"""
    status, out = run('fix', '-r', '-o', to, '--', path)
    wrong, left = collections.Counter(), collections.Counter()
    for line in out.splitlines():
        match = LINE.search(line)
        if match:
            protocol, verdict, is_left, value = match.groups()
            wrong[protocol, verdict, value] += 1
            if is_left:
                left[protocol, verdict, value] += 1
    return status, wrong, left


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def disagreement(name, before, after, first, again, once, twice):
    status, wrong, left = first
    if wrong != before:
        return f'{name}: verify {before - wrong}, fix {wrong - before}'
    if after != left:
        return f'{name}: after a repair {after - left}, named {left - after}'
    if left and status == 0:
        return f'{name}: named {left}, and status 0'
    if again[1] != left or read(once) != read(twice):
        return f'{name}: a second repair changes {again[1] - left}'
    return None


def compare(folder, tmp):
    """What they disagree on, in words; how many files, how many wrong sites."""
    names = sorted(os.path.relpath(os.path.join(where, name), folder)
                   for where, _, files in os.walk(folder) for name in files)
    once, twice = os.path.join(tmp, 'once'), os.path.join(tmp, 'twice')
    before = verified(folder, names)

    def repair(name):
        to = os.path.join(once, name), os.path.join(twice, name)
        for path in to:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        first = repaired(os.path.join(folder, name), to[0])
        if not os.path.exists(to[0]):
            return first, None
        return first, repaired(to[0], to[1])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        done = dict(zip(names, pool.map(repair, names)))
    readable = [name for name in names if done[name][1]]
    after = verified(once, readable)
    problems = [disagreement(name, before[name], after[name], *done[name],
                             os.path.join(once, name),
                             os.path.join(twice, name)) for name in readable]
    return ([p for p in problems if p], len(readable),
            sum(sum(before[name].values()) for name in readable))


def main():
    failed = False
    for number, folder in enumerate(sys.argv[2:], 1):
        with tempfile.TemporaryDirectory() as tmp:
            problems, files, wrong = compare(os.path.abspath(folder), tmp)
        fine = not problems and files
        failed |= not fine
        print(f'{"" if fine else "not "}ok {number} - {os.path.basename(folder)}'
              f': {files} files, {wrong} wrong sites, verify and fix agree')
        for problem in problems[:20]:
            print('#', problem)
        sys.stdout.flush()
    print(f'1..{len(sys.argv) - 2}')
    return 1 if failed else 0


sys.exit(main())
