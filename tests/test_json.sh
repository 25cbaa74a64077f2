#!/bin/bash
# Every line of `csum verify --json` is as docs/verify.schema.json says.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
CSUM_SHARED=${CSUM_SHARED:-$here/../../shared}
if ! python3 -c 'import jsonschema' 2>/dev/null; then
	skip "python3-jsonschema is not installed"
	tap_done
	exit
fi

# holds - standard input is as the schema says
holds() {
	python3 -B "$here/schema.py"
}

# json WHAT OPTION... - what is written so holds
json() {
	local what=$1
	shift
	"$CSUM" verify --json "$@" >"$tmp/out" 2>"$tmp/err"
	ok "$what" holds <"$tmp/out"
}

python3 "$here/stories.py" "$tmp" 1
json "every checksum, with causes" --all --why "$tmp"/*.pcap*
for type in schema site summary conclusion total; do
	says out "^\\{\"type\":\"$type\""
done
json "bad ones of one capture" "$here/captures/sample.pcap"
json "a summary" --summary "$here/captures/sample.pcap"
json "nothing" --summary "$tmp/stories.json"
cp "$here/captures/sample.pcap" "$tmp/$(printf 'a"b\\c\001\351.pcap')"
json "a name that no string of JSON can hold as it is" \
	"$tmp/$(printf 'a"b\\c\001\351.pcap')"
head -c 5000 "$here/captures/sample.pcap" >"$tmp/cut.pcap"
json "a file that is not whole" "$tmp/cut.pcap" "$tmp/missing.pcap"
says out '"whole":false'
# Each verdict, reason and note that a capture is known to have.
if [ -d "$CSUM_SHARED/capture-cases" ]; then
	json "every capture of \$CSUM_SHARED/capture-cases" --all --why \
		"$CSUM_SHARED/capture-cases"
	for key in offset field_frame reason note why; do
		says out "\"type\":\"site\".*\"$key\":"
	done
else
	skip "no $CSUM_SHARED/capture-cases"
fi

# A check that cannot fail is none.
"$CSUM" verify --json "$here/captures/sample.pcap" >"$tmp/right"
# finds WHAT FAULT EDIT - sed changes the lines, and the fault is named
finds() {
	sed -E "$3" "$tmp/right" >"$tmp/wrong"
	python3 -B "$here/schema.py" "$tmp/wrong" >"$tmp/out"
	says out "$2"
}
finds "a key more" "'extra' was unexpected" 's/"type":"site",/&"extra":1,/'
finds "a key more, deep inside" "'extra' was unexpected" \
	's/"kind":"offload",/&"extra":1,/'
finds "a key less" "'depth' is a required property" 's/"depth":1,//'
finds "a number as text" "'68' is not of type 'integer'" \
	's/"packets":68/"packets":"68"/'
finds "a word that is none" "'worse' is not one of" 's/"bad","off/"worse","off/'
finds "no JSON" "JSONDecodeError" 's/\}$//'
finds "a key twice" "a key comes twice" 's/"frame":49/&,&/'

tap_done
