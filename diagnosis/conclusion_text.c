/* SPDX-License-Identifier: BSD-2-Clause */
/* conclusion_text.c - conclusions in words. */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "conclusion.h"

const char *conclusion_name(enum conclusion_kind k)
{
	static const char *const names[CONCLUDE_KINDS] = {
		[CONCLUDE_NONE] = "none",
		[CONCLUDE_OFFLOAD] = "offload",
		[CONCLUDE_CORRUPTION] = "corruption",
		[CONCLUDE_REWRITE] = "rewrite",
		[CONCLUDE_STACK] = "stack",
		[CONCLUDE_TRUNCATION] = "truncation",
		[CONCLUDE_ANONYMISED] = "anonymised",
		[CONCLUDE_UNKNOWN] = "unknown",
		[CONCLUDE_MIXED] = "mixed",
	};

	return names[k];
}

void address_text(uint8_t version, const uint8_t *address, char *buf,
		  size_t size)
{
	if (!inet_ntop(version == 6 ? AF_INET6 : AF_INET, address, buf,
		       (socklen_t)size))
		buf[0] = 0;
}

void link_text(const uint8_t a[6], char *buf, size_t size)
{
	snprintf(buf, size, "%02x:%02x:%02x:%02x:%02x:%02x", a[0], a[1], a[2],
		 a[3], a[4], a[5]);
}

const char *ip_protocol_word(uint8_t number)
{
	switch (number) {
	case 1:
		return "icmp";
	case 6:
		return "tcp";
	case 17:
		return "udp";
	case 58:
		return "icmpv6";
	default:
		return "ip";
	}
}

void ends_text(const struct endpoints *e, char *buf, size_t size)
{
	char src[INET6_ADDRSTRLEN], dst[INET6_ADDRSTRLEN];
	const bool ipv6 = e->version == 6;

	address_text(e->version, e->src, src, sizeof(src));
	address_text(e->version, e->dst, dst, sizeof(dst));
	if (e->has_ports)
		snprintf(buf, size, "%s%s%s:%u > %s%s%s:%u", ipv6 ? "[" : "",
			 src, ipv6 ? "]" : "", e->src_port, ipv6 ? "[" : "",
			 dst, ipv6 ? "]" : "", e->dst_port);
	else
		snprintf(buf, size, "%s > %s", src, dst);
}

static void flow_text(const struct endpoints *e, char *buf, size_t size)
{
	char ends[2 * INET6_ADDRSTRLEN + 24];

	ends_text(e, ends, sizeof(ends));
	snprintf(buf, size, "%s %s", ip_protocol_word(e->protocol), ends);
}

void subject_text(const struct conclusion_subject *s, char *buf, size_t size)
{
	switch (s->kind) {
	case SUBJECT_HOST:
		address_text(s->version, s->address, buf, size);
		break;
	case SUBJECT_LINK:
		link_text(s->address, buf, size);
		break;
	case SUBJECT_FLOW:
		flow_text(&s->flow, buf, size);
		break;
	case SUBJECT_INTERFACE:
		snprintf(buf, size, "interface %" PRIu32 "%s%.60s",
			 s->interface, s->file ? " of " : "",
			 s->file ? s->file : "");
		break;
	default:
		snprintf(buf, size, "several hosts");
		break;
	}
}

/* --- sentences -------------------------------------------------------------
 */

struct text {
	char *buf;
	size_t size, len;
};

static void say(struct text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->len, t->size - t->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		t->len += (size_t)n < t->size - t->len ? (size_t)n
						       : t->size - t->len - 1;
}

static void say_amount(struct text *t, const struct conclusion_part *p)
{
	say(t, "%" PRIu64 " checksum%s", p->checksums,
	    p->checksums == 1 ? "" : "s");
	if (p->of && !p->receiver)
		say(t, " in %" PRIu64 " packet%s from there", p->of,
		    p->of == 1 ? "" : "s");
}

