#include "spec/expand.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "spec/api.h"
#include "spec/case_id.h"
#include "spec/fail.h"
#include "spec/placeholder.h"
#include "spec/sandbox.h"
#include "spec/scalings.h"
#include "spec/sweep_point.h"
#include "spec/value.h"

/* The points of a sweep, and what is measured at each. */

struct expansion {
	const struct fields *experiment;
	struct experiment *out;
	int derive, when;         /* on the stack; 0: none */
	const char **derived;     /* names, sorted */
	size_t derived_count;
	size_t *turn;             /* the value of each dimension that is not blocked */
	size_t capacity;
};

static void
open_derive(struct expansion *e)
{
	lua_State *L = e->experiment->L;
	struct fields derive;
	size_t i, k;

	if (!fields_open(e->experiment, "derive", &derive))
		return;
	e->derive = derive.index;
	e->derived = sandbox_names(L, derive.index, &e->derived_count);
	if (sandbox_sorted_keys(L, derive.index) != e->derived_count)
		fields_fail(&derive, "", "must be a table name = function(p) … end");
	for (i = 0; i < e->derived_count; i++) {
		const char *name = e->derived[i];

		if (fields_push(&derive, name) != LUA_TFUNCTION)
			fields_fail(&derive, name, "must be a function(p) that returns the value, not %s",
				    value_describe(L, -1));
		lua_pop(L, 1);
		for (k = 0; k < e->out->sweep_count; k++)
			if (strcmp(e->out->sweep[k].name, name) == 0)
				fields_fail(&derive, name, "the sweep has a dimension of this name");
	}
}

static void
open_when(struct expansion *e)
{
	lua_State *L = e->experiment->L;
	int type = fields_push(e->experiment, "when");

	if (type == LUA_TNIL)
		return;
	if (type != LUA_TFUNCTION)
		fields_fail(e->experiment, "when", "must be a function(p) that says whether the point is "
			    "measured, not %s", value_describe(L, -1));
	e->when = lua_gettop(L);
}

static bool
wanted(const struct expansion *e, int point)
{
	lua_State *L = e->experiment->L;
	bool answer;

	if (e->when == 0)
		return true;
	lua_pushvalue(L, e->when);
	lua_pushvalue(L, point);
	lua_call(L, 1, 1);
	answer = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return answer;
}

/* The values of the sweep, then the derived ones. */
static struct point
all_values(const struct expansion *e, const struct point *point, int table)
{
	lua_State *L = e->experiment->L;
	struct arena *arena = host_of(L)->arena;
	struct point all = {NULL, point->count + e->derived_count};
	struct fields derive = *e->experiment;
	size_t i;

	derive.within = "derive";
	all.items = arena_alloc(arena, all.count, sizeof *all.items);
	for (i = 0; i < point->count; i++)
		all.items[i] = point->items[i];
	for (i = 0; i < e->derived_count; i++) {
		lua_getfield(L, table, e->derived[i]);
		all.items[point->count + i] = expand_value(&derive, e->derived[i], e->derived[i]);
		lua_pop(L, 1);
	}
	return all;
}

static char *
fill_cpus(const struct expansion *e, const struct point *values)
{
	struct host *host = host_of(e->experiment->L);
	struct buffer out = BUFFER_EMPTY, problem = BUFFER_EMPTY;
	bool good = placeholder_fill(e->out->cpus, values, &out, &problem);
	char *text = arena_text(host->arena, buffer_text(good ? &out : &problem));
	char *end;
	long cores;

	buffer_free(&out);
	buffer_free(&problem);
	if (!good)
		fields_fail(e->experiment, "cpus", "%s", text);
	if (strcmp(text, "last") == 0 || strcmp(text, "first") == 0 || strcmp(text, "none") == 0)
		return text;
	cores = strtol(text, &end, 10);
	if (end == text || cores < 1 || cores > 4096 ||
	    (strcmp(end, " cores") != 0 && strcmp(end, " core") != 0))
		fields_fail(e->experiment, "cpus", "must be \"last\", \"first\", \"none\" or \"N cores\" with N "
			    "from 1 to 4096, not \"%.100s\"", text);
	return text;
}

