#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "spec/api.h"
#include "spec/fail.h"
#include "spec/git_source.h"
#include "spec/graph_model.h"
#include "spec/need.h"
#include "spec/program_model.h"
#include "spec/runner.h"
#include "spec/suggest.h"
#include "spec/value.h"

/* toolchain, runner and program: what is measured and how it is built. */

static struct toolchain *
find_toolchain(struct host *host, const char *name)
{
	size_t i;

	for (i = 0; i < host->toolchain_count; i++)
		if (strcmp(host->toolchains[i].name, name) == 0)
			return &host->toolchains[i];
	return NULL;
}

static struct texts
read_flags(const struct fields *fields, const char *key, enum fields_list form)
{
	struct texts flags = fields_texts(fields, key, form, NULL);
	size_t i;

	for (i = 0; i < flags.count; i++)
		if (strpbrk(flags.items[i], "\n\r") != NULL)
			fields_fail(fields, key, "a flag holds a line break, which Ninja cannot take");
	return flags;
}

static int
toolchain_body(lua_State *L)
{
	static const char *const known[] = {"cc",	   "cflags", "cxx", "cxxflags", "ldflags",
					    "libs", NULL};
	struct host *host = host_of(L);
	struct toolchain *toolchain;
	struct fields fields;

	api_begin_named(L, &fields, "toolchain");
	fields_only(&fields, known, 0);
	api_check_name(&fields, "", fields.name, NAME_FILE);
	toolchain = find_toolchain(host, fields.name);
	if (toolchain != NULL)
		fields_fail(&fields, "", "declared twice; first at %s:%d", toolchain->place.file,
			    toolchain->place.line);
	host->toolchains = arena_grow(host->arena, host->toolchains, host->toolchain_count,
				      &host->toolchain_capacity, sizeof *host->toolchains);
	toolchain = &host->toolchains[host->toolchain_count];
	toolchain->name = arena_text(host->arena, fields.name);
	toolchain->cc = read_flags(&fields, "cc", FIELDS_ONE_OR_LIST);
	toolchain->cflags = read_flags(&fields, "cflags", FIELDS_LIST_ONLY);
	toolchain->cxx = read_flags(&fields, "cxx", FIELDS_ONE_OR_LIST);
	toolchain->cxxflags = toolchain->cflags;
	if (fields_has(&fields, "cxxflags"))
		toolchain->cxxflags = read_flags(&fields, "cxxflags", FIELDS_LIST_ONLY);
	toolchain->ldflags = read_flags(&fields, "ldflags", FIELDS_LIST_ONLY);
	toolchain->libs = read_flags(&fields, "libs", FIELDS_LIST_ONLY);
	if (toolchain->cc.count == 0)
		texts_add(host->arena, &toolchain->cc, "cc");
	if (toolchain->cxx.count == 0)
		texts_add(host->arena, &toolchain->cxx, "c++");
	toolchain->place = fields.place;
	value_push(L, VALUE_TOOLCHAIN, NULL, host->toolchain_count++);
	return 1;
}

static int
api_toolchain(lua_State *L)
{
	return api_named(L, "toolchain", toolchain_body);
}

/* A toolchain, its name, or nothing: "default" when one has that name, else cc -O2. */
static const struct toolchain *
read_toolchain(const struct fields *fields)
{
	lua_State *L = fields->L;
	struct host *host = host_of(L);
	int type = fields_push(fields, "toolchain");
	const struct value *value = value_get(L, -1, VALUE_TOOLCHAIN);
	const struct toolchain *found = NULL;
	const char **names;
	size_t i;

	lua_pop(L, 1);
	if (value != NULL)
		return &host->toolchains[value->number];
	if (type == LUA_TNIL) {
		found = find_toolchain(host, "default");
		return found != NULL ? found : runner_default_toolchain(host);
	}
	found = find_toolchain(host, fields_text(fields, "toolchain", ""));
	if (found != NULL)
		return found;
	names = arena_alloc(host->arena, host->toolchain_count, sizeof *names);
	for (i = 0; i < host->toolchain_count; i++)
		names[i] = host->toolchains[i].name;
	fields_fail_unknown(fields, "toolchain", fields_text(fields, "toolchain", ""), names,
			    host->toolchain_count, "no toolchain is called \"%.100s\"",
			    fields_text(fields, "toolchain", ""));
}