static void say_offload(struct text *t, const struct conclusion_part *p,
			const char *who)
{
	if (p->merged)
		say(t,
		    "Looks like segments merged on arrival at %s: %" PRIu64
		    " are longer than a frame can be, and keep the checksum of "
		    "their first part.",
		    who, p->checksums);
	else if (p->subject.kind == SUBJECT_INTERFACE)
		say(t,
		    "Looks like checksum offload on %s: its network card "
		    "finishes the sums after the capture, that of the others "
		    "does not (",
		    who);
	else
		say(t,
		    "Looks like checksum offload on the capturing host %s: "
		    "all are packets that it sent itself, none that it "
		    "received (",
		    who);
	if (!p->merged) {
		say_amount(t, p);
		say(t, ").");
	}
}

static void say_corruption(struct text *t, const struct conclusion_part *p,
			   const char *who)
{
	say(t, "Looks like corruption of packets %s %s: ",
	    p->receiver ? "to" : "from", who);
	say_amount(t, p);
	if (p->one_bit == p->checksums)
		say(t, ", %s",
		    p->checksums == 1 ? "wrong by one flipped bit"
				      : "each wrong by one flipped "
					"bit");
	else if (p->one_bit)
		say(t, ", %" PRIu64 " of them wrong by one flipped bit",
		    p->one_bit);
	if (p->constant && p->checksums > 1)
		say(t, ", always the same bit of its word");
	if (p->fates[FATE_RESENT])
		say(t, "; %" PRIu64 " came again and %s right then",
		    p->fates[FATE_RESENT],
		    p->fates[FATE_RESENT] == 1 ? "was" : "were");
	say(t, ".");
}

static void say_rewrite(struct text *t, const struct conclusion_part *p,
			const char *who)
{
	say(t,
	    "Looks like a box in the path that changed a field without "
	    "updating the checksum: all %s %s (",
	    p->subject.kind == SUBJECT_FLOW   ? "of the flow"
	    : p->receiver		      ? "to"
	    : p->subject.kind == SUBJECT_LINK ? "come through the link address"
					      : "from",
	    who);
	say_amount(t, p);
	if (p->constant && p->checksums > 1)
		say(t, ", each wrong by the same 0x%04" PRIx32, p->difference);
	say(t, ").");
}

static void say_stack(struct text *t, const struct conclusion_part *p,
		      const char *who)
{
	say(t, "Looks like the network stack of %s computing checksums wrongly",
	    who);
	if (p->cause == CAUSE_OFFLOAD)
		say(t, ": left for a network card that does not finish them");
	else if (p->cause)
		say(t, ": %s", cause_text(p->cause));
	say(t, " (");
	say_amount(t, p);
	say(t, ").");
}

static void say_part(struct text *t, const struct conclusion_part *p)
{
	char who[120];

	subject_text(&p->subject, who, sizeof(who));
	switch (p->kind) {
	case CONCLUDE_OFFLOAD:
		say_offload(t, p, who);
		break;
	case CONCLUDE_CORRUPTION:
		say_corruption(t, p, who);
		break;
	case CONCLUDE_REWRITE:
		say_rewrite(t, p, who);
		break;
	case CONCLUDE_STACK:
		say_stack(t, p, who);
		break;
	case CONCLUDE_TRUNCATION:
		say(t, "Looks like packets cut short or split after their "
		       "checksum was made (");
		say_amount(t, p);
		say(t, ").");
		break;
	case CONCLUDE_ANONYMISED:
		say(t, "Looks like a capture that was changed afterwards, as "
		       "by an anonymiser: hosts understood each other although "
		       "nearly every checksum is wrong (");
		say_amount(t, p);
		say(t, ").");
		break;
	default:
		say(t, "Too little to tell who or what made ");
		say_amount(t, p);
		say(t, " wrong.");
		break;
	}
	if (p->checksums < 3 && p->kind != CONCLUDE_UNKNOWN)
		say(t, " The evidence is thin: only %" PRIu64 ".",
		    p->checksums);
}

