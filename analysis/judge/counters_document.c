#include "analysis/judge/counters_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/counters.h"
#include "analysis/describe.h"
#include "analysis/judge/warning.h"
#include "base/csv_table.h"
#include "base/json.h"
#include "base/memory.h"

#define LOW_SHARE 0.5 /* of the time that an event was counted */

/* counters.csv with its columns found. */
struct counts {
	struct csv_table table;
	const struct plan *plan;
	int run_id, treatment, item, phase, sample, wall_us, cpu_us, event, count, fraction, reason, used;
};

/* One number of each group, and the numbers of one event or ratio. */
struct series {
	double *values, *fractions;
	size_t count, groups; /* values that are known; groups where it was asked for */
	const char *reason;   /* borrowed; "" */
};

static const char *
cell(const struct counts *counts, size_t row, int column)
{
	return counts->table.rows[row][column];
}

static double
number(const struct counts *counts, size_t row, int column)
{
	const char *text = cell(counts, row, column);

	return text[0] != '\0' ? strtod(text, NULL) : NAN;
}

static int
find_columns(struct counts *counts, const char *path, struct error *error)
{
	const struct {
		const char *name;
		int *column;
	} wanted[] = {
		{"run_id", &counts->run_id}, {"treatment", &counts->treatment}, {"item", &counts->item},
		{"phase", &counts->phase}, {"sample", &counts->sample}, {"wall_us", &counts->wall_us},
		{"cpu_us", &counts->cpu_us}, {"event", &counts->event}, {"count", &counts->count},
		{"fraction", &counts->fraction}, {"reason", &counts->reason}, {"used", &counts->used},
	};
	size_t i;

	for (i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		*wanted[i].column = csv_table_column(&counts->table, wanted[i].name);
		if (*wanted[i].column < 0)
			return error_set_at(error, EXIT_BAD_INPUT, path, 1, "there is no column '%s'",
					    wanted[i].name);
	}
	return 0;
}

static bool
counts_for(const struct counts *counts, size_t row, size_t treatment)
{
	return strcmp(cell(counts, row, counts->used), "1") == 0 &&
	       strcmp(cell(counts, row, counts->phase), "ab") == 0 &&
	       strtoul(cell(counts, row, counts->treatment), NULL, 10) == treatment;
}

/* The rows of one group lie together. */
static size_t
end_of_group(const struct counts *counts, size_t row)
{
	size_t end = row;

	while (end < counts->table.count &&
	       strcmp(cell(counts, end, counts->run_id), cell(counts, row, counts->run_id)) == 0)
		end++;
	return end;
}

static size_t
group_count(const struct counts *counts)
{
	size_t row, count = 0;

	for (row = 0; row < counts->table.count; row = end_of_group(counts, row))
		count++;
	return count;
}

/* One event in the rows of one group. */
static void
add_event(const struct counts *counts, size_t from, size_t to, const char *item, const char *event,
	  struct series *series, struct counter_sample *sample)
{
	struct counter_count *list = memory_zeroed(to - from, sizeof *list);
	struct counter_scaled scaled;
	enum counter_event known = counters_find(event);
	double cpu = 0, wall = 0;
	size_t i, n = 0;

	for (i = from; i < to; i++) {
		if (strcmp(cell(counts, i, counts->event), event) != 0)
			continue;
		if (cell(counts, i, counts->reason)[0] != '\0') {
			series->reason = cell(counts, i, counts->reason);
		} else if (strcmp(cell(counts, i, counts->item), item) == 0) {
			list[n++] = (struct counter_count){number(counts, i, counts->wall_us),
							   number(counts, i, counts->count),
							   number(counts, i, counts->fraction)};
			wall += number(counts, i, counts->wall_us);
			cpu += number(counts, i, counts->cpu_us);
		}
	}
	if (n > 0) {
		sample->wall_us = wall / (double)n;
		sample->cpu_us = cpu / (double)n;
		if (counters_scale(list, n, &scaled) == STAT_OK) {
			series->values[series->count++] = scaled.count;
			if (known != COUNTER_EVENTS)
				sample->counts[known] = scaled.count;
		}
		if (isfinite(scaled.fraction))
			series->fractions[series->groups++] = scaled.fraction;
	}
	free(list);
}

static struct series *
series_of(size_t count, size_t room)
{
	struct series *list = memory_zeroed(count, sizeof *list);
	size_t i;

	for (i = 0; i < count; i++) {
		list[i].values = memory_zeroed(room, sizeof *list[i].values);
		list[i].fractions = memory_zeroed(room, sizeof *list[i].fractions);
		list[i].reason = "";
	}
	return list;
}

static void
free_series(struct series *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		free(list[i].values);
		free(list[i].fractions);
	}
	free(list);
}

static json_t *
series_document(const struct series *series, const char *kind, const char *name)
{
	double median = NAN, min = NAN, max = NAN;

	describe_median(series->values, series->count, &median);
	describe_min(series->values, series->count, &min);
	describe_max(series->values, series->count, &max);
	return json_pack("{s:s, s:o, s:o, s:o}", kind, name, "value", json_number_or_null(median), "min",
			 json_number_or_null(min), "max", json_number_or_null(max));
}

