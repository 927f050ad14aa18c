#include "analysis/judge/observations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct columns {
	int run_id, session, item, treatment, variant, phase, block, pair, order, slot, attempt;
	int started_ns, status, reason, used, check, stdout_sha256;
};

static const struct {
	const char *name;
	size_t offset;
} column_table[] = {
#define COLUMN(name) {#name, offsetof(struct columns, name)}
	COLUMN(run_id), COLUMN(session), COLUMN(item),   COLUMN(treatment),  COLUMN(variant),
	COLUMN(phase),  COLUMN(block),   COLUMN(pair),   COLUMN(order),      COLUMN(slot),
	COLUMN(attempt), COLUMN(started_ns), COLUMN(status), COLUMN(reason), COLUMN(used),
	COLUMN(check),  COLUMN(stdout_sha256),
#undef COLUMN
};

static int
find_columns(const char *path, const struct csv_table *table, struct columns *columns,
	     struct error *error)
{
	size_t i;

	for (i = 0; i < sizeof column_table / sizeof *column_table; i++) {
		int at = csv_table_column(table, column_table[i].name);

		if (at < 0)
			return error_set_at(error, EXIT_BAD_INPUT, path, 1,
					    "no column '%s'; is this a samples.csv of this version?",
					    column_table[i].name);
		memcpy((char *)columns + column_table[i].offset, &at, sizeof at);
	}
	return 0;
}

static int
to_int(const char *text)
{
	return (int)strtol(text, NULL, 10);
}

static enum observation_phase
to_phase(const char *text)
{
	if (strcmp(text, "ab") == 0)
		return OBSERVED_AB;
	return strcmp(text, "aa") == 0 ? OBSERVED_AA : OBSERVED_WARMUP;
}

static void
fill(struct observation *one, char **row, const struct columns *at)
{
	one->phase = to_phase(row[at->phase]);
	one->session = to_int(row[at->session]);
	one->order = to_int(row[at->order]);
	one->block = to_int(row[at->block]);
	one->pair = to_int(row[at->pair]);
	one->slot = to_int(row[at->slot]);
	one->treatment = to_int(row[at->treatment]);
	one->attempt = to_int(row[at->attempt]);
	one->started_ns = strtod(row[at->started_ns], NULL);
	one->used = strcmp(row[at->used], "1") == 0;
	one->ok = strcmp(row[at->status], "ok") == 0;
	one->run_id = row[at->run_id];
	one->item = row[at->item];
	one->variant = row[at->variant];
	one->status = row[at->status];
	one->reason = row[at->reason];
	one->check = row[at->check];
	one->stdout_sha256 = row[at->stdout_sha256];
}

static void
add_place(struct observed *observed, size_t index)
{
	observed->at = memory_grow(observed->at, observed->count, &observed->capacity,
				   sizeof *observed->at);
	observed->at[observed->count++] = index;
}

static void
add_name(struct observations *all, const char *item, size_t *capacity)
{
	size_t others = *capacity;

	all->names = memory_grow(all->names, all->name_count, &others, sizeof *all->names);
	all->observed = memory_grow(all->observed, all->name_count, capacity, sizeof *all->observed);
	all->observed[all->name_count] = (struct observed){.name = item};
	json_object_set_new_nocheck(all->numbers, item, json_integer((json_int_t)all->name_count));
	all->names[all->name_count++] = item;
}

bool
observation_starts_group(const struct observations *all, size_t index)
{
	return index == 0 || strcmp(all->items[index - 1].run_id, all->items[index].run_id) != 0;
}

/* Sorts the observations that are ok by their items. */
static void
note_items(struct observations *all)
{
	size_t i, capacity = 0;

	all->numbers = json_object();
	for (i = 0; i < all->count; i++) {
		const char *item = all->items[i].item;

		if (!all->items[i].ok)
			continue;
		if (json_object_get(all->numbers, item) == NULL)
			add_name(all, item, &capacity);
		add_place(&all->observed[json_integer_value(json_object_get(all->numbers, item))], i);
		if (observation_starts_group(all, i))
			add_place(&all->groups, i);
	}
}

const struct observed *
observations_of(const struct observations *all, const char *item)
{
	static const struct observed none;
	const json_t *number = item != NULL ? json_object_get(all->numbers, item) : NULL;

	if (item == NULL)
		return &all->groups;
	return number != NULL ? &all->observed[json_integer_value(number)] : &none;
}

static bool
same_group(const struct observation *one, char **row, const struct columns *at)
{
	return strcmp(one->run_id, row[at->run_id]) == 0 && strcmp(one->item, row[at->item]) == 0;
}

int
observations_read(const char *path, struct observations *all, struct error *error)
{
	size_t r, capacity = 0;
	struct columns at;

	memset(all, 0, sizeof *all);
	if (csv_table_read(path, &all->table, error) != 0)
		return -1;
	if (find_columns(path, &all->table, &at, error) != 0) {
		observations_free(all);
		return -1;
	}
	for (r = 0; r < all->table.count; r++) {
		char **row = all->table.rows[r];
		struct observation *one = all->count > 0 ? &all->items[all->count - 1] : NULL;

		if (one == NULL || !same_group(one, row, &at)) {
			all->items = memory_grow(all->items, all->count, &capacity, sizeof *all->items);
			one = &all->items[all->count++];
			memset(one, 0, sizeof *one);
			one->first_row = r;
			fill(one, row, &at);
		}
		one->rows++;
	}
	note_items(all);
	return 0;
}

void
observations_free(struct observations *all)
{
	size_t i;

	for (i = 0; i < all->name_count; i++)
		free(all->observed[i].at);
	csv_table_free(&all->table);
	free(all->items);
	free(all->names);
	free(all->observed);
	free(all->groups.at);
	json_decref(all->numbers);
	memset(all, 0, sizeof *all);
}

double
observations_number(const struct observations *all, size_t row, int column)
{
	double value;
	char *end;

	if (column < 0)
		return NAN;
	value = strtod(all->table.rows[row][column], &end);
	return end != all->table.rows[row][column] ? value : NAN;
}

size_t
observation_samples(const struct observations *all, size_t index, int column, double **x)
{
	const struct observation *one = &all->items[index];
	size_t r, n = 0;

	*x = memory_zeroed(one->rows, sizeof **x);
	for (r = 0; column >= 0 && r < one->rows; r++) {
		double value = observations_number(all, one->first_row + r, column);

		if (!isnan(value))
			(*x)[n++] = value;
	}
	return n;
}

static bool
is_in_us(const char *name)
{
	size_t length = strlen(name);

	return length > 3 && strcmp(name + length - 3, "_us") == 0;
}

enum stat_status
observation_value(const struct observations *all, size_t index, int column, struct collapse how,
		  double *value, size_t *trimmed)
{
	double *x;
	size_t n = observation_samples(all, index, column, &x);
	bool in_us = column >= 0 && is_in_us(all->table.names[column]);
	enum stat_status status = collapse_samples(x, n, in_us, how, value, trimmed);

	free(x);
	return status;
}
