#include "report/group_csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"
#include "base/memory.h"

/* Columns of samples.csv that go over as they are. */
static const char *const values[] = {"wall_us", "cpu_us", "flops"};

struct writing {
	json_t *parameters;  /* names, without those of CFG */
	const char *further; /* the report's metric where it is none of `values`; NULL */
	bool items;
	struct buffer *out;
};

bool
group_csv_wanted(const json_t *experiment)
{
	return json_is_object(json_object_get(experiment, "group_report"));
}

/* ---- columns ---- */

/* What was done is told in CFG; a parameter of that name would say the same again. */
static bool
is_of_cfg(const char *name)
{
	return strcmp(name, "len") == 0 || strcmp(name, "iters") == 0;
}

static void
add_parameters(json_t *names, const json_t *experiment)
{
	const json_t *first = json_array_get(json_object_get(experiment, "cases"), 0), *one;
	const char *name;
	json_t *value;
	size_t i;

	json_array_foreach(json_object_get(experiment, "sweep"), i, one)
		if (!is_of_cfg(json_get_text(one, "name")))
			json_array_append(names, json_object_get(one, "name"));
	json_object_foreach(json_object_get(first, "derived"), name, value)
		if (!is_of_cfg(name))
			json_array_append_new(names, json_string(name));
}

static void
put_header(struct writing *w)
{
	const json_t *name;
	size_t i;

	buffer_puts(w->out, w->items ? "case,variant,item," : "case,variant,");
	json_array_foreach(w->parameters, i, name)
		csv_put_text(w->out, json_string_value(name), ',');
	buffer_puts(w->out, "len,iters,group,sample,");
	for (i = 0; i < sizeof values / sizeof *values; i++)
		csv_put_text(w->out, values[i], ',');
	if (w->further != NULL)
		csv_put_text(w->out, w->further, ',');
	buffer_puts(w->out, "check,trimmed\n");
}

/* ---- rows ---- */

static const char *
cell(const struct csv_table *table, size_t row, const char *name)
{
	int column = csv_table_column(table, name);

	return column >= 0 ? table->rows[row][column] : "";
}

static bool
is_integer(const char *text, long long value)
{
	return text[0] != '\0' && strtoll(text, NULL, 10) == value;
}

/* The group that a row belongs to; NULL when it is none of the table's. */
static const json_t *
group_of(const json_t *table, const struct csv_table *samples, size_t row)
{
	const json_t *group;
	size_t i;

	if (strcmp(json_get_text(table, "item"), cell(samples, row, "item")) != 0 ||
	    !is_integer(cell(samples, row, "treatment"), json_get_integer(table, "treatment", -1)))
		return NULL;
	json_array_foreach(json_object_get(table, "groups"), i, group)
		if (is_integer(cell(samples, row, "session"), json_get_integer(group, "session", -1)) &&
		    is_integer(cell(samples, row, "order"), json_get_integer(group, "order", -1)))
			return group;
	return NULL;
}

static bool
is_left_out(const json_t *group, const char *sample)
{
	const json_t *number;
	size_t i;

	json_array_foreach(json_object_get(group, "left_out"), i, number)
		if (is_integer(sample, json_integer_value(number)))
			return true;
	return false;
}

static void
put_parameter(const json_t *value, struct buffer *out)
{
	char *text = json_is_string(value) ? memory_copy_text(json_string_value(value))
		     : value != NULL ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17))
				     : memory_copy_text("");

	csv_put_text(out, text, ',');
	free(text);
}

static void
put_parameters(const struct writing *w, const json_t *entry, const json_t *table)
{
	const json_t *name;
	size_t i;

	json_array_foreach(w->parameters, i, name) {
		const char *text = json_string_value(name);
		const json_t *value = json_object_get(json_object_get(entry, "point"), text);

		if (value == NULL)
			value = json_object_get(json_object_get(table, "blocked"), text);
		put_parameter(value != NULL ? value : json_object_get(json_object_get(entry, "derived"), text), w->out);
	}
}

static void
put_row(const struct writing *w, const json_t *entry, const json_t *table, const json_t *group,
	const struct csv_table *samples, size_t row)
{
	const char *sample = cell(samples, row, "sample");
	size_t i;

	csv_put_text(w->out, json_get_text(entry, "case_id"), ',');
	csv_put_text(w->out, json_get_text(table, "name"), ',');
	if (w->items)
		csv_put_text(w->out, json_get_text(table, "item"), ',');
	put_parameters(w, entry, table);
	csv_put_text(w->out, cell(samples, row, "cfg_len"), ',');
	csv_put_text(w->out, cell(samples, row, "cfg_iters"), ',');
	csv_put_integer(w->out, json_get_integer(group, "group", 0), ',');
	csv_put_text(w->out, sample, ',');
	for (i = 0; i < sizeof values / sizeof *values; i++)
		csv_put_text(w->out, cell(samples, row, values[i]), ',');
	if (w->further != NULL)
		csv_put_text(w->out, cell(samples, row, w->further), ',');
	csv_put_text(w->out, cell(samples, row, "check"), ',');
	csv_put_integer(w->out, is_left_out(group, sample), '\n');
}

static void
put_table(const struct writing *w, const json_t *entry, const json_t *table,
	  const struct csv_table *samples)
{
	size_t row;

	for (row = 0; row < samples->count; row++) {
		const json_t *group = group_of(table, samples, row);

		if (group != NULL && strcmp(cell(samples, row, "status"), "ok") == 0)
			put_row(w, entry, table, group, samples, row);
	}
}

static int
put_case(const struct report *report, const struct writing *w, const json_t *entry,
	 struct error *error)
{
	const json_t *groups = json_object_get(document_case(report, entry), "group_report"), *table;
	char *path = memory_format("build/samples/%s.csv", json_get_text(entry, "case_id"));
	struct csv_table samples;
	int result = 0;
	size_t i;

	if (groups != NULL) /* none: invalid, no numbers */
		result = csv_table_read(path, &samples, error);
	if (groups != NULL && result == 0) {
		json_array_foreach(json_object_get(groups, "treatments"), i, table)
			put_table(w, entry, table, &samples);
		csv_table_free(&samples);
	}
	free(path);
	return result;
}

int
group_csv_put(const struct report *report, const json_t *experiment, struct buffer *out,
	      struct error *error)
{
	const json_t *entry;
	const char *metric = json_get_text(json_object_get(experiment, "group_report"), "metric");
	struct writing w = {json_array(), metric, document_has_items(report, experiment), out};
	int result = 0;
	size_t i;

	for (i = 0; i < sizeof values / sizeof *values; i++)
		if (strcmp(values[i], metric) == 0)
			w.further = NULL;
	add_parameters(w.parameters, experiment);
	put_header(&w);
	json_array_foreach(json_object_get(experiment, "cases"), i, entry)
		if (result == 0)
			result = put_case(report, &w, entry, error);
	json_decref(w.parameters);
	return result;
}
