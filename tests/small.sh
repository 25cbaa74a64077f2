#!/bin/bash
# csum.h where there is little: no libc, no operating system, BPF; TAP.
# What the machine has no compiler for is skipped, and says so.
#   tests/small.sh [--sizes]    the table of docs/PORTING.md instead of tests
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 2
CSUM=none
# shellcheck source=tests/tap.sh
. tests/tap.sh

warnings="-Wall -Wextra -Wconversion -Wno-sign-conversion -Wundef -Werror"
# bare COMPILER... - the inline part, without a libc and its headers
bare() {
	# shellcheck disable=SC2086 # words
	"$@" $warnings -std=c11 -ffreestanding -DINLINE_ALONE -Iinclude \
		-c tests/inline.c -o "$tmp/inline.o"
}
# small COMPILER... - all of the library in one file, without a libc
small() {
	# shellcheck disable=SC2086 # words
	"$@" $warnings -std=c11 -Os -ffreestanding -DCSUM_SMALL -Iinclude \
		-c src/csum.c -o "$tmp/small.o"
}
has() {
	command -v "$1" >/dev/null || {
		skip "no $1"
		return 1
	}
}

# a libc without <sys/uio.h>: csum.h sees that by itself
with_libc() {
	# shellcheck disable=SC2086 # words
	"$@" $warnings -std=c11 -Os -DCSUM_SMALL -Iinclude -c src/csum.c \
		-o "$tmp/small.o"
}

# the flags of a kernel module: no headers but the compiler's own, no registers
# but the general ones
for_module() {
	"$@" -std=gnu11 -O2 -nostdinc -isystem "$("$1" -print-file-name=include)" \
		-mgeneral-regs-only -mcmodel=kernel -mno-red-zone -fno-pie \
		-fno-strict-aliasing -fno-common -fno-delete-null-pointer-checks
}
module() {
	bare for_module "$1" && small for_module "$1" &&
		# nothing that the kernel does not have
		! nm -u "$tmp/inline.o" "$tmp/small.o" | grep ' U ' |
			grep -vE ' (csum_|mem(cpy|set|cmp)$)'
}

# BYTES of the sum in the object, as @1 (an nm) has it
sum_bytes() {
	echo $((16#$("$1" -S "$tmp/small.o" |
		awk '$4 == "csum_sum_active" { print $2 }')))
}

if [ "${1:-}" = --sizes ]; then
	while read -r binutils cc; do
		# shellcheck disable=SC2086 # words
		small $cc || exit 2
		printf '%s: %d, %d\n' "$cc" "$(sum_bytes "$binutils-nm")" \
			"$("$binutils-size" "$tmp/small.o" | awk 'NR == 2 { print $1 }')"
	done <<-'END'
		arm-none-eabi arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb
		arm-none-eabi arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb
		arm-none-eabi arm-none-eabi-gcc -mcpu=cortex-m33 -mthumb
		avr avr-gcc -mmcu=atmega328p
		llvm clang --target=bpf
	END
	exit
fi

# includes nothing but what a freestanding compiler has
headers() {
	"$@" -ffreestanding -Iinclude -H -fsyntax-only -x c include/csum.h \
		2>"$tmp/included" &&
		grep '^\.' "$tmp/included" >"$tmp/included.h" &&
		! grep -vE '/(stdbool|stddef|stdint(-gcc)?|__stddef_max_align_t)\.h$' "$tmp/included.h"
}
for cc in gcc clang; do
	has $cc || continue
	ok "$cc: stdbool.h, stddef.h, stdint.h and no other" headers $cc
	ok "$cc -O0 -ffreestanding" bare $cc -O0
	ok "$cc -O2 -ffreestanding" bare $cc -O2
	ok "$cc: the library in one file" small $cc
	if [ "$(uname -m)" = x86_64 ]; then
		ok "$cc: with the flags of a kernel module" module $cc
	else
		skip "the flags of a kernel module are those of x86-64"
	fi
	inline_without_iovec() {
		printf '#define CSUM_NO_IOVEC\n#include "csum.h"\nstruct iovec {
			int mine; };' >"$tmp/iovec.c" &&
			$cc -Iinclude -fsyntax-only "$tmp/iovec.c"
	}
	ok "$cc: CSUM_NO_IOVEC leaves struct iovec alone" inline_without_iovec
done
if has clang; then
	ok "clang -target bpf" bare clang --target=bpf -O2
	# what overflows on purpose is marked, and the rest does not
	integer() {
		clang -c -O1 -Iinclude -DCSUM_SMALL src/csum.c \
			-o "$tmp/library.o" &&
			clang -O1 -fsanitize=integer,implicit-conversion,undefined \
				-fno-sanitize-recover=all -Iinclude \
				tests/inline.c "$tmp/library.o" \
				-o "$tmp/integer" && "$tmp/integer"
	}
	ok "clang -fsanitize=integer finds nothing in the header" integer
fi
if has arm-none-eabi-gcc; then
	for cpu in cortex-m0 cortex-m3 cortex-m33; do
		arm="arm-none-eabi-gcc -mthumb -mcpu=$cpu"
		# shellcheck disable=SC2086 # words
		ok "$arm" bare $arm -Os
		# shellcheck disable=SC2086 # words
		ok "$cpu: the library in one file" small $arm
		# shellcheck disable=SC2086 # words
		ok "$cpu: with newlib" with_libc $arm
		size=$(sum_bytes arm-none-eabi-nm)
		ok "$cpu: the sum takes $size bytes, less than 200" \
			test "$size" -gt 0 -a "$size" -lt 200
	done
fi
if has avr-gcc; then
	ok "avr-gcc" bare avr-gcc -mmcu=atmega328p -Os
	ok "avr: the library in one file" small avr-gcc -mmcu=atmega328p
	ok "avr: with avr-libc" with_libc avr-gcc -mmcu=atmega328p
fi
# The one file against the model, by the tests of the whole library.
one_file() {
	"$1" -std=c11 -O2 -DCSUM_SMALL -Iinclude -Imodel -Itests src/csum.c \
		model/model.c tests/testing.c tests/test_api.c -o "$tmp/api" &&
		CSUM_TEST_QUICK=1 "$tmp/api" >"$tmp/api.tap" &&
		grep -c '^ok' "$tmp/api.tap" && ! grep '^not ok' "$tmp/api.tap"
}
ok "the one file computes what the library does" one_file gcc
tap_done
