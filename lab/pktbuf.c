/* SPDX-License-Identifier: BSD-2-Clause */
/* pktbuf.c - a pool, two rings, and two CPUs that work by turns. */
#include "pktbuf.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "csum.h"
#include "model.h"
#include "splitmix.h"

enum {
	BURST = LAB_PKTBUF_BURST,
	POOL = 4 * BURST,
	ROOM = 2048, /* BYTES for a packet */
	LINE = 64,
};

/* ------------------------------------------------------------------------
 * A header: what a stack keeps of a packet, four cache lines of it
 */

enum word {
	/* queues, where it comes from, and what each layer wants to remember */
	NEXT,
	PREVIOUS,
	OWNER,
	DEVICE,
	STAMP,
	NOTES,
	/* fields that few packets need */
	ROUTE = 16,
	LENGTH,
	PROTOCOL,
	FLOW,
	SUM,
	SUM_STATE,
	MARK,
	PRIORITY,
	/* addresses of the packet's parts, and its users */
	TRANSPORT,
	NETWORK,
	LINK,
	START,
	TAIL,
	END,
	SIZE,
	USERS,
	WORDS,
};

struct header {
	_Alignas(LINE) uint64_t word[WORDS];
};

/* One thread puts in, one takes out. */
struct ring {
	_Alignas(LINE) atomic_size_t in;
	_Alignas(LINE) atomic_size_t out;
	_Alignas(LINE) struct header *slot[POOL];
};

static void push(struct ring *r, struct header *h)
{
	size_t in = atomic_load_explicit(&r->in, memory_order_relaxed);

	r->slot[in % POOL] = h;
	atomic_store_explicit(&r->in, in + 1, memory_order_release);
}

/* NULL if it is empty. */
static struct header *pop(struct ring *r)
{
	size_t out = atomic_load_explicit(&r->out, memory_order_relaxed);
	struct header *h;

	if (out == atomic_load_explicit(&r->in, memory_order_acquire))
		return NULL;
	h = r->slot[out % POOL];
	atomic_store_explicit(&r->out, out + 1, memory_order_release);
	return h;
}

/* One way at one scope, as an item to be timed. */
struct timed_way {
	struct lab_pktbuf *work;
	struct lab_pktbuf_way way;
	enum lab_pktbuf_scope scope;
};

struct lab_pktbuf {
	struct ring to_other, back;
	/* orders for the other CPU; read only after asked has changed */
	_Alignas(LINE) atomic_uint asked;
	bool quit;
	struct lab_pktbuf_way way;
	size_t n;
	uint64_t (*task)(struct lab_pktbuf *work);
	/* answers of the other CPU; read only after done has changed */
	_Alignas(LINE) atomic_uint done;
	bool right; /* all packets that were looked at */
	uint64_t result;
	struct header *headers;
	uint8_t *room, *packets, *user;
	size_t len;
	/* the pool; what was returned last is taken first */
	struct header *pool[POOL];
	size_t npool;
	/* headers that are to be initialised and nothing else */
	struct header *burst[BURST];
	/* the model's sums of the first so many packets, folded and added up */
	uint64_t sums[BURST + 1];
	struct timed_way timed_ways[LAB_PKTBUF_SCOPES][LAB_PKTBUF_WAYS];
	/* the other CPU's thread */
	pthread_t thread;
	bool running;
	int cpu;
	char why[LAB_WHY]; /* "" if it could be pinned */
};

static uint8_t *room_of(const struct lab_pktbuf *p, const struct header *h)
{
	return p->room + (size_t)(h - p->headers) * ROOM;
}

static uint64_t address(const void *p)
{
	return (uintptr_t)p;
}

/* ------------------------------------------------------------------------
 * Initialising
 */

static inline __attribute__((always_inline)) uint64_t initial(
	const uint8_t *room, size_t word)
{
	switch (word) {
	case START:
	case TAIL:
		return address(room);
	case END:
		return address(room + ROOM);
	case SIZE:
		return sizeof(struct header) + ROOM;
	case USERS:
		return 1;
	default:
		return 0;
	}
}

/* Each is a store of its own, in just this order. */
#define SET(i) ((volatile uint64_t *)h->word)[i] = initial(room, i);
/* Odd, so each comes up once; the next is in another line. */
#define SET_SCATTERED(i) SET((i)*13 % WORDS)
#define EACH4(DO, i)	 DO(i) DO((i) + 1) DO((i) + 2) DO((i) + 3)
#define EACH16(DO, i)                                                          \
	EACH4(DO, i) EACH4(DO, (i) + 4) EACH4(DO, (i) + 8) EACH4(DO, (i) + 12)

