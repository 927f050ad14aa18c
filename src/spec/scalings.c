#include "spec/scalings.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "spec/fail.h"
#include "spec/placeholder.h"
#include "spec/sandbox.h"
#include "spec/value.h"

struct reading {
	const struct fields *fields;        /* the table */
	const struct blocked_treatments *treatments;
	const struct experiment *experiment;
	struct scaling *out;
};

static size_t
find_treatment(const struct reading *r, const char *path, const char *name)
{
	const char *names[BLOCKED_TREATMENTS];
	size_t i;

	for (i = 0; i < r->treatments->count; i++) {
		names[i] = r->treatments->items[i].name;
		if (strcmp(names[i], name) == 0)
			return i;
	}
	fields_fail_unknown(r->fields, path, name, names, r->treatments->count, "no treatment is called \"%.100s\"",
			    name);
}

/* A blocked dimension of whole numbers from 1 on. */
static void
read_over(struct reading *r)
{
	const char *names[16];
	size_t count = 0, i, k;

	r->out->over = fields_text(r->fields, "over", NULL);
	if (r->out->over == NULL)
		fields_fail(r->fields, "", "over is missing; name a blocked dimension, as in over = \"threads\"");
	for (i = 0; i < r->experiment->sweep_count; i++) {
		const struct dimension *one = &r->experiment->sweep[i];

		if (!one->blocked)
			continue;
		names[count++] = one->name;
		if (strcmp(one->name, r->out->over) != 0)
			continue;
		for (k = 0; k < one->count; k++)
			if (!json_is_integer(one->values[k].value) || json_integer_value(one->values[k].value) < 1)
				fields_fail(r->fields, "over", "the values of %s must be whole numbers from 1 on, not %s",
					    one->name, one->values[k].text);
		return;
	}
	fields_fail_unknown(r->fields, "over", r->out->over, names, count,
			    "\"%.100s\" is no blocked dimension%s", r->out->over,
			    count == 0 ? "; add blocked = { \"threads\" } to the experiment" : "");
}

static void
read_serial(struct reading *r)
{
	struct texts names = fields_texts(r->fields, "serial", FIELDS_ONE_OR_LIST, NULL);
	size_t i;

	if (names.count == 0)
		fields_fail(r->fields, "", "serial is missing; name the best serial program, as in serial = \"serial\", "
			    "or several of which the fastest counts");
	r->out->serial = arena_alloc(host_of(r->fields->L)->arena, names.count, sizeof *r->out->serial);
	r->out->serial_count = names.count;
	for (i = 0; i < names.count; i++)
		r->out->serial[i] = find_treatment(r, "serial", names.items[i]);
}

static long long
processors(const struct reading *r, size_t treatment)
{
	const struct point *values = &r->treatments->items[treatment].values;
	size_t i;

	for (i = 0; i < values->count; i++)
		if (strcmp(values->items[i].name, r->out->over) == 0)
			return (long long)json_integer_value(values->items[i].value);
	return 0;
}

/* The treatment's name without the processors: "padded threads=2" is in the series "padded". */
static char *
series_name(const struct reading *r, size_t treatment)
{
	struct arena *arena = host_of(r->fields->L)->arena;
	const char *name = r->treatments->items[treatment].name;
	char *mark = arena_printf(arena, " %s=%lld", r->out->over, processors(r, treatment));
	const char *at = strstr(name, mark);
	size_t length = strlen(mark);

	while (at != NULL && at[length] != ' ' && at[length] != '\0')
		at = strstr(at + 1, mark);
	return at == NULL ? NULL : arena_printf(arena, "%.*s%s", (int)(at - name), name, at + length);
}

static struct scaling_series *
series_of(struct reading *r, char *name, const struct variant *variant)
{
	struct scaling *out = r->out;
	struct scaling_series *one;
	size_t i;

	for (i = 0; i < out->series_count; i++)
		if (strcmp(out->series[i].name, name) == 0)
			return &out->series[i];
	one = &out->series[out->series_count++];
	one->name = name;
	one->variant = variant->name;
	one->treatments = arena_alloc(host_of(r->fields->L)->arena, r->treatments->count, sizeof *one->treatments);
	one->processors = arena_alloc(host_of(r->fields->L)->arena, r->treatments->count, sizeof *one->processors);
	return one;
}