static void
claim_case_id(const struct expansion *e, const char *case_id)
{
	lua_State *L = e->experiment->L;

	luaL_getsubtable(L, LUA_REGISTRYINDEX, "assay.cases");
	if (lua_getfield(L, -1, case_id) != LUA_TNIL)
		fields_fail(e->experiment, "sweep", "two points give the same case \"%s\"; change the name of "
			    "the experiment", case_id);
	lua_pop(L, 1);
	lua_pushboolean(L, 1);
	lua_setfield(L, -2, case_id);
	lua_pop(L, 1);
}

static struct study_case *
add_case(struct expansion *e, const struct point *point)
{
	struct host *host = host_of(e->experiment->L);
	struct experiment *out = e->out;
	struct study_case *one;
	struct buffer case_id = BUFFER_EMPTY;

	out->cases = arena_grow(host->arena, out->cases, out->case_count, &e->capacity,
				sizeof *out->cases);
	one = &out->cases[out->case_count++];
	memset(one, 0, sizeof *one);
	one->point = *point;
	case_id_append(&case_id, out->name, point);
	one->case_id = arena_text(host->arena, buffer_text(&case_id));
	buffer_free(&case_id);
	claim_case_id(e, one->case_id);
	return one;
}

/* The values of all dimensions in the sweep's order: those of the turn, and of the treatment. */
static struct point
whole_point(const struct expansion *e, const struct point *blocked)
{
	struct point point = {NULL, e->out->sweep_count};
	size_t i, k = 0;

	point.items = arena_alloc(host_of(e->experiment->L)->arena, point.count, sizeof *point.items);
	for (i = 0; i < point.count; i++)
		point.items[i] = e->out->sweep[i].blocked ? blocked->items[k++]
							   : e->out->sweep[i].values[e->turn[i]];
	return point;
}

static struct point
case_point(const struct expansion *e)
{
	struct point point = {NULL, 0};
	size_t i;

	point.items = arena_alloc(host_of(e->experiment->L)->arena, e->out->sweep_count, sizeof *point.items);
	for (i = 0; i < e->out->sweep_count; i++)
		if (!e->out->sweep[i].blocked)
			point.items[point.count++] = e->out->sweep[i].values[e->turn[i]];
	return point;
}

static bool
is_wanted(const struct expansion *e, const struct blocked_treatment *treatment)
{
	struct point point = whole_point(e, &treatment->values);
	bool answer;

	sweep_point_push(e->experiment->L, e->derive, &point);
	answer = wanted(e, lua_gettop(e->experiment->L));
	lua_pop(e->experiment->L, 1);
	return answer;
}

/* What is derived from blocked dimensions is the treatment's, not the case's. */
static void
keep_common(struct point *common, const struct point *other)
{
	size_t i, kept = 0;

	for (i = 0; i < common->count; i++) {
		size_t k = 0;

		while (strcmp(other->items[k].name, common->items[i].name) != 0)
			k++;
		if (json_equal(other->items[k].value, common->items[i].value))
			common->items[kept++] = common->items[i];
	}
	common->count = kept;
}

static struct point
copy_point(struct arena *arena, const struct point_value *items, size_t count)
{
	struct point copy = {arena_alloc(arena, count, sizeof *items), count};

	if (count > 0)
		memcpy(copy.items, items, count * sizeof *items);
	return copy;
}

static void
fill_treatment(const struct expansion *e, const struct blocked_treatment *from, const struct point *values,
	       struct treatment *t)
{
	variant_fill(from->variant, values, e->out, t);
	t->name = from->name;
	t->blocked = from->values;
	t->cpus = fill_cpus(e, values);
	t->working_set = scalings_working_set(e->experiment, e->out, values);
}

/* Cores that all treatments have alike are the case's. */
static void
settle_cpus(const struct expansion *e, struct study_case *one)
{
	bool alike = true;
	size_t i;

	for (i = 1; i < one->treatment_count; i++)
		alike = alike && strcmp(one->treatments[i].cpus, one->treatments[0].cpus) == 0;
	one->cpus = alike ? one->treatments[0].cpus : e->out->cpus;
	for (i = 0; alike && i < one->treatment_count; i++)
		one->treatments[i].cpus = NULL;
}

