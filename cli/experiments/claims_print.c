/* SPDX-License-Identifier: BSD-2-Clause */
/* claims_print.c - claims as text. */
#include "claims_print.h"

#include <stdio.h>
#include <string.h>

#include "claims_judge.h"
#include "experiment.h"
#include "machine.h"

static const char *const scene_names[SCENES] = {
	[HOT] = "hot",
	[COLD] = "cold",
	[SEQUENTIAL] = "in order",
	[FRESH] = "new lengths",
	[INLINED] = "hot",
	[ONE_CPU] = "one CPU",
	[ACROSS] = "across CPUs",
};

enum { WIDTH = 80, INDENT = 4, LABEL = 46 };

/* Goes on at the given column, without a blank at the end of a line. */
static void print_wrapped(const char *text, size_t at)
{
	const char *between = "";

	while (*text) {
		size_t n = strcspn(text, " ");

		if (at + strlen(between) + n > WIDTH) {
			printf("\n%*s", INDENT, "");
			between = "";
			at = INDENT;
		}
		printf("%s%.*s", between, (int)n, text);
		at += strlen(between) + n;
		text += n + (text[n] == ' ');
		between = " ";
	}
	putchar('\n');
}

void claim_test_label(const struct test *t, char label[CLAIM_LABEL])
{
	static const char *const scopes[] = {
		[LAB_PKTBUF_INIT] = "initialising",
		[LAB_PKTBUF_PAIR] = "both",
		[LAB_PKTBUF_WORK] = "workload",
	};

	if (t->scene >= ONE_CPU)
		snprintf(label, CLAIM_LABEL, "%s / %s, %s, %s", t->a, t->b,
			 scopes[t->size], scene_names[t->scene]);
	else if (t->scene == FRESH)
		snprintf(label, CLAIM_LABEL, "%s, new lengths / known ones",
			 t->a);
	else if (strchr(t->a, '@'))
		snprintf(label, CLAIM_LABEL, "%s / %s", t->a, t->b);
	else
		snprintf(label, CLAIM_LABEL, "%s / %s, %zu %s", t->a, t->b,
			 t->size, scene_names[t->scene]);
}

/* When it holds. */
void claim_test_bound(const struct test *t, char bound[CLAIM_BOUND])
{
	static const char signs[] = { [BELOW] = '<',
				      [ABOVE] = '>',
				      [REMAINS] = '<',
				      [EXCEEDS] = '>',
				      [TURNS] = '>' };

	if (t->kind == SHOWN)
		bound[0] = 0;
	else if (t->kind == NEAR)
		snprintf(bound, CLAIM_BOUND, "1+-%.0f%%", 100 * t->holds);
	else
		snprintf(bound, CLAIM_BOUND, "%c%.2f", signs[t->kind],
			 t->kind == TURNS ? t->fails : t->holds);
}

/* Lines fit, whatever the noise. */
static int decimals(double v)
{
	if (v < 0)
		return v > -10 ? 2 : 0;
	return v < 10 ? 3 : v < 100 ? 2 : 0;
}

static void print_figure(const char *label, const char *bound,
			 struct lab_interval i)
{
	if (lab_too_noisy(i)) {
		printf("%*s%-*s %6s too noisy to say\n", INDENT - 1, "", LABEL,
		       label, bound);
		return;
	}
	printf("%*s%-*s %6s %6.*f (%.*f to %.*f)\n", INDENT - 1, "", LABEL,
	       label, bound, decimals(i.median), i.median, decimals(i.low),
	       i.low, decimals(i.high), i.high);
}

static void print_test(const struct test *t, const struct result *r)
{
	bool derived = t->kind == REMAINS || t->kind == EXCEEDS;
	char label[CLAIM_LABEL], bound[CLAIM_BOUND];

	if (!r->tried)
		return;
	claim_test_label(t, label);
	claim_test_bound(t, bound);
	print_figure(label, derived ? "" : bound, r->ratio);
	if (t->kind == REMAINS)
		print_figure("  what this leaves of the gain above", bound,
			     r->value);
	if (t->kind == EXCEEDS)
		print_figure("  this ratio to the one above", bound, r->value);
}

void claim_print(const struct judge *j)
{
	const struct claim *c = j->claim;
	char verdict[LAB_WHY + 64];

	printf("%*d  ", INDENT - 2, (int)(c - claims) + 1);
	print_wrapped(c->text, INDENT);
	for (size_t i = 0; i < MOST_TESTS && c->tests[i].kind; i++)
		print_test(&c->tests[i], &j->results[i]);
	if (j->outcome == NOT_TRIED)
		snprintf(verdict, sizeof(verdict), "=> %s: %s",
			 outcome_names[NOT_TRIED], j->why);
	else
		snprintf(verdict, sizeof(verdict), "=> %s",
			 outcome_names[j->outcome]);
	printf("%*s", INDENT - 3, "");
	print_wrapped(verdict, INDENT - 3);
	putchar('\n');
	fflush(stdout);
}

void claims_print_head(const struct bench_options *opt)
{
	struct lab_machine m;

	experiment_header(opt, "what was asserted, tried here");
	puts("Ratios of times, with the interval of 99%; beside each, what it "
	     "has to be if the\nclaim holds.  hot: the same bytes again; cold: "
	     "shuffled over memory; in order:\nupwards through it.  csum "
	     "bench claims N tries one.\n");
	lab_machine_get(&m);
	if (m.load > 0.3)
		printf("The load average is %.1f: others want the CPUs, so "
		       "less can be shown.\n\n",
		       m.load);
}

void claims_print_summary(const enum outcome outcomes[CLAIMS],
			  const bool asked[CLAIMS])
{
	for (int o = 0; o < OUTCOMES; o++) {
		const char *between = ": ";

		for (int i = 0; i < CLAIMS; i++) {
			if (!asked[i] || (int)outcomes[i] != o)
				continue;
			if (*between == ':')
				fputs(outcome_names[o], stdout);
			printf("%s%d", between, i + 1);
			between = ", ";
		}
		if (*between == ',')
			putchar('\n');
	}
}
