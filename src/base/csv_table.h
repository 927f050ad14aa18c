#ifndef ASSAY_CSV_TABLE_H
#define ASSAY_CSV_TABLE_H

#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * RFC 4180 through libcsv: strict (an unclosed quote is an error), spaces kept, every row as
 * long as the header.
 */

/* A whole table. Cells are NUL-terminated text, owned by the table. */
struct csv_table {
	char **names;      /* [columns] */
	size_t columns;
	char ***rows;      /* [count][columns] */
	size_t count;
};

int csv_table_read(const char *path, struct csv_table *table, struct error *error);
void csv_table_free(struct csv_table *table);
/* The index of a column, or -1. */
int csv_table_column(const struct csv_table *table, const char *name);

/* Appends one quoted-where-needed field and then `end` (',' or '\n'). */
void csv_put_text(struct buffer *out, const char *text, char end);
/* %.17g; empty for NaN and infinities. */
void csv_put_number(struct buffer *out, double value, char end);
void csv_put_integer(struct buffer *out, long long value, char end);

#endif
