#include "spec/claims.h"

#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/item_filter.h"
#include "spec/api.h"
#include "spec/expand.h"
#include "spec/fail.h"
#include "spec/sandbox.h"
#include "spec/text.h"
#include "spec/value.h"
#include "spec/watermark.h"

static const char *const kind_names[] = {"faster", "slower", "not_slower", "equivalent", "different"};
/* What specs call them; the last two are about perturbations, and of one of the kinds. */
static const char *const callees[] = {"faster", "slower", "not_slower", "equivalent", "different", "sensitive",
				      "insensitive"};
enum { SENSITIVE = 5, INSENSITIVE };

const char *
claim_kind_name(enum claim_kind kind)
{
	return kind_names[kind];
}

void
claims_read_where(const struct fields *fields, struct point *out)
{
	lua_State *L = fields->L;
	struct fields where;
	const char **names;
	size_t count, i;

	if (!fields_open(fields, "where", &where))
		return;
	names = sandbox_names(L, where.index, &count);
	if (sandbox_sorted_keys(L, where.index) != count)
		fields_fail(&where, "", "must be a table dimension = value");
	out->items = arena_alloc(host_of(L)->arena, count, sizeof *out->items);
	out->count = count;
	for (i = 0; i < count; i++) {
		fields_push(&where, names[i]);
		out->items[i] = expand_value(&where, names[i], names[i]);
		lua_pop(L, 1);
	}
	lua_pop(L, 3);
}

static void
read_bounds(const struct fields *fields, struct claim *claim)
{
	static const char *const with_by[] = {"by", "item", "where", NULL};
	static const char *const with_within[] = {"within", "item", "where", NULL};
	bool by = claim->kind == CLAIM_FASTER || claim->kind == CLAIM_SLOWER ||
		  claim->kind == CLAIM_DIFFERENT;

	fields_only(fields, by ? with_by : with_within, 0);
	claim->by = fields_number(fields, "by", 0, 1, false, 1e6);
	claim->within = fields_number(fields, "within", 0, 0, true, 1);
	claim->item = fields_text(fields, "item", NULL);
}

/* sensitive("a", "one_element"): b, the treatment that is perturbed so, is found when all are known. */
static void
read_perturbation(struct claim_spec *spec, int callee)
{
	struct claim *claim = &spec->claim;

	claim->perturbation = claim->a;
	claim->a = claim->b;
	if (watermark_words(claim->perturbation) == NULL)
		fields_fail(&spec->fields, "", "no perturbation is called \"%.100s\"; there are arithmetic_added, "
			    "arithmetic_removed, one_element and sync_removed", claim->perturbation);
	claim->kind = callee == INSENSITIVE ? CLAIM_EQUIVALENT
		      : watermark_adds(claim->perturbation) ? CLAIM_SLOWER : CLAIM_FASTER;
}

/* Upvalue: which of the callees. */
static int
make_claim(lua_State *L)
{
	struct claim_spec *spec = arena_alloc(host_of(L)->arena, 1, sizeof *spec);
	struct fields *fields = &spec->fields;
	int callee = (int)lua_tointeger(L, lua_upvalueindex(1));

	*fields = (struct fields){L, 3, fail_place(L), callees[callee], NULL, "", NULL};
	spec->claim.place = fields->place;
	if (lua_type(L, 1) != LUA_TSTRING || lua_type(L, 2) != LUA_TSTRING)
		fields_fail(fields, "", "expected two variants, as in %s(\"b\", \"a\", { … }), not %s",
			    fields->callee, value_describe(L, lua_type(L, 1) != LUA_TSTRING ? 1 : 2));
	spec->claim.b = fields_value_text(fields, 1, "");
	spec->claim.a = fields_value_text(fields, 2, "");
	if (callee < SENSITIVE)
		spec->claim.kind = (enum claim_kind)callee;
	else
		read_perturbation(spec, callee);
	if (lua_isnoneornil(L, 3)) {
		lua_settop(L, 2);
		lua_newtable(L);
	}
	if (!lua_istable(L, 3))
		fields_fail(fields, "", "the third argument must be a table { … }, not %s",
			    value_describe(L, 3));
	read_bounds(fields, &spec->claim);
	claims_read_where(fields, &spec->claim.where);
	value_push(L, VALUE_CLAIM, spec, 0);
	return 1;
}

