#ifndef ASSAY_ANALYSIS_COUNTERS_H
#define ASSAY_ANALYSIS_COUNTERS_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * Hardware counters. A processor has fewer of them than there are events to count, so the kernel
 * lets the events take turns and says for which share of the time each was on (multiplexing).
 * Scaling up supposes that the work is the same all the time, which holds for repeated passes of
 * one kernel and for little else; so the share is part of the result.
 */

/* One event of one counted sample. */
struct counter_count {
	double wall_us;  /* how long the sample took, > 0 */
	double count;    /* as counted, >= 0 */
	double fraction; /* of the time it was counted, 0 to 1 */
};

struct counter_scaled {
	double count;    /* of a whole sample, scaled up */
	double fraction; /* of the time of all samples */
};

/*
 * The count of a mean sample from n samples of one process: sum(count) / sum(fraction * wall) is
 * the rate while the event was on, as in perf's count * enabled / running, but over all samples,
 * so that one in which the event had no turn does no harm. STAT_TOO_FEW when it never had a turn;
 * the fraction is then 0.
 */
enum stat_status counters_scale(const struct counter_count *counts, size_t n,
				struct counter_scaled *out);

/* The events that ratios are made of, by the harness's names. */
enum counter_event {
	COUNTER_CYCLES, COUNTER_INSTRUCTIONS, COUNTER_CACHE_REFERENCES, COUNTER_CACHE_MISSES,
	COUNTER_BRANCHES, COUNTER_BRANCH_MISSES, COUNTER_STALLS_FRONTEND, COUNTER_STALLS_BACKEND,
	COUNTER_L1D_LOADS, COUNTER_L1D_MISSES, COUNTER_LLC_LOADS, COUNTER_LLC_MISSES,
	COUNTER_TASK_CLOCK_NS, COUNTER_MEMORY_READ_BYTES, COUNTER_MEMORY_WRITE_BYTES,
	COUNTER_ENERGY_PACKAGE_UJ, COUNTER_ENERGY_DRAM_UJ,
	COUNTER_EVENTS
};
/* COUNTER_EVENTS: none that a ratio needs. */
enum counter_event counters_find(const char *name);

/* Of one mean sample. */
struct counter_sample {
	double wall_us, cpu_us;
	double counts[COUNTER_EVENTS]; /* scaled; NaN: not counted */
};

struct counter_ratio {
	const char *name, *unit; /* unit "1" without one */
	const char *of;          /* how it is made, for people */
	/* NaN where an event lacks or what is divided by is 0 */
	double (*value)(const struct counter_sample *sample);
};
/* Ends with a name that is NULL. */
extern const struct counter_ratio counter_ratios[];

#endif
