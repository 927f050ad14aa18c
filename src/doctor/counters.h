#ifndef ASSAY_COUNTERS_H
#define ASSAY_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Counters of the kernel that only grow; two readings tell what happened in between. Files of
 * /proc and /sys are read below $ASSAY_SYSROOT when that is set.
 */

/* Clock ticks of one CPU, or of all. */
struct cpu_ticks {
	int64_t busy;  /* running something, interrupts included */
	int64_t steal; /* ready to run, but the host ran something else */
	int64_t total;
};

struct process_ticks {
	int pid;
	int64_t busy;
	char name[64];
};

struct counters {
	struct cpu_ticks all;       /* total 0: /proc/stat cannot be read, `problem` says why */
	struct cpu_ticks *cpus;     /* by CPU number; total 0 where a CPU is off */
	size_t cpu_count;
	struct process_ticks *processes; /* but for this one, sorted by pid */
	size_t process_count;
	int64_t throttles;          /* how often a core or package was slowed for heat; -1: not told */
	int64_t swapped_pages;      /* in and out; -1: not told */
	char problem[256];
};

/* counters_free always. */
void counters_read(struct counters *counters);
void counters_free(struct counters *counters);

/* What passed between two readings. */
struct cpu_ticks counters_between(const struct cpu_ticks *before, const struct cpu_ticks *after);
/* Of one CPU; zeros when it is not in both. */
struct cpu_ticks counters_of_cpu(const struct counters *before, const struct counters *after, int cpu);
/* The process that ran most in between, borrowed from `after`, and its ticks; NULL when none ran. */
const struct process_ticks *counters_busiest(const struct counters *before,
					     const struct counters *after, int64_t *ticks);

#endif
