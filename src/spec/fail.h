#ifndef ASSAY_FAIL_H
#define ASSAY_FAIL_H

#include <lua.h>

#include "spec/host_state.h"

/*
 * How a spec is refused: fill host->error and throw a sentinel, so that a message is never cut,
 * prefixed or rewritten on its way. Errors of Lua itself get file and line in fail_handler.
 */

/* The innermost running Lua code; line 0 when there is none. The file is the arena's. */
struct place fail_place(lua_State *L);

_Noreturn void fail_at(lua_State *L, struct place place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* At fail_place. */
_Noreturn void fail_here(lua_State *L, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* As fail_here; `; did you mean …` is added. */
_Noreturn void fail_unknown(lua_State *L, struct place place, const char *wrong,
			    const char *const *names, size_t count, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

/* Throws what is in host->error. */
_Noreturn void fail_throw(lua_State *L);
/* Ends an evaluation whose value is unavailable. */
_Noreturn void fail_unavailable(lua_State *L);

/* The message handler of the protected call. */
int fail_handler(lua_State *L);
/* Fills *error from what lua_pcall left on the stack. */
void fail_collect(lua_State *L, int status, struct error *error);

#endif
