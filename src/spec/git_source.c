#include "spec/git_source.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"
#include "spec/api.h"
#include "spec/fail.h"
#include "spec/graph_model.h"
#include "spec/sandbox.h"
#include "spec/text.h"
#include "spec/value.h"

#define LOOK_RULE "assay_source_look"
#define MAKE_RULE "assay_source_make"

/* ---- git { … } ---- */

/* A linked work tree and a submodule have a file .git. */
size_t
git_source_top(const char *folder)
{
	size_t length = strlen(folder);

	for (; length > 0; length--) {
		char *mark;
		bool found;

		if (folder[length] != '/' && folder[length] != '\0')
			continue;
		mark = memory_format("%.*s/.git", (int)length, folder);
		found = file_exists(mark);
		free(mark);
		if (found)
			return length;
	}
	return 0;
}

/* The folder's way from the top of its work tree; belongs to the arena. */
static char *
find_prefix(const struct fields *fields, const char *repository)
{
	struct arena *arena = host_of(fields->L)->arena;
	char *real, *kept;
	size_t top;

	if (host_of(fields->L)->for_text)
		return arena_text(arena, "");
	real = realpath(repository, NULL);
	if (real == NULL)
		fields_fail(fields, "[1]", "there is no folder \"%.300s\"", repository);
	kept = arena_text(arena, real);
	free(real);
	top = git_source_top(kept);
	if (top == 0)
		fields_fail(fields, "[1]", "\"%.300s\" is in no git repository; name a folder of one's work "
			    "tree", repository);
	return arena_text(arena, kept + top + (kept[top] == '/'));
}

static void
check_line(const struct fields *fields, const char *key, const char *text)
{
	if (strpbrk(text, "\n\r") != NULL)
		fields_fail(fields, key, "holds a line break, which Ninja cannot take; join commands with &&");
}

static int
api_git(lua_State *L)
{
	static const char *const known[] = {"rev", NULL};
	struct git_source *source = arena_alloc(host_of(L)->arena, 1, sizeof *source);
	struct fields fields;
	struct texts items;

	api_begin(L, &fields, "git");
	fields_only(&fields, known, 1);
	items = fields_items(&fields, 1);
	source->revision = fields_text(&fields, "rev", NULL);
	if (items.count != 1 || source->revision == NULL)
		fields_fail(&fields, "", "give a folder and a revision, as in git { \".\", rev = \"main\" }; rev = "
			    "WORKTREE is the work tree as it is");
	source->repository = items.items[0];
	check_line(&fields, "[1]", source->repository);
	check_line(&fields, "rev", source->revision);
	if (source->revision[0] == '\0' || source->revision[0] == '-')
		fields_fail(&fields, "rev", "\"%.100s\" is no revision", source->revision);
	source->prefix = find_prefix(&fields, source->repository);
	value_push(L, VALUE_GIT, source, 0);
	return 1;
}

void
api_open_git(lua_State *L)
{
	static const struct api_function functions[] = {{"git", api_git}, {NULL, NULL}};

	api_add(L, functions);
	lua_pushliteral(L, GIT_SOURCE_WORKTREE);
	sandbox_add(L, GIT_SOURCE_WORKTREE);
}

const struct git_source *
git_source_read(const struct fields *fields, const char *key)
{
	lua_State *L = fields->L;
	int type = fields_push(fields, key);
	const struct value *value = value_get(L, -1, VALUE_GIT);

	if (value == NULL && type != LUA_TNIL)
		fields_fail(fields, key, "must be git { \"folder\", rev = \"revision\" }, not %s",
			    value_describe(L, -1));
	lua_pop(L, 1);
	return value != NULL ? value->object : NULL;
}

/* ---- where it lies ---- */

void
git_source_folder(const char *program_name, char folder[GIT_SOURCE_FOLDER])
{
	char hex[DIGEST_SHA256_HEX];

	digest_bytes(DIGEST_SHA256, program_name, strlen(program_name), hex);
	snprintf(folder, GIT_SOURCE_FOLDER, "build/source/%.12s", hex);
}

char *
git_source_path(struct arena *arena, const char *folder, const char *prefix, const char *path)
{
	char *joined = arena_printf(arena, "%s/%s", prefix[0] != '\0' ? prefix : ".", path);
	struct buffer clean = BUFFER_EMPTY;
	char *kept = NULL;

	if (path[0] != '/' && text_path(joined, &clean))
		kept = strcmp(buffer_text(&clean), ".") == 0
			       ? arena_printf(arena, "%s/tree", folder)
			       : arena_printf(arena, "%s/tree/%s", folder, buffer_text(&clean));
	buffer_free(&clean);
	return kept;
}

