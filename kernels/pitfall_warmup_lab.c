/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole numbers written to memory that nobody touched before. A pass writes the next of CHUNKS
 * pieces; the first time round each page of it is given by the kernel and zeroed, from then on it is
 * there. --own-warmup passes are done in set-up, as a program does that warms itself up.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/assay_harness.h"

enum { CHUNKS = 112 };

struct scene {
	uint64_t *memory;
	size_t chunk, next; /* elements of a chunk; the chunk of the next pass */
};

static uint64_t length = 8192, own_warmup;

static void
pass(void *state)
{
	struct scene *scene = state;
	uint64_t *to = scene->memory + scene->next * scene->chunk;

	for (size_t i = 0; i < scene->chunk; i++)
		to[i] = 3 * i + 1;
	scene->next = (scene->next + 1) % CHUNKS;
}

static void
tear_down(void *state)
{
	struct scene *scene = state;

	if (scene && scene->memory)
		munmap(scene->memory, CHUNKS * scene->chunk * sizeof *scene->memory);
	free(scene);
}

static int
set_up(void **state, struct assay_error *error)
{
	struct scene *scene = assay_alloc(1, sizeof *scene, error);
	size_t bytes;
	void *memory;

	*state = scene;
	if (!scene)
		return -1;
	scene->chunk = length;
	bytes = CHUNKS * scene->chunk * sizeof *scene->memory;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return assay_fail(error, "no memory for %zu bytes: %s", bytes, strerror(errno));
	scene->memory = memory;
	madvise(memory, bytes, MADV_NOHUGEPAGE); /* so that each chunk has pages of its own */
	for (uint64_t i = 0; i < own_warmup; i++) {
		pass(scene);
		assay_clobber();
	}
	return 0;
}

/* The chunk that the latest pass wrote. */
static int
check(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;
	const uint64_t *last = scene->memory + (scene->next + CHUNKS - 1) % CHUNKS * scene->chunk;

	for (size_t i = 0; i < scene->chunk; i++)
		if (last[i] != 3 * i + 1)
			return assay_fail(error, "element %zu is wrong", i);
	return 0;
}

static void
work(const void *state, struct assay_work *out)
{
	const struct scene *scene = state;

	out->len = scene->chunk;
	out->bytes = (double)(scene->chunk * sizeof *scene->memory);
	out->output = scene->memory;
	out->output_bytes = scene->chunk * sizeof *scene->memory;
}

static const struct assay_option options[] = {
	{"n", &length, 512, 1000000, "elements that a pass writes"},
	{"own-warmup", &own_warmup, 0, 1000000, "passes in set-up"},
	{NULL, NULL, 0, 0, NULL},
};

static const struct assay_kernel kernels[] = {
	{.name = "write", .summary = "3 i + 1 to the next chunk of memory", .set_up = set_up, .pass = pass,
	 .check = check, .work = work, .tear_down = tear_down},
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "pitfall_warmup_lab",
	.summary = "writes to memory that is touched for the first time, or not",
	.options = options,
	.kernels = kernels,
};