static void
expand_point(struct expansion *e, const struct blocked_treatments *treatments)
{
	lua_State *L = e->experiment->L;
	struct arena *arena = host_of(L)->arena;
	struct point point = case_point(e), whole = {NULL, 0}, values = {NULL, 0}, derived;
	struct study_case *one;
	int top = lua_gettop(L);
	size_t i;

	if (!is_wanted(e, &treatments->items[0])) /* and so none: expand_leave_out */
		return;
	one = add_case(e, &point);
	one->treatment_count = treatments->count;
	one->treatments = arena_alloc(arena, treatments->count, sizeof *one->treatments);
	for (i = 0; i < treatments->count; i++) {
		if (i == 0 || e->out->blocked_count > 0) {
			whole = whole_point(e, &treatments->items[i].values);
			sweep_point_push(L, e->derive, &whole);
			values = all_values(e, &whole, lua_gettop(L));
			lua_settop(L, top);
			derived = copy_point(arena, values.items + whole.count, values.count - whole.count);
			if (i == 0)
				one->derived = derived;
			else
				keep_common(&one->derived, &derived);
		}
		fill_treatment(e, &treatments->items[i], &values, &one->treatments[i]);
	}
	settle_cpus(e, one);
}

/* The last dimension turns fastest; false after the last point. */
static bool
next_point(struct expansion *e)
{
	size_t i = e->out->sweep_count;

	while (i-- > 0) {
		if (e->out->sweep[i].blocked)
			continue;
		if (++e->turn[i] < e->out->sweep[i].count)
			return true;
		e->turn[i] = 0;
	}
	return false;
}

static void
check_size(const struct fields *experiment, const struct experiment *out)
{
	size_t points = 1, i;

	for (i = 0; i < out->sweep_count; i++) {
		if (out->sweep[i].blocked)
			continue;
		if (out->sweep[i].count > EXPAND_CASES / points)
			fields_fail(experiment, "sweep", "has more than %d points; measure fewer values, or "
				    "make several experiments", EXPAND_CASES);
		points *= out->sweep[i].count;
	}
}

static void
expansion_open(struct expansion *e)
{
	check_size(e->experiment, e->out);
	e->turn = arena_alloc(host_of(e->experiment->L)->arena, e->out->sweep_count, sizeof *e->turn);
	open_derive(e);
	open_when(e);
}

/* Which treatments `when` wants at this point; 0: it leaves the point out. */
static size_t
ask_when(const struct expansion *e, const struct blocked_treatments *treatments, bool *wants)
{
	size_t count = 0, i;

	for (i = 0; i < treatments->count; i++) {
		wants[i] = is_wanted(e, &treatments->items[i]);
		count += wants[i];
	}
	return count;
}

static void
check_same(const struct expansion *e, const struct blocked_treatments *treatments, const bool *before,
	   const bool *wants)
{
	size_t i;

	for (i = 0; i < treatments->count; i++)
		if (before[i] != wants[i])
			fields_fail(e->experiment, "when", "leaves \"%s\" out at one point and not at another; a block "
				    "holds the same treatments at each: make experiments of the two, or leave the "
				    "point out for all values of what is blocked", treatments->items[i].name);
}

void
expand_leave_out(const struct fields *experiment, const struct experiment *out,
		 struct blocked_treatments *treatments)
{
	struct experiment view = *out;
	struct expansion e = {experiment, &view, 0, 0, NULL, 0, NULL, 0};
	int top = lua_gettop(experiment->L);
	bool before[BLOCKED_TREATMENTS], wants[BLOCKED_TREATMENTS];
	size_t points = 0, kept = 0, i;

	expansion_open(&e);
	if (e.when != 0 && out->blocked_count > 0) {
		do {
			if (ask_when(&e, treatments, wants) == 0)
				continue;
			if (points++ > 0)
				check_same(&e, treatments, before, wants);
			memcpy(before, wants, sizeof before);
		} while (next_point(&e));
		for (i = 0; points > 0 && i < treatments->count; i++)
			if (before[i])
				treatments->items[kept++] = treatments->items[i];
		if (points > 0 && kept < 2)
			fields_fail(experiment, "when", "leaves one treatment, \"%s\"; there must be two to compare",
				    treatments->items[0].name);
		treatments->count = points > 0 ? kept : treatments->count;
	}
	lua_settop(experiment->L, top);
}

void
expand_cases(const struct fields *experiment, const struct blocked_treatments *treatments,
	     struct experiment *out)
{
	struct expansion e = {experiment, out, 0, 0, NULL, 0, NULL, 0};
	int top = lua_gettop(experiment->L);

	expansion_open(&e);
	do
		expand_point(&e, treatments);
	while (next_point(&e));
	if (out->case_count == 0)
		fields_fail(experiment, "when", "leaves no point of the sweep to measure");
	blocked_check_used(treatments, out);
	lua_settop(experiment->L, top);
}
