#!/bin/bash
# The library as a stranger builds and uses it: TAP.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 2
build=$(scripts/build release) || exit 1
CSUM=$PWD/$build/cli/csum
# shellcheck source=tap.sh
. tests/tap.sh

sources=("$PWD"/src/*.c "$PWD"/src/routines/*.c "$PWD"/src/routines/*/*.c)
include=$PWD/include

plain() (
	mkdir -p "$tmp/$1" && cd "$tmp/$1" &&
		"$1" -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror \
			-I"$include" -c "${sources[@]}" &&
		ar rcs libcsum.a ./*.o
)

cat >"$tmp/user.c" <<'C'
#include <csum.h>
#include <stdio.h>
int main(void)
{
	const unsigned char d[8] = { 0, 1, 0xf2, 3, 0xf4, 0xf5, 0xf6, 0xf7 };
	return csum_fold(csum_partial(d, 8, 0)) != csum_be16_from_host(0x220d);
}
C

use_plain() {
	"$1" -I"$include" "$tmp/user.c" "$tmp/$1/libcsum.a" -o "$tmp/user" &&
		"$tmp/user"
}

for cc in gcc clang; do
	ok "$cc: one plain line builds the library" plain $cc
	ok "$cc: and a program can use it" use_plain $cc
done

# ISA flags given to the whole build must not break a routine's own target.
ok "gcc: -march=native -flto too" gcc -std=c11 -O3 -march=native -flto \
	-I"$include" "$tmp/user.c" "${sources[@]}" -o "$tmp/native"
ok "and runs" "$tmp/native"

# Nothing but csum_ leaves the archive, nothing but csum.h the shared library.
defined() { nm "$1" --defined-only "$2" | awk 'NF == 3 { print $3 }' | sort -u; }
prefix() {
	defined -g "$build/libcsum.a" >"$tmp/symbols" && [ -s "$tmp/symbols" ] &&
		! grep -v '^csum_' "$tmp/symbols"
}
ok "every symbol of the archive starts with csum_" prefix
exports() {
	defined -D "$build/libcsum.so" >"$tmp/exported" && [ -s "$tmp/exported" ] &&
		sed -n '/^CSUM_API/{s/(.*//;s/.*[ *]//;p}' include/csum.h |
		sort -u | diff - "$tmp/exported"
}
ok "the shared library exports what csum.h declares" exports
needs() {
	readelf -d "$build/libcsum.so" | grep NEEDED >"$tmp/needed" &&
		! grep -v 'libc\.so' "$tmp/needed"
}
ok "the shared library needs nothing but libc" needs

ok "it installs" cmake --install "$build" --prefix "$tmp/usr"
by_pkg_config() {
	local pc
	pc=$(dirname "$(find "$tmp/usr" -name csum.pc)") || return 1
	# installed under another prefix than configured: pkg-config can shift it
	export PKG_CONFIG_PATH=$pc
	# shellcheck disable=SC2046 # words
	gcc "$tmp/user.c" $(pkg-config --define-variable=prefix="$tmp/usr" \
		--cflags --libs csum) \
		-Wl,-rpath,"$(dirname "$pc")" -o "$tmp/by_pc" && "$tmp/by_pc"
}
ok "found by pkg-config" by_pkg_config
cat >"$tmp/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(csum 0.1 REQUIRED)
add_executable(shared user.c)
target_link_libraries(shared csum::csum)
add_executable(static user.c)
target_link_libraries(static csum::csum_static)
C
by_cmake() {
	cmake -S "$tmp" -B "$tmp/b" -DCMAKE_PREFIX_PATH="$tmp/usr" &&
		cmake --build "$tmp/b" && "$tmp/b/shared" && "$tmp/b/static"
}
ok "found by CMake" by_cmake

for std in c11 c17 gnu99; do
	ok "csum.h alone: $std" gcc -std=$std -Wall -Wextra -Wpedantic \
		-Wconversion -Wno-sign-conversion -Wshadow -Wundef -Werror \
		-fsyntax-only -x c include/csum.h
done
for std in c++11 c++20; do
	ok "csum.h alone: $std" g++ -std=$std -Wall -Wextra -Wpedantic \
		-Wconversion -Wno-sign-conversion -Wshadow -Werror \
		-fsyntax-only -x c++ include/csum.h
done
tap_done
