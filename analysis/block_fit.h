#ifndef ASSAY_BLOCK_FIT_H
#define ASSAY_BLOCK_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/stat.h"

/*
 * Models of scaling fitted to whole blocks: each block has one time at each of `points`
 * processor counts, in units of the serial program's time in the same block, which takes drift
 * out. time[b * points + i] belongs to block b and p[i]; p distinct, in [1, 1e9]. The estimates
 * are those of scaling_fit.h and usl.h on all times; intervals by leaving out one block at a
 * time (jackknife.h), since times of a block share its moment and errors grow with the time.
 * An interval is NaN, and `interval` says why, with fewer than 4 blocks (STAT_TOO_FEW), with no
 * more processor counts than parameters (STAT_NO_INTERVAL: the curve goes through them whatever
 * the law), and for a parameter at its bound (STAT_NO_INTERVAL).
 */

struct block_times {
	const double *p, *time;
	size_t points, blocks;
	bool weak; /* the problem at p is p times that at 1 */
};

struct block_estimate {
	double value, lo, hi;
	enum stat_status interval;
};

struct block_amdahl {
	struct block_estimate serial;      /* fraction; not bounded */
	double serial_time, parallel_time; /* t(p) = serial_time + parallel_time/p */
	double r2;
};

struct block_usl {
	struct block_estimate gamma, alpha, beta; /* gamma: throughput at p = 1, the serial program's is 1 */
	double peak_p;
	bool alpha_at_bound, beta_at_bound;
};

/* Strong scaling; two processor counts (STAT_TOO_FEW). */
enum stat_status block_fit_amdahl(const struct block_times *times, double conf, struct block_amdahl *out);
/* Weak scaling; the scaled speedup p/time. One processor count above 1. */
enum stat_status block_fit_gustafson(const struct block_times *times, double conf, struct block_estimate *out);
/* Either; three processor counts. */
enum stat_status block_fit_usl(const struct block_times *times, double conf, struct block_usl *out);

#endif