/* ---- edges ---- */

/* Our own commands take the machine's lock themselves. */
static void
add_rule(struct host *host, const char *name, const char *command, const char *description,
	 struct place place)
{
	struct graph_rule *rule;

	if (graph_find_rule(host, name) != NULL)
		return;
	rule = graph_add_rule(host, name, place);
	settings_add(host->arena, &rule->variables, "command", command);
	settings_add(host->arena, &rule->variables, "description", description);
	settings_add(host->arena, &rule->variables, "restat", "1");
}

static void
set_word(struct host *host, struct graph_edge *edge, const char *name, const char *word)
{
	struct buffer text = BUFFER_EMPTY;

	text_shell_word(&text, word);
	settings_add(host->arena, &edge->variables, name, buffer_text(&text));
	buffer_free(&text);
}

/* Appends `--option word` for each text, as a command line of Ninja's. */
static void
put_options(struct buffer *out, const char *option, char *const *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		buffer_printf(out, "%s%s ", out->length > 0 ? " " : "", option);
		text_shell_word(out, words[i]);
	}
}

static void
set_what(struct host *host, struct graph_edge *edge, const struct git_source_build *build)
{
	struct buffer what = BUFFER_EMPTY;

	put_options(&what, "--program", (char *const *)&build->program, build->program != NULL);
	put_options(&what, "--script", build->scripts.items, build->scripts.count);
	put_options(&what, "--build", build->commands.items, build->commands.count);
	settings_add(host->arena, &edge->variables, "what", buffer_text(&what));
	buffer_free(&what);
}

static struct graph_edge *
begin_edge(const struct fields *fields, const struct git_source *source, const char *rule,
	   const char *folder)
{
	struct host *host = host_of(fields->L);
	struct graph_edge *edge = graph_add_edge(host, rule, fields->place);

	edge->unlocked = true;
	set_word(host, edge, "repository", source->repository);
	set_word(host, edge, "rev", source->revision);
	set_word(host, edge, "folder", folder);
	set_word(host, edge, "name", fields->name);
	return edge;
}

static void
add_output(const struct fields *fields, struct graph_edge *edge, const char *output)
{
	texts_add(host_of(fields->L)->arena, &edge->outputs, output);
	graph_claim_output(fields, "output", output);
}

static char *
beside_tree(const struct fields *fields, const struct git_source_build *build, const char *name)
{
	return arena_printf(host_of(fields->L)->arena, "%s/%s", build->folder, name);
}

/* Paths that lead out of the tree were refused before. */
static void
add_outputs(const struct fields *fields, const struct git_source *source,
	    struct graph_edge *edge, const struct git_source_build *build)
{
	struct arena *arena = host_of(fields->L)->arena;
	size_t i;

	add_output(fields, edge, beside_tree(fields, build, "content"));
	add_output(fields, edge, beside_tree(fields, build, "source.json"));
	if (build->program != NULL)
		add_output(fields, edge, git_source_path(arena, build->folder, source->prefix,
							 build->program));
	for (i = 0; i < build->scripts.count; i++)
		add_output(fields, edge, git_source_path(arena, build->folder, source->prefix,
							 build->scripts.items[i]));
}

void
git_source_lower(const struct fields *fields, const struct git_source *source,
		 const struct git_source_build *build)
{
	struct host *host = host_of(fields->L);
	struct graph_edge *edge;
	size_t i;

	for (i = 0; i < build->commands.count; i++)
		check_line(fields, "build", build->commands.items[i]);
	add_rule(host, LOOK_RULE, "$assay_tool source look --rev $rev --folder $folder $repository",
		 "look at $rev for $name", fields->place);
	add_rule(host, MAKE_RULE,
		 "$assay_tool source make --rev $rev --folder $folder $what $repository",
		 "make $name at $rev", fields->place);
	edge = begin_edge(fields, source, LOOK_RULE, build->folder);
	texts_add(host->arena, &edge->implicit, "build/always");
	add_output(fields, edge, beside_tree(fields, build, "revision"));
	edge = begin_edge(fields, source, MAKE_RULE, build->folder);
	texts_add(host->arena, &edge->implicit, beside_tree(fields, build, "revision"));
	set_what(host, edge, build);
	add_outputs(fields, source, edge, build);
}
