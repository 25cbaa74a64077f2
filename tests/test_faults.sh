#!/bin/bash
# Every call of the C library that a command makes, made to fail: see faults.py.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
library=$(dirname "$CSUM")/../tests/libfaults.so

if [ ! -e "$library" ]; then
	skip "no tests/libfaults.so: not for this build"
	tap_done
	exit
fi

mkdir "$tmp/samples" "$tmp/samples/folder"
cd "$tmp/samples" || exit 2
sample=$OLDPWD/$here/captures/sample.pcap
[ -e "$sample" ] || sample=$here/captures/sample.pcap
cp "$sample" sample.pcap
cp "$sample" folder/a.pcap
echo 'no capture' >folder/README
echo 'no capture, but bytes' >text
echo '0001 f203 f4f5 f6f7' >hex
printf 'csum-profile 1\nsum portable\ncopy portable\n' >profile
gzip -c sample.pcap >packed.gz
for packer in zstd:zst lz4:lz4; do
	command -v "${packer%:*}" >/dev/null &&
		"${packer%:*}" -qc sample.pcap >"packed.${packer#*:}"
done
# a message in two fragments, the first with a wrong sum; and, in a longer file,
# more between them than a window holds, so that the output is changed again
header='d4c3b2a1 0200 0400 00000000 00000000 ffff0000 01000000'
first='00000000 00000000 32000000 32000000 00005e005302 00005e005301 0800
	4500 0024 1234 2000 4011 5c43 c000020a c6336414 138a 138a 0018'
last='00000000 00000000 2a000000 2a000000 00005e005302 00005e005301 0800
	4500 001c 1234 0002 4011 7c49 c000020a c6336414 0000000000000001'
bytes "$header" "$first" 1111 0102030405060708 "$last" >pieces.pcap
{
	bytes "$header" "$first" 1111 0102030405060708
	for _ in 1 2 3 4 5 6; do
		bytes 00000000 00000000 00000400 00000400 \
			ffffffffffff 000000000000 88b5
		head -c 262130 /dev/zero
	done
	bytes "$last"
} >long.pcap
"$CSUM" verify --json sample.pcap >said.json
printf '0000  45 00 00 14 00 00 00 00 40 11 00 00 0a 00 00 01\n0010  0a 00 00 02\n' >dump
"$CSUM" bench --json --time=0.001 --size=20 --routine=portable >run.json 2>err ||
	cat err
rm err
ln -s "$(cd "$OLDPWD" && cd "$(dirname "$library")" && pwd)/libmine.so" mine.so
cd - >/dev/null || exit 2

# each command is there, or this test would miss what a new one does
walked=$(sed -n 's/^ *Case("\([a-z]*\).*/\1/p' "$here/faults.py" | sort -u)
while read -r command; do
	grep -qx "$command" <<<"$walked" || {
		echo "Bail out! faults.py has no case of csum $command"
		exit 1
	}
done < <(sed -n 's/^COMMAND(\([a-z]*\),.*/\1/p' "$here/../cli/commands.h")
python3 "$here/faults.py" "$CSUM" "$library" "$tmp/samples" "$@"
