#ifndef ASSAY_FORMAT_NUMBER_H
#define ASSAY_FORMAT_NUMBER_H

#include <lua.h>

/* Lua functions that shape a number for a text; rounding belongs here and in no data. */

int format_fixed(lua_State *L);   /* fixed(x, digits = 2): digits behind the point */
int format_percent(lua_State *L); /* percent(share, digits = 1): "1.2 %" */
int format_si(lua_State *L);      /* si(x, unit = ""): three digits and a prefix, "4.19 MB" */
int format_integer(lua_State *L); /* integer(x): rounded */

#endif
