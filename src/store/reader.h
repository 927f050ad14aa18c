#ifndef ASSAY_READER_H
#define ASSAY_READER_H

#include <stdbool.h>
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

/* An item that the program tried and that went wrong, though the group went well. */
struct reading_failure {
	char *item, *reason;
};

/* One event of one sample, counted or with the reason why not. */
struct reading_count {
	char *item, *event;
	size_t sample;          /* of the counted ones of the group, from 1; 0: not counted */
	bool timed;             /* the sample is one of `samples`, too */
	double wall_us, cpu_us; /* of the sample */
	double count, fraction; /* as counted, and for which share of the time */
	char *reason;           /* "" */
};

struct reading {
	struct reading_sample *samples; /* those of an item lie together */
	size_t count, capacity;
	struct reading_failure *failures; /* of items that have no samples */
	size_t failure_count, failure_capacity;
	struct reading_count *counts;
	size_t count_count, count_capacity;
	char *check;            /* NULL: none was printed */
	char *tracer;           /* NULL: nobody traced it, as far as it says */
	char *mode;             /* NULL: none */
	long long len, iters;   /* -1: none */
	char *cpus;             /* "0,1": where it may run; NULL: not said, or pinning failed */
	char *problem;          /* NULL, or why the output can't be used */
};

struct reader {
	const char *name;
	void (*read)(const struct plan *plan, const struct record *record,
		     struct reading *reading);
};

/* For readers: adds a sample of the item, all values not given. */
struct reading_sample *reading_add(struct reading *reading, const char *item);
void reading_add_value(struct reading_sample *sample, const char *name, double value);
/* Each item fails once, with its first reason. */
void reading_fail_item(struct reading *reading, const char *item, const char *reason);
/* Ends the reading: brings the samples of each item together, items in the order of their first,
 * and drops those of items that failed. */
void reading_gather(struct reading *reading);

/* Empties it but for its problem. */
void reading_drop(struct reading *reading);

/* NULL: no such reader. */
const struct reader *reader_find(const char *name);
void reading_free(struct reading *reading);

#endif
