#include "analysis/counters.h"

#include <math.h>
#include <string.h>

#define LINE_BYTES 64 /* of a cache line */

enum stat_status
counters_scale(const struct counter_count *counts, size_t n, struct counter_scaled *out)
{
	double counted = 0, wall = 0, on = 0;
	size_t i;

	out->count = out->fraction = NAN;
	if (n == 0)
		return STAT_TOO_FEW;
	for (i = 0; i < n; i++) {
		if (!isfinite(counts[i].wall_us) || !isfinite(counts[i].count) ||
		    !isfinite(counts[i].fraction))
			return STAT_NOT_FINITE;
		if (counts[i].wall_us <= 0)
			return STAT_NOT_POSITIVE;
		if (counts[i].count < 0 || counts[i].fraction < 0 || counts[i].fraction > 1)
			return STAT_BAD_ARGUMENT;
		counted += counts[i].count;
		wall += counts[i].wall_us;
		on += counts[i].fraction * counts[i].wall_us;
	}
	out->fraction = on / wall;
	if (on <= 0)
		return STAT_TOO_FEW;
	out->count = counted / on * (wall / (double)n);
	return STAT_OK;
}

static const char *const names[COUNTER_EVENTS] = {
	[COUNTER_CYCLES] = "cycles",
	[COUNTER_INSTRUCTIONS] = "instructions",
	[COUNTER_CACHE_REFERENCES] = "cache_references",
	[COUNTER_CACHE_MISSES] = "cache_misses",
	[COUNTER_BRANCHES] = "branches",
	[COUNTER_BRANCH_MISSES] = "branch_misses",
	[COUNTER_STALLS_FRONTEND] = "stalls_frontend",
	[COUNTER_STALLS_BACKEND] = "stalls_backend",
	[COUNTER_L1D_LOADS] = "l1d_loads",
	[COUNTER_L1D_MISSES] = "l1d_misses",
	[COUNTER_LLC_LOADS] = "llc_loads",
	[COUNTER_LLC_MISSES] = "llc_misses",
	[COUNTER_TASK_CLOCK_NS] = "task_clock_ns",
	[COUNTER_MEMORY_READ_BYTES] = "memory_read_bytes",
	[COUNTER_MEMORY_WRITE_BYTES] = "memory_write_bytes",
	[COUNTER_ENERGY_PACKAGE_UJ] = "energy_package_uj",
	[COUNTER_ENERGY_DRAM_UJ] = "energy_dram_uj",
};

enum counter_event
counters_find(const char *name)
{
	int event;

	for (event = 0; event < COUNTER_EVENTS; event++)
		if (strcmp(names[event], name) == 0)
			break;
	return (enum counter_event)event;
}

static double
quotient(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* A ratio of two counts. */
#define OF_EVENTS(name, a, b) \
	static double name(const struct counter_sample *s) { return quotient(s->counts[a], s->counts[b]); }
OF_EVENTS(ipc, COUNTER_INSTRUCTIONS, COUNTER_CYCLES)
OF_EVENTS(cache_miss_rate, COUNTER_CACHE_MISSES, COUNTER_CACHE_REFERENCES)
OF_EVENTS(branch_miss_rate, COUNTER_BRANCH_MISSES, COUNTER_BRANCHES)
OF_EVENTS(l1d_miss_rate, COUNTER_L1D_MISSES, COUNTER_L1D_LOADS)
OF_EVENTS(llc_miss_rate, COUNTER_LLC_MISSES, COUNTER_LLC_LOADS)
OF_EVENTS(frontend_stalled, COUNTER_STALLS_FRONTEND, COUNTER_CYCLES)
OF_EVENTS(backend_stalled, COUNTER_STALLS_BACKEND, COUNTER_CYCLES)
#undef OF_EVENTS

/* Cycles while it ran, whatever the clock's nominal rate. The task clock knows all threads, the
 * CPU time of the sample its own alone. */
static double
effective_hz(const struct counter_sample *s)
{
	double ran_ns = s->counts[COUNTER_TASK_CLOCK_NS];

	return quotient(s->counts[COUNTER_CYCLES] * 1e9, isfinite(ran_ns) ? ran_ns : 1e3 * s->cpu_us);
}

static double
cpus_used(const struct counter_sample *s)
{
	return quotient(s->counts[COUNTER_TASK_CLOCK_NS], 1e3 * s->wall_us);
}

static double
memory_bytes_per_s(const struct counter_sample *s)
{
	return quotient(1e6 * (s->counts[COUNTER_MEMORY_READ_BYTES] +
			       s->counts[COUNTER_MEMORY_WRITE_BYTES]), s->wall_us);
}

static double
missed_bytes_per_s(const struct counter_sample *s)
{
	return quotient(1e6 * LINE_BYTES * s->counts[COUNTER_CACHE_MISSES], s->wall_us);
}

/* A microjoule a microsecond is a watt. */
static double
package_watts(const struct counter_sample *s)
{
	return quotient(s->counts[COUNTER_ENERGY_PACKAGE_UJ], s->wall_us);
}

static double
dram_watts(const struct counter_sample *s)
{
	return quotient(s->counts[COUNTER_ENERGY_DRAM_UJ], s->wall_us);
}

const struct counter_ratio counter_ratios[] = {
	{"ipc", "1", "instructions / cycles", ipc},
	{"cache_miss_rate", "1", "cache_misses / cache_references", cache_miss_rate},
	{"branch_miss_rate", "1", "branch_misses / branches", branch_miss_rate},
	{"l1d_miss_rate", "1", "l1d_misses / l1d_loads", l1d_miss_rate},
	{"llc_miss_rate", "1", "llc_misses / llc_loads", llc_miss_rate},
	{"frontend_stalled", "1", "stalls_frontend / cycles", frontend_stalled},
	{"backend_stalled", "1", "stalls_backend / cycles", backend_stalled},
	{"effective_hz", "Hz", "cycles / time on a CPU", effective_hz},
	{"cpus_used", "1", "task_clock_ns / wall time", cpus_used},
	{"memory_bytes_per_s", "B/s", "(memory_read_bytes + memory_write_bytes) / wall time",
	 memory_bytes_per_s},
	{"missed_bytes_per_s", "B/s", "64 cache_misses / wall time", missed_bytes_per_s},
	{"package_watts", "W", "energy_package_uj / wall time", package_watts},
	{"dram_watts", "W", "energy_dram_uj / wall time", dram_watts},
	{NULL, NULL, NULL, NULL},
};
