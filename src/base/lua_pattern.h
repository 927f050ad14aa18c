#ifndef ASSAY_LUA_PATTERN_H
#define ASSAY_LUA_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Lua 5.4's patterns (its manual, 6.4.1) on bytes, without a Lua state and with a bound on the
 * work: Lua's own matcher backtracks without end on an unlucky text and cannot be stopped from
 * outside. Counted in steps and not in seconds, so that the same output is read alike everywhere.
 */

#define LUA_PATTERN_CAPTURES 32
#define LUA_PATTERN_LENGTH 1000

struct lua_pattern_capture {
	const char *text; /* in the subject */
	size_t length;
};

struct lua_pattern_match {
	size_t begin, end; /* offsets in the subject; end behind the last byte */
	struct lua_pattern_capture captures[LUA_PATTERN_CAPTURES];
	int capture_count;
};

enum lua_pattern_result { LUA_PATTERN_FOUND, LUA_PATTERN_NONE, LUA_PATTERN_TOO_MUCH };

/* NULL, or what is wrong with the pattern; static. *captures: how many it has, may be NULL.
 * Captures of a position, "()", are refused. */
const char *lua_pattern_check(const char *pattern, int *captures);

/*
 * The first match at or behind `from`. A '^' at the pattern's start holds it to the subject's
 * start. The pattern passed lua_pattern_check. Takes what it did off *steps_left.
 */
enum lua_pattern_result lua_pattern_find(const char *pattern, const char *subject, size_t length,
					 size_t from, long long *steps_left,
					 struct lua_pattern_match *match);

#endif
