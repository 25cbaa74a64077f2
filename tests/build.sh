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
	ok "$cc -O0: built with the program" "$cc" -std=c11 -O0 -I"$include" \
		"$tmp/user.c" "${sources[@]}" -o "$tmp/user"
	ok "$cc -O0: and that runs" "$tmp/user"
done

# ISA flags given to the whole build must not break a routine's own target.
ok "gcc: -march=native -flto too" gcc -std=c11 -O3 -march=native -flto \
	-I"$include" "$tmp/user.c" "${sources[@]}" -o "$tmp/native"
ok "and runs" "$tmp/native"

# tests/one_file.sh tries what this computes
one_file() {
	scripts/amalgamate "$tmp/one" &&
		gcc -std=c11 -O0 -Wall -Wextra -Werror -c "$tmp/one/csum.c" \
			-o "$tmp/one/csum.o"
}
ok "scripts/amalgamate makes one file of it, which compiles" one_file

# Nothing but csum_ leaves the archive, nothing but csum.h the shared library.
defined() { nm "$1" --defined-only "$2" | awk 'NF == 3 { print $3 }' | sort -u; }
prefix() {
	defined -g "$build/libcsum.a" >"$tmp/symbols" && [ -s "$tmp/symbols" ] &&
		! grep -v '^csum_' "$tmp/symbols"
}
ok "every symbol of the archive starts with csum_" prefix
documented() {
	! grep -vE '^csum_((api|inside|sum|copy|active|cpu)_.*|choose|find|routines)$' \
		"$tmp/symbols"
}
ok "... as csum.h says" documented
exports() {
	defined -D "$build/libcsum.so" >"$tmp/exported" && [ -s "$tmp/exported" ] &&
		grep -ohE 'CSUM_(LINK|EXPORT_AS)\("[a-z0-9_]*"\)' include/*.h |
		sed 's/.*("\(.*\)")/csum_api_\1/' | sort -u |
			diff - "$tmp/exported"
}
ok "the shared library exports what its headers declare" exports
inside() {
	readelf -rW "$build/libcsum.so" >"$tmp/calls" && [ -s "$tmp/calls" ] &&
		! grep csum_ "$tmp/calls"
}
ok "and calls none of that by way of the program" inside
needs() {
	readelf -d "$build/libcsum.so" | grep NEEDED >"$tmp/needed" &&
		! grep -v 'libc\.so' "$tmp/needed"
}
ok "the shared library needs nothing but libc" needs


# A program with functions of its own under the names that Linux gives them.
cat >"$tmp/ported.c" <<'C'
unsigned csum_partial(const void *p, int len, unsigned sum);
unsigned csum_copy(const void *p, int len, unsigned sum);
unsigned csum_version(void);
unsigned csum_partial(const void *p, int len, unsigned sum)
{
	return p && len ? sum + 42 : 0;
}
unsigned csum_copy(const void *p, int len, unsigned sum)
{
	return csum_partial(p, len, sum);
}
unsigned csum_version(void)
{
	return csum_copy("", 1, 0);
}
C
cat >"$tmp/both.c" <<'C'
#include <csum.h>
#include <string.h>
unsigned csum_own(void);
int main(void)
{
	unsigned char d[8] = { 0, 1, 0xf2, 3, 0xf4, 0xf5, 0xf6, 0xf7 }, e[8];
	const struct iovec iov[2] = { { d, 3 }, { d + 3, 5 } };
	csum_sum16 right = CSUM_BE16(0x220d);
	return csum_fold(csum_partial(d, 8, 0)) != right ||
	       csum_fold(csum_iov(iov, 2, 0, 8, 0)) != right ||
	       csum_fold(csum_copy(e, d, 8, 0)) != right || memcmp(d, e, 8) ||
	       strcmp(csum_version(), CSUM_VERSION);
}
C
ported() {
	gcc -O0 -I"$include" "$tmp/both.c" "$tmp/ported.c" "$@" -o "$tmp/both" &&
		LD_LIBRARY_PATH=$build "$tmp/both"
}
ok "a program's own csum_partial() leaves the static library alone" \
	ported "$build/libcsum.a"
ok "and the shared one" ported -L"$build" -lcsum

# Without the short names a program may use them all, in any header of its own.
cat >"$tmp/own.c" <<'C'
#define CSUM_NO_SHORT_NAMES
#include <csum.h>
#include <csum.h>
static unsigned csum_fold(unsigned sum) { return sum; }
static unsigned csum_add(unsigned a, unsigned b) { return a + b; }
static void csum_replace2(unsigned *sum, unsigned a) { *sum += a; }
int main(void)
{
	unsigned v = csum_add(1, csum_fold(2));
	csum_replace2(&v, 3);
	return v != 6 || csum_api_fold(csum_api_partial(&v, 0, 0)) != 0xffff ||
	       csum_api_replace2(0x1234, 5, 5) != 0x1234;
}
C
own() { "$1" -I"$include" "$tmp/own.c" "$build/libcsum.a" -o "$tmp/own" &&
	"$tmp/own"; }
ok "CSUM_NO_SHORT_NAMES: short names are the program's own" own gcc
no_short() {
	gcc -E -P -DCSUM_NO_SHORT_NAMES include/csum.h >"$tmp/long" &&
		grep -q 'csum_api_fold(' "$tmp/long" &&
		! grep -oE '\<csum_[a-z0-9_]+\(' "$tmp/long" | grep -v csum_api_
}
ok "CSUM_NO_SHORT_NAMES: no short name is left" no_short
# csum_packet.h has no short names, and works without those of csum.h
cat >"$tmp/packet.c" <<'C'
#define CSUM_NO_SHORT_NAMES
#include <csum_packet.h>
#include <csum_packet.h>
static unsigned csum_fold(unsigned sum) { return sum; }
int main(void)
{
	unsigned char p[8] = { 1, 2, 3, 4, 5, 6, 0, 0 }, now = 9;
	const struct iovec iov = { p, sizeof(p) };
	return csum_fold(0) || csum_complete(&iov, 1, 0, 6, 0) ||
	       csum_write(p, sizeof(p), 6, 1, &now, 1, 0) ||
	       !csum_api_ok(csum_api_partial(p, sizeof(p), 0));
}
C
packet_alone() {
	"$1" -I"$include" "$tmp/packet.c" "$build/libcsum.a" -o "$tmp/packet" &&
		"$tmp/packet"
}
ok "CSUM_NO_SHORT_NAMES: csum_packet.h works beside it" packet_alone gcc

# refused COMPILER CODE [HEADER] - does not compile
refused() {
	local source=$tmp/refused.c
	[ "${3:-csum.h}" = csum.h ] || source=$tmp/refused.cpp
	printf '#include <%s>\n%s\n' "${3:-csum.h}" "$2" >"$source"
	! "$1" -O1 -Werror -I"$include" -c "$source" -o "$tmp/refused.o"
}
accepted() { ! refused "$@"; }
for cc in gcc clang; do
	ok "$cc: a dropped result warns" \
		refused $cc 'void f(void); void f(void) { csum_fold(0); }'
	ok "$cc: an update by one byte does not compile" refused $cc \
		'int f(uint8_t t); int f(uint8_t t) { return csum_replace2(1, t, t); }'
	ok "$cc: nor one of UDP" refused $cc \
		'int f(uint8_t t); int f(uint8_t t) { return csum_udp_replace2(1, t, t); }'
	ok "$cc: an update by a word does" accepted $cc \
		'int f(uint16_t t); int f(uint16_t t) { return csum_replace2(1, t, t); }'
	ok "$cc: CSUM_BE16 and CSUM_BE32 are constants" accepted $cc \
		'csum_be16 a = CSUM_BE16(80); csum_be32 b = CSUM_BE32(0x7f000001);'
done
for cc in g++ clang++; do
	for bad in 'csum::partial("", 0, csum::fold(csum::wsum()))' \
		'csum::fold(csum::load_sum16(""))' 'csum::fold(0)' \
		'csum::replace2(csum::sum16(), csum::sum16(), csum::be16())' \
		'csum::replace2(csum::be16(), csum::be16(), csum::be16())' \
		'csum::replace4(csum::load_seed(""), csum::be32(), csum::be32())' \
		'csum::seed_replace4(csum::load_sum16(""), csum::be32(), csum::be32())' \
		'csum::ok(csum::sum16())' 'csum::be16_from_host(uint8_t(1))'; do
		ok "$cc: $bad does not compile" refused $cc \
			"auto x = $bad;" csum.hpp
	done
	ok "$cc: what is meant does" accepted $cc \
		'auto x = csum::fold(csum::partial("", 0, csum::wsum()));' csum.hpp
	ok "$cc: a seed is translated as one" accepted $cc \
		'auto x = csum::seed_replace4(csum::load_seed(""), csum::be32(), csum::be32());' csum.hpp
done
if command -v sparse >/dev/null; then
	sparse_says() { sparse -Wbitwise -Wno-decl -I"$include" "$1" 2>&1; }
	mixed() {
		printf '#include <csum.h>\n%s' 'static csum_wsum f(csum_sum16 c)
		{ return csum_partial("", 0, c); }' >"$tmp/mixed.c"
		sparse_says "$tmp/mixed.c" | grep 'different base types'
	}
	clean() { test -z "$(sparse_says tests/inline.c | tee /dev/stderr)"; }
	ok "sparse: a checksum is no running sum" mixed
	seed_mixed() {
		printf '#include <csum_packet.h>\n%s' 'static csum_sum16 f(csum_wsum s)
			{ return csum_replace4(csum_seed(s), CSUM_BE32(1), CSUM_BE32(2)); }' \
			>"$tmp/mixed.c"
		sparse_says "$tmp/mixed.c" | grep 'different base types'
	}
	ok "sparse: a seed is no checksum" seed_mixed
	ok "sparse: the header is clean" clean
else
	skip "no sparse"
fi

ok "it installs where PREFIX says" make install PREFIX="$tmp/usr"
ok "completion for bash" test -s "$tmp/usr/share/bash-completion/completions/csum"
ok "completion for zsh" test -s "$tmp/usr/share/zsh/site-functions/_csum"

# A command is its folder and a row: with a copy of commands.h that has one row
# more, main and what commands share make a csum that knows it.
mkdir -p "$tmp/cli/twice"
cp cli/*.c cli/*.h "$tmp/cli"
echo 'COMMAND(twice, "print a word twice")' >"$tmp/cli/commands.h"
cat >"$tmp/cli/twice/cmd_twice.c" <<'C'
#include <stdio.h>
#include "cli.h"
static const struct option_row rows[] = {
	{ .name = "loud",
	  .take = option_flag,
	  .help = "With an exclamation mark" },
	{ 0 },
};
const struct command_line twice_line = {
	.usage = "WORD", .what = "Print WORD twice.", .rows = rows
};
int cmd_twice(int argc, char **argv)
{
	bool loud = false;
	int first, status;

	status = options_parse(&twice_line, argc, argv, &loud, &first);
	if (status != OPTIONS_TAKEN)
		return status;
	if (first + 1 != argc)
		return options_wrong(argv, "needs a WORD");
	printf("%s %s%s\n", argv[first], argv[first], loud ? "!" : "");
	return EXIT_CLEAN;
}
C
shared=(main commands options option_text guess terminal progress generate input)
dummy() {
	# shellcheck disable=SC2046 # words
	gcc -std=gnu11 -I"$tmp/cli" -Iinclude -Isrc \
		"${shared[@]}" "$tmp/cli/twice/cmd_twice.c" \
		"$build/libcsum.a" $(pkg-config --libs jansson) -o "$tmp/dummy"
}
shared=("${shared[@]/#/$tmp/cli/}")
shared=("${shared[@]/%/.c}")
ok "a command is a folder and a row" dummy
ok "... and runs" test "$("$tmp/dummy" twice --loud so)" = 'so so!'
ok "... with help" grep -q -- --loud <("$tmp/dummy" help twice)
ok "... completed" grep -q 'twice) echo --help --loud' <("$tmp/dummy" --generate bash)

# pkg_config ROOT - a user of the library that was installed there
pkg_config() {
	local pc flags
	pc=$(dirname "$(find "$1" -name csum.pc)") || return 1
	export PKG_CONFIG_PATH=$pc
	read -ra flags < <(pkg-config --cflags --libs csum)
	[ -d "$(pkg-config --variable=prefix csum)" ] &&
		! printf '%s\n' "${flags[@]}" | grep -E '//|/usr/local' &&
		gcc "$tmp/user.c" "${flags[@]}" \
			-Wl,-rpath,"$(pkg-config --variable=libdir csum)" \
			-o "$tmp/by_pc" && "$tmp/by_pc"
}
ok "found by pkg-config" pkg_config "$tmp/usr"
moved() { cp -a "$tmp/usr" "$tmp/moved" && pkg_config "$tmp/moved"; }
ok "found by pkg-config after it was moved" moved
absolute() {
	cmake -S . -B "$tmp/abs" -DCSUM_TOOLS=OFF \
		-DCMAKE_INSTALL_PREFIX="$tmp/opt" \
		-DCMAKE_INSTALL_LIBDIR="$tmp/opt/deep/lib" &&
		cmake --build "$tmp/abs" && cmake --install "$tmp/abs" &&
		pkg_config "$tmp/opt"
}
ok "found by pkg-config in an absolute library directory" absolute

# consumer NAME CMAKE-LINES - a project that takes the library in by these
consumer() {
	local dir=$tmp/$1
	mkdir "$dir" && cp "$tmp/user.c" "$dir" && cat >"$dir/CMakeLists.txt" <<C
cmake_minimum_required(VERSION 3.25)
project(user C)
$2
add_executable(shared user.c)
target_link_libraries(shared csum::csum)
add_executable(static user.c)
target_link_libraries(static csum::csum_static)
C
	cmake -S "$dir" -B "$dir/b" -DCMAKE_PREFIX_PATH="$tmp/usr" \
		-DFETCHCONTENT_FULLY_DISCONNECTED=ON &&
		cmake --build "$dir/b" && "$dir/b/shared" && "$dir/b/static"
}
ok "CMake: find_package" consumer find "find_package(csum 0.1 REQUIRED)"
ok "CMake: add_subdirectory" consumer sub "add_subdirectory($PWD csum)"
ok "CMake: FetchContent" consumer fetch "include(FetchContent)
FetchContent_Declare(csum SOURCE_DIR $PWD)
FetchContent_MakeAvailable(csum)"
alone() {
	! ls "$tmp/$1/b"/*/cli "$tmp/$1/b"/_deps/*/cli "$tmp/$1/b"/*/tests &&
		! cmake --install "$tmp/$1/b" --prefix "$tmp/none" ||
		! find "$tmp/none" -type f | grep .
}
ok "... without the tools and the tests, and nothing of it installed" alone sub

for header in csum.h csum_packet.h; do
	for std in c11 c17 gnu99; do
		ok "$header alone: $std" gcc -std=$std -Wall -Wextra -Wpedantic \
			-Wconversion -Wno-sign-conversion -Wshadow -Wundef \
			-Werror -fsyntax-only -x c include/$header
	done
done
for header in csum.h csum_packet.h csum.hpp; do
	for std in c++11 c++20; do
		printf '#include "%s"\n' $header >"$tmp/alone.cpp"
		strict="-std=$std -Wall -Wextra -Wpedantic -Wconversion
			-Wsign-conversion -Wshadow -Wold-style-cast -Werror
			-fsyntax-only -Iinclude $tmp/alone.cpp"
		# shellcheck disable=SC2086 # words
		ok "$header alone: $std" g++ -Wuseless-cast $strict
		# shellcheck disable=SC2086 # words
		ok "$header alone: $std, clang" clang++ $strict
	done
done
tap_done
