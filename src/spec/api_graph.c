#include <lauxlib.h>
#include <string.h>

#include "spec/api.h"
#include "spec/fail.h"
#include "spec/graph_model.h"
#include "spec/suggest.h"
#include "spec/value.h"

/* rule, build and target: the escape hatch for what no runner covers. */

/* Names that the tool's own rules have. */
static bool
is_reserved(const char *name)
{
	return strncmp(name, "assay_", 6) == 0 || strncmp(name, "runner_", 7) == 0 ||
	       strcmp(name, "phony") == 0;
}

/* How many bytes of what follows a '$' Ninja takes as its own; 0: it would refuse the file. */
static size_t
escape_length(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	size_t length;

	if (text[0] != '\0' && strchr("$ :", text[0]) != NULL)
		return 1;
	if (text[0] != '{')
		return strspn(text, letters);
	for (length = 1; text[length] == '.' || (text[length] != '\0' && strchr(letters, text[length]) != NULL);)
		length++;
	return length > 1 && text[length] == '}' ? length + 1 : 0;
}

/* Ninja reads these itself, so `$in` and `$out` work; a line break would end the statement. What
 * it cannot read must not take the place of a graph that works. */
static void
check_ninja_text(const struct fields *fields, const char *key, const char *text)
{
	const char *at = text;

	if (strpbrk(text, "\n\r") != NULL)
		fields_fail(fields, key, "holds a line break, which ends a statement of Ninja; join the "
			    "lines with &&");
	while ((at = strchr(at, '$')) != NULL) {
		size_t length = escape_length(at + 1);

		if (length == 0)
			fields_fail(fields, key, "\"%.40s\" is no variable of Ninja; $name and ${name} are, and $$ is "
				    "a plain $", at);
		at += 1 + length;
	}
}

static const char *
flag_or_text(const struct fields *fields, const char *key)
{
	lua_State *L = fields->L;
	int type = fields_push(fields, key);
	bool flag = lua_toboolean(L, -1);

	lua_pop(L, 1);
	if (type == LUA_TBOOLEAN)
		return flag ? "1" : NULL;
	return fields_text(fields, key, NULL);
}

static void
check_pool(const struct fields *fields)
{
	const char *pool = fields_text(fields, "pool", "console");

	if (strcmp(pool, "console") != 0)
		fields_fail(fields, "pool", "the only pool is \"console\", not \"%.100s\"", pool);
}

static void
check_together(const struct fields *fields)
{
	const char *deps = fields_text(fields, "deps", NULL);

	if (deps != NULL && strcmp(deps, "gcc") != 0 && strcmp(deps, "msvc") != 0)
		fields_fail(fields, "deps", "\"%.100s\" is not what Ninja knows: \"gcc\" or \"msvc\"", deps);
	if (deps != NULL && strcmp(deps, "gcc") == 0 && !fields_has(fields, "depfile"))
		fields_fail(fields, "deps", "\"gcc\" needs depfile = the file that the compiler writes");
	if (fields_has(fields, "rspfile") != fields_has(fields, "rspfile_content"))
		fields_fail(fields, fields_has(fields, "rspfile") ? "rspfile" : "rspfile_content",
			    "rspfile and rspfile_content go together");
}

static int
rule_body(lua_State *L)
{
	static const char *const known[] = {"command", "depfile", "deps",    "description",
					    "generator", "pool",  "restat", "rspfile",
					    "rspfile_content", NULL};
	struct host *host = host_of(L);
	struct graph_rule *rule;
	struct fields fields;
	size_t i;

	api_begin_named(L, &fields, "rule");
	fields_only(&fields, known, 0);
	api_check_name(&fields, "", fields.name, NAME_FILE);
	if (is_reserved(fields.name))
		fields_fail(&fields, "", "the name is reserved for assay's own rules");
	rule = graph_find_rule(host, fields.name);
	if (rule != NULL)
		fields_fail(&fields, "", "declared twice; first at %s:%d", rule->place.file,
			    rule->place.line);
	if (!fields_has(&fields, "command"))
		fields_fail(&fields, "", "command is missing");
	check_pool(&fields);
	check_together(&fields);
	rule = graph_add_rule(host, fields.name, fields.place);
	for (i = 0; known[i] != NULL; i++) {
		const char *text = flag_or_text(&fields, known[i]);

		if (text == NULL)
			continue;
		check_ninja_text(&fields, known[i], text);
		settings_add(host->arena, &rule->variables, known[i], text);
	}
	return 0;
}

