#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "figures/writers.h"

/*
 * Every comparison of the study's primary metrics, one a row, in the author's order from top
 * to bottom. Columns: row, speedup, lo, hi, verdict (0 inconclusive or same, 1 faster, 2 slower).
 */

#define MAX_ROWS 60

static int
verdict_number(const char *verdict)
{
	if (strcmp(verdict, "faster") == 0)
		return 1;
	return strcmp(verdict, "slower") == 0 ? 2 : 0;
}

static void
put_row(const json_t *document, const json_t *comparison, const char *item, int row,
	struct buffer *data, struct buffer *settings)
{
	const char *point = json_get_text(document, "point_text");
	char *name = memory_format("row_%d", row);
	char *text = memory_format("%s%s%s%s%s: %s", json_get_text(document, "experiment"),
				   point[0] != '\0' ? " " : "", point, item[0] != '\0' ? " " : "", item,
				   json_get_text(comparison, "b_name"));

	figure_put_text(settings, name, text);
	csv_put_integer(data, row, ',');
	csv_put_number(data, json_get_number(comparison, "speedup"), ',');
	csv_put_number(data, json_get_number(comparison, "speedup_lo"), ',');
	csv_put_number(data, json_get_number(comparison, "speedup_hi"), ',');
	csv_put_integer(data, verdict_number(json_get_text(comparison, "verdict")), '\n');
	free(name);
	free(text);
}

static void
put_case(const json_t *document, int *rows, int *left_out, struct buffer *data,
	 struct buffer *settings)
{
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0);
	const json_t *item, *comparison;
	size_t i, c;

	json_array_foreach(json_object_get(metric, "items"), i, item)
		json_array_foreach(json_object_get(item, "comparisons"), c, comparison) {
			if (*rows == MAX_ROWS || !isfinite(json_get_number(comparison, "speedup_lo")))
				++*left_out;
			else
				put_row(document, comparison, json_get_text(item, "item"), (*rows)++, data,
					settings);
		}
}

int
figure_forest(const struct figure_input *input, struct buffer *data, struct buffer *settings,
	      struct buffer *notes, struct error *error)
{
	const json_t *experiment, *one, *cases = json_object_get(input->stats, "cases");
	int rows = 0, left_out = 0;
	size_t e, c;

	(void)error;
	buffer_puts(data, "row,speedup,lo,hi,verdict\n");
	json_array_foreach(json_object_get(input->study, "experiments"), e, experiment)
		json_array_foreach(json_object_get(experiment, "cases"), c, one)
			put_case(json_object_get(cases, json_get_text(one, "case_id")), &rows, &left_out,
				 data, settings);
	if (left_out > 0)
		buffer_printf(notes, "%d comparisons without an interval, or past the first %d, are not "
				     "shown. ", left_out, MAX_ROWS);
	figure_put_number(settings, "row_count", rows);
	figure_put_number(settings, "HEIGHT", 150 + 24 * (rows > 2 ? rows : 2));
	figure_put_text(settings, "title_text", "All comparisons of the study");
	return 0;
}
