#include "spec/blocked.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "spec/api.h"
#include "spec/expand.h"
#include "spec/fail.h"
#include "spec/sandbox.h"
#include "spec/value.h"

/* ---- which dimensions ---- */

static struct dimension *
find_dimension(const struct experiment *out, const char *name)
{
	size_t i;

	for (i = 0; i < out->sweep_count; i++)
		if (strcmp(out->sweep[i].name, name) == 0)
			return &out->sweep[i];
	return NULL;
}

static _Noreturn void
fail_no_dimension(const struct fields *fields, const char *path, const char *name,
		  const struct experiment *out)
{
	const char **names = arena_alloc(host_of(fields->L)->arena, out->sweep_count + 1, sizeof *names);
	size_t i;

	for (i = 0; i < out->sweep_count; i++)
		names[i] = out->sweep[i].name;
	fields_fail_unknown(fields, path, name, names, out->sweep_count,
			    "\"%.100s\" is no dimension of the sweep%s", name,
			    out->sweep_count == 0 ? "; there is none" : "");
}

void
blocked_read(const struct fields *experiment, struct experiment *out)
{
	struct texts names = fields_texts(experiment, "blocked", FIELDS_LIST_ONLY, NULL);
	size_t i;

	if (names.count == 0 && fields_has(experiment, "blocked"))
		fields_fail(experiment, "blocked", "the list is empty; name dimensions of the sweep, as in { "
			    "\"threads\" }, or leave it out");
	for (i = 0; i < names.count; i++) {
		struct dimension *dimension = find_dimension(out, names.items[i]);

		if (dimension == NULL)
			fail_no_dimension(experiment, "blocked", names.items[i], out);
		if (dimension->blocked)
			fields_fail(experiment, "blocked", "\"%s\" is there twice", names.items[i]);
		dimension->blocked = true;
		out->blocked_count++;
	}
}

/* ---- names ---- */

static int
by_name(const void *a, const void *b)
{
	return strcmp((*(const struct point_value *const *)a)->name,
		      (*(const struct point_value *const *)b)->name);
}

/* "padded layout=wide threads=2", dimensions sorted, so that a name can be written without knowing
 * in which order the sweep has them. */
static char *
name_of(struct arena *arena, const char *variant, const struct point_value **shown, size_t count)
{
	struct buffer text = BUFFER_EMPTY;
	char *name;
	size_t i;

	if (count > 0)
		qsort(shown, count, sizeof *shown, by_name);
	buffer_puts(&text, variant);
	for (i = 0; i < count; i++)
		buffer_printf(&text, " %s=%s", shown[i]->name, shown[i]->text);
	name = arena_text(arena, buffer_text(&text));
	buffer_free(&text);
	return name;
}

int
blocked_name(lua_State *L)
{
	struct fields fields = {L, 2, fail_place(L), "treatment", NULL, "", NULL};
	struct arena *arena = host_of(L)->arena;
	const struct point_value **shown;
	struct point_value *values;
	const char **names;
	size_t count, i;

	if (lua_type(L, 1) != LUA_TSTRING || !lua_istable(L, 2))
		fields_fail(&fields, "", "expected a variant and its values, as in treatment(\"padded\", { threads "
			    "= 2 })");
	lua_settop(L, 2);
	names = sandbox_names(L, 2, &count);
	if (sandbox_sorted_keys(L, 2) != count)
		fields_fail(&fields, "", "must be a table dimension = value");
	values = arena_alloc(arena, count + 1, sizeof *values);
	shown = arena_alloc(arena, count + 1, sizeof *shown);
	for (i = 0; i < count; i++) {
		fields_push(&fields, names[i]);
		values[i] = expand_value(&fields, names[i], names[i]);
		shown[i] = &values[i];
		lua_pop(L, 1);
	}
	lua_pushstring(L, name_of(arena, lua_tostring(L, 1), shown, count));
	return 1;
}

/* ---- variants x values ---- */

static const struct point_value *
find_value(const struct point *point, const char *name)
{
	size_t i;

	for (i = 0; i < point->count; i++)
		if (strcmp(point->items[i].name, name) == 0)
			return &point->items[i];
	return NULL;
}

static bool
has_value(const struct dimension *dimension, const json_t *value)
{
	size_t i;

	for (i = 0; i < dimension->count; i++)
		if (json_equal(dimension->values[i].value, value))
			return true;
	return false;
}

/* What `at` fixes is blocked, at a value that is measured. */
static void
check_at(const struct variant *variant, const struct experiment *out)
{
	struct fields fields = variant->fields;
	size_t i;

	fields.within = "at";
	for (i = 0; i < variant->at.count; i++) {
		const struct point_value *one = &variant->at.items[i];
		const struct dimension *dimension = find_dimension(out, one->name);

		if (dimension == NULL)
			fail_no_dimension(&fields, one->name, one->name, out);
		if (!dimension->blocked)
			fields_fail(&fields, one->name, "the dimension is not in the experiment's blocked; only what is "
				    "compared inside the block can be fixed for one variant");
		if (!has_value(dimension, one->value))
			fields_fail(&fields, one->name, "%s is no value of the sweep's %s", one->text, one->name);
	}
}

