#include "doctor/trial.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "analysis/crossover.h"
#include "analysis/noise.h"
#include "analysis/pairs.h"
#include "analysis/power.h"
#include "analysis/sort.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/home.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "doctor/kernel.h"
#include "session/launch.h"

#define RUN_MOST_S 0.05
#define RUN_LEAST_S 0.005
#define WARMUP_RUNS 2       /* of each */
#define INTERRUPTED_ABOVE 1.05
#define ALPHA 0.05
#define POWER 0.8
#define BIAS_LEVEL 0.99
#define BIAS_PAIRS 10
#define OUTPUT_LIMIT (1 << 20)
#define RUN_TIMEOUT_S 60

/* The temporary folder with the program, its copy, and where their output goes. */
struct place {
	char *folder, *programs[2], *output;
	char steps[32];
};

/* Times of pairs, in the order measured. */
struct times {
	double *a, *b, *all;
	enum pair_order *orders;
	size_t count, room;
};

/* ---- the two programs ---- */

static int
make_place(struct place *place, struct error *error)
{
	char *tool = home_tool(error);
	int i, result = -1;

	if (tool != NULL && (place->folder = scratch_folder("doctor", error)) != NULL)
		result = 0;
	for (i = 0; i < 2 && result == 0; i++) {
		place->programs[i] = memory_format("%s/%c", place->folder, "ab"[i]);
		result = file_copy(tool, place->programs[i], error);
	}
	if (result == 0)
		place->output = memory_format("%s/output", place->folder);
	free(tool);
	return result;
}

static void
remove_place(struct place *place)
{
	if (place->folder != NULL)
		file_remove_tree(place->folder, NULL);
	free(place->folder);
	free(place->programs[0]);
	free(place->programs[1]);
	free(place->output);
}

/* ---- runs ---- */

static int
check_run(const struct launch_result *result, struct error *error)
{
	if (result->end == LAUNCH_INTERRUPTED)
		return error_set(error, EXIT_INTERRUPTED, "interrupted");
	if (result->end == LAUNCH_NOT_STARTED)
		return error_set(error, EXIT_FAILED, "the built-in program cannot be started: %s",
				 strerror(result->start_error));
	if (result->end != LAUNCH_EXITED || result->exit_code != 0)
		return error_set(error, EXIT_FAILED, "the built-in program was ended from outside");
	return 0;
}

/* One process; its time to *wall_us. */
static int
run_one(struct place *place, int which, struct trial *trial, const volatile int *interrupted,
	double *wall_us, struct error *error)
{
	char *argv[] = {place->programs[which], (char *)"doctor", (char *)"--kernel", place->steps, NULL};
	char *envp[] = {(char *)"LC_ALL=C", NULL};
	struct launch_request request = {
		.program = place->programs[which],
		.argv = argv,
		.envp = envp,
		.stdout_path = place->output,
		.stderr_path = place->output,
		.cpus = &trial->cpu,
		.cpu_count = trial->cpu >= 0,
		.timeout_s = RUN_TIMEOUT_S,
		.output_limit_bytes = OUTPUT_LIMIT,
	};
	struct launch_result result;
	int status = launch_run(&request, interrupted, &result, error);

	if (status == 0)
		status = check_run(&result, error);
	if (status == 0) {
		*wall_us = result.wall_us;
		trial->own_cpu_s += (result.user_us + result.sys_us) / 1e6;
		trial->interrupted_runs +=
			result.wall_us > INTERRUPTED_ABOVE * (result.user_us + result.sys_us);
	}
	launch_result_free(&result);
	return status;
}

static int
run_pair(struct place *place, struct trial *trial, struct times *times,
	 const volatile int *interrupted, struct error *error)
{
	size_t i = times->count;
	int first = (int)(i % 2);
	double us[2];

	if (run_one(place, first, trial, interrupted, &us[first], error) != 0 ||
	    run_one(place, 1 - first, trial, interrupted, &us[1 - first], error) != 0)
		return -1;
	times->a[i] = us[0];
	times->b[i] = us[1];
	times->all[2 * i] = us[0];
	times->all[2 * i + 1] = us[1];
	times->orders[i] = first == 0 ? PAIR_AB : PAIR_BA;
	times->count++;
	return 0;
}

static double
own_seconds(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) != 0)
		return 0;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void
