/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stats.h - order statistics of samples.
 *
 * All functions take @n >= 1 samples in any order, and @room for as many.
 */
#ifndef CSUM_LAB_STATS_H
#define CSUM_LAB_STATS_H

#include <stdbool.h>
#include <stddef.h>

struct lab_stats {
	double median;
	double low, high; /* the true median is between, with 95% probability */
	double mad;	  /* median distance from the median */
	double min;
	double mean, sd; /* both describe the disturbances, see METHOD.md */
};

/* The quantile @q, 0 to 1, interpolated between two samples. */
double lab_quantile(const double *x, size_t n, double q, double *room);

struct lab_stats lab_stats(const double *x, size_t n, double *room);

/* The median of x[i] / y[i]: of samples taken side by side. */
double lab_ratio(const double *x, const double *y, size_t n, double *room);

/* A median, and where the true one is with 99% probability. */
struct lab_interval {
	double low, median, high;
};

/*
 * lab_ratio() and its interval, of 99% since it is for verdicts: at 95% one
 * verdict in 20 would err.
 */
struct lab_interval lab_ratio_interval(const double *x, const double *y,
				       size_t n, double *room);

/*
 * Half the width of the interval, relative to its median: a smaller difference
 * cannot be told from none.
 */
double lab_noise(struct lab_interval i);

/*
 * True if an interval of a ratio lies on both sides of 1 and is wider than the
 * median: that says nothing.
 */
bool lab_too_noisy(struct lab_interval i);

#endif
