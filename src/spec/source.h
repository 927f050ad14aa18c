#ifndef ASSAY_SOURCE_H
#define ASSAY_SOURCE_H

#include <lua.h>

#include "spec/host_state.h"

/* Reads a Lua or literate file, refuses what is no text, and takes the prose out. The file is
 * one of the study's lua_files from then on. */
struct source *source_load(lua_State *L, const char *path);

#endif
