#include "analysis/mover.h"

#include <math.h>
#include <stdbool.h>

#include "analysis/range.h"

static bool
is_inside(const struct estimate *one)
{
	return one->lo <= one->value && one->value <= one->hi;
}

enum stat_status
mover_quotient(const struct estimate *above, const struct estimate *below, struct estimate *out)
{
	const double all[] = {above->value, above->lo, above->hi, below->value, below->lo, below->hi};
	enum stat_status status = range_positive(all, 6);
	double value = log(above->value) - log(below->value);
	double down = hypot(log(above->value) - log(above->lo), log(below->hi) - log(below->value));
	double up = hypot(log(above->hi) - log(above->value), log(below->value) - log(below->lo));
	struct estimate quotient;

	*out = (struct estimate){NAN, NAN, NAN};
	if (status)
		return status;
	if (!is_inside(above) || !is_inside(below))
		return STAT_BAD_ARGUMENT;
	if (range_store(expl((long double)value), &quotient.value) ||
	    range_store(expl((long double)value - down), &quotient.lo) ||
	    range_store(expl((long double)value + up), &quotient.hi))
		return STAT_OVERFLOW;
	*out = quotient;
	return STAT_OK;
}
