/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <string.h>
#include <time.h>

#include "clock.h"

#define BATCHES 21
#define BATCH_CALLS 1000
#define STEPS 20000

static uint64_t
to_ns(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * UINT64_C(1000000000) + (uint64_t)t->tv_nsec;
}

int
assay_clock_check(struct assay_error *error)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC_RAW, &t) != 0)
		return assay_fail(error, "no CLOCK_MONOTONIC_RAW here: %s", strerror(errno));
	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
		return assay_fail(error, "no CLOCK_THREAD_CPUTIME_ID here: %s",
			strerror(errno));
	return 0;
}

uint64_t
assay_wall_ns(void)
{
	struct timespec t = {0};

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return to_ns(&t);
}

uint64_t
assay_cpu_ns(void)
{
	struct timespec t = {0};

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return to_ns(&t);
}

uint64_t
assay_process_cpu_ns(void)
{
	struct timespec t = {0};

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return to_ns(&t);
}

static double
batch_cost_ns(uint64_t (*clock)(void))
{
	uint64_t start = assay_wall_ns();

	for (int i = 0; i < BATCH_CALLS; i++) {
		uint64_t now = clock();
		assay_keep(now);
	}
	return (double)(assay_wall_ns() - start) / BATCH_CALLS;
}

double
assay_clock_cost_ns(uint64_t (*clock)(void))
{
	double least = batch_cost_ns(clock);

	for (int i = 1; i < BATCHES; i++) {
		double cost = batch_cost_ns(clock);
		if (cost < least)
			least = cost;
	}
	return least;
}

uint64_t
assay_clock_step(uint64_t (*clock)(void))
{
	uint64_t least = 0;
	uint64_t before = clock();

	for (int i = 0; i < STEPS; i++) {
		uint64_t now = clock();
		if (now > before && (least == 0 || now - before < least))
			least = now - before;
		before = now;
	}
	return least;
}
