#!/usr/bin/env python3
"""csum verify over the capture cases: TAP, one test for each capture.

usage: tests/capture_cases.py CSUM CASES

Each capture is there twice, with its sums right and with every one altered;
fields.json says where they are.  Every altered one must be called bad, with the
right value where nothing else that was altered is under the same sum; nothing
else may be, and in the good one nothing at all.
"""
import json
import os
import struct
import subprocess
import sys


def frames(path):
    """[(offset in the file, bytes)]"""
    with open(path, 'rb') as f:
        data = f.read()
    at, out = 24, []
    while at + 16 <= len(data):
        caplen = struct.unpack_from('<I', data, at + 8)[0]
        out.append((at + 16, data[at + 16:at + 16 + caplen]))
        at += 16 + caplen
    return out


def verify(csum, path):
    """{offset in the file: object of the site}, and those without a field."""
    done = subprocess.run([csum, 'verify', '--json', '--all', path],
                          capture_output=True, text=True, timeout=60)
    if done.returncode not in (0, 1) or done.stderr:
        raise ValueError(f'exit status {done.returncode}: {done.stderr}')
    sites = [json.loads(line) for line in done.stdout.splitlines()]
    sites = [s for s in sites if s['type'] == 'site']
    bad = [s for s in sites
           if s['verdict'] == 'bad' and s['class'] == 'real']
    if (done.returncode == 1) != bool(bad):
        raise ValueError(f'exit status {done.returncode}, {len(bad)} bad')
    return {s['offset']: s for s in sites if 'offset' in s}


# Right by RFC 5798, which had a pseudo-header; what is wrong gets the value that
# RFC 9568, section 5.2.8, has instead.
OLDER = ('vrrp3-4',)


def verdict(name, label, altered):
    """What has to be said of a field."""
    if name == 'trunc-tcp' and label == 'tcp':
        return 'unverifiable'
    if name == 'frag4-udp-missing' and label == 'udp':
        return None  # its field is in a frame, the verdict on none
    if name == 'trunc-iphdr':
        return None  # the cut is in the header
    if name == 'offload-zero':
        return 'bad'  # both fields, in both files
    if label.endswith('-NONE'):
        return None
    if label.endswith('-ZERO'):
        # RFC 8200, section 8.1; the others are tunnels
        return 'bad' if name == 'udp6-zero' else 'absent'
    if label.endswith('-ZERO0'):
        return 'bad'
    if label.endswith(('-PARTIAL', '-PARTIAL0')):
        return 'bad' if altered else 'partial'
    return 'bad' if altered else 'good'


def check(csum, cases, name, kind, fields):
    path = os.path.join(cases, kind, name + '.pcap')
    right = frames(os.path.join(cases, 'good', name + '.pcap'))
    sites = verify(csum, path)
    wrong = []
    for i, (start, data) in enumerate(frames(path)):
        for k, (at, n, label) in enumerate(fields[i]):
            if at + n > len(data):
                continue
            before, now = right[i][1][at:at + n], data[at:at + n]
            want = verdict(name, label, before != now)
            site = sites.pop(start + at, None)
            if want is None:
                continue
            if not site or site['verdict'] != want:
                wrong.append(f'frame {i + 1} {label}: {want}, not {site}')
                continue
            if ('quoted' == site['class']) != label.startswith('q-'):
                wrong.append(f'frame {i + 1} {label}: class {site["class"]}')
            if want == 'bad' and before != now and \
                    (k == 0 or label.split('-')[-1] == 'ip') and \
                    name not in ('offload-zero', *OLDER) and \
                    site['expected'] != '0x' + before.hex():
                wrong.append(f'frame {i + 1} {label}: should be '
                             f'{before.hex()}, not {site["expected"]}')
    wrong += [f'{kind}: not in the list: {s}' for s in sites.values()
              if s['verdict'] in ('bad', 'partial')]
    return wrong


def main():
    csum, cases = sys.argv[1:]
    with open(os.path.join(cases, 'fields.json'), encoding='utf8') as f:
        captures = json.load(f)
    count = 0
    for name in sorted(captures):
        for kind in ('good', 'bad'):
            try:
                wrong = check(csum, cases, name, kind,
                              captures[name]['fields'])
            except (ValueError, KeyError) as error:
                wrong = [repr(error)]
            count += 1
            print(f'{"not " if wrong else ""}ok {count} - {name}, {kind}')
            for line in wrong:
                print(f'# {line}')
    print(f'1..{count}')


main()
