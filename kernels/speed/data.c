/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "speed/data.h"

#include <math.h>
#include <stdlib.h>

uint64_t speed_length = 16384;

/* Below 2^47, so exact as a double, too: fmod in other languages gives the same. */
static double
draw(uint64_t *state)
{
	*state = *state * 48271 % 2147483647;
	return (double)*state / 2147483647.0;
}

static void
fill(struct speed_data *data)
{
	uint64_t state = 12345;

	for (size_t i = 0; i < data->n; i++) {
		data->a[i] = draw(&state);
		data->b[i] = draw(&state);
		data->c[i] = draw(&state);
		data->out[i] = -1; /* no result is: an untouched element fails the check */
	}
}

int
speed_length_check(struct assay_error *error)
{
	if (speed_length % 4 == 0 && SPEED_WORK % speed_length == 0)
		return 0;
	return assay_fail(error, "--n=%llu must divide 2^30 and be a multiple of 4: a power of two from 4 up",
			  (unsigned long long)speed_length);
}

int
speed_data_make(struct speed_data *data, struct assay_error *error)
{
	if (speed_length_check(error) != 0)
		return -1;
	data->n = speed_length;
	data->a = assay_alloc(data->n, sizeof *data->a, error);
	data->b = data->a ? assay_alloc(data->n, sizeof *data->b, error) : NULL;
	data->c = data->b ? assay_alloc(data->n, sizeof *data->c, error) : NULL;
	data->out = data->c ? assay_alloc(data->n, sizeof *data->out, error) : NULL;
	if (!data->out)
		return -1;
	fill(data);
	return 0;
}

void
speed_data_free(struct speed_data *data)
{
	free(data->a);
	free(data->b);
	free(data->c);
	free(data->out);
}

/* Each element takes its own rounding: the volatile keeps a product apart from the sum. */
static double
in_two_roundings(double a, double b, double c)
{
	volatile double product = a * b;

	return product + c;
}

static double
reference(const struct speed_data *data, enum speed_operation operation, size_t i)
{
	switch (operation) {
	case SPEED_FMA: return fma(data->a[i], data->b[i], data->c[i]);
	case SPEED_ADD: return data->a[i] + data->b[i];
	case SPEED_MUL: return data->a[i] * data->b[i];
	case SPEED_SQRT: return sqrt(data->a[i]);
	}
	return NAN;
}

int
speed_data_check(const struct speed_data *data, enum speed_operation operation, int two_roundings,
		 struct assay_error *error)
{
	for (size_t i = 0; i < data->n; i++) {
		double expected = reference(data, operation, i);

		if (data->out[i] == expected ||
		    (two_roundings &&
		     data->out[i] == in_two_roundings(data->a[i], data->b[i], data->c[i])))
			continue;
		return assay_fail(error, "element %zu of %zu is %.17g and must be %.17g", i, data->n,
				  data->out[i], expected);
	}
	return 0;
}

void
speed_data_work(const struct speed_data *data, enum speed_operation operation, struct assay_work *work)
{
	static const double flops[] = {2, 1, 1, 1}, vectors[] = {4, 3, 3, 2};

	work->len = data->n;
	work->flops = flops[operation] * (double)data->n;
	work->bytes = vectors[operation] * sizeof(double) * (double)data->n;
	work->output = data->out;
	work->output_bytes = data->n * sizeof *data->out;
}
