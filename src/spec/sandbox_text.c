#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "spec/fail.h"
#include "spec/sandbox.h"
#include "spec/text.h"

/* Texts of values, without addresses, which differ from run to run, and with integral numbers
 * as integers. */

static void
push_text(lua_State *L, int index)
{
	char text[TEXT_NUMBER];

	index = lua_absindex(L, index);
	if (luaL_callmeta(L, index, "__tostring")) {
		if (!lua_isstring(L, -1))
			fail_here(L, "__tostring must give a text");
		return;
	}
	switch (lua_type(L, index)) {
	case LUA_TNUMBER:
		if (lua_isinteger(L, index)) {
			lua_pushfstring(L, "%I", lua_tointeger(L, index));
			return;
		}
		text_number(lua_tonumber(L, index), text);
		lua_pushstring(L, text);
		return;
	case LUA_TSTRING:
		lua_pushvalue(L, index);
		return;
	case LUA_TBOOLEAN:
		lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
		return;
	default:
		if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING)
			return;
		lua_pushstring(L, luaL_typename(L, index));
	}
}

int
sandbox_tostring(lua_State *L)
{
	luaL_checkany(L, 1);
	push_text(L, 1);
	return 1;
}

int
sandbox_format(lua_State *L)
{
	const char *at = luaL_checkstring(L, 1);
	int argument = 1, count = lua_gettop(L);

	while ((at = strchr(at, '%')) != NULL) {
		if (*++at == '%') {
			at++;
			continue;
		}
		at += strspn(at, "-+ #0123456789.");
		argument++;
		if (*at == 'p')
			fail_here(L, "%%p is not available in a spec: an address differs from run to run");
		if (*at == 's' && argument <= count) {
			push_text(L, argument);
			lua_replace(L, argument);
		}
	}
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, count, 1);
	return 1;
}

/* On standard error: standard output belongs to the commands. */
int
sandbox_print(lua_State *L)
{
	int i, count = lua_gettop(L);

	for (i = 1; i <= count; i++) {
		push_text(L, i);
		fprintf(stderr, "%s%s", i > 1 ? "\t" : "", lua_tostring(L, -1));
		lua_pop(L, 1);
	}
	fputc('\n', stderr);
	return 0;
}