static json_t *
event_document(const struct series *series, const char *event)
{
	json_t *object = series_document(series, "event", event);
	double fraction = NAN;
	const char *reason = series->reason;

	describe_mean(series->fractions, series->groups, &fraction);
	if (reason[0] == '\0' && series->count == 0)
		reason = series->groups > 0 ? "it never had a turn on the processor: ask for fewer events at once"
					    : "the program did not tell it";
	json_object_set_new(object, "fraction", json_number_or_null(fraction));
	json_object_set_new(object, "reason", json_string(series->count > 0 ? "" : reason));
	return object;
}

static size_t
ratio_count(void)
{
	size_t count = 0;

	while (counter_ratios[count].name != NULL)
		count++;
	return count;
}

static json_t *
ratios_document(const struct series *ratios)
{
	json_t *list = json_array(), *one;
	size_t r;

	for (r = 0; counter_ratios[r].name != NULL; r++) {
		if (ratios[r].count == 0)
			continue;
		one = series_document(&ratios[r], "ratio", counter_ratios[r].name);
		json_object_set_new(one, "unit", json_string(counter_ratios[r].unit));
		json_object_set_new(one, "of", json_string(counter_ratios[r].of));
		json_array_append_new(list, one);
	}
	return list;
}

/* One group: every event, then what they make together. */
static void
add_group(const struct counts *counts, size_t from, size_t to, const char *item,
	  struct series *events, struct series *ratios)
{
	struct counter_sample sample = {.wall_us = NAN, .cpu_us = NAN};
	size_t i;

	for (i = 0; i < COUNTER_EVENTS; i++)
		sample.counts[i] = NAN;
	for (i = 0; i < counts->plan->counters.count; i++)
		add_event(counts, from, to, item, counts->plan->counters.items[i], &events[i], &sample);
	for (i = 0; counter_ratios[i].name != NULL; i++) {
		double value = counter_ratios[i].value(&sample);

		if (isfinite(value))
			ratios[i].values[ratios[i].count++] = value;
	}
}

static json_t *
treatment_counters(const struct counts *counts, size_t treatment, const char *item)
{
	const struct texts *asked = &counts->plan->counters;
	size_t room = group_count(counts);
	struct series *events = series_of(asked->count, room), *ratios = series_of(ratio_count(), room);
	json_t *list = json_array(), *object;
	size_t row, end, i, groups = 0;

	for (row = 0; row < counts->table.count; row = end) {
		end = end_of_group(counts, row);
		if (!counts_for(counts, row, treatment))
			continue;
		add_group(counts, row, end, item, events, ratios);
		groups++;
	}
	for (i = 0; i < asked->count; i++)
		json_array_append_new(list, event_document(&events[i], asked->items[i]));
	object = json_pack("{s:i, s:s, s:s, s:i, s:o, s:o}", "treatment", (int)treatment, "name",
			   counts->plan->treatments[treatment].name, "item", item, "groups", (int)groups,
			   "events", list, "ratios", ratios_document(ratios));
	free_series(events, asked->count);
	free_series(ratios, ratio_count());
	return object;
}

/* The items in the order of their first row; at least the one without a name. */
static json_t *
items_of(const struct counts *counts)
{
	json_t *items = json_object();
	size_t row;

	for (row = 0; row < counts->table.count; row++)
		if (strcmp(cell(counts, row, counts->sample), "0") != 0)
			json_object_set_new_nocheck(items, cell(counts, row, counts->item), json_true());
	if (json_object_size(items) == 0)
		json_object_set_new(items, "", json_true());
	return items;
}

json_t *
counters_document(const char *path, const struct plan *plan, struct error *error)
{
	struct counts counts = {.plan = plan};
	json_t *list = NULL, *items, *ignored;
	const char *item;
	size_t t;

	if (csv_table_read(path, &counts.table, error) != 0)
		return NULL;
	if (find_columns(&counts, path, error) == 0) {
		list = json_array();
		items = items_of(&counts);
		json_object_foreach(items, item, ignored)
			for (t = 0; t < plan->treatment_count; t++)
				if (plan->treatments[t].skipped == NULL)
					json_array_append_new(list, treatment_counters(&counts, t, item));
		json_decref(items);
	}
	csv_table_free(&counts.table);
	return list;
}

void
counters_warnings(const json_t *counters, json_t *warnings)
{
	const json_t *treatment, *event, *lowest = NULL, *whose = NULL;
	double least = LOW_SHARE;
	size_t t, e;

	json_array_foreach((json_t *)counters, t, treatment)
		json_array_foreach(json_object_get(treatment, "events"), e, event)
			if (json_get_number(event, "fraction") < least) {
				least = json_get_number(event, "fraction");
				lowest = event;
				whose = treatment;
			}
	if (lowest == NULL)
		return;
	warning_add(warnings, "multiplexed", 0.4 * (1 - least), least,
		    "ask for fewer events at once, or longer samples",
		    "%s of %s was counted in %.0f %% of the time only, since the processor has fewer counters than "
		    "were asked for; its count is scaled up", json_get_text(lowest, "event"),
		    json_get_text(whose, "name"), 100 * least);
}
