#ifndef ASSAY_LOCATE_H
#define ASSAY_LOCATE_H

#include <stddef.h>

/*
 * The line of a key in a spec's source, so that an error points at it and not at the call whose
 * table holds it. Lua keeps no lines for the keys of a table; this reads the source again.
 *
 * `line` is where the call starts, `callee` the function's name, `name` the text after it or
 * NULL, `path` the key: "design.pairs", "variants[2]", "args[1]". When the table was made
 * elsewhere the line of the nearest key that is there, or of the call.
 */
int locate_key(const char *source, size_t length, int line, const char *callee,
	       const char *name, const char *path);

#endif