/* The values of the turn; false when the variant fixes another one. */
static bool
take_turn(const struct variant *variant, const struct experiment *out, const size_t *turn,
	  struct blocked_treatment *treatment)
{
	struct arena *arena = host_of(variant->fields.L)->arena;
	const struct point_value **shown = arena_alloc(arena, out->blocked_count + 1, sizeof *shown);
	size_t count = 0, i;

	treatment->variant = variant;
	treatment->values.count = 0;
	treatment->values.items = arena_alloc(arena, out->blocked_count, sizeof *treatment->values.items);
	for (i = 0; i < out->sweep_count; i++) {
		const struct point_value *value = &out->sweep[i].values[turn[i]], *fixed;

		if (!out->sweep[i].blocked)
			continue;
		fixed = find_value(&variant->at, out->sweep[i].name);
		if (fixed != NULL && !json_equal(fixed->value, value->value))
			return false;
		treatment->values.items[treatment->values.count++] = *value;
		if (fixed == NULL)
			shown[count++] = &out->sweep[i].values[turn[i]];
	}
	treatment->name = name_of(arena, variant->name, shown, count);
	return true;
}

/* The last blocked dimension turns fastest; false after the last values. */
static bool
next_turn(const struct experiment *out, size_t *turn)
{
	size_t i = out->sweep_count;

	while (i-- > 0) {
		if (!out->sweep[i].blocked)
			continue;
		if (++turn[i] < out->sweep[i].count)
			return true;
		turn[i] = 0;
	}
	return false;
}

/* Claims, comparisons and texts know treatments by their names. */
static void
check_new_name(const struct fields *experiment, const struct blocked_treatment *one,
	       const struct blocked_treatments *list)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (strcmp(list->items[i].name, one->name) == 0)
			fields_fail(experiment, "blocked", "gives two treatments the name \"%.200s\"; give variants or "
				    "values other names", one->name);
}

static void
add_variant(const struct fields *experiment, const struct variant *variant, const struct experiment *out,
	    struct blocked_treatments *list)
{
	size_t *turn = arena_alloc(host_of(experiment->L)->arena, out->sweep_count + 1, sizeof *turn);
	struct blocked_treatment one;

	check_at(variant, out);
	do {
		if (!take_turn(variant, out, turn, &one))
			continue;
		if (list->count == BLOCKED_TREATMENTS)
			fields_fail(experiment, "blocked", "gives more than %d treatments; block fewer values, or fix "
				    "some of them by at = { … } of a variant", BLOCKED_TREATMENTS);
		check_new_name(experiment, &one, list);
		list->items[list->count++] = one;
	} while (next_turn(out, turn));
}

struct blocked_treatments
blocked_expand(const struct fields *experiment, const struct variant *const *variants,
	       size_t variant_count, const struct experiment *out)
{
	struct blocked_treatments list = {NULL, 0};
	size_t i;

	list.items = arena_alloc(host_of(experiment->L)->arena, BLOCKED_TREATMENTS, sizeof *list.items);
	for (i = 0; i < variant_count; i++)
		add_variant(experiment, variants[i], out, &list);
	if (list.count < 2)
		fields_fail(experiment, "blocked", "gives one treatment; there must be two to compare");
	return list;
}

/* ---- whether it makes a difference ---- */

static bool
same_texts(const struct texts *a, const struct texts *b)
{
	size_t i;

	for (i = 0; i < a->count && i < b->count; i++)
		if (strcmp(a->items[i], b->items[i]) != 0)
			return false;
	return a->count == b->count;
}

static bool
same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool
same_launch(const struct treatment *a, const struct treatment *b)
{
	size_t i;

	for (i = 0; i < a->env.count && i < b->env.count; i++)
		if (strcmp(a->env.items[i].value, b->env.items[i].value) != 0)
			return false;
	return a->program == b->program && same_texts(&a->args, &b->args) &&
	       same_texts(&a->prepare, &b->prepare) && same_texts(&a->inputs, &b->inputs) &&
	       same_text(a->stdin_path, b->stdin_path) && same_text(a->cwd, b->cwd) &&
	       same_text(a->cpus, b->cpus);
}

static bool
same_in_all_cases(const struct experiment *out, size_t a, size_t b)
{
	size_t i;

	for (i = 0; i < out->case_count; i++)
		if (!same_launch(&out->cases[i].treatments[a], &out->cases[i].treatments[b]))
			return false;
	return true;
}

/* The first blocked dimension in which the two differ. */
static const struct point_value *
difference(const struct blocked_treatment *a, const struct blocked_treatment *b)
{
	size_t i;

	for (i = 0; i < a->values.count; i++)
		if (!json_equal(a->values.items[i].value, b->values.items[i].value))
			return &a->values.items[i];
	return &a->values.items[0];
}

void
blocked_check_used(const struct blocked_treatments *treatments, const struct experiment *out)
{
	size_t a, b;

	for (b = 1; b < treatments->count; b++)
		for (a = 0; a < b; a++) {
			const struct blocked_treatment *one = &treatments->items[a], *other = &treatments->items[b];
			const struct point_value *value;

			if (one->variant != other->variant || !same_in_all_cases(out, a, b))
				continue;
			value = difference(one, other);
			fields_fail(&one->variant->fields, "", "the blocked dimension %s makes no difference: \"%s\" and "
				    "\"%s\" start the same; use {%s} in it, or fix it by at = { %s = %s }", value->name,
				    one->name, other->name, value->name, value->name, value->text);
		}
}
