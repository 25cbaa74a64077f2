#!/bin/bash
# Over every capture that there is, verify and fix are of one mind: see agree.py.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
CSUM_SHARED=${CSUM_SHARED:-$here/../../shared}

mkdir "$tmp/made" "$tmp/made/declared" "$tmp/made/nested"
python3 "$here/unfinished.py" "$tmp/made" &&
	python3 "$here/fragmented.py" "$tmp/made" &&
	python3 "$here/declared.py" "$tmp/made/declared" &&
	python3 "$here/nested.py" "$tmp/made/nested" 1 || exit 1
folders=("$here/captures" "$tmp/made")
for folder in reports stories capture-cases corpora; do
	[ ! -d "$CSUM_SHARED/$folder" ] || folders+=("$CSUM_SHARED/$folder")
done
python3 "$here/agree.py" "$CSUM" "${folders[@]}"