/* Lengths in front, so that unequal lists give unequal texts. */
static void
put_declared(struct buffer *out, const struct texts *texts)
{
	size_t i;

	buffer_printf(out, "(%zu", texts->count);
	for (i = 0; i < texts->count; i++)
		buffer_printf(out, " %zu:%s", strlen(texts->items[i]), texts->items[i]);
	buffer_putc(out, ')');
}

static char *
kept_text(lua_State *L, struct buffer *text)
{
	char *kept = arena_text(host_of(L)->arena, buffer_text(text));

	buffer_free(text);
	return kept;
}

static char *
declared_runner(lua_State *L, const struct runner *runner, const struct texts *needs)
{
	struct buffer out = BUFFER_EMPTY;

	buffer_printf(&out, "runner %s %d", runner->toolchain->name, runner->harness);
	put_declared(&out, &runner->sources);
	put_declared(&out, &runner->cflags);
	put_declared(&out, &runner->cxxflags);
	put_declared(&out, &runner->ldflags);
	put_declared(&out, &runner->libs);
	put_declared(&out, needs);
	return kept_text(L, &out);
}

static char *
declared_program(lua_State *L, const struct program *program, const struct texts *needs)
{
	struct buffer out = BUFFER_EMPTY;

	buffer_printf(&out, "program %d %d %s %s", program->built, program->identity, program->path,
		      program->identity_command);
	put_declared(&out, &program->identity_inputs);
	put_declared(&out, &program->scripts);
	put_declared(&out, needs);
	return kept_text(L, &out);
}

static int
runner_body(lua_State *L)
{
	static const char *const known[] = {"toolchain", "cflags", "cxxflags", "ldflags",
					    "libs",	  "harness", "needs",	 NULL};
	struct texts needs = {NULL, 0};
	struct runner runner = {0};
	struct fields fields;
	size_t index;

	api_begin_named(L, &fields, "runner");
	fields_only(&fields, known, -1);
	api_check_name(&fields, "", fields.name, NAME_FILE);
	runner.name = fields.name;
	runner.sources = fields_items(&fields, 1);
	runner.toolchain = read_toolchain(&fields);
	runner.cflags = read_flags(&fields, "cflags", FIELDS_LIST_ONLY);
	runner.cxxflags = runner.cflags;
	if (fields_has(&fields, "cxxflags"))
		runner.cxxflags = read_flags(&fields, "cxxflags", FIELDS_LIST_ONLY);
	runner.ldflags = read_flags(&fields, "ldflags", FIELDS_LIST_ONLY);
	runner.libs = read_flags(&fields, "libs", FIELDS_LIST_ONLY);
	runner.harness = fields_flag(&fields, "harness", true);
	need_read(&fields, &runner.needs, &needs);
	if (runner.sources.count == 0)
		fields_fail(&fields, "", "no sources, as in runner \"%.100s\" { \"kernels/x.c\" }", fields.name);
	runner.declared = declared_runner(L, &runner, &needs);
	if (!program_known(&fields, runner.declared, &index))
		index = runner_lower(&fields, &runner);
	value_push(L, VALUE_PROGRAM, NULL, index);
	return 1;
}

static int
api_runner(lua_State *L)
{
	return api_named(L, "runner", runner_body);
}

/*
 * A bare name is looked up as a shell would: the answer and PATH become inputs of the graph. A
 * program that says what it needs needs itself first of all, and is skipped where it is not.
 */