static inline void initialise(const struct lab_pktbuf *p, struct header *h)
{
	const uint8_t *room = room_of(p, h);

	_Static_assert(WORDS == 32, "all are set");
	if (p->way.scattered) {
		EACH16(SET_SCATTERED, 0)
		EACH16(SET_SCATTERED, 16)
	} else {
		EACH16(SET, 0)
		EACH16(SET, 16)
	}
}

static bool is_initial(const struct lab_pktbuf *p, const struct header *h)
{
	for (size_t i = 0; i < WORDS; i++)
		if (h->word[i] != initial(room_of(p, h), i))
			return false;
	return true;
}

static inline void prefetch(const struct header *h)
{
	for (size_t i = 0; i < WORDS; i += LINE / sizeof(h->word[0]))
		__builtin_prefetch(&h->word[i], 1);
}

/* ------------------------------------------------------------------------
 * One packet
 */

static inline struct header *take(struct lab_pktbuf *p)
{
	struct header *h = p->pool[--p->npool];

	if (p->way.prefetch && p->npool)
		prefetch(p->pool[p->npool - 1]);
	return h;
}

/* The work of a driver, and of the device before it. */
static inline void receive(struct lab_pktbuf *p, struct header *h, size_t i)
{
	uint8_t *start = room_of(p, h);

	memcpy(start, p->packets + i * ROOM, p->len);
	h->word[DEVICE] = 1;
	h->word[STAMP] = i;
	h->word[LENGTH] = p->len;
	h->word[PROTOCOL] = 0x0800;
	h->word[FLOW] = i * 31;
	h->word[LINK] = address(start);
	h->word[NETWORK] = address(start + 14);
	h->word[TRANSPORT] = address(start + 34);
	h->word[TAIL] = address(start + p->len);
}

/* Returns the sum. */
static inline uint64_t deliver(struct lab_pktbuf *p, struct header *h, size_t i)
{
	const uint8_t *start = room_of(p, h);
	size_t len = (size_t)h->word[LENGTH];
	csum_wsum sum = csum_partial(start, len, 0);

	h->word[SUM] = sum;
	h->word[SUM_STATE] = 1;
	h->word[OWNER] = i;
	h->word[NEXT] = address(h);
	for (size_t note = 0; note < 6; note++)
		h->word[NOTES + note] = i + note;
	memcpy(p->user + i * ROOM, start, len);
	return csum_to16(sum);
}

static inline void give_back(struct lab_pktbuf *p, struct header *h)
{
	if (--h->word[USERS] == 0)
		h->word[NEXT] = 0;
	if (p->way.at_return)
		initialise(p, h);
	push(&p->back, h);
}

/* ------------------------------------------------------------------------
 * A burst: what one CPU does before the other goes on
 */

/* Puts what came back into the pool. */
static void refill(struct lab_pktbuf *p)
{
	struct header *h;

	while ((h = pop(&p->back)))
		p->pool[p->npool++] = h;
}

static uint64_t only_take(struct lab_pktbuf *p)
{
	refill(p);
	for (size_t i = 0; i < p->n; i++) {
		struct header *h = take(p);

		if (!p->way.at_return)
			initialise(p, h);
		h->word[LENGTH] = p->len;
		push(&p->to_other, h);
	}
	return 0;
}

static uint64_t only_return(struct lab_pktbuf *p)
{
	for (size_t i = 0; i < p->n; i++)
		give_back(p, pop(&p->to_other));
	return p->n;
}

static uint64_t receive_all(struct lab_pktbuf *p)
{
	refill(p);
	for (size_t i = 0; i < p->n; i++) {
		struct header *h = take(p);

		if (!p->way.at_return)
			initialise(p, h);
		receive(p, h, i);
		push(&p->to_other, h);
	}
	return 0;
}

static uint64_t deliver_all(struct lab_pktbuf *p)
{
	uint64_t sums = 0;

	for (size_t i = 0; i < p->n; i++) {
		struct header *h = pop(&p->to_other);

		sums += deliver(p, h, i);
		give_back(p, h);
	}
	return sums;
}

/* To be initialised and nothing else: received and delivered before. */
static uint64_t receive_used(struct lab_pktbuf *p)
{
	refill(p);
	for (size_t i = 0; i < BURST; i++) {
		struct header *h = take(p);

		receive(p, h, i);
		push(&p->to_other, h);
	}
	return 0;
}

static uint64_t deliver_used(struct lab_pktbuf *p)
{
	for (size_t i = 0; i < BURST; i++) {
		p->burst[i] = pop(&p->to_other);
		deliver(p, p->burst[i], i);
	}
	return 0;
}

