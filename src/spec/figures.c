#include "spec/figures.h"

#include <lauxlib.h>
#include <string.h>

#include "base/file.h"
#include "spec/api.h"
#include "spec/expand.h"
#include "spec/fail.h"
#include "spec/glob_files.h"
#include "spec/sandbox.h"
#include "spec/value.h"

#define SUFFIX ".gnuplot"

/* A figure that `figure "template" { … }` made, until an experiment takes it. */
struct figure_spec {
	struct figure figure;
	struct fields fields; /* for messages; its table is gone */
};

#define OPTION_DEPTH 2 /* tables inside a table */

static const char mixed[] = "holds values with a key and others without; write one or the other";

static json_t *read_option(const struct fields *fields, const char *path, int depth);

/* { 1, "b", { … } } */
static json_t *
read_list(const struct fields *table, size_t count, int depth)
{
	lua_State *L = table->L;
	json_t *list = arena_json(host_of(L)->arena, json_array());
	size_t i;

	if (sandbox_sorted_keys(L, table->index) != count)
		fields_fail(table, "", "%s", mixed);
	lua_pop(L, 1);
	for (i = 1; i <= count; i++) {
		lua_rawgeti(L, table->index, (lua_Integer)i);
		json_array_append(list, read_option(table, arena_printf(host_of(L)->arena, "[%zu]", i), depth));
		lua_pop(L, 1);
	}
	return list;
}

/* { n = 16384 }, as `where` has it. */
static json_t *
read_table(const struct fields *table, int depth)
{
	lua_State *L = table->L;
	json_t *object = arena_json(host_of(L)->arena, json_object());
	const char **names;
	size_t count, i;

	names = sandbox_names(L, table->index, &count);
	if (sandbox_sorted_keys(L, table->index) != count)
		fields_fail(table, "", "%s", mixed);
	if (count == 0)
		fields_fail(table, "", "an empty table says nothing; leave it out");
	for (i = 0; i < count; i++) {
		fields_push(table, names[i]);
		json_object_set(object, names[i], read_option(table, names[i], depth));
		lua_pop(L, 1);
	}
	lua_pop(L, 2);
	return object;
}

/* The value on the stack: a number, a text, a boolean, or a table of them. */
static json_t *
read_option(const struct fields *fields, const char *path, int depth)
{
	lua_State *L = fields->L;
	struct fields table = *fields;
	size_t count;

	if (lua_type(L, -1) != LUA_TTABLE)
		return expand_value(fields, path, path).value;
	if (depth == 0)
		fields_fail(fields, path, "holds tables in a table's tables; two levels are enough");
	luaL_checkstack(L, 20, "figure");
	table.index = lua_gettop(L);
	table.within = arena_printf(host_of(L)->arena, "%s%s%s", fields->within,
				    fields->within[0] != '\0' && path[0] != '[' ? "." : "", path);
	count = lua_rawlen(L, -1);
	return count > 0 ? read_list(&table, count, depth - 1) : read_table(&table, depth - 1);
}

/* Everything but label and caption goes to the template. */
static json_t *
read_options(const struct fields *fields)
{
	lua_State *L = fields->L;
	json_t *options = arena_json(host_of(L)->arena, json_object());
	const char **names;
	size_t count, i;

	names = sandbox_names(L, fields->index, &count);
	if (sandbox_sorted_keys(L, fields->index) != count)
		fields_fail(fields, "", "a value without a key; write key = value");
	for (i = 0; i < count; i++) {
		if (strcmp(names[i], "label") == 0 || strcmp(names[i], "caption") == 0)
			continue;
		fields_push(fields, names[i]);
		json_object_set(options, names[i], read_option(fields, names[i], OPTION_DEPTH));
		lua_pop(L, 1);
	}
	lua_pop(L, 2);
	return options;
}

/* The names of the templates in one folder; it becomes an input. */
static void
list_templates(lua_State *L, const char *folder, struct texts *names)
{
	struct host *host = host_of(L);
	struct texts files;
	size_t i;

	if (!file_exists(folder))
		return;
	files = glob_folder(L, folder, SUFFIX);
	for (i = 0; i < files.count; i++) {
		const char *name = strrchr(files.items[i], '/') + 1;

		texts_add(host->arena, names,
			  arena_span(host->arena, name, strlen(name) - strlen(SUFFIX)));
	}
}

/* A study may bring templates of its own beside the tool's. */
static void
check_template(const struct fields *fields)
{
	struct host *host = host_of(fields->L);
	struct texts names = {NULL, 0};
	size_t i;

	list_templates(fields->L, "figures", &names);
	if (host->home[0] != '\0')
		list_templates(fields->L, arena_printf(host->arena, "%sfigures", host->home), &names);
	for (i = 0; i < names.count; i++)
		if (strcmp(names.items[i], fields->name) == 0)
			return;
	fields_fail_unknown(fields, "", fields->name, (const char *const *)names.items, names.count,
			    "there is no template figures/%.100s" SUFFIX, fields->name);
}

