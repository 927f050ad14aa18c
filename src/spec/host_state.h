#ifndef ASSAY_HOST_STATE_H
#define ASSAY_HOST_STATE_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "spec/arena.h"
#include "spec/host.h"
#include "spec/study.h"

/*
 * What the files of the Lua host share. Only host.c calls lua_pcall; every other function that
 * takes a lua_State runs inside it and may leave by a Lua error, so all that such a function
 * owns belongs to the arena or to Lua.
 */

/* A spec or entry file as read. */
struct source {
	char *path; /* as shown to the author; the Lua chunk is named "@path" */
	char *text;
	size_t length;
	bool literate;
	size_t experiments; /* made by it so far */
	char *title;        /* literate: the first heading, or NULL */
	struct prose *prose;
	size_t prose_count;
};

struct toolchain {
	char *name;
	struct texts cc, cflags, ldflags, libs; /* cc: the compiler and what goes before all flags */
	struct texts cxx, cxxflags;             /* the same of C++ */
	struct place place;
};

/* What the study model does not keep of a program. */
struct declared {
	bool harness; /* a runner linked with the harness: takes its options */
	char *text;   /* all that was declared: the same again is the same program */
	char *script; /* the first argument of what starts it; NULL: none */
};

/* A file that must be there, or be made by the graph, when everything is read. */
struct needed_file {
	char *path;
	const char *callee, *name, *key; /* where it was named, for the line of the message */
	struct place place;
};

struct host {
	lua_State *L;
	struct arena *arena;
	struct study study;
	char *entry;
	char *home;           /* the tool's own files; "" when the study is the tool's repository */
	struct error error;   /* what the thrown sentinel stands for */
	int last_line;        /* of the running file, a moment ago: where memory may have run out */
	bool unavailable;     /* an evaluation met a null */
	bool runs_nothing;    /* no command of `needs`, which are taken as met */
	bool for_text;        /* what the study needs to run need not be there */

	size_t memory_used, memory_limit; /* of Lua */
	long long steps_limit;        /* VM instructions of the load */
	int seconds_limit;            /* of CPU time, of a protected call (watchdog.h) */
	long long steps, steps_left;  /* of the protected call that runs */

	struct source **sources;
	size_t source_count, source_capacity;
	struct source *running; /* the file whose chunk runs */
	struct toolchain *toolchains;
	size_t toolchain_count, toolchain_capacity;
	struct needed_file *needed;
	size_t needed_count, needed_capacity;
	struct declared *declared; /* beside study.programs */
	size_t declared_capacity;
	bool said_study;
	bool shortened;       /* designs are those of a smoke test (host_shorten) */

	/* room in the study's arrays */
	size_t programs_room, experiments_room, rules_room, edges_room, targets_room, needs_room;
	size_t lua_files_room, environment_room;
};

/* For tests: bytes that Lua may use, instructions and seconds that it may run. Before host_load. */
void host_limit(struct host *host, size_t memory_limit, long long steps_limit, int seconds_limit);

struct host *host_of(lua_State *L);

/* Calls f(L) with `data` as its argument (a light userdata) inside the one protected call, which
 * may run that many VM instructions; 0, or -1 with *error. */
int host_protect(struct host *host, lua_CFunction f, void *data, long long steps,
		 struct error *error);

/* Runs the file's chunk in an environment of its own; a spec when it is not the entry. */
void host_run_file(lua_State *L, const char *path);
struct source *host_source(struct host *host, const char *path);

/* Pushes the environment of a file's chunk. */
void host_push_environment(lua_State *L, const char *path);

#endif
