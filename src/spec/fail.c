#include "spec/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "spec/suggest.h"

static char sentinel; /* its address is the error value */

/* The place of a stack level that runs Lua code from a file. */
static bool
level_place(lua_State *L, int level, lua_Debug *ar)
{
	return lua_getstack(L, level, ar) && lua_getinfo(L, "Sl", ar) && ar->currentline > 0 &&
	       ar->source[0] == '@';
}

static bool
innermost(lua_State *L, int *level, lua_Debug *ar)
{
	for (*level = 0; lua_getstack(L, *level, ar); ++*level)
		if (level_place(L, *level, ar))
			return true;
	return false;
}

struct place
fail_place(lua_State *L)
{
	struct host *host = host_of(L);
	struct place place = {NULL, 0};
	struct source *source;
	lua_Debug ar;
	int level;

	if (!innermost(L, &level, &ar)) {
		place.file = host->entry;
		return place;
	}
	source = host_source(host, ar.source + 1);
	place.file = source != NULL ? source->path : arena_text(host->arena, ar.source + 1);
	place.line = ar.currentline;
	return place;
}

void
fail_throw(lua_State *L)
{
	lua_pushlightuserdata(L, &sentinel);
	lua_error(L);
	abort(); /* lua_error does not return */
}

void
fail_unavailable(lua_State *L)
{
	host_of(L)->unavailable = true;
	fail_throw(L);
}

static void
fill(lua_State *L, struct place place, const char *format, va_list arguments)
{
	struct error *error = &host_of(L)->error;

	memset(error, 0, sizeof *error);
	error->code = EXIT_BAD_INPUT;
	error->line = place.line;
	snprintf(error->file, sizeof error->file, "%s", place.file != NULL ? place.file : "");
	vsnprintf(error->message, sizeof error->message, format, arguments);
}

void
fail_at(lua_State *L, struct place place, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fill(L, place, format, arguments);
	va_end(arguments);
	fail_throw(L);
}

void
fail_here(lua_State *L, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fill(L, fail_place(L), format, arguments);
	va_end(arguments);
	fail_throw(L);
}

void
fail_unknown(lua_State *L, struct place place, const char *wrong, const char *const *names,
	     size_t count, const char *format, ...)
{
	struct error *error = &host_of(L)->error;
	struct buffer hint = BUFFER_EMPTY;
	va_list arguments;
	size_t used;

	va_start(arguments, format);
	fill(L, place, format, arguments);
	va_end(arguments);
	suggest_append(&hint, wrong, names, count);
	used = strlen(error->message);
	snprintf(error->message + used, sizeof error->message - used, "%s", buffer_text(&hint));
	buffer_free(&hint);
	fail_throw(L);
}

/* Who called: the functions between the error and its chunk, so that an error in a helper says
 * which call of it. */
static void
append_callers(lua_State *L, int level, struct error *error)
{
	lua_Debug ar;
	size_t used;
	int told = 0, walked = 0, line;

	if (!level_place(L, level, &ar) || strcmp(ar.what, "main") == 0)
		return;
	line = ar.currentline;
	/* Few levels: each lua_getstack walks from the top. */
	while (told < 4 && ++walked < 50 && lua_getstack(L, ++level, &ar)) {
		if (!level_place(L, level, &ar))
			continue;
		if (ar.currentline == line) /* recursion */
			continue;
		line = ar.currentline;
		used = strlen(error->message);
		snprintf(error->message + used, sizeof error->message - used, "%s%s:%d",
			 told == 0 ? " (called from " : ", ", ar.short_src, ar.currentline);
		told++;
		if (strcmp(ar.what, "main") == 0)
			break;
	}
	used = strlen(error->message);
	if (told > 0)
		snprintf(error->message + used, sizeof error->message - used, ")");
}

/* Lua puts "short_src:line: " in front; the place is told by file and line instead. */
static const char *
without_place(const char *message, const lua_Debug *ar)
{
	char prefix[LUA_IDSIZE + 24];
	size_t length = (size_t)snprintf(prefix, sizeof prefix, "%s:%d: ", ar->short_src,
					 ar->currentline);

	return strncmp(message, prefix, length) == 0 ? message + length : message;
}

int
fail_handler(lua_State *L)
{
	struct error *error = &host_of(L)->error;
	const char *message;
	lua_Debug ar;
	int level;

	if (lua_touserdata(L, 1) != &sentinel) {
		message = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1)
							: "an error that is no text was raised";
		memset(error, 0, sizeof *error);
		error->code = EXIT_BAD_INPUT;
		if (innermost(L, &level, &ar)) {
			error->line = ar.currentline;
			snprintf(error->file, sizeof error->file, "%s", ar.source + 1);
			message = without_place(message, &ar);
		}
		snprintf(error->message, sizeof error->message, "%s", message);
	}
	if (innermost(L, &level, &ar))
		append_callers(L, level, error);
	lua_pushlightuserdata(L, &sentinel);
	return 1;
}

void
fail_collect(lua_State *L, int status, struct error *error)
{
	struct host *host = host_of(L);

	if (status == LUA_ERRMEM)
		error_set_at(&host->error, EXIT_BAD_INPUT, host->running ? host->running->path : "",
			     host->last_line, "the spec needs more than the %zu MiB of memory that Lua "
			     "may use (about here); make fewer or smaller tables",
			     host->memory_limit >> 20);
	else if (lua_touserdata(L, -1) != &sentinel)
		error_set_at(&host->error, EXIT_BAD_INPUT, host->running ? host->running->path : "",
			     0, "the specs failed while an error of theirs was handled%s%s",
			     lua_type(L, -1) == LUA_TSTRING ? ": " : "",
			     lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "");
	if (error != NULL)
		*error = host->error;
}
