#ifndef ASSAY_NEED_H
#define ASSAY_NEED_H

#include "base/error.h"
#include "spec/fields.h"

/*
 * `needs`: what must be there for a program, a runner or a variant, be it a tool in PATH or
 * something that a command can tell. What lacks is no mistake of the study: it is skipped.
 */

/* Where a bare name is found in PATH, as a shell would; NULL: nowhere. The caller frees. */
char *need_find_tool(const char *name);

/*
 * Reads the key `needs`: a text, or a list of texts, each a tool, with name = "command" among
 * them. What is asked comes into the study once. All that was said is added to *said.
 */
void need_read(const struct fields *fields, struct requirement *out, struct texts *said);
/* The same where a text is a Python module that the interpreter, a word for sh, can import or not. */
void need_read_python(const struct fields *fields, const char *interpreter, struct requirement *out,
		      struct texts *said);
/* One more need, what the command prints being the version of `name`. */
void need_read_version(const struct fields *fields, const char *name, const char *command,
		       struct requirement *out);
/* One more tool that lacks where it is not in PATH; its path, NULL: it is not. */
const char *need_read_tool(const struct fields *fields, const char *name, struct requirement *out);
/* Takes over what `from` needs as well. */
void need_add(struct arena *arena, const struct requirement *from, struct requirement *to);

/*
 * build/needs.json keeps what was asked and what was found, so that the next start of Ninja can
 * look again without reading the specs:
 *
 *	{ "format": "assay-needs-1",
 *	  "needs": [ {"name", "command": null | text, "met", "answer"} ] }
 *
 * Both write the file only when it changed; nothing is written where nothing was asked.
 */
#define NEEDS_FILE "build/needs.json"
int need_write_all(const struct study *study, struct error *error);
int need_look_again(struct error *error);

#endif
