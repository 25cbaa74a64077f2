#!/bin/bash
# What can be said of the tree without compiling it: TAP.  Each check is also
# tried on a copy with a fault in it, since a check that cannot fail is none.
# shellcheck disable=SC2016 # patterns of perl with backticks in them
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 2
: "${CSUM:?set CSUM to the csum command}"
# shellcheck source=tap.sh
. tests/tap.sh

# a copy to plant faults in: no build, no history
copy=$tmp/copy
mkdir "$copy"
tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$copy"

# finds FAULT COMMAND... - it fails, and its output has this
finds() {
	local fault=$1
	shift
	"$@" >"$tmp/out" 2>&1 && return 1
	grep -F -- "$fault" "$tmp/out"
}

# planted WHAT FILE EDIT FAULT COMMAND... - in the copy, perl changes the file
planted() {
	local what=$1 file=$2 edit=$3 fault=$4
	shift 4
	cp "$copy/$file" "$tmp/kept"
	perl -0pi -e "$edit" "$copy/$file"
	ok "planted: $what" finds "$fault" "$@"
	cp "$tmp/kept" "$copy/$file"
}

# --- who includes what
layers() { scripts/layers "$copy"; }
ok "each folder includes only what docs/DESIGN.md lets it" scripts/layers
ok "and so does the copy" layers
planted "packet/ includes a file reader" packet/walk.c \
	's/#include/#include "reader.h"\n#include/' \
	'reader.h: packet/ may not include from capture/' layers
planted "the library includes another library" src/csum.c \
	's/#include/#include <zlib.h>\n#include/' \
	'zlib.h: src/ may not include from libraries' layers
planted "a row that is no longer there" docs/DESIGN.md \
	's/\n\| `capture\/` .*//' 'no row in docs/DESIGN.md' layers
planted "a row of a folder that is not there" docs/DESIGN.md \
	's/\n\| `capture\/`/\n| `captured\/`/' 'no captured/' layers
cp "$copy/packet/walk.h" "$copy/lab/walk.h"
ok "planted: two headers of one name" finds \
	'walk.h: lab/walk.h and packet/walk.h' layers
rm "$copy/lab/walk.h"

# --- mutants
mutants() { (cd "$copy" && scripts/mutate --check); }
ok "each mutant still applies" scripts/mutate --check
planted "a mutant without its code" packet/check.c 's/0x80/128/g' \
	'not ok - cdp-sign: does not apply to packet/check.c any more' mutants

# --- documents
documents() { scripts/docs-true "$PWD" "$CSUM"; }
true_copy() { scripts/docs-true "$copy" "$CSUM" "$1"; }
ok "what the documents name exists, what they show is so" documents
planted "a function that is not there" docs/DESIGN.md \
	's/`csum_finish\(\)`/`csum_finnish()`/' 'no function csum_finnish()' \
	true_copy docs/DESIGN.md
planted "a file that has moved" docs/METHOD.md \
	's/`cli\/bench\/cmd_bench.c`/`cli\/cmd_bench.c`/' \
	'no file cli/cmd_bench.c' true_copy docs/METHOD.md
planted "... in a diagram" docs/DESIGN.md 's/lab\/run\.c/lab\/ran.c/' \
	'no file lab/ran.c' true_copy docs/DESIGN.md
planted "an option of another command" README.md \
	's/csum verify --summary/csum verify --narrow/' \
	'csum verify has no --narrow' true_copy README.md
planted "a shown output with another figure" README.md \
	's/0xf2ee, should be/0xf2ed, should be/' \
	'csum verify tests/captures/sample.pcap: prints something else' true_copy README.md
planted "a piece of an example that has changed" README.md \
	's/return csum_complete\(&iov, 1/return csum_complete(iov, 1/' \
	'not a part of examples/tunnel.c' true_copy README.md
planted "a link to nowhere" README.md 's/\(docs\/GOALS.md\)|\(docs\/DESIGN.md\)/(docs\/NONE.md)/' \
	'a link to docs/NONE.md' true_copy README.md
planted "figures without a command" docs/PORTING.md \
	's/\n## To add/\n## Speed\n\nIt takes 5 ns.\n\n## To add/' \
	'figures, and no command' true_copy docs/PORTING.md

# --- tables that scripts write
# regenerated SCRIPT - the table beside it is what it writes
regenerated() {
	"$1" | diff - "${1%.py}.h"
}
ok "packets.h is what packets.py writes" regenerated tests/packets.py
ok "mistakes.h is what mistakes.py writes" regenerated tests/mistakes.py
planted "a table edited by hand" tests/packets.h 's/0x/0X/' '< ' \
	regenerated "$copy/tests/packets.py"

tap_done
