#ifndef ASSAY_CONCURRENCY_H
#define ASSAY_CONCURRENCY_H

#include "analysis/stat.h"

struct little {
	double bytes;       /* bandwidth * latency: what must be in flight at once */
	double lines;       /* the same in cache lines */
	double whole_lines; /* rounded up, but for a hair of floating point above a whole number */
};

/*
 * Little's law for memory: to sustain `bandwidth` (B/s) at `latency` (s), so many lines of
 * `line_bytes` must be on their way. Every argument finite and above 0; STAT_OVERFLOW for a
 * result that a double can't hold.
 * Little, A proof for the queuing formula L = lambda W, Oper. Res. 9 (1961).
 */
enum stat_status concurrency_little(double bandwidth, double latency, double line_bytes,
				    struct little *out);

#endif
