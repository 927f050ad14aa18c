#ifndef ASSAY_GLOB_FILES_H
#define ASSAY_GLOB_FILES_H

#include <lua.h>

#include "spec/study.h"

/*
 * The files that match, sorted byte by byte. Every folder whose listing decides about it becomes
 * an input of the graph. Patterns are of the shell (*, ?, [a-z]); ** is refused.
 */
struct texts glob_files(lua_State *L, const char *pattern);

/* The files of one folder whose names end in `end`, sorted; the folder becomes an input. */
struct texts glob_folder(lua_State *L, const char *folder, const char *end);

#endif
