#!/bin/bash
# The library in other shapes than CMake's: one csum.c and csum.h, and a Meson
# subproject; TAP.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 2
CSUM=none
# shellcheck source=tests/tap.sh
. tests/tap.sh

one=$tmp/one
ok "scripts/amalgamate" scripts/amalgamate "$one"
expect 2 scripts/amalgamate --wrong
says err '^usage'
expect 2 scripts/amalgamate /dev/null/one
says err 'amalgamate: /dev/null/one: Not a directory'

# The tests of the whole library, with these two files in place of all of it.
compiled() {
	"$1" -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -c "$one/csum.c" \
		-o "$tmp/csum.o" &&
		"$1" -std=gnu11 -O1 -I"$one" -Imodel -Itests "$tmp/csum.o" \
			model/model.c tests/testing.c tests/test_api.c -o "$tmp/api"
}
tested() {
	CSUM_TEST_QUICK=1 CSUM_ROUTINE=$1 "$tmp/api" >"$tmp/api.tap" &&
		grep -c '^ok' "$tmp/api.tap" && ! grep '^not ok' "$tmp/api.tap"
}
for cc in gcc clang; do
	ok "$cc: one line compiles it without a warning" compiled $cc
	while read -r routine; do
		ok "$cc: CSUM_ROUTINE=$routine: like the model" tested "$routine"
	done < <(sed -n 's/^ROUTINE(\([a-z0-9]*\),.*/\1/p' src/routines/list.h)
done
small() {
	gcc -std=c11 -Os -ffreestanding -Wall -Wextra -Werror -DCSUM_SMALL \
		-c "$one/csum.c" -o "$tmp/small.o" &&
		! nm -u "$tmp/small.o" | grep -v _GLOBAL_OFFSET_TABLE_
}
ok "CSUM_SMALL: freestanding, and needs nothing" small
same_symbols() {
	compiled gcc && gcc -std=c11 -O2 -Iinclude -shared -fPIC src/*.c \
		src/routines/*.c src/routines/*/*.c -o "$tmp/many.so" &&
		gcc -std=c11 -O2 -shared -fPIC "$one/csum.c" -o "$tmp/one.so" &&
		diff <(nm -D --defined-only "$tmp/many.so" | cut -d' ' -f3) \
			<(nm -D --defined-only "$tmp/one.so" | cut -d' ' -f3)
}
ok "it exports what the library does" same_symbols
for std in c++11 c++20; do
	ok "csum.h of the two: $std" g++ -std=$std -Wall -Wextra -Werror \
		-fsyntax-only -x c++ "$one/csum.h"
done
long_names() {
	printf '#define CSUM_NO_SHORT_NAMES\n#include "csum.h"\n%s' \
		'static int csum_fold; int main(void) { return csum_fold; }' \
		>"$tmp/long.c" && gcc -I"$one" -c "$tmp/long.c" -o "$tmp/long.o"
}
ok "CSUM_NO_SHORT_NAMES with the two" long_names

# --- Meson
abi() {
	diff <(grep -oE "soversion: '[0-9]+" meson.build | grep -oE '[0-9]+') \
		<(grep -oE 'CSUM_ABI [0-9]+' CMakeLists.txt | grep -oE '[0-9]+')
}
ok "meson.build has the ABI number of CMakeLists.txt" abi
if command -v meson >/dev/null; then
	mkdir -p "$tmp/user/subprojects/libcsum"
	cp -r include packet src meson.build "$tmp/user/subprojects/libcsum"
	cp examples/nat.c "$tmp/user"
	cat >"$tmp/user/meson.build" <<-'M'
		project('user', 'c', default_options: ['c_std=c11', 'werror=true'])
		csum = dependency('csum', fallback: 'libcsum')
		test('nat', executable('nat', 'nat.c', dependencies: csum))
	M
	ok "a project takes it in" meson setup "$tmp/user/b" "$tmp/user"
	ok "... and is built and runs" meson test -C "$tmp/user/b"
	installed() {
		meson setup "$tmp/alone" . --prefix="$tmp/usr" --libdir=lib &&
			meson install -C "$tmp/alone" &&
			PKG_CONFIG_PATH=$tmp/usr/lib/pkgconfig \
				pkg-config --exact-version="$(sed -n \
				's/.*CSUM_VERSION\s*"\(.*\)"/\1/p' include/csum.h)" csum &&
			test -e "$tmp/usr/lib/libcsum.so.0" &&
			test -e "$tmp/usr/include/csum_packet.h"
	}
	ok "alone it installs, with csum.pc" installed
else
	skip "no meson"
fi
tap_done