static int
api_rule(lua_State *L)
{
	return api_named(L, "rule", rule_body);
}

static struct texts
paths_of(const struct fields *fields, const char *key)
{
	struct texts paths = fields_texts(fields, key, FIELDS_ONE_OR_LIST, NULL);

	api_paths(fields, key, &paths);
	return paths;
}

static void
claim_all(const struct fields *fields, const char *key, const struct texts *paths)
{
	size_t i;

	for (i = 0; i < paths->count; i++)
		graph_claim_output(fields, key, paths->items[i]);
}

static struct settings
read_variables(const struct fields *fields)
{
	struct settings variables = fields_settings(fields, "variables");
	struct fields inner;
	size_t i;

	if (variables.count == 0 || !fields_open(fields, "variables", &inner))
		return variables;
	for (i = 0; i < variables.count; i++) {
		api_check_name(&inner, variables.items[i].name, variables.items[i].name, NAME_FILE);
		check_ninja_text(&inner, variables.items[i].name, variables.items[i].value);
	}
	lua_pop(fields->L, 1);
	return variables;
}

/* Gives the outputs back, to be the inputs of the next. */
static int
api_build(lua_State *L)
{
	static const char *const known[] = {"outputs",	 "rule",      "inputs",
					    "implicit",	 "order_only", "implicit_outputs",
					    "variables", "unlocked",  NULL};
	struct host *host = host_of(L);
	struct graph_edge edge = {0};
	struct fields fields;
	size_t i;

	api_begin(L, &fields, "build");
	fields_only(&fields, known, 0);
	edge.rule = fields_text(&fields, "rule", NULL);
	if (edge.rule == NULL)
		fields_fail(&fields, "", "rule is missing");
	edge.place = fields.place;
	edge.outputs = paths_of(&fields, "outputs");
	edge.implicit_outputs = paths_of(&fields, "implicit_outputs");
	edge.inputs = paths_of(&fields, "inputs");
	edge.implicit = paths_of(&fields, "implicit");
	edge.order_only = paths_of(&fields, "order_only");
	edge.variables = read_variables(&fields);
	edge.unlocked = fields_flag(&fields, "unlocked", false);
	if (edge.outputs.count == 0)
		fields_fail(&fields, "outputs", "there must be at least one output");
	*graph_add_edge(host, edge.rule, fields.place) = edge;
	claim_all(&fields, "outputs", &edge.outputs);
	claim_all(&fields, "implicit_outputs", &edge.implicit_outputs);
	api_needs_all(&fields, "inputs", &edge.inputs);
	api_needs_all(&fields, "implicit", &edge.implicit);
	api_needs_all(&fields, "order_only", &edge.order_only);
	lua_createtable(L, (int)edge.outputs.count, 0);
	for (i = 0; i < edge.outputs.count; i++) {
		lua_pushstring(L, edge.outputs.items[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static int
target_body(lua_State *L)
{
	static const char *const known[] = {"about", "needs", "default", NULL};
	struct host *host = host_of(L);
	struct study *study = &host->study;
	struct graph_target *target;
	struct fields fields;
	size_t i;

	api_begin_named(L, &fields, "target");
	fields_only(&fields, known, 0);
	api_check_name(&fields, "", fields.name, NAME_FILE);
	for (i = 0; i < study->target_count; i++)
		if (strcmp(study->targets[i].name, fields.name) == 0)
			fields_fail(&fields, "", "declared twice");
	study->targets = arena_grow(host->arena, study->targets, study->target_count,
				    &host->targets_room, sizeof *study->targets);
	target = &study->targets[study->target_count++];
	memset(target, 0, sizeof *target);
	target->name = arena_text(host->arena, fields.name);
	target->about = fields_text(&fields, "about", NULL);
	target->needs = fields_texts(&fields, "needs", FIELDS_ONE_OR_LIST, NULL);
	api_paths(&fields, "needs", &target->needs);
	target->is_default = fields_flag(&fields, "default", false);
	if (target->needs.count == 0)
		fields_fail(&fields, "needs", "there must be at least one file, program or target");
	return 0;
}

static int
api_target(lua_State *L)
{
	return api_named(L, "target", target_body);
}

void
api_open_graph(lua_State *L)
{
	static const struct api_function functions[] = {
		{"rule", api_rule}, {"build", api_build}, {"target", api_target}, {NULL, NULL}};

	api_add(L, functions);
}
