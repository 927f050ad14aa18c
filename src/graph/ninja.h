#ifndef ASSAY_NINJA_H
#define ASSAY_NINJA_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"
#include "spec/study.h"

/*
 * Ninja's syntax, and nothing of what we build with it: rules and edges in, text out. The same
 * calls give the same bytes.
 *
 * Two kinds of text go in. Paths and names are plain bytes and are escaped here. Values of
 * variables (command, description, …) are Ninja text already: `$in` in them means Ninja's $in;
 * ninja_put_literal makes Ninja text from plain text.
 *
 * Ninja has no way to write a path with a newline, a carriage return or '|'; those are errors,
 * as are an output or a rule that was there before. Errors carry the place of the statement and
 * exit code 4.
 */

struct ninja; /* a file being written */

struct ninja *ninja_new(void);
void ninja_free(struct ninja *ninja);
/* What was written so far; borrowed. */
const struct buffer *ninja_text(const struct ninja *ninja);
/* Is the path an output of an edge written so far? */
bool ninja_has_output(const struct ninja *ninja, const char *path);

void ninja_comment(struct ninja *ninja, const char *text);
int ninja_variable(struct ninja *ninja, const char *name, const char *value, struct error *error);
int ninja_rule(struct ninja *ninja, const struct graph_rule *rule, struct error *error);
int ninja_edge(struct ninja *ninja, const struct graph_edge *edge, struct error *error);
/* A name for other nodes; with no needs, "this may be missing". */
int ninja_phony(struct ninja *ninja, const char *name, const struct texts *needs,
		struct error *error);
int ninja_default(struct ninja *ninja, const char *name, struct error *error);

/* Appends a path as it stands in an edge. -1 when Ninja cannot write it. */
int ninja_put_path(struct buffer *out, const char *path, struct error *error);
/* Appends plain text as the value of a variable. */
void ninja_put_literal(struct buffer *out, const char *text);
/*
 * Appends what `value` comes to for an edge, as far as a reader of the file can tell: its own
 * variables filled in, `$in` and `$out` replaced by a word, the rest by nothing.
 */
void ninja_expand(struct buffer *out, const char *value, const struct settings *variables);

#endif
