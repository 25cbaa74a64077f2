/* SPDX-License-Identifier: BSD-2-Clause */
/* filter.c - one compiled program for each link type, in a short list. */
#include "filter.h"

#include <pcap/pcap.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SNAPLEN = 262144 }; /* what libpcap takes for "all" */

struct program {
	struct program *next;
	uint32_t linktype;
	bool usable;
	struct bpf_program code;
};

struct filter {
	pthread_mutex_t lock; /* of the list; what is in it does not change */
	struct program *programs;
	char *expression;
	char complaint[PCAP_ERRBUF_SIZE];
	uint32_t complaint_linktype;
};

/* The few numbers that differ between files and this system. */
static int to_dlt(uint32_t linktype)
{
	switch (linktype) {
	case 100:
		return DLT_ATM_RFC1483;
	case 101:
	case 12:
	case 14:
		return DLT_RAW;
	default:
		return (int)linktype;
	}
}

/* libpcap before 1.11 must not compile in two threads at once. */
static bool compile(const char *expression, uint32_t linktype,
		    struct bpf_program *code, char *why, size_t size)
{
	pcap_t *dead = pcap_open_dead(to_dlt(linktype), SNAPLEN);
	bool ok;

	if (!dead) {
		snprintf(why, size, "out of memory");
		return false;
	}
	ok = pcap_compile(dead, code, expression, 1, PCAP_NETMASK_UNKNOWN) == 0;
	if (!ok)
		snprintf(why, size, "%s", pcap_geterr(dead));
	pcap_close(dead);
	return ok;
}

struct filter *filter_new(const char *expression, char *why, size_t size)
{
	struct filter *f = calloc(1, sizeof(*f));
	struct bpf_program code;

	if (f)
		f->expression = strdup(expression);
	if (!f || !f->expression) {
		snprintf(why, size, "out of memory");
		free(f);
		return NULL;
	}
	/* raw IP has no link layer, Ethernet has all that one can ask for */
	if (!compile(expression, 1, &code, why, size) &&
	    !compile(expression, 101, &code, why, size)) {
		free(f->expression);
		free(f);
		return NULL;
	}
	pcap_freecode(&code);
	pthread_mutex_init(&f->lock, NULL);
	return f;
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	while (f->programs) {
		struct program *p = f->programs;

		f->programs = p->next;
		if (p->usable)
			pcap_freecode(&p->code);
		free(p);
	}
	pthread_mutex_destroy(&f->lock);
	free(f->expression);
	free(f);
}

static struct program *program_for(struct filter *f, uint32_t linktype)
{
	struct program *p = f->programs;

	while (p && p->linktype != linktype)
		p = p->next;
	if (p)
		return p;
	p = calloc(1, sizeof(*p));
	if (!p) {
		snprintf(f->complaint, sizeof(f->complaint), "out of memory");
		f->complaint_linktype = linktype;
		return NULL;
	}
	p->linktype = linktype;
	p->usable = compile(f->expression, linktype, &p->code, f->complaint,
			    sizeof(f->complaint));
	if (!p->usable)
		f->complaint_linktype = linktype;
	p->next = f->programs;
	f->programs = p;
	return p;
}

bool filter_matches(struct filter *f, const struct packet *packet)
{
	struct pcap_pkthdr header = {
		.caplen = packet->caplen,
		.len = packet->wirelen,
	};
	struct program *p;

	pthread_mutex_lock(&f->lock);
	p = program_for(f, packet->linktype);
	pthread_mutex_unlock(&f->lock);
	return p && p->usable &&
	       pcap_offline_filter(&p->code, &header, packet->data);
}

const char *filter_complaint(struct filter *f, uint32_t *linktype)
{
	*linktype = f->complaint_linktype;
	return f->complaint[0] ? f->complaint : NULL;
}