void
claims_open(lua_State *L)
{
	size_t i;

	for (i = 0; i < sizeof callees / sizeof *callees; i++) {
		lua_pushinteger(L, (lua_Integer)i);
		lua_pushcclosure(L, make_claim, 1);
		sandbox_add(L, callees[i]);
	}
}

static size_t
find_treatment(const struct claim_spec *spec, const struct experiment *out, const char *name)
{
	lua_State *L = spec->fields.L;
	const struct study_case *one = &out->cases[0];
	const char **names = arena_alloc(host_of(L)->arena, one->treatment_count, sizeof *names);
	size_t i;

	for (i = 0; i < one->treatment_count; i++) {
		names[i] = one->treatments[i].name;
		if (strcmp(names[i], name) == 0)
			return i;
	}
	fields_fail_unknown(&spec->fields, "", name, names, one->treatment_count,
			    "no %s is called \"%.100s\"", out->blocked_count > 0 ? "treatment" : "variant",
			    name);
}

static void
check_compared(const struct claim_spec *spec, const struct experiment *out)
{
	size_t b = find_treatment(spec, out, spec->claim.b), a = find_treatment(spec, out, spec->claim.a);
	bool turned = false;
	size_t i;

	for (i = 0; i < out->comparison_count; i++) {
		if (out->comparisons[i].a == a && out->comparisons[i].b == b)
			return;
		turned = turned || (out->comparisons[i].a == b && out->comparisons[i].b == a);
	}
	if (turned)
		fields_fail(&spec->fields, "", "the experiment compares \"%s\" against \"%s\"; turn the claim "
			    "round, or change compare", spec->claim.a, spec->claim.b);
	fields_fail(&spec->fields, "", "the experiment does not compare \"%s\" against \"%s\"; add { \"%s\", "
		    "\"%s\" } to compare", spec->claim.b, spec->claim.a, spec->claim.b, spec->claim.a);
}

/* A claim about what a search finds; false where neither side is its label. */
static bool
check_search(const struct claim_spec *spec, const struct experiment *out)
{
	const char *against = out->search.name != NULL
				      ? out->cases[0].treatments[out->search.against].name : "";
	char *label;
	bool b, a;

	if (out->search.name == NULL)
		return false;
	label = study_search_label(&out->search);
	b = strcmp(spec->claim.b, label) == 0;
	a = strcmp(spec->claim.a, label) == 0;
	free(label);
	if (a || (b && strcmp(spec->claim.a, against) != 0))
		fields_fail(&spec->fields, "", "the search compares its best against \"%s\"; write %s(search("
			    "\"%s\"), \"%s\")", against, spec->fields.callee, out->search.name, against);
	return b;
}

static void
check_comparison(const struct claim_spec *spec, const struct experiment *out)
{
	if (!check_search(spec, out))
		check_compared(spec, out);
}

/* The values of a blocked dimension are in the names of the treatments. */
static void
refuse_blocked(const struct fields *fields, const struct experiment *out, const char *name)
{
	size_t i;

	for (i = 0; i < out->sweep_count; i++)
		if (out->sweep[i].blocked && strcmp(out->sweep[i].name, name) == 0)
			fields_fail(fields, name, "the dimension is blocked: name the treatments instead, such as \"%s\"",
				    out->cases[0].treatments[out->cases[0].treatment_count - 1].name);
}

