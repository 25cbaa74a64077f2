# shellcheck shell=bash
# tap.sh - for scripts that run tests, sourced: what the lines of TAP come to.

passed=0 failed=0 skipped=0

# tally LABEL LOG STATUS SECONDS - of a log of TAP and the exit status of what
# wrote it: one line, added to passed, failed and skipped.  If something failed,
# the end of the log follows.
tally() {
	local label=$1 log=$2 status=$3 seconds=$4 ok bad skip
	ok=$(grep -c '^ok ' "$log")
	bad=$(grep -c '^not ok ' "$log")
	skip=$(grep -c '^ok .*# SKIP' "$log")
	# a crash, a bad plan or a failed build has no line of its own
	if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
	if [ "$ok" -eq 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
	printf '%s %5d passed, %d failed, %d skipped  (%d s)\n' \
		"$label" $((ok - skip)) "$bad" "$skip" "$seconds"
	if [ "$bad" -ne 0 ]; then
		grep -vE '^ok |^qemu.*warning' "$log" | tail -n 60
		echo "the whole output: $log"
	fi
	passed=$((passed + ok - skip))
	failed=$((failed + bad))
	skipped=$((skipped + skip))
}

# tally_all - the last line, and the exit status
tally_all() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
