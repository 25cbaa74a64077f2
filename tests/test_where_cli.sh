#!/bin/bash
# When, where and between whom: text, JSON and CSV of `csum verify`.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
python3 "$(dirname "$0")/where.py" "$tmp" || exit 1
cd "$tmp" || exit 1

# behind FRAME TEXT - the line behind that of a frame
behind() {
	ok "... frame $1: $2" test "$(grep -A1 "frame $1: " out | tail -n 1)" = \
		"    $2"
}

expect 1 "$CSUM" verify --verdict bad,unverifiable where.pcap
behind 1 '2025-12-01 08:30:00.250000, 192.0.2.1:40000 > 198.51.100.2:443, if 0'
behind 2 '2025-12-01 08:30:01.250000, 192.0.2.1:40000 > 198.51.100.2:443, if 0, vlan 7 4094'
behind 3 '2025-12-01 08:30:02.250000, 192.0.2.77:1 > 203.0.113.3:2, if 0, vlan 5, tunnel 1'
behind 4 '2025-12-01 08:30:03.250000, [2001:db8::1]:40000 > [2001:db8::2]:443, if 0'
behind 6 '2025-12-01 08:30:05.250000, 192.0.2.1:40000 > 198.51.100.2:443, if 0, vlan 5'
says out 'frame 7: udp unverifiable: '
behind 7 '2025-12-01 08:30:06.250000, 203.0.113.3 > 198.51.100.2, if 0, vlan 5'
says out 'frame 8: cdp bad: '
behind 8 '2025-12-01 08:30:07.250000, 00:00:5e:00:53:01 > 00:00:5e:00:53:02, if 0'

# in a later fragment are no ports
expect 0 "$CSUM" verify --verdict good --protocol ipv4 where.pcap
behind 5 '2025-12-01 08:30:04.250000, 192.0.2.1:40000 > 198.51.100.2:443, if 0, vlan 5'
behind 6 '2025-12-01 08:30:05.250000, 192.0.2.1 > 198.51.100.2, if 0, vlan 5'

# no line is wider than 80 columns, and values stay in one piece
expect 1 env -u COLUMNS "$CSUM" verify -a --why "$tmp/where.pcap"
ok "... no line is wider" test "$(wc -L <out)" -lt 80
ok "... all frames are there" test "$(grep -c 'frame .*: found 0x1234,' out)" -eq 6
cp where.pcap "$(printf 'n%.0s' {1..60}).pcap"
expect 1 env -u COLUMNS "$CSUM" verify n*.pcap
says out '^    frame 1: udp bad: found 0x1234, should be 0x[0-9a-f]{4}$'
expect 1 env COLUMNS=50 "$CSUM" verify where.pcap
ok "... nor than COLUMNS says" test "$(grep -A3 frame out | grep -v '^ .* 0  ' | wc -L)" -lt 50

# the same in JSON and CSV
expect 1 "$CSUM" verify --json where.pcap
cat >where_json.py <<'END'
import json, sys
sites = [o for o in map(json.loads, open('out')) if o['type'] == 'site']
by = {o['frame']: o for o in sites}
keys = ('time', 'interface', 'vlans', 'source', 'source_port', 'destination',
        'destination_port', 'depth')
def of(frame): return tuple(by[frame].get(k) for k in keys)
assert of(2) == ('2025-12-01T08:30:01.250000000Z', 0, [7, 4094], '192.0.2.1',
                 40000, '198.51.100.2', 443, 1), of(2)
assert of(3) == ('2025-12-01T08:30:02.250000000Z', 0, [5], '192.0.2.77', 1,
                 '203.0.113.3', 2, 2), of(3)
assert of(4) == ('2025-12-01T08:30:03.250000000Z', 0, None, '2001:db8::1',
                 40000, '2001:db8::2', 443, 1), of(4)
assert of(8) == ('2025-12-01T08:30:07.250000000Z', 0, None,
                 '00:00:5e:00:53:01', None, '00:00:5e:00:53:02', None, 0), of(8)
END
ok "... JSON has them" python3 where_json.py
expect 1 "$CSUM" verify --csv where.pcap
cat >where_csv.py <<'END'
import csv
rows = {r['frame']: r for r in csv.DictReader(open('out'))}
assert rows['2']['vlans'] == '7 4094'
assert rows['2']['time'] == '2025-12-01T08:30:01.250000000Z'
assert rows['3']['source'] == '192.0.2.77' and rows['3']['source_port'] == '1'
assert rows['3']['destination_port'] == '2' and rows['3']['depth'] == '2'
assert rows['8']['source'] == '00:00:5e:00:53:01'
assert rows['8']['source_port'] == '' and rows['1']['vlans'] == ''
END
ok "... CSV has them" python3 where_csv.py

tap_done
