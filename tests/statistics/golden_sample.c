#include "tests/statistics/golden_sample.h"

#include <math.h>
#include <string.h>

#include "analysis/pairs.h"
#include "tests/statistics/golden_value.h"

static double
transformed(const struct golden_input *input, const char *transform, size_t row)
{
	const double *const *x = input->values;

	if (input->columns >= 1 && (!transform || strcmp(transform, "col1") == 0))
		return x[0][row];
	if (input->columns >= 2 && transform && strcmp(transform, "col2-col1") == 0)
		return x[1][row] - x[0][row];
	if (input->columns >= 2 && transform && strcmp(transform, "log(b/a)") == 0)
		return pairs_log(x[1][row], x[0][row]);
	return NAN;
}

double *
golden_sample(const struct golden_input *input)
{
	const char *transform = json_string_value(json_object_get(input->params, "transform"));
	double *sample = golden_room(input->rows);

	for (size_t row = 0; row < input->rows; row++)
		sample[row] = transformed(input, transform, row);
	return sample;
}

static size_t
find(const struct golden_input *input, const char *name)
{
	size_t c = 0;

	while (c < input->all_columns && strcmp(input->names[c], name) != 0)
		c++;
	return c;
}

const double *
golden_column(const struct golden_input *input, const char *name)
{
	size_t c = find(input, name);

	return c < input->all_columns ? input->values[c] : NULL;
}

const char *const *
golden_cells(const struct golden_input *input, const char *name)
{
	size_t c = find(input, name);

	return c < input->all_columns ? input->cells[c] : NULL;
}

double
golden_needed(const struct golden_input *input, const char *key)
{
	return golden_param(input, key, NAN);
}

double
golden_rank(size_t rank)
{
	return rank ? (double)rank : NAN;
}
