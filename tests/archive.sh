#!/bin/bash
# scripts/archive over two hosts, which are two sshd on this machine: whatever
# happens to one of them, the answer is that of one csum over all files.
# Slow; run by `scripts/test archive`.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
cd "$(dirname "$0")/.." || exit 2
CSUM=$(realpath "$CSUM")
export CSUM
sshd=$(PATH=$PATH:/usr/sbin command -v sshd)
for need in parallel ssh ssh-keygen "${sshd:-sshd}"; do
	command -v "$need" >/dev/null && continue
	skip "needs $need: see archive in scripts/packages.txt"
	tap_done
	exit
done

# --- an archive: stories, one of them cut, what is no capture, names that a
# shell could trip over, a link and a pipe
archive="$tmp/it's an archive"
mkdir -p "$archive/deep er"
python3 tests/stories.py "$archive" 1
python3 tests/stories.py "$archive/deep er" 2
cp tests/captures/sample.pcap "$archive/deep er/\$(touch x) \"b\".pcap"
head -c 3000 tests/captures/sample.pcap >"$archive/torn.pcap"
ln -s torn.pcap "$archive/link.pcap"
mkfifo "$archive/pipe"
"$CSUM" verify --json --summary --why "$archive" 2>/dev/null |
	sed -n '1p;$p' >"$tmp/one-machine"

