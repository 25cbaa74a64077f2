/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stats.c - order statistics.
 *
 * Timings are the true cost plus what the machine does besides, which is never
 * negative and sometimes huge.  A mean follows the huge ones; the median and
 * the median distance from it do not, until half of the samples are bad.
 */
#include "lab.h"

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

struct lab_stats lab_stats(const double *x, size_t n, double *room)
{
	struct lab_stats s;

	s.median = lab_quantile(x, n, 0.5, room);
	s.min = room[0];
	for (size_t i = 0; i < n; i++)
		room[i] = x[i] < s.median ? s.median - x[i] : x[i] - s.median;
	qsort(room, n, sizeof(*room), compare);
	s.mad = sorted_quantile(room, n, 0.5);
	return s;
}

/*
 * The median lies between the k-th smallest and the k-th largest of n samples
 * unless fewer than k of them fell on one side of it: that is a coin thrown n
 * times, n/2 heads expected, sqrt(n)/2 off by chance.
 */
struct lab_interval lab_ratio_interval(const double *x, const double *y,
				       size_t n, double *room)
{
	double k = floor(((double)n - 1.96 * sqrt((double)n)) / 2);
	size_t skip = k > 1 ? (size_t)k - 1 : 0;
	struct lab_interval i = { .median = lab_ratio(x, y, n, room) };

	/* lab_ratio() leaves the ratios sorted */
	i.low = room[skip];
	i.high = room[n - 1 - skip];
	return i;
}

double lab_ratio(const double *x, const double *y, size_t n, double *room)
{
	for (size_t i = 0; i < n; i++)
		room[i] = x[i] / y[i];
	qsort(room, n, sizeof(*room), compare);
	return sorted_quantile(room, n, 0.5);
}
