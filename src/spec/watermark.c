#include "spec/watermark.h"

#include <lauxlib.h>
#include <stdint.h>
#include <string.h>

#include "spec/api.h"
#include "spec/fail.h"
#include "spec/sandbox.h"
#include "spec/value.h"

static const struct perturbation {
	const char *name, *flag, *words;
	bool adds;
} perturbations[] = {
	{"arithmetic_added", "-DWATERMARK_ARITHMETIC_ADDED", "with more arithmetic", true},
	{"arithmetic_removed", "-DWATERMARK_ARITHMETIC_REMOVED", "without its arithmetic", false},
	{"one_element", "-DWATERMARK_ONE_ELEMENT", "with all its accesses to one element", false},
	{"sync_removed", "-DWATERMARK_SYNC_REMOVED", "without its synchronisation", false},
};
#define PERTURBATIONS (sizeof perturbations / sizeof *perturbations)

/* Keys of the runner, and of the variant; `work` is told of the kernel as it is alone. */
static const char *const of_runner[] = {"toolchain", "cflags", "cxxflags", "ldflags", "libs", "harness", NULL};
static const char *const of_variant[] = {"args", "env", "stdin", "cwd", "prepare", "inputs", "mode", "cfg",
					 "lowers_scale", "ignore_exit", "needs", "at", NULL};
static const char *const known[] = {"toolchain", "cflags", "cxxflags", "ldflags", "libs", "harness", "args", "env", "stdin",
				    "cwd", "prepare", "inputs", "mode", "cfg", "lowers_scale", "ignore_exit",
				    "needs", "at", "work", "without", NULL};

static const struct perturbation *
find(const char *name)
{
	size_t i;

	for (i = 0; i < PERTURBATIONS; i++)
		if (strcmp(perturbations[i].name, name) == 0)
			return &perturbations[i];
	return NULL;
}

const char *
watermark_words(const char *perturbation)
{
	const struct perturbation *found = find(perturbation);

	return found != NULL ? found->words : NULL;
}

bool
watermark_adds(const char *perturbation)
{
	const struct perturbation *found = find(perturbation);

	return found != NULL && found->adds;
}

/* ---- what it is made of: a runner and a variant for each ---- */

static void
copy_keys(const struct fields *fields, const char *const *keys, int to)
{
	for (; *keys != NULL; keys++) {
		fields_push(fields, *keys);
		lua_setfield(fields->L, to, *keys);
	}
}

/* flags = { what was given, the switch }. */
static void
add_switch(const struct fields *fields, const char *key, const char *flag, int to)
{
	lua_State *L = fields->L;
	lua_Integer n = 0;

	lua_createtable(L, 2, 0);
	fields_push(fields, key);
	if (!lua_isnil(L, -1))
		lua_rawseti(L, -2, ++n);
	else
		lua_pop(L, 1);
	lua_pushstring(L, flag);
	lua_rawseti(L, -2, ++n);
	lua_setfield(L, to, key);
}

/* Calls a function of the specs: name { the table on top of the stack }, which its value replaces. */
static void
call(lua_State *L, const char *function, const char *name)
{
	sandbox_push_shared(L, function);
	lua_pushstring(L, name);
	lua_call(L, 1, 1);
	lua_insert(L, -2);
	lua_call(L, 1, 1);
}

static void
push_runner(const struct fields *fields, const char *name, const struct perturbation *one)
{
	lua_State *L = fields->L;
	size_t count = lua_rawlen(L, fields->index), i;
	int table;

	lua_newtable(L);
	table = lua_gettop(L);
	for (i = 1; i <= count; i++) {
		lua_rawgeti(L, fields->index, (lua_Integer)i);
		lua_rawseti(L, table, (lua_Integer)i);
	}
	copy_keys(fields, of_runner, table);
	if (one != NULL) {
		add_switch(fields, "cflags", one->flag, table);
		if (fields_has(fields, "cxxflags"))
			add_switch(fields, "cxxflags", one->flag, table);
	}
	call(L, "runner", name);
}

/* `one` NULL: the kernel as it is. */
static void
push_variant(const struct fields *fields, const struct perturbation *one)
{
	static const char *const work[] = {"work", NULL};
	lua_State *L = fields->L;
	struct arena *arena = host_of(L)->arena;
	const char *name = fields->name;
	struct variant *variant;

	lua_newtable(L);
	push_runner(fields, one != NULL ? arena_printf(arena, "%s-%s", name, one->name) : name, one);
	lua_rawseti(L, -2, 1);
	copy_keys(fields, of_variant, lua_gettop(L));
	if (one == NULL)
		copy_keys(fields, work, lua_gettop(L));
	call(L, "variant", one != NULL ? arena_printf(arena, "%s:%s", name, one->name) : name);
	if (one == NULL)
		return;
	variant = (struct variant *)value_get(L, -1, VALUE_VARIANT)->object;
	variant->perturbs = arena_text(arena, name);
	variant->perturbation = arena_text(arena, one->name);
}