choose_length(struct place *place, struct trial *trial, struct times *times)
{
	double run_s = trial->asked_s / (2.0 * 2 * TRIAL_PAIRS);

	run_s = fmin(RUN_MOST_S, fmax(RUN_LEAST_S, run_s));
	snprintf(place->steps, sizeof place->steps, "%ju", (uintmax_t)kernel_steps_for(run_s));
	times->room = TRIAL_PAIRS + (size_t)(trial->asked_s / (2 * RUN_LEAST_S));
	times->a = memory_zeroed(times->room, sizeof *times->a);
	times->b = memory_zeroed(times->room, sizeof *times->b);
	times->all = memory_zeroed(2 * times->room, sizeof *times->all);
	times->orders = memory_zeroed(times->room, sizeof *times->orders);
}

static int
run_pairs(struct place *place, struct trial *trial, struct times *times,
	  const volatile int *interrupted, struct error *error)
{
	int64_t from = clock_monotonic_ns();
	double own_s = own_seconds(), ignored;
	int i;

	choose_length(place, trial, times);
	for (i = 0; i < 2 * WARMUP_RUNS; i++)
		if (run_one(place, i % 2, trial, interrupted, &ignored, error) != 0)
			return -1;
	trial->interrupted_runs = 0;
	while (times->count < times->room) {
		trial->seconds = (double)(clock_monotonic_ns() - from) / 1e9;
		if (times->count >= TRIAL_PAIRS && trial->seconds >= trial->asked_s)
			break;
		if (run_pair(place, trial, times, interrupted, error) != 0)
			return -1;
	}
	trial->own_cpu_s += own_seconds() - own_s;
	return 0;
}

/* ---- what they say ---- */

static void
compute(struct trial *trial, struct times *times)
{
	size_t n = times->count;
	double *d = memory_zeroed(n, sizeof *d);
	struct power_mde effect;
	struct noise_floor noise;
	struct noise_bias bias;

	trial->pairs = n;
	trial->runs = 2 * n;
	sort_doubles(times->all, 2 * n);
	trial->run_ms = (times->all[n - 1] + times->all[n]) / 2 / 1e3;
	if (pairs_differences(times->a, times->b, times->orders, n, d) != STAT_OK ||
	    crossover_spread(d, times->orders, n, &trial->sd) != STAT_OK)
		trial->sd = NAN;
	trial->effect_percent = NAN;
	if (power_mde(trial->sd, TRIAL_PAIRS, ALPHA, POWER, &effect) == STAT_OK)
		trial->effect_percent = effect.percent_t;
	/* The floor of TRIAL_PAIRS pairs; the others serve as its control. */
	trial->floor_percent = NAN;
	if (noise_floor_mad(d + TRIAL_PAIRS, n - TRIAL_PAIRS, d, times->orders, TRIAL_PAIRS, &noise) ==
	    STAT_OK)
		trial->floor_percent = noise.floor_percent;
	trial->bias_percent = NAN;
	if (noise_label_bias(d, times->orders, n, BIAS_LEVEL, BIAS_PAIRS, &bias) == STAT_OK) {
		trial->bias_percent = 100 * expm1(bias.estimate.log_ratio);
		trial->biased = bias.biased;
	}
	free(d);
}

/* The clock that the harness and our launches read. */
static double
clock_read_ns(void)
{
	enum { READINGS = 1000, ROUNDS = 5 };
	double least = INFINITY;
	int i, round;

	for (round = 0; round < ROUNDS; round++) {
		int64_t from = clock_monotonic_ns(), last = from;

		for (i = 0; i < READINGS; i++)
			last = clock_monotonic_ns();
		least = fmin(least, (double)(last - from) / READINGS);
	}
	return least;
}

int
trial_run(struct trial *trial, const volatile int *interrupted, struct error *error)
{
	struct place place = {.folder = NULL};
	struct times times = {.count = 0};
	int result = launch_prepare(error);

	trial->clock_read_ns = clock_read_ns();
	if (result == 0)
		result = make_place(&place, error);
	if (result == 0)
		result = run_pairs(&place, trial, &times, interrupted, error);
	if (result == 0)
		compute(trial, &times);
	remove_place(&place);
	free(times.a);
	free(times.b);
	free(times.all);
	free(times.orders);
	return result;
}
