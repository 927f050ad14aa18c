#ifndef ASSAY_SANDBOX_H
#define ASSAY_SANDBOX_H

#include <lua.h>
#include <stddef.h>

/*
 * What a spec can see of Lua: nothing that reaches outside, and nothing whose result differs from
 * run to run (random numbers, the order of a hash, addresses in texts).
 */

/* Loads the libraries and makes the table of names that every file sees. */
void sandbox_open(lua_State *L);
/* Adds one more such name, with the value on top of the stack, which is popped. */
void sandbox_add(lua_State *L, const char *name);
/* Pushes a new environment: its own globals over the shared names; reading any other name is
 * an error. */
void sandbox_push_environment(lua_State *L);
/* Pushes the shared value of a name, or nil. */
void sandbox_push_shared(lua_State *L, const char *name);
/* Pushes a table through which the table on top of the stack can be read and not changed, in
 * which an unknown name is an error; replaces it. */
void sandbox_read_only(lua_State *L, const char *name);

/* Pushes a list of the table's keys in order: numbers, then texts byte by byte, then booleans.
 * Returns how many. */
size_t sandbox_sorted_keys(lua_State *L, int index);
/* The texts among a table's keys, sorted, in memory that is pushed on the stack. */
const char **sandbox_names(lua_State *L, int index, size_t *count);

/* Replacements in sandbox_table.c. */
int sandbox_pairs(lua_State *L);
int sandbox_next(lua_State *L);
int sandbox_sort(lua_State *L);
/* In sandbox_text.c. */
int sandbox_tostring(lua_State *L);
int sandbox_format(lua_State *L); /* upvalue: string.format of Lua */
int sandbox_print(lua_State *L);

#endif