# --- two hosts.  Each runs a csum that takes its time, so that there is a middle.
cat >"$tmp/csum" <<'EOF'
#!/bin/sh
[ "$1" != verify ] || echo "$SSH_CONNECTION" >>"$SLOW_LOG"
[ "$1" != verify ] || sleep 0.1
exec "$SLOW_CSUM" "$@"
EOF
chmod +x "$tmp/csum"
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$tmp/key"
ssh-keygen -q -t ed25519 -N '' -f "$tmp/host_key"
: >"$tmp/ssh_config"
pids=()
stop() {
	[ ${#pids[@]} -eq 0 ] || kill -KILL -- "${pids[@]/#/-}" 2>/dev/null
	rm -rf "$tmp"
}
trap stop EXIT

# a port that nobody listens at
free_port() {
	python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}
# host NAME - an sshd in a process group of its own, that of its jobs too
host() {
	local name=$1 port
	port=$(free_port)
	cat >"$tmp/$name.sshd" <<EOF
Port $port
ListenAddress 127.0.0.1
HostKey $tmp/host_key
AuthorizedKeysFile $tmp/key.pub
StrictModes no
UsePAM no
PidFile none
SetEnv SLOW_LOG=$tmp/$name.jobs SLOW_CSUM=$CSUM
EOF
	cat >>"$tmp/ssh_config" <<EOF
Host $name
HostName 127.0.0.1
Port $port
IdentityFile $tmp/key
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
LogLevel ERROR
EOF
	echo "1/$name" >>"$tmp/hosts"
	: >"$tmp/$name.jobs"
	start "$name"
}
start() {
	setsid "$sshd" -D -f "$tmp/$1.sshd" 2>"$tmp/$1.err" &
	pids+=($!)
	for _ in $(seq 100); do
		ssh -F "$tmp/ssh_config" "$1" true 2>/dev/null && return
		sleep 0.1
	done
	echo "# no sshd: $(cat "$tmp/$1.err")"
}
export ARCHIVE_SSH="ssh -F $tmp/ssh_config -o BatchMode=yes -o ConnectTimeout=5"

# jobs_of NAME, has_jobs NAME N - how many it was given; waits for so many
jobs_of() { wc -l <"$tmp/$1.jobs"; }
has_jobs() {
	for _ in $(seq 300); do
		[ "$(jobs_of "$1")" -ge "$2" ] && return
		sleep 0.1
	done
	false
}
# archive OUT [PATH... -- OPTION...]
archive() {
	scripts/archive -H "$tmp/hosts" -c "$tmp/csum" -n 3 "$@"
}
same_total() {
	cmp "$tmp/one-machine" "$1/total.json"
}
export SLOW_LOG=$tmp/here.jobs SLOW_CSUM=$CSUM

host left
host right
expect 2 archive "$tmp/whole" "$archive" -- --why
says err '1 of [0-9]+ files were not readable or not whole'
says out '^total: [0-9]+ files, '
says out '^not followed: 1 symbolic link$'
ok "two hosts: as one machine says, to the byte" same_total "$tmp/whole"
ok "... and both took part" test "$(jobs_of left)" -gt 2 -a "$(jobs_of right)" -gt 2

# --- one is killed half way, jobs and all
: >"$tmp/left.jobs"
: >"$tmp/right.jobs"
archive "$tmp/killed" "$archive" -- --why >"$tmp/out" 2>"$tmp/err" &
run=$!
ok "the host that will die has begun" has_jobs right 4
kill -KILL -- "-${pids[1]}"
pkill -KILL -s "${pids[1]}" 2>/dev/null
ok "... in the middle" test ! -e "$tmp/killed/total.json"
wait $run
ok "killed: nothing is lost" same_total "$tmp/killed"
ok "... the other one did the rest" test "$(jobs_of left)" -gt "$(jobs_of right)"

# --- both are killed: it says so; later it goes on with what is missing
start right
: >"$tmp/left.jobs"
: >"$tmp/right.jobs"
archive "$tmp/resumed" "$archive" -- --why >"$tmp/out" 2>"$tmp/err" &
run=$!
ok "both have begun" has_jobs left 4
for pid in "${pids[@]}"; do
	kill -KILL -- "-$pid" 2>/dev/null
	pkill -KILL -s "$pid" 2>/dev/null
done
wait $run
ok "both killed: exit status 2" test $? -eq 2
says err '[0-9]+ of [0-9]+ jobs are missing; the same again does them'
silent out
ok "... and no total" test ! -e "$tmp/resumed/total.json"
before=$(cat "$tmp"/{left,right}.jobs | wc -l)
pids=()
start left
start right
expect 2 archive "$tmp/resumed"
ok "resumed: as one machine says" same_total "$tmp/resumed"
jobs=$(scripts/archive --plan "$tmp/resumed")
again=$(($(cat "$tmp"/{left,right}.jobs | wc -l) - before))
ok "... without what was done ($again of $jobs jobs)" test "$again" -lt "$jobs"

# --- the one who deals out is killed
archive "$tmp/dealer" "$archive" -- --why >"$tmp/out" 2>"$tmp/err" &
run=$!
before=$(jobs_of left)
ok "it has begun" has_jobs left $((before + 3))
pkill -KILL -P $run
kill -KILL $run
wait $run 2>/dev/null
expect 2 archive "$tmp/dealer"
ok "the dealer killed: nothing is lost" same_total "$tmp/dealer"

# --- jobs by number, as an array of Slurm has them: in any order, some twice
jobs=$(scripts/archive --plan -c "$CSUM" -n 5 "$tmp/array" "$archive" -- --why)
expect 2 scripts/archive --finish "$tmp/array"
says err "$jobs of $jobs jobs are missing"
for n in $(seq "$jobs" -1 1) 1 "$jobs"; do
	scripts/archive --job "$n" "$tmp/array" 2>/dev/null
done
expect 2 scripts/archive --finish "$tmp/array"
ok "jobs by number: as one machine says" same_total "$tmp/array"
expect 2 scripts/archive --job $((jobs + 1)) "$tmp/array"
says err "from 1 to $jobs"

# --- what cannot be
expect 2 scripts/archive
says err 'OUT PATH'
expect 2 scripts/archive "$tmp/new" "$tmp/none"
says err 'none: no such file'
expect 2 scripts/archive -c "$CSUM" "$tmp/new" "$archive" -- --whi
says err 'csum verify cannot be run so'
expect 2 scripts/archive -c "$CSUM" "$tmp/whole" "$archive"
says err 'has a plan already'
expect 2 scripts/archive --finish "$tmp/none"
says err 'has no plan'
mkdir "$tmp/nothing"
expect 2 scripts/archive -c "$CSUM" "$tmp/new" "$tmp/nothing"
says err 'no file below'

tap_done
