/* SPDX-License-Identifier: BSD-2-Clause */
/* verify_live.c - packets as they come in over an interface. */
#include <inttypes.h>
#include <pcap/pcap.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "verify.h"

enum { SNAPLEN = 262144, WAIT_MS = 200 };

static pcap_t *live; /* for the signal handler */

static void stop(int signal)
{
	(void)signal;
	/* it sets a flag, and its manual allows this */
	pcap_breakloop(live); /* NOLINT(bugprone-signal-handler,cert-sig30-c) */
}

/* The numbers in files differ from those of this system for raw IP. */
static uint32_t to_linktype(int dlt)
{
	return dlt == DLT_RAW ? 101 : (uint32_t)dlt;
}

static const char permission_hint[] =
	"; use sudo, or once: sudo setcap cap_net_raw+ep $(command -v csum)";

static bool not_permitted(int status)
{
	return status == PCAP_ERROR_PERM_DENIED ||
	       status == PCAP_ERROR_PROMISC_PERM_DENIED;
}

static pcap_t *open_live(const struct verify_options *o)
{
	char why[PCAP_ERRBUF_SIZE];
	pcap_t *p = pcap_create(o->interface, why);
	int status;

	if (!p) {
		trouble("%s: %s", o->interface, why);
		return NULL;
	}
	pcap_set_snaplen(p, SNAPLEN);
	pcap_set_promisc(p, 1);
	pcap_set_timeout(p, WAIT_MS);
	status = pcap_activate(p);
	if (status < 0) {
		trouble("%s: %s%s", o->interface,
			status == PCAP_ERROR ? pcap_geterr(p)
					     : pcap_statustostr(status),
			not_permitted(status) ? permission_hint : "");
		pcap_close(p);
		return NULL;
	}
	return p;
}

static void show_counters(const struct tally *t)
{
	char note[80];

	if (!progress_due())
		return;
	snprintf(note, sizeof(note), "%" PRIu64 " packets, %" PRIu64 " bad",
		 t->sites.packets, tally_bad(t));
	progress_show(-1, note);
}

enum taken { TAKEN, TAKEN_LAST, TAKEN_FAILED };

static enum taken take_packet(struct batch_lines *lines, struct sink *sink,
			      uint64_t frame)
{
	struct pcap_pkthdr *header;
	const u_char *data;
	int status = pcap_next_ex(live, &header, &data);
	struct packet packet;

	if (status == 0) /* nothing came for a while */
		return TAKEN;
	if (status == PCAP_ERROR_BREAK)
		return TAKEN_LAST;
	if (status < 0) {
		trouble("%s: %s", sink->file, pcap_geterr(live));
		return TAKEN_FAILED;
	}
	packet = (struct packet){
		.frame = frame,
		.time = (uint64_t)header->ts.tv_sec * 1000000000 +
			(uint64_t)header->ts.tv_usec * 1000,
		.data = data,
		.caplen = header->caplen,
		.wirelen = header->len > header->caplen ? header->len
							: header->caplen,
		.linktype = to_linktype(pcap_datalink(live)),
	};
	if (!lines_packet(lines, &packet) || !lines_emit(lines, sink)) {
		trouble("out of memory");
		return TAKEN_FAILED;
	}
	fflush(stdout);
	return ferror(stdout) ? TAKEN_LAST : TAKEN;
}

/* What the system had no room for was never looked at. */
static bool none_dropped(const struct verify_options *o)
{
	struct pcap_stat stat;

	if (pcap_stats(live, &stat) != 0 ||
	    (stat.ps_drop == 0 && stat.ps_ifdrop == 0))
		return true;
	trouble("%s: %u packets came faster than they were read, and were "
		"lost",
		o->interface, stat.ps_drop + stat.ps_ifdrop);
	return false;
}

/* An exit status; says why if not all packets were looked at. */
static int loop(const struct verify_options *o, struct tally *t)
{
	struct total total = { .files = 1, .tally = t };
	enum taken taken = TAKEN;
	struct sink sink;
	struct batch_lines lines;
	bool whole;
	int status;

	if (!lines_init(&lines, o) || !sink_init(&sink, o, t)) {
		trouble("out of memory");
		return EXIT_TROUBLE;
	}
	lines.file = sink.file = o->interface;
	progress_begin(o->interface);
	while (taken == TAKEN && (!o->count || t->sites.packets < o->count)) {
		taken = take_packet(&lines, &sink, t->sites.packets + 1);
		show_counters(t);
	}
	progress_end();
	sink_flush(&sink);
	whole = none_dropped(o) && taken != TAKEN_FAILED;
	rankings_print(&sink.rankings, o);
	print_summary(o, o->interface, "live", "live", whole, t);
	total.not_whole = !whole;
	if (!sink_conclude(&sink, whole, &total.merged)) {
		trouble("%s: out of memory", o->interface);
		whole = false;
	}
	print_per_file(o, o->interface, whole, t, sink.kind);
	print_total(o, &total);
	status = whole ? sink_status(&sink, t) : EXIT_TROUBLE;
	merged_free(&total.merged);
	lines_free(&lines);
	sink_free(&sink);
	return status;
}

int verify_live(const struct verify_options *o)
{
	struct tally *t = tally_new();
	int status;

	if (!t)
		return trouble("out of memory");
	live = open_live(o);
	if (!live) {
		free(t);
		return EXIT_TROUBLE;
	}
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	print_start(o);
	status = loop(o, t);
	if (check_strict(o, o->interface, t))
		status = EXIT_TROUBLE;
	pcap_close(live);
	free(t);
	return status;
}
