#include "analysis/judge/clocks.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe.h"
#include "analysis/judge/warning.h"
#include "base/memory.h"

#define BUSY_OF_THREADS 1.2
#define BUSY_OF_WAITING 0.8
/* A hundred looks at 25 ns, and at the microsecond that a system call takes. */
#define SHORTEST_WALL_US 2.5
#define SHORTEST_CPU_US 100.0

/* A group's value of a column: the median of its samples. */
static double
value_of(const struct observations *all, size_t index, const char *name)
{
	const struct collapse median = {COLLAPSE_MEDIAN, 0};
	double value;
	int column = csv_table_column(&all->table, name);

	return column >= 0 && observation_value(all, index, column, median, &value, NULL) == STAT_OK ? value
												      : NAN;
}

static double
sample_busy(const struct observations *all, size_t index)
{
	return value_of(all, index, "cpu_us") / value_of(all, index, "wall_us");
}

static double
process_busy(const struct observations *all, size_t index)
{
	return (value_of(all, index, "process_user_us") + value_of(all, index, "process_sys_us")) /
	       value_of(all, index, "process_wall_us");
}

/* How many times the work of the thread that calls all threads do, by the harness. */
static double
threads_at_work(const struct observations *all, size_t index)
{
	return value_of(all, index, "cpu_us") / value_of(all, index, "caller_cpu_us");
}

/* A process that waits for something, rather than being put off its CPU: mostly, or once a sample and
 * some at its start. */
static double
waits(const struct observations *all, size_t index)
{
	double voluntary = value_of(all, index, "voluntary_switches");
	size_t samples = all->items[index].rows;

	return voluntary > value_of(all, index, "involuntary_switches") ||
	       (samples >= 5 && voluntary >= (double)samples + 2);
}

static double
wall_us(const struct observations *all, size_t index)
{
	return value_of(all, index, "wall_us");
}

static double
cpu_us(const struct observations *all, size_t index)
{
	return value_of(all, index, "cpu_us");
}

typedef double group_value(const struct observations *all, size_t index);

/* What `of` says of a treatment's groups: the median, and the most; NaN: nothing. */
static double
over_groups(const struct observations *all, size_t treatment, group_value *of, double *most)
{
	double *x = memory_zeroed(all->count, sizeof *x), value, median = NAN;
	size_t i, n = 0;

	*most = NAN;
	for (i = 0; i < all->count; i++) {
		const struct observation *one = &all->items[i];

		if (!one->used || !one->ok || one->phase != OBSERVED_AB || (size_t)one->treatment != treatment)
			continue;
		value = of(all, i);
		if (!isfinite(value))
			continue;
		*most = fmax(*most, value);
		x[n++] = value;
	}
	describe_median(x, n, &median);
	free(x);
	return median;
}

static double
median_of(const struct observations *all, size_t treatment, group_value *of)
{
	double most;

	return over_groups(all, treatment, of, &most);
}

/* In a short sample the looks at the clock are most of what the CPU clock sees. */
static group_value *
busy_by(const struct observations *all, size_t treatment, const char *metric)
{
	bool of_samples = strncmp(metric, "process_", 8) != 0 &&
			  median_of(all, treatment, wall_us) >= SHORTEST_CPU_US &&
			  isfinite(median_of(all, treatment, sample_busy));

	return of_samples ? sample_busy : process_busy;
}

/* The most, not the usual: a busy machine makes a group use less than its threads could, and nothing makes a
 * single thread use more than one. */
double
clocks_busy_cpus(const struct observations *all, size_t treatment)
{
	double most;

	over_groups(all, treatment, busy_by(all, treatment, "wall_us"), &most);
	return most;
}

/* How many threads were at work: what the harness says of a sample's, or the CPUs that were busy at once. */
static double
threads_of(const struct observations *all, size_t treatment, const char *metric)
{
	double busy;

	over_groups(all, treatment, busy_by(all, treatment, metric), &busy);
	return fmax(busy, median_of(all, treatment, threads_at_work));
}

static void
warn_threads(const struct case_input *input, const char *metric, double severity, json_t *warnings)
{
	double most = BUSY_OF_THREADS;
	size_t t, found = SIZE_MAX;

	for (t = 0; t < input->plan->treatment_count; t++) {
		double threads = threads_of(input->observations, t, metric);

		if (!(threads > most))
			continue;
		most = threads;
		found = t;
	}
	if (found != SIZE_MAX)
		warning_add(warnings, "cpu_clock", severity, most,
		    "take the wall time: it is what anybody waits for, and the only time for a speedup",
		    "%s adds up what the threads of %s do, %.3g of them: by this clock more threads are never faster",
		    metric, input->plan->treatments[found].name, most);
}

/* Of a treatment without threads: with them one may wait for another. */
static void
warn_waiting(const struct case_input *input, const char *metric, double severity, json_t *warnings)
{
	const struct observations *all = input->observations;
	double least = BUSY_OF_WAITING;
	size_t t, found = SIZE_MAX;

	for (t = 0; t < input->plan->treatment_count; t++) {
		double busy = median_of(all, t, busy_by(all, t, metric));

		if (!(busy < least) || !(median_of(all, t, waits) > 0) ||
		    threads_of(all, t, metric) > BUSY_OF_THREADS)
			continue;
		least = busy;
		found = t;
	}
	if (found != SIZE_MAX)
		warning_add(warnings, "cpu_clock_waits", severity, least,
		    "take the wall time, unless only the work of the CPU is asked about",
		    "%s waits %.0f %% of its time, which %s does not count", input->plan->treatments[found].name,
		    100 * (1 - least), metric);
}

static bool
is_cpu_time(const char *metric)
{
	return strcmp(metric, "cpu_us") == 0 || strcmp(metric, "process_user_us") == 0 ||
	       strcmp(metric, "process_sys_us") == 0;
}

static void
warn_short(const struct case_input *input, json_t *warnings)
{
	bool by_cpu = strcmp(input->plan->primary, "cpu_us") == 0;
	double limit = by_cpu ? SHORTEST_CPU_US : SHORTEST_WALL_US, least = INFINITY;
	size_t t, shortest = 0;

	for (t = 0; t < input->plan->treatment_count; t++) {
		double us = median_of(input->observations, t, by_cpu ? cpu_us : wall_us);

		if (us < least) {
			least = us;
			shortest = t;
		}
	}
	if (least < limit)
		warning_add(warnings, "short_samples", 0.7, least,
		    "raise the passes in a sample (--iters); if it stays short, the work is not done: look for what "
		    "the compiler deleted",
		    "a sample of %s takes %.3g us, hardly more than the looks at the clock that begin and end it",
		    input->plan->treatments[shortest].name, least);
}

void
clocks_warn(const struct case_input *input, json_t *warnings)
{
	const struct settings *metrics = &input->plan->metrics;
	size_t i;

	for (i = 0; i < metrics->count; i++) {
		const char *name = metrics->items[i].name;
		double less = strcmp(name, input->plan->primary) == 0 ? 0 : 0.3;

		if (!is_cpu_time(name))
			continue;
		warn_threads(input, name, 0.9 - less, warnings);
		warn_waiting(input, name, 0.8 - less, warnings);
	}
	if (input->plan->reader != NULL && strcmp(input->plan->reader, "protocol") == 0)
		warn_short(input, warnings);
}
