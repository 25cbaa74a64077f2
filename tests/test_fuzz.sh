#!/bin/bash
# The corpus of each fuzz target, once, by this build; scripts/fuzz finds more.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
fuzz=$(cd "$(dirname "$0")/../fuzz" && pwd)
programs=$(cd "$(dirname "$CSUM")/../fuzz" && pwd)

for folder in "$fuzz"/corpus/*/; do
	target=$(basename "$folder")
	n=$(find "$folder" -type f | wc -l)
	expect 0 timeout 120 "$programs/fuzz_$target" "$folder"
	says err "^$n inputs$"
done
tap_done