static char *
search_path(const struct fields *fields, const char *name, struct program *program)
{
	struct host *host = host_of(fields->L);
	char *found, *kept;

	api_asks_environment(fields->L, "PATH");
	if (fields_has(fields, "needs")) {
		const char *path = need_read_tool(fields, name, &program->needs);

		return api_path(fields, "[1]", path != NULL ? path : name);
	}
	found = need_find_tool(name);
	kept = found != NULL ? arena_text(host->arena, found) : NULL;
	free(found);
	if (kept != NULL)
		return api_path(fields, "[1]", kept);
	if (host->for_text)
		return arena_text(host->arena, name);
	fields_fail(fields, "[1]", "no program \"%.200s\" is in PATH; install it, say needs = \"%.200s\" so that it "
		    "is skipped where it is not, or give its path (./%.200s for one in the study's root)", name,
		    name, name);
}

static void
use_existing(const struct fields *fields, struct program *program, const char *path)
{
	if (strchr(path, '/') == NULL) {
		program->path = search_path(fields, path, program);
		if (program->needs.skipped == NULL)
			api_reads(fields->L, program->path);
		return;
	}
	program->path = api_path(fields, "[1]", path);
	if (program->needs.skipped == NULL)
		api_needs(fields, "[1]", program->path);
}

static void
read_identity(const struct fields *fields, struct program *program)
{
	static const char *const choices[] = {"content", "inputs", NULL};

	program->identity = fields_choice(fields, "identity", choices, 0) == 1 ? PROGRAM_BY_INPUTS
									     : PROGRAM_BY_CONTENT;
	program->identity_inputs = fields_texts(fields, "inputs", FIELDS_ONE_OR_LIST, NULL);
	program->identity_command = fields_text(fields, "command", "");
	api_paths(fields, "inputs", &program->identity_inputs);
	api_needs_all(fields, "inputs", &program->identity_inputs);
	if (program->identity == PROGRAM_BY_INPUTS &&
	    (program->identity_inputs.count == 0 || program->identity_command[0] == '\0'))
		fields_fail(fields, "identity", "\"inputs\" needs inputs = { sources } and command = "
			    "\"compiler and flags\": they stand for the program's content");
	if (program->identity == PROGRAM_BY_CONTENT &&
	    (program->identity_inputs.count > 0 || program->identity_command[0] != '\0'))
		fields_fail(fields, fields_has(fields, "inputs") ? "inputs" : "command",
			    "only for identity = \"inputs\"; files that the program reads go to the "
			    "variant's inputs");
}

/* The output as written; NULL when a program that is there was named. */
static char *
read_path(const struct fields *fields, struct program *program)
{
	lua_State *L = fields->L;
	char *output = fields_text(fields, "output", NULL), *path;

	lua_rawgeti(L, fields->index, 1);
	path = lua_isnil(L, -1) ? NULL : fields_value_text(fields, -1, "[1]");
	lua_pop(L, 1);
	if ((path == NULL) == (output == NULL))
		fields_fail(fields, "", "give either the path of a program that is there, { \"path\" }, or "
			    "output = \"build/x\" for one that a build makes");
	if (path != NULL)
		use_existing(fields, program, path);
	return output;
}

/* ---- of a tree at a revision (git_source.h) ---- */

static char *
place_in_tree(const struct fields *fields, const char *key, const struct git_source *source,
	      const char *folder, const char *path)
{
	char *place = git_source_path(host_of(fields->L)->arena, folder, source->prefix, path);

	if (strpbrk(path, "\n\r") != NULL || path[0] == '\0' || place == NULL)
		fields_fail(fields, key, "\"%.300s\" is no path in the source; paths start at its folder, where "
			    "the build runs", path);
	return place;
}

/* A program from elsewhere may do anything with the tree: all of it is part of the program. */
static void
be_of_tree(const struct fields *fields, const struct git_source *source, const char *output,
	   struct program *program)
{
	struct arena *arena = host_of(fields->L)->arena;
	char folder[GIT_SOURCE_FOLDER];
	size_t i;