static void
check_where(const struct claim_spec *spec, const struct experiment *out)
{
	const struct point *where = &spec->claim.where;
	struct fields fields = spec->fields;
	const char *names[16], *kept; /* as many as a sweep has */
	char *text;
	size_t i, k;

	fields.within = "where";
	for (k = 0; k < out->sweep_count; k++)
		names[k] = out->sweep[k].name;
	for (i = 0; i < where->count; i++) {
		refuse_blocked(&fields, out, where->items[i].name);
		for (k = 0; k < out->sweep_count; k++)
			if (strcmp(names[k], where->items[i].name) == 0)
				break;
		if (k == out->sweep_count)
			fields_fail_unknown(&fields, where->items[i].name, where->items[i].name, names,
					    out->sweep_count, "is no dimension of the sweep");
	}
	for (i = 0; i < out->case_count; i++)
		if (claim_covers(&spec->claim, &out->cases[i]))
			return;
	text = study_point_text(where);
	kept = arena_text(host_of(fields.L)->arena, text);
	free(text);
	fields_fail(&fields, "", "matches no case; no point that is measured has %s", kept);
}

/* Which items there are shows when the program runs; that there can be none, and that this one is
 * left out, shows before. */
static void
check_item(const struct claim_spec *spec, const struct experiment *out)
{
	const char *item = spec->claim.item;
	struct item_filter filter;
	bool taken;

	if (item == NULL)
		return;
	if (strcmp(out->reader, "process") == 0 || strcmp(out->reader, "patterns") == 0)
		fields_fail(&spec->fields, "item", "with reader = \"%s\" there are no items", out->reader);
	if (out->items == NULL)
		return;
	if (item_filter_open(out->items, &filter) == NULL) {
		taken = item_filter_takes(&filter, item);
		item_filter_close(&filter);
		if (!taken)
			fields_fail(&spec->fields, "item", "the experiment's items = \"%s\" leave \"%.200s\" out",
				    out->items, item);
	}
}

static void
find_perturbed(struct claim_spec *spec, const struct experiment *out)
{
	struct claim *claim = &spec->claim;
	const struct study_case *one = &out->cases[0];
	size_t found;

	find_treatment(spec, out, claim->a);
	found = watermark_perturbed(one, claim->a, claim->perturbation);
	if (found == SIZE_MAX)
		fields_fail(&spec->fields, "", "the experiment has no \"%s\" of \"%s\"; watermark \"%s\" { … } makes it",
			    claim->perturbation, claim->a, claim->a);
	claim->b = one->treatments[found].name;
}

/* A perturbed variant computes something else. */
static void
refuse_perturbed(const struct claim_spec *spec, const struct experiment *out, const char *name)
{
	const struct study_case *one = &out->cases[0];
	size_t i;

	for (i = 0; i < one->treatment_count; i++)
		if (one->treatments[i].perturbs != NULL && strcmp(one->treatments[i].name, name) == 0)
			fields_fail(&spec->fields, "", "\"%s\" is a perturbation, which computes something else: it is "
				    "not faster or slower than anything; write sensitive(\"%s\", \"%s\")", name,
				    one->treatments[i].perturbs, one->treatments[i].perturbation);
}

static void
check_claim(struct claim_spec *spec, struct experiment *out)
{
	struct claim *claim = &out->claims[out->claim_count++];

	if (spec->claim.perturbation != NULL) {
		find_perturbed(spec, out);
	} else {
		refuse_perturbed(spec, out, spec->claim.b);
		refuse_perturbed(spec, out, spec->claim.a);
	}
	check_comparison(spec, out);
	check_where(spec, out);
	check_item(spec, out);
	*claim = spec->claim;
	if (claim->kind == CLAIM_EQUIVALENT && claim->within == 0)
		claim->within = out->design.margin;
	if (claim->kind == CLAIM_EQUIVALENT && claim->within == 0)
		fields_fail(&spec->fields, "", "needs within, as in { within = 0.02 }, or margin in the "
			    "design: nothing is exactly equal");
}

