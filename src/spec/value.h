#ifndef ASSAY_VALUE_H
#define ASSAY_VALUE_H

#include <lua.h>

#include "spec/host_state.h"

/*
 * What API functions give back to a spec: a typed userdata that points at something in the arena,
 * or at a number of the study's arrays (which move while they grow).
 */

#define VALUE_PROGRAM "assay.program"     /* number: index into study.programs */
#define VALUE_TOOLCHAIN "assay.toolchain" /* number: index into host.toolchains */
#define VALUE_INPUT "assay.input"         /* object: the path, char * */
#define VALUE_VARIANT "assay.variant"     /* object: struct variant_spec * */
#define VALUE_FIGURE "assay.figure"       /* object: struct figure * */
#define VALUE_CLAIM "assay.claim"         /* object: struct claim * */
#define VALUE_GIT "assay.git"             /* object: struct git_source * */

struct value {
	void *object;
	size_t number;
};

void value_push(lua_State *L, const char *kind, void *object, size_t number);
/* NULL when it is something else. */
const struct value *value_get(lua_State *L, int index, const char *kind);
/* The path of a program or an input, else NULL. */
const char *value_path(lua_State *L, int index);

/* What stands at `index`, for messages: `the number 5`, `the text "x"`, `a table`, … Owned by
 * the arena. */
const char *value_describe(lua_State *L, int index);

#endif
