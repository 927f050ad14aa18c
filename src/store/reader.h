#ifndef ASSAY_READER_H
#define ASSAY_READER_H

#include <stddef.h>

#include "schedule/plan.h"
#include "store/record.h"

/*
 * How a group's record becomes samples. One table entry a reader; a plan names one. Pure.
 */

struct reading_value {
	char *name;
	double value;
};

struct reading_sample {
	char *item; /* "" where a group has one result */
	double wall_us, cpu_us, flops; /* NaN: not given */
	struct reading_value *values; /* further metrics */
	size_t value_count;
};

struct reading {
	struct reading_sample *samples;
	size_t count;
	char *check;            /* NULL: none was printed */
	char *mode;             /* NULL: none */
	long long len, iters;   /* -1: none */
	int cpu;                /* -1: not said, or pinning failed */
	char *problem;          /* NULL, or why the output can't be used */
};

struct reader {
	const char *name;
	void (*read)(const struct plan *plan, const struct record *record,
		     struct reading *reading);
};

/* NULL: no such reader. */
const struct reader *reader_find(const char *name);
void reading_free(struct reading *reading);

#endif
