#ifndef ASSAY_LITERATE_H
#define ASSAY_LITERATE_H

#include <stddef.h>

#include "base/error.h"

/*
 * Splits a literate spec (docs/spec.md): bytes in, segments out. Pure; no I/O, no Lua.
 *
 * A fenced block whose info string is `lua` is the spec; every other byte is prose, in which
 * `{{ expression }}` and `![caption](figure:label)` are taken out unless they stand in a fenced
 * block or in inline code. The segments cover the text in order; MARKDOWN is verbatim.
 */

enum literate_kind {
	LITERATE_LUA,        /* the lines between the fences */
	LITERATE_MARKDOWN,
	LITERATE_EXPRESSION, /* between the braces, spaces cut off */
	LITERATE_FIGURE,     /* text: the label; caption */
};

struct literate_segment {
	enum literate_kind kind;
	const char *text; /* into the source */
	size_t length;
	const char *caption; /* FIGURE, into the source */
	size_t caption_length;
	int line; /* of the segment's first byte */
};

struct literate {
	struct literate_segment *segments;
	size_t count;
	const char *title; /* the first `# heading`, into the source; NULL when there is none */
	size_t title_length;
};

/*
 * `file` is for messages. 0, or -1 with *error at the line where an unfinished fence, expression
 * or figure opened. *literate is to be freed in both cases; it points into `source`.
 */
int literate_split(const char *source, size_t length, const char *file,
		   struct literate *literate, struct error *error);
void literate_free(struct literate *literate);

/* The Lua of all blocks as one chunk in which every line has the number that it has in the
 * file. The caller frees it. */
char *literate_lua(const struct literate *literate, size_t *length);

#endif
