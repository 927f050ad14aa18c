#ifndef ASSAY_REPORT_NUMBERS_H
#define ASSAY_REPORT_NUMBERS_H

#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * What results.tex (latex.h) says, read back: names and their plain text, for papers that are not
 * TeX and for checking those that are.
 */
struct numbers {
	const char **names; /* in the order of the file */
	char **values;      /* plain text, no TeX */
	size_t count;
	const char *path;   /* borrowed: for messages */
};

/* 0, or -1 with *error when there is no such file or it has no numbers. *numbers is to be freed in
 * both cases. */
int numbers_read(const char *path, struct numbers *numbers, struct error *error);
void numbers_free(struct numbers *numbers);

/* The text of a name, borrowed. NULL with *error at file:line, naming the nearest one, when there
 * is none. */
const char *numbers_get(const struct numbers *numbers, const char *name, const char *file, int line,
			struct error *error);

#endif
