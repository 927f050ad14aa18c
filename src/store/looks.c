#include "store/looks.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/csv_table.h"
#include "base/file.h"
#include "base/memory.h"

static int
parse_pairs(const char *path, size_t row, const char *text, int *pairs, struct error *error)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || value < 0 || value > INT_MAX)
		return error_set_at(error, EXIT_BAD_INPUT, path, (int)row + 2,
				    "'pairs' must be a count, not '%s'", text);
	*pairs = (int)value;
	return 0;
}

static int
take_rows(const char *path, const struct csv_table *table, struct store_look *looks,
	  struct error *error)
{
	int at = csv_table_column(table, "at"), pairs = csv_table_column(table, "pairs");
	int rule = csv_table_column(table, "rule");
	size_t i;

	if (at < 0 || pairs < 0 || rule < 0)
		return error_set_at(error, EXIT_BAD_INPUT, path, 1,
				    "the header must be at,pairs,rule");
	for (i = 0; i < table->count; i++) {
		looks[i].at = memory_copy_text(table->rows[i][at]);
		looks[i].rule = memory_copy_text(table->rows[i][rule]);
		if (parse_pairs(path, i, table->rows[i][pairs], &looks[i].pairs, error) != 0)
			return -1;
	}
	return 0;
}

static int
damaged(struct error *error)
{
	error_prefix(error, "this file says how often the data were looked at, and is damaged (restore it; "
		     "without it what comes next counts as the first look)");
	return -1;
}

int
looks_read(const char *path, struct store_look **looks, size_t *count, struct error *error)
{
	struct csv_table table;
	int result;

	*looks = NULL;
	*count = 0;
	if (!file_exists(path))
		return 0;
	if (csv_table_read(path, &table, error) != 0)
		return damaged(error);
	*looks = memory_zeroed(table.count, sizeof **looks);
	*count = table.count;
	result = take_rows(path, &table, *looks, error);
	csv_table_free(&table);
	if (result != 0) {
		looks_free(*looks, *count);
		*looks = NULL;
		*count = 0;
		damaged(error);
	}
	return result;
}

void
looks_free(struct store_look *looks, size_t count)
{
	size_t i;

	for (i = 0; looks != NULL && i < count; i++) {
		free(looks[i].at);
		free(looks[i].rule);
	}
	free(looks);
}

static void
put_look(struct buffer *out, const char *at, int pairs, const char *rule)
{
	csv_put_text(out, at, ',');
	csv_put_integer(out, pairs, ',');
	csv_put_text(out, rule, '\n');
}

int
looks_add(const char *path, int pairs, const char *rule, bool *added, struct error *error)
{
	struct buffer out = BUFFER_EMPTY;
	struct store_look *looks;
	char now[CLOCK_TEXT];
	bool there = false;
	size_t count, i;
	int result = 0;

	if (looks_read(path, &looks, &count, error) != 0)
		return -1;
	buffer_puts(&out, "at,pairs,rule\n");
	for (i = 0; i < count; i++) {
		put_look(&out, looks[i].at, looks[i].pairs, looks[i].rule);
		there |= looks[i].pairs == pairs;
	}
	clock_text(clock_realtime_ns(), now);
	put_look(&out, now, pairs, rule);
	if (!there)
		result = file_write(path, out.bytes, out.length, FILE_SYNC, error);
	*added = !there && result == 0;
	buffer_free(&out);
	looks_free(looks, count);
	return result;
}