int
figure_body(lua_State *L)
{
	struct figure_spec *spec = arena_alloc(host_of(L)->arena, 1, sizeof *spec);
	struct fields *fields = &spec->fields;

	api_begin_named(L, fields, "figure");
	check_template(fields);
	spec->figure.name = arena_text(host_of(L)->arena, fields->name);
	spec->figure.label = fields_text(fields, "label", fields->name);
	api_check_name(fields, "label", spec->figure.label, NAME_FILE);
	spec->figure.caption = fields_text(fields, "caption", "");
	spec->figure.options = read_options(fields);
	spec->figure.place = fields->place;
	value_push(L, VALUE_FIGURE, spec, 0);
	return 1;
}

/* The option `metric` is the same for all templates: one of the experiment's. */
static void
check_metric(const struct figure_spec *spec, const struct experiment *out)
{
	const char *asked = json_string_value(json_object_get(spec->figure.options, "metric"));
	const char **names = arena_alloc(host_of(spec->fields.L)->arena, out->metric_count, sizeof *names);
	size_t i;

	if (asked == NULL)
		return;
	for (i = 0; i < out->metric_count; i++) {
		if (strcmp(out->metrics[i].name, asked) == 0)
			return;
		names[i] = out->metrics[i].name;
	}
	fields_fail_unknown(&spec->fields, "metric", asked, names, out->metric_count,
			    "the experiment has no metric \"%.100s\"", asked);
}

static bool
has_value(const struct point *point, const char *name, const json_t *value)
{
	size_t i;

	for (i = 0; i < point->count; i++) {
		const json_t *have = point->items[i].value;

		if (strcmp(point->items[i].name, name) == 0)
			return json_is_number(value) && json_is_number(have)
				       ? json_number_value(value) == json_number_value(have)
				       : json_equal(value, have);
	}
	return false;
}

/* The option `where` too: it must leave something to show. */
static void
check_where(const struct figure_spec *spec, const struct experiment *out)
{
	json_t *where = json_object_get(spec->figure.options, "where"), *value;
	const char *name;
	size_t i;

	if (!json_is_object(where))
		return;
	for (i = 0; i < out->case_count; i++) {
		bool covered = true;

		json_object_foreach(where, name, value)
			covered = covered && has_value(&out->cases[i].point, name, value);
		if (covered)
			return;
	}
	fields_fail(&spec->fields, "where", "matches no case of the experiment");
}

/* It draws what callgrind counted, which no other time of the study holds. */
static void
check_flame(const struct figure_spec *spec, const struct diagnosis *asked)
{
	const char *variant = json_string_value(json_object_get(spec->figure.options, "variant"));

	if (!texts_have(&asked->tools, "callgrind"))
		fields_fail(&spec->fields, "", "draws what diagnose = { \"callgrind\" } of the experiment counts, and it "
			    "does not ask for it");
	if (variant != NULL && !texts_have(&asked->treatments, variant))
		fields_fail(&spec->fields, "variant", "callgrind is asked of no variant \"%.200s\"", variant);
}

static void
add_figure(const struct figure_spec *spec, struct experiment *out)
{
	size_t i;

	for (i = 0; i < out->figure_count; i++)
		if (strcmp(out->figures[i].label, spec->figure.label) == 0)
			fields_fail(&spec->fields, "label", "two figures of the experiment have the label "
				    "\"%s\"; give one another label = \"…\"", spec->figure.label);
	if (strcmp(spec->figure.name, "scaling") == 0 && !out->scaling.wanted)
		fields_fail(&spec->fields, "", "draws what scaling = { … } of the experiment asks for, and it has none");
	if (strcmp(spec->figure.name, "flame") == 0)
		check_flame(spec, &out->diagnosis);
	check_metric(spec, out);
	check_where(spec, out);
	out->figures[out->figure_count++] = spec->figure;
}

void
figures_read(const struct fields *experiment, struct experiment *out)
{
	lua_State *L = experiment->L;
	struct fields list;
	size_t count, i;

	if (!fields_open(experiment, "figures", &list))
		return;
	fields_only(&list, NULL, 100);
	count = lua_rawlen(L, list.index);
	out->figures = arena_alloc(host_of(L)->arena, count, sizeof *out->figures);
	for (i = 1; i <= count; i++) {
		const struct value *value;

		lua_rawgeti(L, list.index, (lua_Integer)i);
		value = value_get(L, -1, VALUE_FIGURE);
		if (value == NULL)
			fields_fail(&list, arena_printf(host_of(L)->arena, "[%zu]", i),
				    "must be a figure such as figure \"speedup\" {}, not %s",
				    value_describe(L, -1));
		add_figure(value->object, out);
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}
