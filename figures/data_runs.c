#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "figures/item_cases.h"
#include "figures/panels.h"
#include "figures/writers.h"

/*
 * One panel a case, or item of a case (the first 6). Columns: panel, x (position in time: the group's number plus
 * the sample's place in it), value, kind, where kind = 10 * phase + 2 * treatment + (slot - 1);
 * phase 0 warm-up, 1 A/A, 2 A/B. Panels are separated by two empty lines.
 */

struct columns {
	int run_id, phase, treatment, slot, sample, status, item, value;
	const char *name; /* of the item */
};

static int
find_columns(const struct csv_table *table, const char *metric, struct columns *at,
	     struct error *error)
{
	at->run_id = csv_table_column(table, "run_id");
	at->phase = csv_table_column(table, "phase");
	at->treatment = csv_table_column(table, "treatment");
	at->slot = csv_table_column(table, "slot");
	at->sample = csv_table_column(table, "sample");
	at->status = csv_table_column(table, "status");
	at->item = csv_table_column(table, "item");
	at->value = csv_table_column(table, metric);
	if (at->run_id < 0 || at->phase < 0 || at->treatment < 0 || at->slot < 0 || at->sample < 0 ||
	    at->status < 0 || at->item < 0)
		return error_set(error, EXIT_BAD_INPUT, "samples.csv lacks a column; run ninja again");
	return 0;
}

static int
phase_number(const char *phase)
{
	if (strcmp(phase, "ab") == 0)
		return 2;
	return strcmp(phase, "aa") == 0 ? 1 : 0;
}

/* Rows of one group, from `first`. */
static size_t
group_rows(const struct csv_table *table, const struct columns *at, size_t first)
{
	size_t r = first;

	while (r < table->count &&
	       strcmp(table->rows[r][at->run_id], table->rows[first][at->run_id]) == 0)
		r++;
	return r - first;
}

static size_t
put_panel(const struct csv_table *table, const struct columns *at, int panel, size_t *groups,
	  struct buffer *data)
{
	size_t r = 0, group = 0, failed = 0;

	while (r < table->count) {
		size_t rows = group_rows(table, at, r), i;

		group++;
		for (i = 0; i < rows; i++) {
			char **row = table->rows[r + i];
			int kind = 10 * phase_number(row[at->phase]) +
				   2 * (int)strtol(row[at->treatment], NULL, 10) +
				   (strcmp(row[at->slot], "2") == 0);

			if (strcmp(row[at->status], "ok") != 0 || at->value < 0 || row[at->value][0] == '\0' ||
			    (at->name[0] != '\0' && strcmp(row[at->item], at->name) != 0))
				continue;
			csv_put_integer(data, panel, ',');
			csv_put_number(data, (double)group + 0.8 * (double)i / (double)rows - 0.4, ',');
			csv_put_text(data, row[at->value], ',');
			csv_put_integer(data, kind, '\n');
		}
		failed += strcmp(table->rows[r][at->status], "ok") != 0;
		r += rows;
	}
	*groups = group > *groups ? group : *groups;
	return failed;
}

/* Raises *groups to the number of the case's groups. */
static int
put_case(const json_t *document, const char *metric, int panel, size_t *groups,
	 struct buffer *data, struct buffer *notes, struct error *error)
{
	char *path = memory_format("build/samples/%s.csv", json_get_text(document, "case_id"));
	const char *point = json_get_text(document, "point_text");
	struct csv_table table;
	struct columns at = {.name = json_get_text(document, "of_item")};
	size_t failed;
	int result = csv_table_read(path, &table, error);

	if (result == 0) {
		result = find_columns(&table, metric, &at, error);
		if (result == 0) {
			failed = put_panel(&table, &at, panel, groups, data);
			if (failed > 0)
				buffer_printf(notes, "%zu failed groups%s%s are not shown. ", failed,
					      point[0] != '\0' ? " of " : "", point);
		}
		csv_table_free(&table);
	}
	free(path);
	return result;
}

int
figure_runs(const struct figure_input *input, struct buffer *data, struct buffer *settings,
	    struct buffer *notes, struct error *error)
{
	const json_t *metric = json_array_get(json_object_get(input->experiment, "metrics"), 0);
	json_t *cases = item_cases(input);
	size_t i, panels = panels_count(cases, notes), groups = 0;
	int result = 0;

	buffer_puts(data, "panel,x,value,kind\n");
	for (i = 0; i < panels && result == 0; i++) {
		const json_t *one = json_array_get(cases, i);
		size_t begin = panels_begin((int)i, data);

		result = put_case(one, json_get_text(metric, "name"), (int)i, &groups, data, notes,
				  error);
		panels_end(one, (int)i, begin, data, settings, notes);
	}
	figure_put_number(settings, "group_count", (double)groups);
	panels_put_settings(input, cases, panels, settings);
	json_decref(cases);
	return result;
}
