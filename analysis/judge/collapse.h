#ifndef ASSAY_COLLAPSE_H
#define ASSAY_COLLAPSE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/stat.h"
#include "spec/study.h"

/*
 * How the samples of one process become the one value that it counts for. Declared in the design:
 * the median, or the mean of what the upper trim keeps; the other two are for exploring.
 */

enum collapse_kind { COLLAPSE_MEDIAN, COLLAPSE_TRIMMED_MEAN, COLLAPSE_MEAN, COLLAPSE_GEOMEAN };

#define COLLAPSE_TRIM_FACTOR 1.2

struct collapse {
	enum collapse_kind kind;
	double trim_factor; /* keeps x <= factor * median; 0: COLLAPSE_TRIM_FACTOR */
};

struct collapse collapse_declared(const struct design *design);

/* "median", "trimmed_mean", "mean", "geomean"; collapse_find returns false for another name. */
const char *collapse_name(enum collapse_kind kind);
bool collapse_find(const char *name, enum collapse_kind *kind);

/*
 * The value of n samples >= 0, in their unit. *trimmed counts what the trim would leave out,
 * whichever is asked for; may be NULL. `microseconds`: the trim decides in whole nanoseconds.
 */
enum stat_status collapse_samples(const double *x, size_t n, bool microseconds,
				  struct collapse how, double *value, size_t *trimmed);

#endif
