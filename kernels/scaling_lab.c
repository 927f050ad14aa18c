/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* barriers of POSIX threads */

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/assay_harness.h"

/*
 * Relaxation of a grid: each inner point becomes the mean of its four neighbours, out of one array
 * into another, `sweeps` times; the border stays. `serial` does it as it stands. `threads` divides
 * the rows among threads, which wait for each other after every sweep: the smaller the grid, the
 * larger the share of waiting. With --grow the grid has that many times the inner rows, so that
 * each thread has what the serial program has (weak scaling).
 */

#define THREADS_MAX 1024

static uint64_t side = 1026, threads = 1, grow = 1, sweeps = 20;

struct grid;

struct worker {
	struct grid *grid;
	uint64_t number;
	pthread_t id;
};

struct grid {
	float *from, *to; /* rows * side points; after an even number of sweeps `from` holds the result */
	uint64_t rows;    /* with the border */
	uint64_t started; /* workers beside the calling thread */
	bool ending;
	bool has_barrier;
	pthread_barrier_t barrier;
	struct worker *workers;
};

static void
sweep_rows(const float *from, float *to, uint64_t first, uint64_t last)
{
	for (uint64_t r = first; r < last; r++) {
		const float *restrict above = from + (r - 1) * side, *restrict row = from + r * side;
		const float *restrict below = from + (r + 1) * side;
		float *restrict out = to + r * side;

		for (uint64_t c = 1; c + 1 < side; c++)
			out[c] = 0.25f * (above[c] + below[c] + row[c - 1] + row[c + 1]);
	}
}

static uint64_t
first_row(const struct grid *grid, uint64_t number)
{
	return 1 + (grid->rows - 2) * number / threads;
}

/* One worker's part of a pass; everyone has the same number of sweeps, so that all swap alike. */
static void
work_off(const struct grid *grid, uint64_t number, pthread_barrier_t *barrier)
{
	float *from = grid->from, *to = grid->to, *swap;

	for (uint64_t s = 0; s < sweeps; s++) {
		sweep_rows(from, to, first_row(grid, number), first_row(grid, number + 1));
		pthread_barrier_wait(barrier);
		swap = from;
		from = to;
		to = swap;
	}
}

static void *
run_worker(void *context)
{
	struct worker *worker = context;
	struct grid *grid = worker->grid;

	for (;;) {
		pthread_barrier_wait(&grid->barrier); /* a pass begins */
		if (grid->ending)
			return NULL;
		work_off(grid, worker->number, &grid->barrier);
	}
}

/* The same in every process: a warm edge at the left, noise inside. */
static void
fill(float *points, uint64_t rows)
{
	for (uint64_t i = 0; i < rows * side; i++)
		points[i] = i % side == 0 ? 1.0f : (float)(i * 2654435761u % 1000) * 0.001f;
}

static int
make_grid(struct grid *grid, struct assay_error *error)
{
	if (sweeps % 2 != 0)
		return assay_fail(error, "--sweeps must be even: the result lies in the first array then");
	grid->rows = (side - 2) * grow + 2;
	grid->from = assay_alloc(grid->rows * side, sizeof *grid->from, error);
	grid->to = grid->from ? assay_alloc(grid->rows * side, sizeof *grid->to, error) : NULL;
	if (!grid->to)
		return -1;
	fill(grid->from, grid->rows);
	memcpy(grid->to, grid->from, grid->rows * side * sizeof *grid->to);
	return 0;
}

static int
set_up_serial(void **state, struct assay_error *error)
{
	struct grid *grid = assay_alloc(1, sizeof *grid, error);

	*state = grid;
	return grid ? make_grid(grid, error) : -1;
}

