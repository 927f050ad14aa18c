#ifndef ASSAY_STAT_H
#define ASSAY_STAT_H

/*
 * What every statistic in this folder answers besides its numbers.
 *
 * A statistic is a pure function on arrays: it reads no file, no clock and no global state,
 * leaves its input as it was, and owns nothing after it returned. It returns STAT_OK and fills
 * its result, or returns the reason why the number does not exist. Then every double of the
 * result is NaN and must be reported as unavailable with stat_reason(), never as a number.
 *
 * Arrays may be empty. Values that are not finite make every statistic STAT_NOT_FINITE.
 */

enum stat_status {
	STAT_OK = 0,
	STAT_TOO_FEW,       /* fewer values than the statistic is defined for */
	STAT_NOT_FINITE,    /* NaN or an infinity among the values */
	STAT_NOT_POSITIVE,  /* a value <= 0 where a logarithm or a rate is taken */
	STAT_CONSTANT,      /* no variation, where the statistic divides by it */
	STAT_ONE_ORDER,     /* pairs of one order only, where both are compared */
	STAT_ORDER_UNKNOWN, /* run order or pairing is not known and the statistic needs it */
	STAT_NO_INTERVAL,   /* no interval reaches the asked level with so few values */
	STAT_NO_FIT,        /* the fit did not converge or is not identified */
	STAT_BAD_ARGUMENT,  /* a parameter outside its range */
	STAT_OVERFLOW,      /* the result does not fit a double */
	STAT_NO_MEMORY,     /* no memory for the working copy */
	STAT_TOO_MANY,      /* an exact method whose work grows too fast for so many values */
	STAT_TIES,          /* equal values, where the exact distribution knows none */
};

/* A sentence fragment for a report, such as "too few values". Static storage. */
const char *stat_reason(enum stat_status status);

#endif