static bool
is_among(const struct texts *texts, const char *text)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		if (strcmp(texts->items[i], text) == 0)
			return true;
	return false;
}

static struct texts
read_without(const struct fields *fields)
{
	struct texts without = fields_texts(fields, "without", FIELDS_ONE_OR_LIST, NULL);
	const char *names[PERTURBATIONS];
	size_t i;

	for (i = 0; i < PERTURBATIONS; i++)
		names[i] = perturbations[i].name;
	for (i = 0; i < without.count; i++)
		if (find(without.items[i]) == NULL)
			fields_fail_unknown(fields, "without", without.items[i], names, PERTURBATIONS,
					    "no perturbation is called \"%.100s\"", without.items[i]);
	if (without.count >= PERTURBATIONS)
		fields_fail(fields, "without", "leaves no perturbation; write a runner and a variant");
	return without;
}

int
watermark_body(lua_State *L)
{
	struct fields fields;
	struct texts without;
	lua_Integer n = 0;
	size_t i;

	api_begin_named(L, &fields, "watermark");
	fields_only(&fields, known, -1);
	api_check_name(&fields, "", fields.name, NAME_FILE);
	without = read_without(&fields);
	lua_newtable(L);
	push_variant(&fields, NULL);
	lua_rawseti(L, -2, ++n);
	for (i = 0; i < PERTURBATIONS; i++) {
		if (is_among(&without, perturbations[i].name))
			continue;
		push_variant(&fields, &perturbations[i]);
		lua_rawseti(L, -2, ++n);
	}
	return 1;
}

/* ---- what an experiment makes of perturbed variants ---- */

static bool
same_values(const struct point *one, const struct point *other)
{
	size_t i;

	for (i = 0; i < one->count && i < other->count; i++)
		if (strcmp(one->items[i].text, other->items[i].text) != 0)
			return false;
	return one->count == other->count;
}

size_t
watermark_baseline(const struct blocked_treatments *treatments, size_t treatment)
{
	const struct blocked_treatment *self = &treatments->items[treatment], *other;
	size_t i;

	if (self->variant->perturbs == NULL)
		return 0;
	for (i = 0; i < treatments->count; i++) {
		other = &treatments->items[i];
		if (strcmp(other->variant->name, self->variant->perturbs) == 0 &&
		    same_values(&other->values, &self->values))
			return i;
	}
	fields_fail(&self->variant->fields, "", "the experiment has the perturbation \"%s\" but not \"%s\", which "
		    "it perturbs", self->name, self->variant->perturbs);
}

static void
add_unperturbed(struct arena *arena, const struct blocked_treatments *treatments, struct texts *set)
{
	size_t i;

	for (i = 0; i < treatments->count; i++)
		if (treatments->items[i].variant->perturbs == NULL)
			texts_add(arena, set, treatments->items[i].name);
}

void
watermark_check_among(const struct fields *experiment, const struct blocked_treatments *treatments,
		      struct group_check *check)
{
	struct arena *arena = host_of(experiment->L)->arena;
	size_t i, k;
	bool any = false;

	for (i = 0; i < treatments->count; i++) {
		const struct blocked_treatment *one = &treatments->items[i];

		if (one->variant->perturbs == NULL)
			continue;
		any = true;
		for (k = 0; k < check->among.count; k++)
			if (is_among(&check->among.sets[k], one->name) ||
			    is_among(&check->among.sets[k], one->variant->name))
				fields_fail(experiment, "correct", "among names \"%s\", a perturbation, which computes "
					    "something else", one->name);
	}
	if (!any || check->among.count > 0)
		return;
	check->among.sets = arena_alloc(arena, 1, sizeof *check->among.sets);
	check->among.count = 1;
	add_unperturbed(arena, treatments, &check->among.sets[0]);
}

size_t
watermark_perturbed(const struct study_case *one, const char *name, const char *perturbation)
{
	const struct treatment *base = NULL, *other;
	size_t i;

	for (i = 0; i < one->treatment_count && base == NULL; i++)
		if (strcmp(one->treatments[i].name, name) == 0)
			base = &one->treatments[i];
	for (i = 0; base != NULL && i < one->treatment_count; i++) {
		other = &one->treatments[i];
		if (other->perturbs != NULL && strcmp(other->perturbs, base->variant) == 0 &&
		    strcmp(other->perturbation, perturbation) == 0 && same_values(&other->blocked, &base->blocked))
			return i;
	}
	return SIZE_MAX;
}

bool
watermark_perturbs(const struct study_case *one, size_t treatment)
{
	size_t i;

	for (i = 0; i < one->treatment_count; i++)
		if (one->treatments[i].perturbs != NULL &&
		    strcmp(one->treatments[i].perturbs, one->treatments[treatment].variant) == 0)
			return true;
	return false;
}
