/*
 * golden FOLDER
 *
 * Holds the library in analysis/ against the reference values in FOLDER/golden.json, an object
 * with an array `entries`. An entry names a statistic, a CSV in FOLDER (or null), the columns
 * to read from it, params, the expected fields and their tolerances. A param whose key ends in
 * "_file" names a second CSV, read with the same columns.
 *
 * An entry fails on an unknown statistic, a missing or unreadable file or column, a missing
 * field, or a field outside its tolerance; a line says which. The last line is
 * "N passed, N failed". Exit 0 when none failed and some passed, 1 when some failed, 2 on wrong
 * usage, 4 when FOLDER holds no reference set.
 */
#include "tests/statistics/golden.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"

/* A chosen set of columns of one CSV; `input` points into the rest. */
struct selection {
	struct csv_table table;
	const char **names;
	double **values;
	const char ***cells;
	struct golden_input input;
};

struct entry {
	const char *id, *statistic, *file;
	json_t *columns, *params, *expected;
	double rel_tol, abs_tol;
};

/* Where a result first differs from what was expected. */
struct difference {
	char field[128];
	json_t *got, *expected; /* borrowed; got is NULL when the adapter left the field out */
};

/* NaN where the cell is not wholly a number. */
static double
cell_value(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	return end == text || *end != '\0' ? NAN : value;
}

static void
selection_free(struct selection *selection)
{
	for (size_t c = 0; selection->values && c < selection->input.all_columns; c++) {
		free(selection->values[c]);
		free(selection->cells[c]);
	}
	free(selection->values);
	free(selection->cells);
	free(selection->names);
	csv_table_free(&selection->table);
}

static int
take_column(struct selection *selection, size_t c, const char *name, const char *path,
	    struct error *error)
{
	const struct csv_table *table = &selection->table;
	int column = csv_table_column(table, name);

	if (column < 0)
		return error_set_at(error, EXIT_BAD_INPUT, path, 1, "no column \"%s\"", name);
	selection->names[c] = name;
	selection->values[c] = memory_zeroed(table->count + 1, sizeof(double));
	selection->cells[c] = memory_zeroed(table->count + 1, sizeof(char *));
	for (size_t r = 0; r < table->count; r++) {
		selection->cells[c][r] = table->rows[r][column];
		selection->values[c][r] = cell_value(table->rows[r][column]);
	}
	return 0;
}

static bool
has_name(const struct selection *selection, const char *name)
{
	for (size_t c = 0; c < selection->input.columns; c++) {
		if (strcmp(selection->names[c], name) == 0)
			return true;
	}
	return false;
}

/* An entry about columns a and b may need how they were run, which another column says. */
static int
take_other_columns(struct selection *selection, const char *path, struct error *error)
{
	int result = 0;

	for (size_t t = 0; result == 0 && t < selection->table.columns; t++) {
		const char *name = selection->table.names[t];

		if (!has_name(selection, name))
			result = take_column(selection, selection->input.all_columns++, name, path,
					     error);
	}
	return result;
}

