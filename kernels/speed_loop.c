/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * out = a*b + c as a C programmer writes it, for the compiler to vectorise. How it rounds is the
 * compiler's flags: with -ffp-contract=fast once, in one fused instruction; with
 * -ffp-contract=off twice, after the product and after the sum. Both are right.
 */
#include <stdlib.h>

#include "speed/data.h"

static void
tear_down(void *state)
{
	if (state)
		speed_data_free(state);
	free(state);
}

static int
set_up(void **state, struct assay_error *error)
{
	*state = assay_alloc(1, sizeof(struct speed_data), error);
	return *state ? speed_data_make(*state, error) : -1;
}

static void __attribute__((noinline))
loop(const double *restrict a, const double *restrict b, const double *restrict c, double *restrict out,
     size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = a[i] * b[i] + c[i];
}

static void
pass(void *state)
{
	const struct speed_data *data = state;

	loop(data->a, data->b, data->c, data->out, data->n);
}

static int
check(const void *state, struct assay_error *error)
{
	return speed_data_check(state, SPEED_FMA, 1, error);
}

static void
work(const void *state, struct assay_work *done)
{
	speed_data_work(state, SPEED_FMA, done);
}

static const struct assay_option options[] = {
	SPEED_LENGTH_OPTION,
	{NULL, NULL, 0, 0, NULL},
};

static const struct assay_kernel kernels[] = {
	{"loop", "out = a*b + c, as the compiler makes it", set_up, pass, check, work, tear_down, false},
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "speed_loop",
	.summary = "out = a*b + c in a plain loop",
	.options = options,
	.kernels = kernels,
};
