#include "analysis/stat.h"

const char *
stat_reason(enum stat_status status)
{
	switch (status) {
	case STAT_OK:
		return "available";
	case STAT_TOO_FEW:
		return "too few values";
	case STAT_NOT_FINITE:
		return "a value is not a finite number";
	case STAT_NOT_POSITIVE:
		return "a value is zero or negative";
	case STAT_CONSTANT:
		return "the values do not vary";
	case STAT_ONE_ORDER:
		return "all pairs ran in the same order";
	case STAT_ORDER_UNKNOWN:
		return "the run order or the pairing is unknown";
	case STAT_NO_INTERVAL:
		return "too few values for an interval at this level";
	case STAT_NO_FIT:
		return "the fit did not converge";
	case STAT_BAD_ARGUMENT:
		return "a parameter is outside its range";
	case STAT_OVERFLOW:
		return "the result is too large or too small for a number";
	case STAT_NO_MEMORY:
		return "not enough memory";
	case STAT_TOO_MANY:
		return "too many values for the exact method";
	case STAT_TIES:
		return "some values are equal";
	}
	return "unknown";
}