static void
make_series(struct reading *r)
{
	struct scaling *out = r->out;
	size_t i, kept = 0;

	out->series = arena_alloc(host_of(r->fields->L)->arena, r->treatments->count, sizeof *out->series);
	for (i = 0; i < r->treatments->count; i++) {
		char *name = series_name(r, i);
		struct scaling_series *one;

		if (name == NULL) /* fixed by `at` */
			continue;
		one = series_of(r, name, r->treatments->items[i].variant);
		one->treatments[one->count] = i;
		one->processors[one->count++] = processors(r, i);
	}
	for (i = 0; i < out->series_count; i++)
		if (out->series[i].count > 1)
			out->series[kept++] = out->series[i];
	out->series_count = kept;
	if (kept == 0)
		fields_fail(r->fields, "over", "no variant is there with two values of %s", out->over);
}

static bool
is_weak(const struct reading *r, const char *path, const char *kind)
{
	static const char *const kinds[] = {"strong", "weak"};

	if (strcmp(kind, "strong") != 0 && strcmp(kind, "weak") != 0)
		fields_fail_unknown(r->fields, path, kind, kinds, 2, "\"%.60s\" is no kind of scaling", kind);
	return strcmp(kind, "weak") == 0;
}

/* kind = "weak", or kind = { grown = "weak" } by variant; strong where nothing is said. */
static void
read_kinds(struct reading *r)
{
	lua_State *L = r->fields->L;
	struct fields table;
	const char **names;
	size_t count, i, k;
	int type = fields_push(r->fields, "kind");

	lua_pop(L, 1);
	if (type == LUA_TNIL)
		return;
	if (type != LUA_TTABLE) {
		bool weak = is_weak(r, "kind", fields_text(r->fields, "kind", NULL));

		for (i = 0; i < r->out->series_count; i++)
			r->out->series[i].weak = weak;
		return;
	}
	fields_open(r->fields, "kind", &table);
	names = sandbox_names(L, table.index, &count);
	if (sandbox_sorted_keys(L, table.index) != count)
		fields_fail(&table, "", "must be \"strong\", \"weak\" or a table variant = kind");
	for (k = 0; k < count; k++) {
		bool weak = is_weak(r, "kind", fields_text(&table, names[k], NULL)), found = false;

		for (i = 0; i < r->out->series_count; i++)
			if (strcmp(r->out->series[i].variant, names[k]) == 0) {
				r->out->series[i].weak = weak;
				found = true;
			}
		if (!found)
			fields_fail(&table, names[k], "no variant of this name is there with two values of %s",
				    r->out->over);
	}
	lua_pop(L, 3);
}

void
scalings_read(const struct fields *experiment, const struct blocked_treatments *treatments,
	      struct experiment *out)
{
	static const char *const known[] = {"over", "serial", "kind", "working_set", NULL};
	struct fields fields;
	struct reading r = {&fields, treatments, out, &out->scaling};

	if (!fields_open(experiment, "scaling", &fields))
		return;
	fields_only(&fields, known, 0);
	if (!out->metrics[0].lower_is_better)
		fields_fail(&fields, "", "needs times: the first metric must be one of which less is better, not %s",
			    out->metrics[0].name);
	out->scaling.wanted = true;
	read_over(&r);
	read_serial(&r);
	make_series(&r);
	read_kinds(&r);
	out->scaling.working_set = fields_text(&fields, "working_set", NULL);
	lua_pop(experiment->L, 1);
}

double
scalings_working_set(const struct fields *experiment, const struct experiment *out, const struct point *values)
{
	struct buffer text = BUFFER_EMPTY, problem = BUFFER_EMPTY;
	char *filled, *end;
	double bytes;
	bool good;

	if (out->scaling.working_set == NULL)
		return 0;
	good = placeholder_fill(out->scaling.working_set, values, &text, &problem);
	filled = arena_text(host_of(experiment->L)->arena, buffer_text(good ? &text : &problem));
	buffer_free(&text);
	buffer_free(&problem);
	if (!good)
		fields_fail(experiment, "scaling.working_set", "%s", filled);
	bytes = strtod(filled, &end);
	if (end == filled || *end != '\0' || !isfinite(bytes) || bytes < 0)
		fields_fail(experiment, "scaling.working_set", "must be a number of bytes, not \"%.60s\"", filled);
	return bytes;
}
