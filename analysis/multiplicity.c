#include "analysis/multiplicity.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/describe.h"

/* index[0 .. n-1]: p ascending. */
typedef void adjust(const double *p, const size_t *index, size_t n, double *sorted);

static void
adjust_holm(const double *p, const size_t *index, size_t n, double *sorted)
{
	double largest = 0;

	for (size_t i = 0; i < n; i++) {
		largest = fmax(largest, (double)(n - i) * p[index[i]]);
		sorted[i] = fmin(1, largest);
	}
}

static void
adjust_benjamini_hochberg(const double *p, const size_t *index, size_t n, double *sorted)
{
	double smallest = 1;

	for (size_t i = n; i-- > 0;) {
		smallest = fmin(smallest, (double)n / (double)(i + 1) * p[index[i]]);
		sorted[i] = smallest;
	}
}

static enum stat_status
check(const double *p, size_t n)
{
	enum stat_status status = describe_check(p, n);

	for (size_t i = 0; status == STAT_OK && i < n; i++) {
		if (p[i] < 0 || p[i] > 1)
			status = STAT_BAD_ARGUMENT;
	}
	return status;
}

static enum stat_status
run(const double *p, size_t n, double *adjusted, adjust *method)
{
	enum stat_status status = check(p, n);
	size_t *index = malloc((n ? n : 1) * sizeof(*index));
	double *sorted = malloc((n ? n : 1) * sizeof(*sorted));

	if (status == STAT_OK && (!index || !sorted))
		status = STAT_NO_MEMORY;
	if (status == STAT_OK) {
		gsl_sort_index(index, p, 1, n);
		method(p, index, n, sorted);
	}
	for (size_t i = 0; i < n; i++) {
		if (status)
			adjusted[i] = NAN;
		else
			adjusted[index[i]] = sorted[i];
	}
	free(sorted);
	free(index);
	return status;
}

enum stat_status
multiplicity_holm(const double *p, size_t n, double *adjusted)
{
	return run(p, n, adjusted, adjust_holm);
}

enum stat_status
multiplicity_benjamini_hochberg(const double *p, size_t n, double *adjusted)
{
	return run(p, n, adjusted, adjust_benjamini_hochberg);
}
