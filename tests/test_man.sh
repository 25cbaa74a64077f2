#!/bin/bash
# The man pages say of each option what --help does; completions are current.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
top=$(cd "$(dirname "$0")/.." && pwd)
man=$top/docs/man

# Each option with its whole text, one in each line: of --help and of a page
# as groff shows it.  Blanks, what is quoted and the last full stop may differ.
cat >"$tmp/options.py" <<'END'
import re, sys

def flat(text):
    return re.sub(r"\s+", " ", text.replace("`", "")).strip().rstrip(".")

kind, options, name = sys.argv[1], {}, None
for line in sys.stdin.read().replace("\b", "").splitlines():
    if kind == "help":
        found = re.match(r" {2,6}(?:(-.), )?--([\w-]+)(\S*)(.*)", line)
        goes_on = line.startswith(" " * 29)
    else:
        found = re.match(r" {7}(?:(-.), )?--([\w-]+)( ?\[?=\S*|)(?: +(.*))?$",
                         line)
        goes_on = line.startswith(" " * 14)
    if found:
        letter, name, argument, text = found.groups()
        options[name] = [letter, argument.strip(), text or ""]
    elif goes_on and name:
        options[name][2] += " " + line
    else:
        name = None
for name, (letter, argument, text) in sorted(options.items()):
    if name != "help":
        print(letter, name, argument, flat(text), sep="|")
END

# page NAME - the OPTIONS section, without bold and underlines
page() {
	GROFF_NO_SGR=1 groff -man -Tascii -rHY=0 -P-cbou "$man/csum-$1.1" |
		sed -n '/^OPTIONS/,/^[A-Z]/{/^OPTIONS/d;p}'
}

"$CSUM" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' >"$tmp/commands"
ok "commands" test "$(wc -l <"$tmp/commands")" -ge 7
while read -r command; do
	ok "csum.1 names $command" grep -q "csum.*-$command" "$man/csum.1"
	command -v groff >/dev/null || continue
	"$CSUM" "$command" --help >"$tmp/out"
	python3 "$tmp/options.py" help <"$tmp/out" >"$tmp/help"
	page "$command" | python3 "$tmp/options.py" man >"$tmp/page"
	ok "csum-$command.1 says what --help says" \
		diff "$tmp/help" "$tmp/page"
	ok "... as many options as rows" test "$(wc -l <"$tmp/help")" -eq \
		"$(($(grep -cE '^ +(-., )?--[a-z]' "$tmp/out") - 1))"
done <"$tmp/commands"
ok "OPTIONS and completions are what the tables say" \
	"$top/scripts/generate" --check "$CSUM"
if command -v groff >/dev/null; then
	for page in "$man"/*.1; do
		groff -man -Tascii -ww "$page" >/dev/null 2>"$tmp/err"
		ok "${page##*/}: no warning" test ! -s "$tmp/err"
	done
else
	skip "no groff"
fi

# --- completion: complete WORD... - what bash offers for the last of them
# shellcheck source=completion/csum.bash
. "$top/completion/csum.bash"
complete_words() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_csum
	printf '%s\n' "${COMPREPLY[@]}"
}
offers() {
	local want=$1
	shift
	complete_words "$@" >"$tmp/out"
	ok "${*:-nothing}: $want" test "$(paste -sd ' ' "$tmp/out")" = "$want"
}
cd "$tmp" && mkdir files && cd files && : >trace.pcap
offers verify csum ver
offers "explain elect" csum e
offers verify csum help ve
offers "--verdict" csum verify --verd
offers "sequential" csum bench --order seq
offers "sequential" csum bench --order = seq
offers "shuffled random random-even sequential strided" csum bench --order =
offers "tcp,udp tcp,udplite" csum verify --protocol tcp,ud
offers "trace.pcap" csum verify --all tr
offers "trace.pcap" csum fix x -o ""
offers "" csum verify --filter tr
offers "goals" csum bench go
offers "cksum-perf" csum bench --quick ck
offers "" csum routines tr
cd "$top" || exit 2
if command -v zsh >/dev/null; then
	ok "zsh reads _csum" zsh -n completion/_csum
else
	skip "no zsh"
fi

tap_done
