#include "figures/sample_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"

static int
find_columns(struct sample_table *table, const char *metric, struct error *error)
{
	const struct {
		const char *name;
		int *at;
	} columns[] = {
		{"run_id", &table->run_id}, {"phase", &table->phase}, {"treatment", &table->treatment},
		{"slot", &table->slot},     {"sample", &table->sample}, {"pair", &table->pair},
		{"status", &table->status}, {"item", &table->item},   {"used", &table->used},
	};
	size_t i;

	for (i = 0; i < sizeof columns / sizeof *columns; i++) {
		*columns[i].at = csv_table_column(&table->csv, columns[i].name);
		if (*columns[i].at < 0)
			return error_set(error, EXIT_BAD_INPUT, "samples.csv lacks the column %s; run ninja again",
					 columns[i].name);
	}
	table->value = csv_table_column(&table->csv, metric);
	return 0;
}

int
sample_table_read(const json_t *case_document, const char *metric, struct sample_table *table,
		  struct error *error)
{
	char *path = memory_format("build/samples/%s.csv", json_get_text(case_document, "case_id"));
	int result = csv_table_read(path, &table->csv, error);

	table->name = json_get_text(case_document, "of_item");
	if (result == 0) {
		result = find_columns(table, metric, error);
		if (result != 0)
			csv_table_free(&table->csv);
	}
	free(path);
	return result;
}

void
sample_table_free(struct sample_table *table)
{
	csv_table_free(&table->csv);
}

bool
sample_table_is_sample(const struct sample_table *table, size_t row)
{
	char **cells = table->csv.rows[row];

	return strcmp(cells[table->status], "ok") == 0 && table->value >= 0 &&
	       cells[table->value][0] != '\0' &&
	       (table->name[0] == '\0' || strcmp(cells[table->item], table->name) == 0);
}
