#!/bin/bash
# `csum verify --by`: who, where and when most checksums are wrong.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
tests=$(realpath "$(dirname "$0")")
stories=${CSUM_SHARED:-$tests/../../shared}/stories
cd "$tmp" || exit 1

# --- flows that are known: counted by a model, more of them than there is room for
cat >many.py <<'END'
import collections, contextlib, io, json, random, struct, sys
sys.path.insert(0, sys.argv[1])
import pcap
with contextlib.redirect_stdout(io.StringIO()):
    import packets as p

def frame(src, port, bad):
    msg = p.message(p.UDP, b'x', ports=(port, 53))
    value = p.right(p.UDP, src, p.DST4, msg)
    return p.eth(p.ipv4(p.UDP, p.put16(msg, 6, value ^ (0x1111 if bad else 0)),
                        src=src))

rng = random.Random(7)
frames, times = [], []
for i in range(int(sys.argv[2])):
    often = rng.random() < 0.01
    src = p.ip4('10.0.0.%d' % rng.randrange(5)) if often else \
        bytes([10, 1]) + struct.pack('>H', rng.randrange(40000))
    frames.append(frame(src, 2000 if often else rng.randrange(1024, 60000),
                        often and rng.random() < 0.5))
    times.append(1764577800 + i / 64)
pcap.write(sys.argv[3], frames, times)
END
python3 many.py "$tests" 2000 few.pcap
python3 many.py "$tests" 120000 many.pcap
expect 1 "$CSUM" verify --json --by host,flow,interface,port,time --all few.pcap
cat >count.py <<'END'
import collections, json
objects = [json.loads(line) for line in open('out')]
sites = [o for o in objects if o['type'] == 'site']
keys = {
    'host': (lambda s: s['source'], lambda r: r['host']),
    'flow': (lambda s: (s['source'], s['source_port'], s['destination']),
             lambda r: (r['source'], r['source_port'], r['destination'])),
    'interface': (lambda s: s['interface'], lambda r: r['interface']),
    'port': (lambda s: min(s['source_port'], s['destination_port']),
             lambda r: r['port']),
}
for ranking in (o for o in objects if o['type'] == 'ranking'):
    assert ranking['all'] == len(sites) == 4000, ranking['all']
    assert ranking['dropped'] == {'bad': 0, 'partial': 0, 'all': 0}
    rows = ranking['rows']
    if ranking['by'] == 'time':
        assert sum(r['all'] for r in rows) == 4000
        assert [r['from'] for r in rows] == sorted(r['from'] for r in rows)
        assert ranking['seconds'] == 1 and len(rows) == 32, len(rows)
        continue
    of_site, of_row = keys[ranking['by']]
    want = {}
    for s in sites:
        row = want.setdefault(of_site(s), [0, 0, None, None])
        row[1] += 1
        if s['verdict'] == 'bad':
            row[0] += 1
            row[2] = row[2] or s['time']
            row[3] = s['time']
    bad = sum(w[0] for w in want.values())
    wrong = [w for w in want.values() if w[0]]
    assert len(rows) == len(wrong) and ranking['more_rows'] == 0
    assert [r['bad'] for r in rows] == sorted((w[0] for w in wrong), reverse=True)
    for r in rows:
        w = want[of_row(r)]
        assert [r['bad'], r['all'], r['first'], r['last']] == w, (r, w)
        assert abs(r['share'] - w[0] / bad) < 1e-5 and not r['at_least']
END
ok "... as counted from the lines" python3 count.py
ok "... as the schema has it" python3 "$tests/schema.py" out

# more flows than rows: nothing bad is lost, what is dropped is said
expect 1 "$CSUM" verify --json --summary --by flow many.pcap
cat >full.py <<'END'
import json
objects = {o['type']: o for o in map(json.loads, open('out'))}
r, total = objects['ranking'], objects['total']
assert r['bad'] == total['bad'] > 100
assert r['dropped']['all'] > 10000 and r['dropped']['bad'] == 0
assert sum(row['bad'] for row in r['rows']) == r['bad']
assert [row['source'][:7] for row in r['rows']] == ['10.0.0.'] * 5
assert r['all'] == 240000
END
ok "... with more flows than rows" python3 full.py
"$CSUM" verify --summary --by flow,host,time -j 1 many.pcap >one
"$CSUM" verify --summary --by flow,host,time -j 5 many.pcap >five
ok "one thread and five rank the same" cmp one five
ok "... what is dropped is said" grep -q '^  not in this ranking: [0-9]* checksums, 0 bad' one
ok "... no line is wider than 80" test "$(env -u COLUMNS "$CSUM" verify --summary --by flow,host,time,port many.pcap | wc -L)" -le 80
expect 2 "$CSUM" verify --by hots few.pcap
says err "--by: 'hots' is none of host, flow, interface, port, cause, time; did you mean 'host'"

# several files are one ranking, in front of the total; one file ends with its conclusion
expect 1 "$CSUM" verify --summary --by host few.pcap few.pcap
ok "... one ranking" test "$(grep -c '^by host: [1-5] with something bad or partial' out)" -eq 1
expect 1 "$CSUM" verify --summary --by host few.pcap
ok "... a conclusion at the end" test "$(grep -n 'by host' out | cut -d: -f1)" -eq 1

# a real story: who sends what is partial, and why
if [ -d "$stories" ]; then
	expect 1 "$CSUM" verify --json --summary --by host,cause "$stories/v10-offload-and-one-bad.pcap"
	says out '"by":"host",.*"host":"192.0.2.10","bad":0,"partial":120,'
	says out '"by":"cause",.*"cause":"offload","bad":0,"partial":126,"all":126,'
else
	skip 'no stories'
fi

tap_done
