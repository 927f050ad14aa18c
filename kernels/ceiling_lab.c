/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What this machine allows the operations of speed_lab: their loads and stores without the
 * arithmetic (moves), over the same vectors, and their arithmetic in registers, without loads and
 * stores. The flops are those of the operation in both, so that all rates compare.
 */
#include <math.h>
#include <stdlib.h>

#include "speed/ceiling.h"
#include "speed/data.h"

/* Passes over as many elements as the operation has would end before the registers are loaded. */
enum { ROUNDS = 64 };

struct scene {
	struct speed_data data;
	const struct ceiling *ceiling;
	enum speed_operation operation;
	ceiling_moves *moves; /* or NULL: the arithmetic */
};

static uint64_t width = 0, form = 2;

static void
tear_down(void *state)
{
	struct scene *scene = state;

	if (scene)
		speed_data_free(&scene->data);
	free(scene);
}

static ceiling_moves *
choose_moves(const struct ceiling *ceiling, enum speed_operation operation)
{
	static const int loads[] = {3, 2, 2, 1};

	return ceiling->moves[loads[operation] - 1][form - 1];
}

static int
set_up(void **state, enum speed_operation operation, int moves, struct assay_error *error)
{
	const char *supported;
	struct scene *scene = assay_alloc(1, sizeof *scene, error);

	*state = scene;
	if (!scene)
		return -1;
	scene->operation = operation;
	scene->ceiling = ceiling_find((unsigned)width, &supported);
	if (!scene->ceiling)
		return assay_fail(error, "unsupported: vectors of %llu bits; this CPU has: %s",
				  (unsigned long long)width, supported);
	if (speed_data_make(&scene->data, error) != 0)
		return -1;
	if (moves)
		scene->moves = choose_moves(scene->ceiling, operation);
	else if (scene->data.n < scene->ceiling->chained)
		return assay_fail(error, "--n=%zu is less than the %zu elements in the registers",
				  scene->data.n, scene->ceiling->chained);
	return 0;
}

static void
pass(void *state)
{
	const struct scene *scene = state;
	const struct speed_data *d = &scene->data;

	if (scene->moves)
		scene->moves(d->a, d->b, d->c, d->out, d->n);
	else
		scene->ceiling->arithmetic[scene->operation](d->a, d->out, ROUNDS * d->n);
}

static double
step(enum speed_operation operation, double x)
{
	switch (operation) {
	case SPEED_FMA: return fma(x, CEILING_FACTOR, CEILING_ADDEND);
	case SPEED_ADD: return x + CEILING_ADDEND;
	case SPEED_MUL: return x * CEILING_FACTOR;
	case SPEED_SQRT: return sqrt(x);
	}
	return NAN;
}

static double
in_registers(const struct scene *scene, size_t i)
{
	size_t lanes = scene->ceiling->width / 64, steps = ROUNDS * scene->data.n / scene->ceiling->chained;
	double x;

	if (scene->operation == SPEED_SQRT)
		return sqrt(scene->data.a[i % lanes]);
	for (x = scene->data.a[i]; steps > 0; steps--)
		x = step(scene->operation, x);
	return x;
}

/* How many elements of the output there are. */
static size_t
written(const struct scene *scene)
{
	if (scene->moves)
		return scene->data.n;
	return scene->operation == SPEED_SQRT ? scene->ceiling->roots : scene->ceiling->chained;
}

static int
check(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;
	size_t i;

	for (i = 0; i < written(scene); i++) {
		double expected = scene->moves ? scene->data.a[i] : in_registers(scene, i);

		if (scene->data.out[i] != expected)
			return assay_fail(error, "element %zu is %.17g and must be %.17g", i,
					  scene->data.out[i], expected);
	}
	return 0;
}

static void
work(const void *state, struct assay_work *done)
{
	const struct scene *scene = state;

	speed_data_work(&scene->data, scene->operation, done);
	done->output_bytes = written(scene) * sizeof *scene->data.out;
	if (scene->moves)
		return;
	done->flops *= ROUNDS;
	done->bytes = 0;
}

#define SET_UP(NAME, OPERATION, MOVES)                                  \
	static int NAME(void **state, struct assay_error *error)         \
	{                                                                \
		return set_up(state, OPERATION, MOVES, error);           \
	}
SET_UP(moves_fma, SPEED_FMA, 1)
SET_UP(moves_add, SPEED_ADD, 1)
SET_UP(moves_mul, SPEED_MUL, 1)
SET_UP(moves_sqrt, SPEED_SQRT, 1)
SET_UP(registers_fma, SPEED_FMA, 0)
SET_UP(registers_add, SPEED_ADD, 0)
SET_UP(registers_mul, SPEED_MUL, 0)
SET_UP(registers_sqrt, SPEED_SQRT, 0)

#define KERNEL(NAME, SUMMARY) \
	{#NAME, SUMMARY, NAME, pass, check, work, tear_down, false}

static const struct assay_kernel kernels[] = {
	KERNEL(moves_fma, "three loads and a store a vector"),
	KERNEL(moves_add, "two loads and a store a vector"),
	KERNEL(moves_mul, "two loads and a store a vector"),
	KERNEL(moves_sqrt, "a load and a store a vector"),
	KERNEL(registers_fma, "a*b + c in registers"),
	KERNEL(registers_add, "a + b in registers"),
	KERNEL(registers_mul, "a * b in registers"),
	KERNEL(registers_sqrt, "sqrt(a) in registers"),
	{.name = NULL},
};

static const struct assay_option options[] = {
	SPEED_LENGTH_OPTION,
	{"width", &width, 0, 512, "bits of a vector; 0: the widest here"},
	{"form", &form, 1, CEILING_FORMS, "of the moves: 4, 8, 16 vectors a turn, or 8 with all loads first"},
	{NULL, NULL, 0, 0, NULL},
};

const struct assay_program assay_program = {
	.name = "ceiling_lab",
	.summary = "what loads and stores, and what arithmetic, allow operations on vectors of doubles",
	.options = options,
	.kernels = kernels,
};
