/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * observation.h - what one judged packet tells about who sent it to whom, and
 * how its checksums were.
 *
 * Made in any thread, packet by packet: a glance for every IP packet, which has
 * to be cheap; an observation and its symptoms where a checksum is not right.
 * evidence.h takes them in the order of the file.
 */
#ifndef DIAGNOSIS_OBSERVATION_H
#define DIAGNOSIS_OBSERVATION_H

#include "check.h"
#include "endpoints.h"
#include "why.h"

/* Checksums by what a network does to them. */
enum observed {
	OBSERVED_NETWORK, /* the IPv4 header, which routers change */
	OBSERVED_TCP,
	OBSERVED_UDP,
	OBSERVED_OTHER, /* ICMP, SCTP, routing protocols... */
	OBSERVED_KINDS
};

/* Sequence numbers are those of RFC 9293: modulo 2^32. */
struct tcp_segment {
	bool present;
	bool syn, ack, rst;
	uint32_t seq;	/* sequence number of the first byte */
	uint32_t next;	/* sequence number behind the last; SYN and FIN count */
	uint32_t acked; /* acknowledgement number */
};

/* What is kept of every IP packet. */
struct glance {
	uint64_t sender;   /* hash of source address and interface */
	uint64_t flow;	   /* hash of both ends, the same in both directions */
	bool reverse;	   /* tells the directions of a flow apart */
	bool payload;	   /* bytes follow the TCP or UDP header */
	uint8_t good, bad; /* bit K: a good, a bad or partial sum of kind K */
	uint32_t length;   /* BYTES of the frame on the wire */
	struct tcp_segment tcp;
};

/* One IP packet with a checksum that is not right. */
struct observation {
	size_t glance;	    /* place in the list of glances */
	uint64_t frame;	    /* number in the file, from 1 */
	uint64_t time;	    /* ns since 1970; 0: unknown */
	uint32_t interface; /* number in the file */
	uint32_t length;    /* BYTES of the frame on the wire */
	uint32_t payload;   /* BYTES behind the TCP or UDP header */
	struct link_ends link;
	struct endpoints ends;
	uint64_t flow; /* of the glance */
	bool reverse;
	uint8_t depth; /* IP headers around this one */
	uint8_t ttl;   /* time to live, or hop limit */
	struct tcp_segment tcp;
	unsigned nsymptoms; /* of the list, in order */
};

/* What became of a TCP segment with a wrong checksum. */
enum fate {
	FATE_UNKNOWN,
	FATE_ACKED,    /* acknowledged, and not sent again before */
	FATE_RESENT,   /* sent again with a right checksum */
	FATE_REPEATED, /* sent again, just as wrong, not acknowledged */
	FATES
};

/* One checksum that is not right: bad or partial. */
struct symptom {
	struct observation seen;
	enum observed kind;
	enum protocol protocol;
	enum verdict verdict;
	enum note note;
	uint32_t found, expected; /* values of the field, see check.h */
	uint64_t causes;  /* bit C: cause C of why.h explains what is found */
	enum cause cause; /* the likeliest of them, or CAUSE_NONE */
	bool chance;	  /* that may be chance */
	bool blank;	  /* the payload is one byte repeated */
	enum fate fate;
	bool gap; /* the next segment of the flow begins later than this ends */
};

/* Lists of all three, which grow.  Starts as { 0 }, or with protocols set. */
struct observations {
	const bool *protocols; /* of PROTO_COUNT, to look at; NULL: all */
	unsigned ninterfaces;  /* 1 + the highest number seen */
	struct glance *glances;
	struct observation *seen;
	struct symptom *symptoms;
	size_t nglances, glances_size;
	size_t nseen, seen_size;
	size_t nsymptoms, symptoms_size;
};

/* The hash of a sender as in struct glance. */
uint64_t sender_hash(uint8_t version, const uint8_t *address,
		     uint32_t interface);

/*
 * Adds what @packet shows; @checks has one for each site of @walk, open ones
 * excepted.  False if there is no memory.
 */
bool observe_packet(struct observations *list, const struct packet *packet,
		    const struct walk *walk, const struct check *checks);

/* Adds the one site of a message that was put together of fragments. */
bool observe_message(struct observations *list, const struct packet *packet,
		     const struct site *s, const struct check *c);

void observations_clear(struct observations *list);
void observations_free(struct observations *list);

/*
 * How much greater the words that are covered are than those that the field
 * was made for, modulo 0xffff; 0 for a CRC.
 */
uint32_t symptom_difference(const struct symptom *s);

/* True if the difference is that of one flipped bit. */
bool symptom_is_one_bit(const struct symptom *s);

#endif