	git_source_folder(fields->name, folder);
	program->source = arena_text(arena, folder);
	program->folder = git_source_path(arena, folder, source->prefix, "");
	program->built = output != NULL;
	if (output != NULL)
		program->path = place_in_tree(fields, "output", source, folder, output);
	for (i = 0; i < program->scripts.count; i++)
		program->scripts.items[i] = place_in_tree(fields, "scripts", source, folder,
							  program->scripts.items[i]);
	if (output == NULL)
		texts_add(arena, &program->scripts, arena_printf(arena, "%s/content", folder));
}

static int
push_program(const struct fields *fields, const struct program *program, char *declared)
{
	size_t index;

	if (!program_known(fields, declared, &index))
		index = program_add(fields, program, (struct declared){.text = declared});
	value_push(fields->L, VALUE_PROGRAM, NULL, index);
	return 1;
}

static char *
declared_source(lua_State *L, const struct program *program, const struct git_source *source,
		const struct texts *commands, const struct texts *needs)
{
	const struct texts words = {(char *[]){source->repository, source->revision}, 2};
	struct buffer out = BUFFER_EMPTY;

	buffer_puts(&out, declared_program(L, program, needs));
	put_declared(&out, &words);
	put_declared(&out, commands);
	return kept_text(L, &out);
}

static int
program_from_source(const struct fields *fields, const struct git_source *source, char *output,
		    struct program *program, const struct texts *needs)
{
	struct arena *arena = host_of(fields->L)->arena;
	struct git_source_build build = {.program = output};
	char *declared;
	size_t i;

	for (i = 0; i < program->scripts.count; i++)
		texts_add(arena, &build.scripts, program->scripts.items[i]);
	build.commands = fields_texts(fields, "build", FIELDS_ONE_OR_LIST, NULL);
	be_of_tree(fields, source, output, program);
	build.folder = program->source;
	declared = declared_source(fields->L, program, source, &build.commands, needs);
	if (!program_known(fields, declared, &i) && program->needs.skipped == NULL)
		git_source_lower(fields, source, &build);
	return push_program(fields, program, declared);
}

static int
program_body(lua_State *L)
{
	static const char *const known[] = {"output",  "identity", "inputs", "command",
					    "scripts", "source",   "build",  "needs",	NULL};
	struct texts needs = {NULL, 0};
	const struct git_source *source;
	struct program program = {0};
	struct fields fields;
	char *output;

	api_begin_named(L, &fields, "program");
	fields_only(&fields, known, 1);
	api_check_name(&fields, "", fields.name, NAME_FILE);
	need_read(&fields, &program.needs, &needs);
	output = read_path(&fields, &program);
	source = git_source_read(&fields, "source");
	read_identity(&fields, &program);
	program.scripts = fields_texts(&fields, "scripts", FIELDS_ONE_OR_LIST, NULL);
	if (source != NULL)
		return program_from_source(&fields, source, output, &program, &needs);
	if (fields_has(&fields, "build"))
		fields_fail(&fields, "build", "builds a source; give source = git { \".\", rev = \"main\" }, or "
			    "use rule and build { … }");
	api_paths(&fields, "scripts", &program.scripts);
	api_needs_all(&fields, "scripts", &program.scripts);
	if (output != NULL) {
		program.path = api_path(&fields, "output", output);
		program.built = true;
		if (program.needs.skipped == NULL)
			api_needs(&fields, "output", program.path);
	}
	return push_program(&fields, &program, declared_program(L, &program, &needs));
}

static int
api_program(lua_State *L)
{
	return api_named(L, "program", program_body);
}

void
api_open_program(lua_State *L)
{
	static const struct api_function functions[] = {{"toolchain", api_toolchain},
							{"runner", api_runner},
							{"program", api_program},
							{NULL, NULL}};

	api_add(L, functions);
}
