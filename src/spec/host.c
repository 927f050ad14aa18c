#include "spec/host.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/home.h"
#include "base/memory.h"
#include "spec/api.h"
#include "spec/fail.h"
#include "spec/finish.h"
#include "spec/host_state.h"
#include "spec/prose.h"
#include "spec/sandbox.h"
#include "spec/source.h"
#include "spec/watchdog.h"

#define MEMORY_LIMIT ((size_t)256 << 20)
#define STEPS_LIMIT 1000000000LL
#define SECONDS_LIMIT 60
#define HOOK_EVERY 100

struct host *
host_of(lua_State *L)
{
	return *(struct host **)lua_getextraspace(L);
}

/* Counts what Lua holds and refuses to go over the limit; the host's own memory is the arena's. */
static void *
limited_alloc(void *data, void *old, size_t old_size, size_t new_size)
{
	struct host *host = data;
	size_t before = old != NULL ? old_size : 0; /* else it is a type tag */
	void *now;

	if (new_size == 0) {
		free(old);
		host->memory_used -= before;
		return NULL;
	}
	if (new_size > before && new_size - before > host->memory_limit - host->memory_used)
		return NULL;
	now = realloc(old, new_size);
	if (now != NULL)
		host->memory_used += new_size - before;
	return now;
}

static void
count_steps(lua_State *L, lua_Debug *ar)
{
	struct host *host = host_of(L);

	if (lua_getinfo(L, "l", ar) && ar->currentline > 0)
		host->last_line = ar->currentline;
	host->steps_left -= HOOK_EVERY;
	if (host->steps_left < 0)
		fail_here(L, "stopped here after more than %lld instructions; is there an endless loop?",
			  host->steps);
}

struct host *
host_new(void)
{
	struct host *host = memory_zeroed(1, sizeof *host);

	host->arena = arena_new();
	host->memory_limit = MEMORY_LIMIT;
	host->steps_limit = STEPS_LIMIT;
	host->seconds_limit = SECONDS_LIMIT;
	return host;
}

void
host_limit(struct host *host, size_t memory_limit, long long steps_limit, int seconds_limit)
{
	host->seconds_limit = seconds_limit;
	host->memory_limit = memory_limit;
	host->steps_limit = steps_limit;
}

void
host_for_text(struct host *host)
{
	host->for_text = true;
}

void
host_shorten(struct host *host)
{
	host->shortened = true;
}

void
host_run_nothing(struct host *host)
{
	host->runs_nothing = true;
}

void
host_free(struct host *host)
{
	if (host == NULL)
		return;
	if (host->L != NULL)
		lua_close(host->L);
	arena_free(host->arena);
	free(host);
}

int
host_protect(struct host *host, lua_CFunction f, void *data, long long steps, struct error *error)
{
	lua_State *L = host->L;
	int status;

	host->steps_left = host->steps = steps;
	host->unavailable = false;
	lua_settop(L, 0);
	lua_pushcfunction(L, fail_handler);
	lua_pushcfunction(L, f);
	lua_pushlightuserdata(L, data);
	watchdog_begin(host, host->seconds_limit);
	status = lua_pcall(L, 1, 0, 1);
	watchdog_end();
	if (status != LUA_OK)
		fail_collect(L, status, error);
	lua_settop(L, 0);
	return status == LUA_OK ? 0 : -1;
}

/* "short_src:line: message" of the compiler; the name is cut at LUA_IDSIZE, so the line is
 * looked for. */
static _Noreturn void
fail_syntax(lua_State *L, struct source *source)
{
	struct place place = {source->path, 0};
	const char *message = lua_tostring(L, -1), *at = message;

	while (at != NULL && (at = strchr(at, ':')) != NULL) {
		char *end;
		long line = strtol(++at, &end, 10);

		if (end > at && strncmp(end, ": ", 2) == 0) {
			place.line = (int)line;
			message = end + 2;
			break;
		}
	}
	fail_at(L, place, "%s", message != NULL ? message : "the compiler gave no message");
}

void
host_push_environment(lua_State *L, const char *path)
{
	luaL_getsubtable(L, LUA_REGISTRYINDEX, "assay.environments");
	lua_getfield(L, -1, path);
	lua_remove(L, -2);
}

static void
new_environment(lua_State *L, const char *path)
{
	luaL_getsubtable(L, LUA_REGISTRYINDEX, "assay.environments");
	sandbox_push_environment(L);
	lua_pushvalue(L, -1);
	lua_setfield(L, -3, path);
	lua_remove(L, -2);
}

void
host_run_file(lua_State *L, const char *path)
{
	struct host *host = host_of(L);
	struct source *before = host->running;
	struct source *source = source_load(L, path);
	const char *chunk_name = lua_pushfstring(L, "@%s", source->path);

	luaL_checkstack(L, 10, "specs within specs");
	if (luaL_loadbufferx(L, source->text, source->length, chunk_name, "t") != LUA_OK)
		fail_syntax(L, source);
	new_environment(L, source->path);
	lua_setupvalue(L, -2, 1);
	host->running = source;
	host->last_line = 0;
	lua_call(L, 0, 0);
	host->running = before;
	lua_pop(L, 1);
}

static int
load_all(lua_State *L)
{
	const char *entry = lua_touserdata(L, 1);

	sandbox_open(L);
	api_open(L);
	host_run_file(L, entry);
	finish_study(L);
	return 0;
}

/* The tool's own files by a path that is the same in every clone when the study is the tool's
 * repository. */
static int
find_home(struct host *host, struct error *error)
{
	char *home = home_path(error), *root = realpath(".", NULL);

	if (home == NULL) {
		free(root);
		return -1;
	}
	if (root != NULL && strcmp(home, root) == 0)
		host->home = arena_text(host->arena, "");
	else
		host->home = arena_printf(host->arena, "%s/", home);
	free(home);
	free(root);
	return 0;
}

static int
new_state(struct host *host, struct error *error)
{
	host->L = lua_newstate(limited_alloc, host);
	if (host->L == NULL)
		return error_set(error, EXIT_BAD_INPUT, "the specs need more than the %zu bytes of "
				 "memory that Lua may use", host->memory_limit);
	*(struct host **)lua_getextraspace(host->L) = host;
	lua_sethook(host->L, count_steps, LUA_MASKCOUNT, HOOK_EVERY);
	return 0;
}

const struct study *
host_load(struct host *host, const char *entry, struct error *error)
{
	struct error ignored = {0};

	if (error == NULL)
		error = &ignored;
	if (host->L != NULL) {
		error_set(error, EXIT_FAILED, "host_load was called twice");
		return NULL;
	}
	host->entry = arena_text(host->arena, entry);
	if (find_home(host, error) != 0 || new_state(host, error) != 0)
		return NULL;
	if (host_protect(host, load_all, host->entry, host->steps_limit, error) != 0)
		return NULL;
	return prose_check(host, error) == 0 ? &host->study : NULL;
}
