#ifndef ASSAY_OBSERVATIONS_H
#define ASSAY_OBSERVATIONS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "analysis/judge/collapse.h"
#include "analysis/stat.h"
#include "base/csv_table.h"
#include "base/error.h"

/*
 * samples.csv as observations: one a group (process) and item. A group's samples are collapsed
 * to one value before any statistic sees them, since one process's samples share its memory
 * layout and its moment and are not independent.
 */

enum observation_phase { OBSERVED_WARMUP, OBSERVED_AA, OBSERVED_AB };

struct observation {
	size_t first_row, rows;  /* rows of the table */
	enum observation_phase phase;
	int session, order;      /* launch order in the session */
	int block, pair, slot, treatment, attempt;
	double started_ns;
	bool used;               /* last whole attempt, valid session, one regime */
	bool ok;
	const char *run_id, *item, *variant, *status, *reason; /* borrowed from the table */
	const char *check, *stdout_sha256;
};

/* The observations of one item that are ok, by their places; in session and launch order. */
struct observed {
	const char *name; /* borrowed */
	size_t *at;
	size_t count, capacity;
};

struct observations {
	struct csv_table table;
	struct observation *items; /* in session and launch order; a group's failed items come last */
	size_t count;
	const char **names;        /* item names in order of appearance; "" for programs without */
	size_t name_count;
	struct observed *observed; /* [name_count] */
	struct observed groups;    /* of each group that is ok its first: for values of the process */
	json_t *numbers;           /* of the names */
};

int observations_read(const char *path, struct observations *all, struct error *error);
void observations_free(struct observations *all);

/* Never NULL; of an item that nobody has it is empty. NULL: the groups, whatever their items. */
const struct observed *observations_of(const struct observations *all, const char *item);
/* Is it the first observation of its group? A group has one for each item. */
bool observation_starts_group(const struct observations *all, size_t index);

/*
 * One observation's value of a metric (a column of samples.csv, >= 0, in the column's unit), by
 * collapse_samples. STAT_TOO_FEW for a column that is missing or empty.
 */
enum stat_status observation_value(const struct observations *all, size_t index, int column,
				   struct collapse how, double *value, size_t *trimmed);

/* The number in a row of the table; NaN when it is empty, or the column is -1. */
double observations_number(const struct observations *all, size_t row, int column);

/* The raw samples of a metric: *x is the caller's. Returns their number. */
size_t observation_samples(const struct observations *all, size_t index, int column, double **x);

#endif