static uint64_t only_initialise(struct lab_pktbuf *p)
{
	const bool ahead = p->way.prefetch && !p->way.at_return;

	for (size_t i = 0; i < p->n; i++) {
		if (ahead && i + 1 < p->n)
			prefetch(p->burst[i + 1]);
		initialise(p, p->burst[i]);
	}
	return p->n;
}

static uint64_t nothing(struct lab_pktbuf *p)
{
	(void)p;
	return 0;
}

/* --- the same, looked at --- */

static uint64_t receive_checked(struct lab_pktbuf *p)
{
	refill(p);
	for (size_t i = 0; i < p->n; i++) {
		struct header *h = take(p);

		if (!p->way.at_return)
			initialise(p, h);
		p->right = p->right && is_initial(p, h);
		receive(p, h, i);
		push(&p->to_other, h);
	}
	return 0;
}

/* No word of a header is left as it was. */
static uint64_t deliver_checked(struct lab_pktbuf *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct header *h = pop(&p->to_other);

		assert(h); /* as many as receive_checked() has pushed */
		if (deliver(p, h, i) != p->sums[i + 1] - p->sums[i] ||
		    memcmp(p->user + i * ROOM, p->packets + i * ROOM, p->len) !=
			    0)
			p->right = false;
		memset(h, 0xa5, sizeof(*h));
		give_back(p, h);
	}
	return 0;
}

/* ------------------------------------------------------------------------
 * The other CPU
 */

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("pause");
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static void wait_for(atomic_uint *at, unsigned value)
{
	enum { PATIENCE = 1 << 16 };

	for (unsigned i = 1;
	     atomic_load_explicit(at, memory_order_acquire) != value; i++) {
		relax();
		if (i % PATIENCE == 0)
			sched_yield();
	}
}

static void *other(void *arg)
{
	struct lab_pktbuf *p = arg;
	unsigned n = 0;

	if (p->cpu >= 0)
		lab_pin(0, p->cpu, p->why);
	for (;;) {
		atomic_store_explicit(&p->done, n, memory_order_release);
		wait_for(&p->asked, ++n);
		if (p->quit)
			return NULL;
		p->result = p->task(p);
	}
}

static uint64_t elsewhere(struct lab_pktbuf *p,
			  uint64_t (*task)(struct lab_pktbuf *))
{
	unsigned n;

	if (!p->running)
		return task(p);
	p->task = task;
	n = atomic_load_explicit(&p->asked, memory_order_relaxed) + 1;
	atomic_store_explicit(&p->asked, n, memory_order_release);
	wait_for(&p->done, n);
	return p->result;
}

static bool start_other(struct lab_pktbuf *p, char why[LAB_WHY])
{
	int error;

	/* until it has begun */
	atomic_store(&p->done, UINT32_MAX);
	error = pthread_create(&p->thread, NULL, other, p);
	if (error) {
		snprintf(why, LAB_WHY, "no thread: %s", strerror(error));
		return false;
	}
	p->running = true;
	wait_for(&p->done, 0);
	snprintf(why, LAB_WHY, "%s", p->why);
	return !why[0];
}

/* ------------------------------------------------------------------------
 * What is timed
 */

/* Bursts, and what is left. */
static uint64_t run(struct lab_pktbuf *p, size_t n,
		    uint64_t (*here)(struct lab_pktbuf *),
		    uint64_t (*there)(struct lab_pktbuf *))
{
	uint64_t all = 0;

	for (; n; n -= p->n) {
		p->n = n < BURST ? n : BURST;
		here(p);
		all += elsewhere(p, there);
	}
	return all;
}

static uint64_t run_way(void *what, size_t n)
{
	const struct timed_way *timed_way = what;
	struct lab_pktbuf *p = timed_way->work;

	p->way = timed_way->way;
	switch (timed_way->scope) {
	case LAB_PKTBUF_INIT:
		p->n = n;
		if (p->way.at_return)
			return elsewhere(p, only_initialise);
		/* the time of asking the other CPU is in both ways */
		elsewhere(p, nothing);
		return only_initialise(p);
	case LAB_PKTBUF_PAIR:
		return run(p, n, only_take, only_return);
	default:
		return run(p, n, receive_all, deliver_all);
	}
}

/* Headers that the last way has left are not what this one would leave. */
static bool make_ready(void *context, struct lab_timed *item)
{
	struct lab_pktbuf *p = context;
	const struct timed_way *timed_way = item->what;

	p->way = timed_way->way;
	if (timed_way->scope == LAB_PKTBUF_INIT) {
		receive_used(p);
		elsewhere(p, deliver_used);
	} else {
		run_way(item->what, BURST);
	}
	return true;
}

