#ifndef ASSAY_ROOFLINE_H
#define ASSAY_ROOFLINE_H

#include "analysis/stat.h"
#include <stdbool.h>

/*
 * The roofline model, with peak (flop/s) and bandwidth (B/s) measured on the machine at hand.
 * Every argument must be finite and above 0 (STAT_NOT_FINITE, STAT_NOT_POSITIVE); a result
 * that a double can't hold, too large or too small, is STAT_OVERFLOW.
 * Williams, Waterman and Patterson, Roofline: an insightful visual performance model, CACM 52
 * (2009).
 */

/* peak/bandwidth, flop/B: from this arithmetic intensity on, the peak can be reached. */
enum stat_status roofline_ridge(double peak, double bandwidth, double *ridge);

struct roofline_point {
	double intensity;  /* flops/bytes, flop/B */
	double ridge;      /* flop/B */
	double attainable; /* min(peak, intensity * bandwidth), flop/s */
	bool memory_bound; /* intensity < ridge */
};

/* flops and bytes: the work and the memory traffic of a kernel, per run or per element. */
enum stat_status roofline_point(double peak, double bandwidth, double flops, double bytes,
				struct roofline_point *out);

/* From this share of what is attainable on a kernel is called done: what is left to gain on this
 * machine by going on is less than what another intensity can. */
#define ROOFLINE_DONE 0.8

struct roofline_kernel {
	struct roofline_point point;
	double achieved;   /* flops/seconds, flop/s */
	double efficiency; /* achieved/attainable; above 1 the traffic was less than thought,
			    * or the peak measured too low */
};

/* A kernel that did `flops` and moved `bytes` in `seconds`. */
enum stat_status roofline_kernel(double peak, double bandwidth, double flops, double bytes,
				 double seconds, struct roofline_kernel *out);

struct traffic_ceiling {
	double time; /* unit of the time given */
	double speedup;
};

/*
 * The best that cutting only the memory traffic by `factor` can do to `time`, when traffic
 * takes `share` of it: time ((1 - share) + share/factor). share in [0, 1], factor > 0, else
 * STAT_BAD_ARGUMENT.
 */
enum stat_status roofline_traffic_ceiling(double time, double share, double factor,
					  struct traffic_ceiling *out);

#endif
