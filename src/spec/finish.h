#ifndef ASSAY_FINISH_H
#define ASSAY_FINISH_H

#include <lua.h>

/* What can only be checked once every file was read: files that builds make, rules used before
 * they are declared, names that meet in a file name. Completes the study. */
void finish_study(lua_State *L);

#endif