static bool is_right(void *context, struct lab_timed *item, uint64_t all)
{
	struct lab_pktbuf *p = context;
	const struct timed_way *timed_way = item->what;

	if (timed_way->scope == LAB_PKTBUF_INIT)
		for (size_t i = 0; i < BURST; i++)
			push(&p->back, p->burst[i]);
	if (timed_way->scope == LAB_PKTBUF_WORK)
		return all == item->n / BURST * p->sums[BURST] +
				      p->sums[item->n % BURST];
	return all == item->n;
}

/* ------------------------------------------------------------------------
 * Beginning and end
 */

struct lab_pktbuf_way lab_pktbuf_way(size_t index)
{
	return (struct lab_pktbuf_way){ .at_return = index & 1,
					.scattered = index & 2,
					.prefetch = index & 4 };
}

static bool tried(struct lab_pktbuf *p)
{
	enum { TIMES = 2 };

	p->right = true;
	for (size_t w = 0; w < LAB_PKTBUF_WAYS; w++) {
		p->way = lab_pktbuf_way(w);
		/* headers that the way before has left */
		refill(p);
		for (size_t i = 0; i < p->npool; i++)
			initialise(p, p->pool[i]);
		run(p, TIMES * BURST, receive_checked, deliver_checked);
	}
	return p->right;
}

static void fill(struct lab_pktbuf *p, uint64_t seed)
{
	for (size_t i = 0; i < (size_t)BURST * ROOM; i += sizeof(uint64_t)) {
		uint64_t word = splitmix64(&seed);

		memcpy(p->packets + i, &word, sizeof(word));
	}
	for (size_t i = 0; i < BURST; i++)
		p->sums[i + 1] =
			p->sums[i] + csum_be16_from_host(model_csum(
					     p->packets + i * ROOM, p->len, 0));
	for (size_t i = 0; i < POOL; i++)
		p->pool[p->npool++] = &p->headers[i];
}

static bool allocate(struct lab_pktbuf *p)
{
	p->headers = aligned_alloc(LINE, POOL * sizeof(struct header));
	p->room = aligned_alloc(LINE, (size_t)POOL * ROOM);
	p->packets = aligned_alloc(LINE, (size_t)BURST * ROOM);
	p->user = aligned_alloc(LINE, (size_t)BURST * ROOM);
	return p->headers && p->room && p->packets && p->user;
}

static void lay_out(struct lab_pktbuf_run *run, uint32_t seed, double seconds)
{
	struct lab_pktbuf *p = run->work;
	size_t n = 0;

	for (size_t s = 0; s < LAB_PKTBUF_SCOPES; s++)
		for (size_t w = 0; w < LAB_PKTBUF_WAYS; w++) {
			struct timed_way *timed_way = &p->timed_ways[s][w];

			*timed_way =
				(struct timed_way){ p, lab_pktbuf_way(w),
						    (enum lab_pktbuf_scope)s };
			run->items[s][w] = (struct lab_timed){
				.run = run_way,
				.what = timed_way,
				.group = s,
				.n = s == LAB_PKTBUF_INIT ? BURST : 0,
			};
			run->list[n++] = &run->items[s][w];
		}
	run->time = (struct lab_rounds){ .items = run->list,
					 .nitems = n,
					 .seconds = seconds,
					 .random = seed,
					 .hooks = { .before = make_ready,
						    .after = is_right,
						    .context = p } };
}

bool lab_pktbuf_begin(struct lab_pktbuf_run *run,
		      const struct lab_pktbuf_plan *plan, char why[LAB_WHY])
{
	struct lab_pktbuf *p = aligned_alloc(LINE, sizeof(*p));

	assert(plan->len && plan->len <= LAB_PKTBUF_LONGEST);
	*run = (struct lab_pktbuf_run){ .work = p };
	snprintf(why, LAB_WHY, "out of memory");
	if (!p)
		return false;
	*p = (struct lab_pktbuf){ .len = plan->len, .cpu = plan->other };
	if (!allocate(p) || (plan->cpu >= 0 && !lab_pin(0, plan->cpu, why)))
		return false;
	fill(p, plan->seed);
	if (plan->other >= 0 && !start_other(p, why))
		return false;
	lay_out(run, plan->seed, plan->seconds);
	snprintf(why, LAB_WHY,
		 "a header is not initialised, or a packet arrives changed");
	return tried(p);
}

void lab_pktbuf_end(struct lab_pktbuf_run *run)
{
	struct lab_pktbuf *p = run->work;

	if (!p)
		return;
	if (p->running) {
		p->quit = true;
		atomic_fetch_add_explicit(&p->asked, 1, memory_order_release);
		pthread_join(p->thread, NULL);
	}
	free(p->user);
	free(p->packets);
	free(p->room);
	free(p->headers);
	free(p);
	run->work = NULL;
}