void
claims_read(const struct fields *experiment, struct experiment *out)
{
	lua_State *L = experiment->L;
	struct fields list;
	size_t count, i;

	if (!fields_open(experiment, "claims", &list))
		return;
	fields_only(&list, NULL, 1000);
	count = lua_rawlen(L, list.index);
	out->claims = arena_alloc(host_of(L)->arena, count, sizeof *out->claims);
	for (i = 1; i <= count; i++) {
		const struct value *value;

		lua_rawgeti(L, list.index, (lua_Integer)i);
		value = value_get(L, -1, VALUE_CLAIM);
		if (value == NULL)
			fields_fail(&list, arena_printf(host_of(L)->arena, "[%zu]", i),
				    "must be a claim such as faster(\"b\", \"a\"), not %s",
				    value_describe(L, -1));
		check_claim(value->object, out);
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}

bool
claims_where_covers(const struct point *where, const struct study_case *one)
{
	size_t i, k;

	for (i = 0; i < where->count; i++) {
		for (k = 0; k < one->point.count; k++)
			if (strcmp(one->point.items[k].name, where->items[i].name) == 0 &&
			    json_equal(one->point.items[k].value, where->items[i].value))
				break;
		if (k == one->point.count)
			return false;
	}
	return true;
}

bool
claim_covers(const struct claim *claim, const struct study_case *one)
{
	return claims_where_covers(&claim->where, one);
}

/* What is claimed about a kernel by what its perturbation does to it. */
static void
append_sensitivity(struct buffer *out, const struct claim *claim)
{
	char number[TEXT_NUMBER];

	if (claim->kind == CLAIM_EQUIVALENT) {
		snprintf(number, sizeof number, "%.12g", claim->within * 100);
		buffer_printf(out, "%s changes by less than %s %%", claim->a, number);
	} else {
		text_number(claim->by, number);
		buffer_printf(out, "%s %s%s%s", claim->a, claim->kind == CLAIM_FASTER ? "gains" : "loses",
			      claim->by > 0 ? " at least a factor of " : " time", claim->by > 0 ? number : "");
	}
	buffer_printf(out, " %s", watermark_words(claim->perturbation));
}

static void
append_relation(struct buffer *out, const struct claim *claim)
{
	char by[TEXT_NUMBER], within[TEXT_NUMBER];

	text_number(claim->by, by);
	snprintf(within, sizeof within, "%.12g", claim->within * 100); /* 0.07 * 100 is no 7 */
	if (claim->kind == CLAIM_FASTER && claim->by > 0)
		buffer_printf(out, "%s is at least %s times as fast as %s", claim->b, by, claim->a);
	else if (claim->kind == CLAIM_FASTER)
		buffer_printf(out, "%s is faster than %s", claim->b, claim->a);
	else if (claim->kind == CLAIM_SLOWER && claim->by > 0)
		buffer_printf(out, "%s takes at least %s times as long as %s", claim->b, by, claim->a);
	else if (claim->kind == CLAIM_SLOWER)
		buffer_printf(out, "%s is slower than %s", claim->b, claim->a);
	else if (claim->kind == CLAIM_NOT_SLOWER && claim->within > 0)
		buffer_printf(out, "%s is at most %s %% slower than %s", claim->b, within, claim->a);
	else if (claim->kind == CLAIM_NOT_SLOWER)
		buffer_printf(out, "%s is not slower than %s", claim->b, claim->a);
	else if (claim->kind == CLAIM_EQUIVALENT)
		buffer_printf(out, "%s and %s differ by less than %s %%", claim->b, claim->a, within);
	else if (claim->by > 0)
		buffer_printf(out, "%s differs from %s by a factor of at least %s", claim->b, claim->a, by);
	else
		buffer_printf(out, "%s differs from %s", claim->b, claim->a);
}

char *
claim_text(const struct claim *claim)
{
	struct buffer out = BUFFER_EMPTY;
	size_t i;

	if (claim->perturbation != NULL)
		append_sensitivity(&out, claim);
	else
		append_relation(&out, claim);
	if (claim->item != NULL)
		buffer_printf(&out, " in %s", claim->item);
	for (i = 0; i < claim->where.count; i++)
		buffer_printf(&out, "%s%s=%s", i == 0 ? " at " : ", ", claim->where.items[i].name,
			      claim->where.items[i].text);
	return buffer_detach(&out);
}