static void say_wire(struct text *t, enum wire wire)
{
	if (wire == WIRE_RIGHT)
		say(t, " Nothing is wrong on the wire.");
	else if (wire == WIRE_WRONG)
		say(t, " Packets were wrong on the wire.");
}

static void say_kind(struct text *t, const struct conclusion *c)
{
	if (c->kind == CONCLUDE_NONE)
		say(t, "No checksum is wrong.");
	else if (!c->nparts)
		say(t, "Nothing can be said: no checksum could be verified.");
	else if (c->kind == CONCLUDE_MIXED)
		say(t, "Several things at once. ");
}

/* What the sentences before do not speak of. */
static void say_left_out(struct text *t, const struct conclusion *c)
{
	if (c->more_parts)
		say(t,
		    " And %" PRIu64 " more explanations, of %" PRIu64
		    " checksums.",
		    c->more_parts, c->more_checksums);
	if (c->unweighed)
		say(t,
		    " %" PRIu64 " more checksums were not weighed: memory "
		    "is bounded.",
		    c->unweighed);
	if (c->nothing_verified && c->files > 1 && c->kind != CONCLUDE_UNKNOWN)
		say(t,
		    " In %" PRIu64 " of the files no checksum could be "
		    "verified.",
		    c->nothing_verified);
}

void conclusion_text(const struct conclusion *c, char *buf, size_t size)
{
	struct text t = { .buf = buf, .size = size };

	buf[0] = 0;
	if (c->files > 1)
		say(&t, "%" PRIu64 " files, each judged alone. ", c->files);
	say_kind(&t, c);
	for (unsigned i = 0; i < c->nparts; i++) {
		if (i)
			say(&t, " ");
		say_part(&t, &c->parts[i]);
	}
	if (c->nparts)
		say_wire(&t, c->wire);
	say_left_out(&t, c);
}

static void advise(struct text *t, const struct conclusion_part *p)
{
	char who[120];

	subject_text(&p->subject, who, sizeof(who));
	switch (p->kind) {
	case CONCLUDE_OFFLOAD:
		if (p->merged)
			say(t,
			    "nothing needs repair; to see single segments, "
			    "`ethtool -K IFACE gro off lro off` on %s",
			    who);
		else
			say(t,
			    "nothing needs repair; to capture finished sums, "
			    "`ethtool -K IFACE tx off` on that host or capture "
			    "elsewhere; `csum fix` fills them in");
		break;
	case CONCLUDE_CORRUPTION:
		say(t, "look at cable, port and memory on the way %s %s",
		    p->receiver ? "to" : "from", who);
		break;
	case CONCLUDE_REWRITE:
		say(t,
		    "look at the router, NAT or firewall in front of the "
		    "place of capture: %s",
		    who);
		break;
	case CONCLUDE_STACK:
		say(t, "mend or update the network stack of %s", who);
		break;
	case CONCLUDE_TRUNCATION:
		say(t, "capture with a larger snap length, or leave it");
		break;
	case CONCLUDE_ANONYMISED:
		say(t, "nothing; `csum fix` makes the sums fit what is in the "
		       "file now");
		break;
	default:
		say(t, "capture more of it; `csum explain FILE FRAME` shows "
		       "each sum");
		break;
	}
}

void conclusion_advice(const struct conclusion *c, char *buf, size_t size)
{
	struct text t = { .buf = buf, .size = size };

	buf[0] = 0;
	if (!c->nparts)
		return;
	say(&t, "What to do: ");
	for (unsigned i = 0; i < c->nparts; i++) {
		if (i && c->parts[i].kind == c->parts[i - 1].kind)
			continue;
		if (i)
			say(&t, "; ");
		advise(&t, &c->parts[i]);
	}
	say(&t, ".");
}