/* *selection starts zeroed, and must be freed whatever comes back. */
static int
selection_read(struct selection *selection, const char *folder, const char *file,
	       const json_t *columns, struct error *error)
{
	char *path = memory_format("%s/%s", folder, file);
	size_t count = json_array_size(columns), room;
	int result = csv_table_read(path, &selection->table, error);

	room = count + selection->table.columns + 1;
	selection->names = memory_zeroed(room, sizeof(*selection->names));
	selection->values = memory_zeroed(room, sizeof(*selection->values));
	selection->cells = memory_zeroed(room, sizeof(*selection->cells));
	selection->input.columns = selection->input.all_columns = count;
	for (size_t c = 0; result == 0 && c < count; c++) {
		const char *name = json_string_value(json_array_get(columns, c));
		result = take_column(selection, c, name ? name : "", path, error);
	}
	if (result == 0)
		result = take_other_columns(selection, path, error);
	selection->input.names = selection->names;
	selection->input.values = (const double *const *)selection->values;
	selection->input.cells = (const char *const *const *)selection->cells;
	selection->input.rows = selection->table.count;
	free(path);
	return result;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The name of the second CSV, or NULL. */
static const char *
aux_file(json_t *params)
{
	const char *key;
	json_t *value;

	json_object_foreach(params, key, value)
	{
		if (json_is_string(value) && ends_with(key, "_file"))
			return json_string_value(value);
	}
	return NULL;
}

/* NULL for a statistic that no table knows. */
static golden_run *
find_adapter(const char *statistic)
{
	static const struct golden_adapter *const tables[] = {
		golden_samples, golden_pairs,  golden_plans,
		golden_series,  golden_groups, golden_models,
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		for (const struct golden_adapter *at = tables[i]; at->statistic; at++) {
			if (strcmp(at->statistic, statistic) == 0)
				return at->run;
		}
	}
	return NULL;
}

static bool
same_scalar(const struct entry *entry, const json_t *got, const json_t *expected)
{
	double a, b;

	if (!got)
		return false;
	if (!json_is_number(expected))
		return json_equal(got, expected);
	if (!json_is_number(got))
		return false;
	a = json_number_value(got);
	b = json_number_value(expected);
	return fabs(a - b) <= entry->abs_tol + entry->rel_tol * fabs(b);
}

static bool
differ(struct difference *difference, const char *field, json_t *got, json_t *expected)
{
	snprintf(difference->field, sizeof(difference->field), "%s", field);
	difference->got = got;
	difference->expected = expected;
	return false;
}

static bool
same_array(const struct entry *entry, const char *field, json_t *got, json_t *expected,
	   struct difference *difference)
{
	if (!json_is_array(got) || json_array_size(got) != json_array_size(expected))
		return differ(difference, field, got, expected);
	for (size_t i = 0; i < json_array_size(expected); i++) {
		json_t *a = json_array_get(got, i), *b = json_array_get(expected, i);
		char place[sizeof(difference->field)];

		snprintf(place, sizeof(place), "%s[%zu]", field, i);
		if (!same_scalar(entry, a, b))
			return differ(difference, place, a, b);
	}
	return true;
}

static bool
same_result(const struct entry *entry, json_t *got, struct difference *difference)
{
	const char *field;
	json_t *expected;

	json_object_foreach(entry->expected, field, expected)
	{
		json_t *value = json_object_get(got, field);

		if (json_is_array(expected)) {
			if (!same_array(entry, field, value, expected, difference))
				return false;
		} else if (!same_scalar(entry, value, expected)) {
			return differ(difference, field, value, expected);
		}
	}
	return true;
}

/* False with a message when the entry is not laid out as the header comment says. */
static bool
entry_read(json_t *json, struct entry *entry, struct error *error)
{
	json_t *rel = json_object_get(json, "rel_tol"), *abs = json_object_get(json, "abs_tol");
	json_t *file = json_object_get(json, "file");

	entry->id = json_string_value(json_object_get(json, "id"));
	entry->statistic = json_string_value(json_object_get(json, "statistic"));
	entry->file = json_string_value(file);
	entry->columns = json_object_get(json, "columns");
	entry->params = json_object_get(json, "params");
	entry->expected = json_object_get(json, "expected");
	entry->rel_tol = json_number_value(rel);
	entry->abs_tol = json_number_value(abs);
	if (!entry->id)
		entry->id = "(no id)";
	if (!entry->statistic || !json_is_number(rel) || !json_is_number(abs) ||
	    !json_is_array(entry->columns) || !json_is_object(entry->params) ||
	    !(json_is_string(file) || json_is_null(file))) {
		error_set(error, EXIT_BAD_INPUT,
			  "needs statistic, file, columns, params, "
			  "rel_tol and abs_tol");
		return false;
	}
	if (json_object_size(entry->expected) == 0) {
		error_set(error, EXIT_BAD_INPUT, "expects nothing");
		return false;
	}
	return true;
}

static void
print_value(const char *label, const json_t *value)
{
	char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)) : NULL;

	printf(" %s %s", label, text ? text : "nothing");
	free(text);
}

static bool
check_result(const struct entry *entry, json_t *got)
{
	struct difference difference;
	bool same = same_result(entry, got, &difference);

	if (!same) {
		printf("%s: %s: field %s:", entry->id, entry->statistic, difference.field);
		print_value("got", difference.got);
		print_value("expected", difference.expected);
		printf("\n");
	}
	return same;
}

static bool
run_entry(const char *folder, json_t *json)
{
	struct entry entry;
	struct selection main = {0}, aux = {0};
	struct error error = {0};
	golden_run *run = NULL;
	const char *second;
	json_t *got = NULL;
	bool passed = false;

	if (!entry_read(json, &entry, &error))
		goto done;
	run = find_adapter(entry.statistic);
	if (!run) {
		error_set(&error, EXIT_BAD_INPUT, "unknown statistic \"%s\"", entry.statistic);
		goto done;
	}
	second = aux_file(entry.params);
	if (entry.file && selection_read(&main, folder, entry.file, entry.columns, &error))
		goto done;
	if (second && selection_read(&aux, folder, second, entry.columns, &error))
		goto done;
	main.input.params = aux.input.params = entry.params;
	main.input.aux = second ? &aux.input : NULL;
	got = run(&main.input);
	passed = check_result(&entry, got);
done:
	if (error.message[0])
		printf("%s: %s%s%s\n", entry.id, error.file, error.file[0] ? ": " : "",
		       error.message);
	json_decref(got);
	selection_free(&aux);
	selection_free(&main);
	return passed;
}

static json_t *
read_set(const char *folder, struct error *error)
{
	char *path = memory_format("%s/golden.json", folder);
	json_t *set = json_read_file(path, error);

	if (!set) {
		error->code = EXIT_BAD_INPUT;
		error_prefix(error,
			     "no reference set in \"%s\"; name a folder that holds "
			     "golden.json and its CSV files",
			     folder);
	} else if (json_array_size(json_object_get(set, "entries")) == 0) {
		error_set_at(error, EXIT_BAD_INPUT, path, 0,
			     "no entries; it must be an object "
			     "with an array \"entries\"");
		json_decref(set);
		set = NULL;
	}
	free(path);
	return set;
}

int
main(int argc, char **argv)
{
	struct error error = {0};
	size_t passed = 0, failed = 0, i;
	json_t *set, *entry;

	if (argc != 2) {
		fprintf(stderr, "usage: golden FOLDER (it holds golden.json and its CSV files)\n");
		return EXIT_USAGE;
	}
	set = read_set(argv[1], &error);
	if (!set)
		return error_print(&error);
	json_array_foreach(json_object_get(set, "entries"), i, entry)
	{
		if (run_entry(argv[1], entry))
			passed++;
		else
			failed++;
	}
	printf("%zu passed, %zu failed\n", passed, failed);
	json_decref(set);
	return failed == 0 && passed > 0 ? EXIT_DONE : EXIT_FAILED;
}
