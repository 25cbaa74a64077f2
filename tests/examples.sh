#!/bin/bash
# The programs of examples/, built from the installed library by pkg-config alone
# as a stranger builds them, and run: TAP.  What needs a package or a right that
# is not there is skipped, and says so.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 2
build=$(scripts/build release) || exit 1
CSUM=$PWD/$build/cli/csum
# shellcheck source=tap.sh
. tests/tap.sh

ok "the library is installed" make install PREFIX="$tmp/usr"
PKG_CONFIG_PATH=$(dirname "$(find "$tmp/usr" -name csum.pc)")
export PKG_CONFIG_PATH
# made TARGET - by the Makefile that goes with them
made() {
	make -C examples OUT="$tmp" CFLAGS="-O2 -Wall -Wextra -Werror" "$1"
}
ok "those that need nothing else" made all
ok "nat" "$tmp/nat"
receives() {
	head -c 100001 "$CSUM" >"$tmp/bytes" &&
		[ "$("$tmp/receive" <"$tmp/bytes")" = \
			"$("$CSUM" sum "$tmp/bytes" | sed 's/checksum 0x\([0-9a-f]*\).*/\1/')" ]
}
ok "receive, as csum sum says" receives

# --- tunnel: two ends here, their devices in two namespaces ------------------
ok "tunnel: usage" grep -q '^usage' <("$tmp/tunnel" 2>&1)

# a host that is a namespace, with a TUN device and addresses of ours
cat >"$tmp/hosts.sh" <<'SH'
set -eu
ip link set lo up
for i in 1 2; do
	unshare -n sleep 60 &
	hosts[i]=$!
	"$1/tunnel" "end$i" 700$i 127.0.0.1 700$((3 - i)) &
	ends[i]=$!
done
trap 'kill "${hosts[@]}" "${ends[@]}" 2>/dev/null' EXIT
# counts HOST - packets with a wrong checksum, by its kernel
counts() {
	nsenter -t "$1" -n awk '
		/^(Tcp|Udp):/ && !/[0-9]/ { for (i = 2; i <= NF; i++) name[i] = $i; next }
		/^(Tcp|Udp):/ { for (i = 2; i <= NF; i++) n[$1 name[i]] = $i }
		END { print n["Tcp:InSegs"], n["Udp:InDatagrams"],
			n["Tcp:InCsumErrors"] + n["Udp:InCsumErrors"] }' \
		/proc/net/snmp
}
for i in 1 2; do
	# until it is there
	for _ in $(seq 100); do
		ip link set "end$i" netns "${hosts[i]}" 2>/dev/null && break
		sleep 0.05
	done
	nsenter -t "${hosts[i]}" -n sh -c "ip address add 198.18.0.$i/24 dev end$i &&
		ip link set end$i up mtu 1400"
done
nsenter -t "${hosts[2]}" -n "$2" "$1/serve.py" &
server=$!
nsenter -t "${hosts[1]}" -n "$2" "$1/ask.py"
wait $server
for i in 1 2; do counts "${hosts[i]}"; done
SH
# echoes of odd lengths, by TCP and by UDP
cat >"$tmp/serve.py" <<'PY'
import socket
tcp = socket.create_server(("198.18.0.2", 5000))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("198.18.0.2", 5000))
connection = tcp.accept()[0]
for _ in range(100):
    data, peer = udp.recvfrom(2000)
    udp.sendto(data, peer)
while data := connection.recv(1 << 16):
    connection.sendall(data)
PY
cat >"$tmp/ask.py" <<'PY'
import os, socket, time
for _ in range(100):
    try:
        tcp = socket.create_connection(("198.18.0.2", 5000), 10)
        break
    except ConnectionRefusedError:
        time.sleep(0.05)
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.settimeout(10)
udp.connect(("198.18.0.2", 5000))
for n in range(100):
    sent = os.urandom(13 * n + 1)
    udp.send(sent)
    assert udp.recv(2000) == sent
for n in range(100):
    sent = os.urandom(777 * n + 1)
    tcp.sendall(sent)
    got = b""
    while len(got) < len(sent):
        got += tcp.recv(1 << 16)
    assert got == sent
PY
tunnels() {
	timeout 60 unshare $user -n bash "$tmp/hosts.sh" "$tmp" "$(command -v python3)" \
		>"$tmp/hosts" && cat "$tmp/hosts" && test -s "$tmp/hosts" &&
		awk '$1 < 50 || $2 < 100 || $3 != 0 { exit 1 }' "$tmp/hosts"
}
user=
unshare -n true 2>/dev/null || user=-Ur
if ! unshare $user -n true 2>/dev/null; then
	skip "tunnel: no network namespaces here"
elif ! unshare $user -n sh -c '[ -w /dev/net/tun ]' 2>/dev/null; then
	skip "tunnel: no /dev/net/tun here"
elif ! command -v ip >/dev/null; then
	skip "tunnel: no ip; scripts/setup test installs it"
else
	ok "tunnel: TCP and UDP through it, and no kernel finds a wrong sum" tunnels
fi

# --- dpdk ---------------------------------------------------------------------
# finishes CAPTURE CHECKSUMS - every checksum of TCP and UDP in there
finishes() {
	rm -f "$tmp/out.pcap"
	"$tmp/dpdk" --no-huge --no-pci -m 64 --no-shconf --no-telemetry \
		--log-level=1 --vdev "net_pcap0,rx_pcap=$1,tx_pcap=$tmp/out.pcap" |
		grep "packets, [1-9][0-9]* of them chains, $2 checksums finished" &&
		"$CSUM" verify --summary "$tmp/out.pcap" | tee "$tmp/verified" &&
		! awk '$1 == "tcp" || $1 == "udp" { print $3 + $4 + $5 }' \
			"$tmp/verified" | grep -v '^0$'
}
if pkg-config --exists libdpdk; then
	ok "dpdk" made dpdk
	ok "dpdk: chains of mbufs, each checksum becomes right" \
		finishes tests/captures/sample.pcap 28
else
	skip "dpdk: no libdpdk-dev; scripts/setup examples installs it"
fi

# --- XDP ----------------------------------------------------------------------
if ! pkg-config --exists libbpf || ! command -v clang >/dev/null; then
	skip "xdp: no clang or no libbpf-dev; scripts/setup examples installs both"
else
	ok "xdp" made xdp
	"$tmp/xdp_run" "$tmp/xdp_nat.o" >"$tmp/out" 2>"$tmp/err"
	status=$?
	if [ $status -eq 2 ] && grep -q 'not permitted' "$tmp/err"; then
		skip "xdp: the kernel does not let this user load a program"
	else
		ok "xdp: the kernel translates, and each checksum is right" \
			test $status -eq 0
		ok "... of four packets" test "$(grep -c 'right$' "$tmp/out")" -eq 4
	fi
fi
tap_done
