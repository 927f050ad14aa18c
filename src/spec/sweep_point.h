#ifndef ASSAY_SWEEP_POINT_H
#define ASSAY_SWEEP_POINT_H

#include <lua.h>
#include <stdbool.h>

#include "spec/host_state.h"

/*
 * Pushes the table p that the functions of a spec get: the point's values, and what `derive` (its
 * place on the stack, 0: none) makes of them, computed when it is asked for, so that one may use
 * another.
 */
void sweep_point_push(lua_State *L, int derive, const struct point *point);

#endif
