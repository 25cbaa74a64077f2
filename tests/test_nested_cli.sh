#!/bin/bash
# Random packets in packets: all is found, the one that is wrong and no other,
# and repaired to the byte.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"

for seed in 1 2 3 "${TESTS_SEED:-$RANDOM}"; do
	python3 "$(dirname "$0")/nested.py" "$tmp" "$seed" || exit 1
	expect 0 "$CSUM" verify "$tmp/right.pcapng"
	ok "... nothing is left, seed $seed" \
		test "$(grep -cE 'unverifiable:|not looked' "$tmp/out")" -eq 0
	expect 1 "$CSUM" verify --json --verdict bad "$tmp/wrong.pcapng"
	sed -n 's/.*"type":"site".*"protocol":"\([a-z0-9]*\)".*/\1/p' \
		"$tmp/out" >"$tmp/found"
	ok "... these and no other, seed $seed" diff "$tmp/found" "$tmp/layers"
	expect 0 "$CSUM" fix "$tmp/wrong.pcapng" -o "$tmp/fixed"
	ok "... byte for byte, seed $seed" cmp "$tmp/fixed" "$tmp/right.pcapng"
done

tap_done
