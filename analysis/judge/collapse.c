#include "analysis/judge/collapse.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/describe.h"
#include "base/memory.h"

static const char *const names[] = {"median", "trimmed_mean", "mean", "geomean"};

enum { KINDS = sizeof names / sizeof *names };

struct collapse
collapse_declared(const struct design *design)
{
	return (struct collapse){design->trimmed_mean ? COLLAPSE_TRIMMED_MEAN : COLLAPSE_MEDIAN,
				 COLLAPSE_TRIM_FACTOR};
}

const char *
collapse_name(enum collapse_kind kind)
{
	return names[kind];
}

bool
collapse_find(const char *name, enum collapse_kind *kind)
{
	int i;

	for (i = 0; i < KINDS; i++)
		if (strcmp(names[i], name) == 0) {
			*kind = (enum collapse_kind)i;
			return true;
		}
	return false;
}

static enum stat_status
kept_mean(const double *x, size_t n, const unsigned char *keep, double *value)
{
	double *kept = memory_zeroed(n, sizeof *kept);
	size_t i, count = 0;
	enum stat_status status;

	for (i = 0; i < n; i++)
		if (keep[i])
			kept[count++] = x[i];
	status = describe_mean(kept, count, value);
	free(kept);
	return status;
}

enum stat_status
collapse_samples(const double *x, size_t n, bool microseconds, struct collapse how, double *value,
		 size_t *trimmed)
{
	double factor = how.trim_factor > 0 ? how.trim_factor : COLLAPSE_TRIM_FACTOR;
	unsigned char *keep = memory_zeroed(n, 1);
	size_t kept = n;
	enum stat_status status, trim = microseconds
						? describe_trim_upper_us(x, n, factor, keep, &kept)
						: describe_trim_upper(x, n, factor, keep, &kept);

	if (how.kind == COLLAPSE_MEDIAN)
		status = describe_median(x, n, value);
	else if (how.kind == COLLAPSE_MEAN)
		status = describe_mean(x, n, value);
	else if (how.kind == COLLAPSE_GEOMEAN)
		status = describe_geomean(x, n, value);
	else
		status = trim == STAT_OK ? kept_mean(x, n, keep, value) : trim;
	if (trimmed != NULL)
		*trimmed = trim == STAT_OK ? n - kept : 0;
	free(keep);
	return status;
}
