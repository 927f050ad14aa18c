#ifndef ASSAY_SEALS_H
#define ASSAY_SEALS_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * seals.txt, beside sessions/ and looks.csv: what the store once had, so that losing it is noticed. A
 * session without end.json looks like one that was killed, and a case without looks.csv like one that
 * nobody saw. A line each, appended after what it speaks of is written:
 *
 *	end 003 <SHA-256 of sessions/003/end.json>
 *	look 16
 *
 * Stores from before have none, and nothing is missed in them.
 */

/* Appends the file's text; a missing file is none. */
int seals_read(const char *store_folder, struct buffer *seals, struct error *error);
/* Appends one line, given without its newline, at once and for good. */
int seals_add(const char *store_folder, const char *line, struct error *error);

/* The line of a session's end.json; the caller frees. NULL with *error when it cannot be read. */
char *seals_line_of_end(const char *session_folder, struct error *error);
/* What is there of such a line: 0 nothing, 1 the same, -1 the session's with another digest. `line` may
 * be NULL, where there is no end.json. */
int seals_compare_end(const char *seals, const char *session_folder, const char *line);
/* The pairs of the next sealed look from *at on, which is moved behind it; -1: no more. */
int seals_next_look(const char **at);

#endif