static int
set_up_threads(void **state, struct assay_error *error)
{
	struct grid *grid;

	if (set_up_serial(state, error) != 0)
		return -1;
	grid = *state;
	grid->workers = assay_alloc(threads, sizeof *grid->workers, error);
	if (!grid->workers || pthread_barrier_init(&grid->barrier, NULL, (unsigned)threads) != 0)
		return assay_fail(error, "no barrier for %llu threads", (unsigned long long)threads);
	grid->has_barrier = true;
	for (uint64_t i = 1; i < threads; i++) {
		grid->workers[i].grid = grid;
		grid->workers[i].number = i;
		if (pthread_create(&grid->workers[i].id, NULL, run_worker, &grid->workers[i]) != 0)
			return assay_fail(error, "only %llu of %llu threads could be started",
				(unsigned long long)i, (unsigned long long)threads);
		grid->started++;
	}
	return 0;
}

static void
tear_down(void *state)
{
	struct grid *grid = state;

	if (!grid)
		return;
	if (grid->has_barrier && grid->started + 1 == threads) {
		grid->ending = true;
		pthread_barrier_wait(&grid->barrier);
		for (uint64_t i = 1; i < threads; i++)
			pthread_join(grid->workers[i].id, NULL);
		pthread_barrier_destroy(&grid->barrier);
	} /* else those that did start wait for ever, and end with the process */
	free(grid->from);
	free(grid->to);
	free(grid->workers);
	free(grid);
}

static void
pass_serial(void *state)
{
	struct grid *grid = state;

	for (uint64_t s = 0; s < sweeps; s += 2) {
		sweep_rows(grid->from, grid->to, 1, grid->rows - 1);
		sweep_rows(grid->to, grid->from, 1, grid->rows - 1);
	}
}

static void
pass_threads(void *state)
{
	struct grid *grid = state;

	pthread_barrier_wait(&grid->barrier);
	work_off(grid, 0, &grid->barrier);
}

/* Points of the first pass against the plain sum, which any order of rows must give. */
static int
check(const void *state, struct assay_error *error)
{
	const struct grid *grid = state;
	struct grid again = {0};
	uint64_t i;
	int status = make_grid(&again, error);

	if (status == 0)
		pass_serial(&again);
	for (i = 0; status == 0 && i < grid->rows * side; i++)
		if (grid->from[i] != again.from[i])
			status = assay_fail(error, "point %llu is %.9g and must be %.9g", (unsigned long long)i,
				(double)grid->from[i], (double)again.from[i]);
	free(again.from);
	free(again.to);
	return status;
}

static void
work(const void *state, struct assay_work *done)
{
	const struct grid *grid = state;
	double points = (double)(grid->rows - 2) * (double)(side - 2) * (double)sweeps;

	done->len = (grid->rows - 2) * (side - 2);
	done->flops = 4 * points;
	done->bytes = 2 * sizeof(float) * points; /* a point read once and written once */
	done->output = grid->from;
	done->output_bytes = grid->rows * side * sizeof *grid->from;
}

static const struct assay_kernel kernels[] = {
	{.name = "serial", .summary = "one thread, no waiting", .set_up = set_up_serial, .pass = pass_serial,
		.check = check, .work = work, .tear_down = tear_down},
	{.name = "threads", .summary = "rows divided, a barrier after each sweep", .set_up = set_up_threads,
		.pass = pass_threads, .check = check, .work = work, .tear_down = tear_down, .threaded = true},
	{.name = NULL},
};

static const struct assay_option options[] = {
	{"side", &side, 3, 65536, "points of a row, and of a column before it grows, with the border"},
	{"threads", &threads, 1, THREADS_MAX, "of the kernel with threads"},
	{"grow", &grow, 1, THREADS_MAX, "times the inner rows"},
	{"sweeps", &sweeps, 2, 1000000, "in one pass; even"},
	{NULL, NULL, 0, 0, NULL},
};

const struct assay_program assay_program = {
	.name = "scaling_lab",
	.summary = "relaxation of a grid, by one thread and by several",
	.options = options,
	.kernels = kernels,
};
