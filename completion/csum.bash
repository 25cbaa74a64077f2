# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# csum.bash - completion for bash, by scripts/generate from the tables of options.

# _csum_names COMMAND - its options
_csum_names() {
	case "$1" in
	verify) echo --help --all --summary --why --by --verdict --protocol --filter --strict --found --hex --raw --decode-as --link-type --esp-null --offload --interface --count --threads --json --per-file --quiet --csv ;;
	merge) echo --help --json ;;
	explain) echo --help --flow --filter --hex --raw --decode-as --link-type --esp-null ;;
	fix) echo --help --output --in-place --dry-run --lengths --quoted --like --snapped-as-zeros --report --protocol --verdict --hex --raw --decode-as --link-type --esp-null ;;
	break) echo --help --output --in-place --share --seed --how --protocol ;;
	sum) echo --help --offset --length --hex ;;
	bench) echo --help --copy --small --study --load --routine --prefetch --size --offset --mix --period --span --order --jitter --flush --pages --cpu --background --pair --counters --latency --time --quick --seed --against --narrow --compare --json --csv --markdown --list ;;
	report) echo --help --output ;;
	elect) echo --help --size --cold --time --no-prefetch --output --seed ;;
	routines) echo --help --json ;;
	esac
}

# _csum_list COMMAND OPTION - the words that may follow
_csum_list() {
	case "$1 $2" in
	"verify --by") echo host flow interface port cause time ;;
	"verify --verdict") echo good bad partial absent unverifiable ;;
	"verify --protocol") echo link ipv4 ipv6 payload tcp udp udplite dccp sctp icmp icmpv6 icmp-ext igmp dvmrp rgmp gre ospf ospf-lls pim vrrp eigrp rsvp nhrp pgm mobility cdp ospf-lsa rocev2 fcs ;;
	"verify --offload") echo ok ;;
	"fix --protocol" | "fix -p") echo link ipv4 ipv6 payload tcp udp udplite dccp sctp icmp icmpv6 icmp-ext igmp dvmrp rgmp gre ospf ospf-lls pim vrrp eigrp rsvp nhrp pgm mobility cdp ospf-lsa rocev2 fcs ;;
	"fix --verdict" | "fix -v") echo bad partial absent ;;
	"break --how" | "break -w") echo offload large-send zeros zero none filled swap complement no-pseudo pseudo pseudo-twice length protocol destination source odd-side odd-byte trailer options carry flip random ;;
	"break --protocol" | "break -p") echo link ipv4 ipv6 payload tcp udp udplite dccp sctp icmp icmpv6 icmp-ext igmp dvmrp rgmp gre ospf ospf-lls pim vrrp eigrp rsvp nhrp pgm mobility cdp ospf-lsa rocev2 fcs ;;
	"bench ") echo goals claims module cksum-perf chunks split lengths prefetch packet peers pktbuf replace tunnel ;;
	"bench --prefetch") echo none ahead bounded lead above ;;
	"bench --mix") echo imix ack jumbo ;;
	"bench --span") echo hot L2 L3 memory ;;
	"bench --order") echo shuffled random random-even sequential strided ;;
	"bench --pages") echo ordinary huge ;;
	"bench --background") echo stream copy ;;
	"bench --pair") echo same sibling shared-cache other-cache ;;
	"bench --counters") echo cycles instructions branches branch-misses L1-dcache-loads L1-dcache-load-misses LLC-loads LLC-load-misses dTLB-load-misses ;;
	esac
}

# _csum_kind COMMAND OPTION - words or files; nothing: it stands alone
_csum_kind() {
	case "$1 $2" in
	"verify --by") echo words ;;
	"verify --verdict") echo words ;;
	"verify --protocol") echo words ;;
	"verify --filter" | "verify -f") echo words ;;
	"verify --decode-as") echo words ;;
	"verify --link-type") echo words ;;
	"verify --offload") echo words ;;
	"verify --interface" | "verify -i") echo words ;;
	"verify --count" | "verify -c") echo words ;;
	"verify --threads" | "verify -j") echo words ;;
	"explain --flow") echo words ;;
	"explain --filter" | "explain -f") echo words ;;
	"explain --decode-as") echo words ;;
	"explain --link-type") echo words ;;
	"fix --output" | "fix -o") echo files ;;
	"fix --like") echo files ;;
	"fix --protocol" | "fix -p") echo words ;;
	"fix --verdict" | "fix -v") echo words ;;
	"fix --decode-as") echo words ;;
	"fix --link-type") echo words ;;
	"break --output" | "break -o") echo files ;;
	"break --share" | "break -s") echo words ;;
	"break --seed" | "break -S") echo words ;;
	"break --how" | "break -w") echo words ;;
	"break --protocol" | "break -p") echo words ;;
	"sum --offset" | "sum -o") echo words ;;
	"sum --length" | "sum -l") echo words ;;
	"bench --load") echo files ;;
	"bench --routine" | "bench -r") echo words ;;
	"bench --prefetch") echo words ;;
	"bench --size" | "bench -s") echo words ;;
	"bench --offset" | "bench -o") echo words ;;
	"bench --mix") echo files ;;
	"bench --period") echo words ;;
	"bench --span") echo words ;;
	"bench --order") echo words ;;
	"bench --jitter") echo words ;;
	"bench --pages") echo words ;;
	"bench --cpu") echo words ;;
	"bench --background") echo words ;;
	"bench --pair") echo words ;;
	"bench --time" | "bench -t") echo words ;;
	"bench --seed" | "bench -S") echo words ;;
	"bench --against") echo words ;;
	"bench --narrow") echo words ;;
	"bench --compare") echo files ;;
	"report --output" | "report -o") echo files ;;
	"elect --size" | "elect -s") echo words ;;
	"elect --time" | "elect -t") echo words ;;
	"elect --output" | "elect -o") echo files ;;
	"elect --seed" | "elect -S") echo words ;;
	"elect ") echo words ;;
	"routines ") echo words ;;
	esac
}

_csum() {
	local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
	local at=$((COMP_CWORD - 1)) before kind front=
	COMPREPLY=()
	if ((COMP_CWORD == 1)) || { ((COMP_CWORD == 2)) && [ "$command" = help ]; }; then
		mapfile -t COMPREPLY < <(compgen -W 'verify merge explain fix break sum bench report elect routines help --help --version' -- "$cur")
		return
	fi
	# readline takes --option=word apart
	[ "$cur" = = ] && cur='' at=$COMP_CWORD
	[ "${COMP_WORDS[at]}" = = ] && at=$((at - 1))
	before=${COMP_WORDS[at]}
	kind=$(_csum_kind "$command" "$before")
	if [ -z "$kind" ] && [ "${cur:0:1}" = - ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_csum_names "$command")" -- "$cur")
		return
	fi
	[ -n "$kind" ] || { before='' kind=$(_csum_kind "$command" ''); }
	# the last of words with commas
	[ "${cur/,/}" = "$cur" ] || front=${cur%,*},
	mapfile -t COMPREPLY < <(compgen -P "$front" -W "$(_csum_list "$command" "$before")" -- "${cur##*,}")
	[ "$kind" = words ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$cur")
}
complete -o filenames -F _csum csum
