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
		json_object_set(options, names[i], expand_value(fields, names[i], names[i]).value);
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

static void
add_figure(const struct figure_spec *spec, struct experiment *out)
{
	size_t i;

	for (i = 0; i < out->figure_count; i++)
		if (strcmp(out->figures[i].label, spec->figure.label) == 0)
			fields_fail(&spec->fields, "label", "two figures of the experiment have the label "
				    "\"%s\"; give one another label = \"…\"", spec->figure.label);
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
	fields_only(&list, NULL, NULL, 100);
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
