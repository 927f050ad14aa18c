#include "base/csv_table.h"

#include <csv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

struct reading {
	struct csv_table *table;
	char **row;
	size_t fields, field_capacity, row_capacity;
	size_t bad_row; /* 1-based line of the first row of another length; 0: none */
};

static int
no_space(unsigned char byte)
{
	(void)byte;
	return 0;
}

static void
take_field(void *bytes, size_t length, void *context)
{
	struct reading *reading = context;

	reading->row = memory_grow(reading->row, reading->fields, &reading->field_capacity,
				   sizeof *reading->row);
	reading->row[reading->fields++] = memory_copy_span(bytes != NULL ? bytes : "", length);
}

static void
take_row(int end, void *context)
{
	struct reading *reading = context;
	struct csv_table *table = reading->table;

	(void)end;
	if (table->names == NULL) {
		table->names = reading->row;
		table->columns = reading->fields;
	} else {
		if (reading->fields != table->columns && reading->bad_row == 0)
			reading->bad_row = table->count + 2;
		while (reading->fields < table->columns)
			take_field(NULL, 0, reading);
		while (reading->fields > table->columns)
			free(reading->row[--reading->fields]);
		table->rows = memory_grow(table->rows, table->count, &reading->row_capacity,
					  sizeof *table->rows);
		table->rows[table->count++] = reading->row;
	}
	reading->row = NULL;
	reading->fields = reading->field_capacity = 0;
}

int
csv_table_read(const char *path, struct csv_table *table, struct error *error)
{
	struct reading reading = {.table = table};
	struct buffer bytes = BUFFER_EMPTY;
	struct csv_parser parser;
	int result = -1;

	memset(table, 0, sizeof *table);
	if (file_read(path, 0, &bytes, error) != 0)
		return -1;
	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0) {
		buffer_free(&bytes);
		return error_set(error, EXIT_FAILED, "libcsv cannot start");
	}
	csv_set_space_func(&parser, no_space);
	if (csv_parse(&parser, buffer_text(&bytes), bytes.length, take_field, take_row, &reading) !=
		    bytes.length ||
	    csv_fini(&parser, take_field, take_row, &reading) != 0)
		error_set_at(error, EXIT_BAD_INPUT, path, (int)table->count + 2, "not valid CSV: %s",
			     csv_strerror(csv_error(&parser)));
	else if (reading.bad_row != 0)
		error_set_at(error, EXIT_BAD_INPUT, path, (int)reading.bad_row,
			     "this row has not as many fields as the header");
	else if (table->names == NULL)
		error_set_at(error, EXIT_BAD_INPUT, path, 1, "the file has no header line");
	else
		result = 0;
	csv_free(&parser);
	buffer_free(&bytes);
	while (reading.fields > 0)
		free(reading.row[--reading.fields]);
	free(reading.row);
	if (result != 0)
		csv_table_free(table);
	return result;
}

void
csv_table_free(struct csv_table *table)
{
	size_t r, c;

	for (r = 0; r < table->count; r++) {
		for (c = 0; c < table->columns; c++)
			free(table->rows[r][c]);
		free(table->rows[r]);
	}
	for (c = 0; table->names != NULL && c < table->columns; c++)
		free(table->names[c]);
	free(table->rows);
	free(table->names);
	memset(table, 0, sizeof *table);
}

int
csv_table_column(const struct csv_table *table, const char *name)
{
	size_t c;

	for (c = 0; c < table->columns; c++)
		if (strcmp(table->names[c], name) == 0)
			return (int)c;
	return -1;
}

void
csv_put_text(struct buffer *out, const char *text, char end)
{
	size_t length = strlen(text);

	if (strpbrk(text, ",\"\r\n") == NULL) {
		buffer_append(out, text, length);
	} else {
		size_t room = csv_write(NULL, 0, text, length);
		char *quoted = memory_alloc(room);

		csv_write(quoted, room, text, length);
		buffer_append(out, quoted, room);
		free(quoted);
	}
	buffer_putc(out, end);
}

void
csv_put_number(struct buffer *out, double value, char end)
{
	if (isfinite(value))
		buffer_printf(out, "%.17g", value);
	buffer_putc(out, end);
}

void
csv_put_integer(struct buffer *out, long long value, char end)
{
	buffer_printf(out, "%lld", value);
	buffer_putc(out, end);
}
