#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "figures/item_cases.h"
#include "figures/panels.h"
#include "figures/sample_table.h"
#include "figures/writers.h"

/*
 * One panel a case, or item of a case (the first 6). Columns: panel, x (position in time: the group's number plus
 * the sample's place in it), value, kind, where kind = 1000 * phase + 2 * treatment + (slot - 1);
 * phase 0 warm-up, 1 A/A, 2 A/B. Panels are separated by two empty lines.
 */

static int
phase_number(const char *phase)
{
	if (strcmp(phase, "ab") == 0)
		return 2;
	return strcmp(phase, "aa") == 0 ? 1 : 0;
}

/* Rows of one group, from `first`. */
static size_t
group_rows(const struct sample_table *table, size_t first)
{
	char ***rows = table->csv.rows;
	size_t r = first;

	while (r < table->csv.count && strcmp(rows[r][table->run_id], rows[first][table->run_id]) == 0)
		r++;
	return r - first;
}

static size_t
put_panel(const struct sample_table *table, int panel, size_t *groups, struct buffer *data)
{
	size_t r = 0, group = 0, failed = 0;

	while (r < table->csv.count) {
		size_t rows = group_rows(table, r), i;

		group++;
		for (i = 0; i < rows; i++) {
			char **row = table->csv.rows[r + i];
			int kind = 1000 * phase_number(row[table->phase]) +
				   2 * (int)strtol(row[table->treatment], NULL, 10) +
				   (strcmp(row[table->slot], "2") == 0);

			if (!sample_table_is_sample(table, r + i))
				continue;
			csv_put_integer(data, panel, ',');
			csv_put_number(data, (double)group + 0.8 * (double)i / (double)rows - 0.4, ',');
			csv_put_text(data, row[table->value], ',');
			csv_put_integer(data, kind, '\n');
		}
		failed += strcmp(table->csv.rows[r][table->status], "ok") != 0;
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
	const char *point = json_get_text(document, "point_text");
	struct sample_table table;
	size_t failed;

	if (sample_table_read(document, metric, &table, error) != 0)
		return -1;
	failed = put_panel(&table, panel, groups, data);
	if (failed > 0)
		buffer_printf(notes, "%zu failed groups%s%s are not shown. ", failed,
			      point[0] != '\0' ? " of " : "", point);
	sample_table_free(&table);
	return 0;
}

int
figure_runs(const struct figure_input *input, struct buffer *data, struct buffer *settings,
	    struct buffer *notes, struct error *error)
{
	const json_t *metric = figure_metric(input);
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
