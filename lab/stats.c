/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stats.c - order statistics.
 *
 * Timings are the true cost plus what the machine does besides, which is never
 * negative and sometimes huge.  A mean follows the huge ones; the median and
 * the median distance from it do not, until half of the samples are bad.
 */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double sorted_quantile(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t i = (size_t)at;

	if (i + 1 >= n)
		return sorted[n - 1];
	return sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

double lab_quantile(const double *x, size_t n, double q, double *room)
{
	memcpy(room, x, n * sizeof(*x));
	qsort(room, n, sizeof(*room), compare);
	return sorted_quantile(room, n, q);
}

/*
 * How many of @n sorted samples lie outside of an interval for their median, on
 * each side.  It lies between the k-th smallest and the k-th largest unless
 * fewer than k of them fell on one side of it: that is a coin thrown n times,
 * n/2 heads expected, sqrt(n)/2 off by chance, @z times as much rarely.
 */
static size_t outside(size_t n, double z)
{
	double k = floor(((double)n - z * sqrt((double)n)) / 2);

	return k > 1 ? (size_t)k - 1 : 0;
}

static const double z95 = 1.96, z99 = 2.576;

struct lab_stats lab_stats(const double *x, size_t n, double *room)
{
	size_t skip = outside(n, z95);
	struct lab_stats s = { 0 };

	s.median = lab_quantile(x, n, 0.5, room);
	s.min = room[0];
	s.low = room[skip];
	s.high = room[n - 1 - skip];
	for (size_t i = 0; i < n; i++)
		s.mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		s.sd += (x[i] - s.mean) * (x[i] - s.mean);
	s.sd = n > 1 ? sqrt(s.sd / (double)(n - 1)) : 0;
	for (size_t i = 0; i < n; i++)
		room[i] = x[i] < s.median ? s.median - x[i] : x[i] - s.median;
	qsort(room, n, sizeof(*room), compare);
	s.mad = sorted_quantile(room, n, 0.5);
	return s;
}

double lab_ratio(const double *x, const double *y, size_t n, double *room)
{
	for (size_t i = 0; i < n; i++)
		room[i] = x[i] / y[i];
	qsort(room, n, sizeof(*room), compare);
	return sorted_quantile(room, n, 0.5);
}

struct lab_interval lab_ratio_interval(const double *x, const double *y,
				       size_t n, double *room)
{
	size_t skip = outside(n, z99);
	struct lab_interval i = { .median = lab_ratio(x, y, n, room) };

	/* lab_ratio() leaves the ratios sorted */
	i.low = room[skip];
	i.high = room[n - 1 - skip];
	return i;
}

double lab_noise(struct lab_interval i)
{
	return (i.high - i.low) / 2 / i.median;
}

bool lab_too_noisy(struct lab_interval i)
{
	const double most = 0.5;

	return lab_noise(i) > most && i.low < 1 && i.high > 1;
}
