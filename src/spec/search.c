#include "spec/search.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "spec/fail.h"
#include "spec/sandbox.h"
#include "spec/text.h"

#define CANDIDATES 1024

/* ---- which treatments are meant ---- */

static size_t
find_treatment(const struct fields *fields, const char *path, const char *name,
	       const struct study_case *one)
{
	const char **names = arena_alloc(host_of(fields->L)->arena, one->treatment_count, sizeof *names);
	size_t i;

	for (i = 0; i < one->treatment_count; i++) {
		names[i] = one->treatments[i].name;
		if (strcmp(names[i], name) == 0)
			return i;
	}
	fields_fail_unknown(fields, path, name, names, one->treatment_count,
			    "no treatment is called \"%.100s\"", name);
}

static const char *
blocked_value(const struct treatment *treatment, const char *dimension)
{
	size_t i;

	for (i = 0; i < treatment->blocked.count; i++)
		if (strcmp(treatment->blocked.items[i].name, dimension) == 0)
			return treatment->blocked.items[i].text;
	return NULL;
}

/* Is its variant there with another value of the dimension as well? One with `at` is not searched. */
static bool
varies(const struct study_case *one, size_t treatment, const char *dimension)
{
	const struct treatment *self = &one->treatments[treatment];
	const char *own = blocked_value(self, dimension), *other;
	size_t i;

	for (i = 0; own != NULL && i < one->treatment_count; i++) {
		other = blocked_value(&one->treatments[i], dimension);
		if (other != NULL && strcmp(one->treatments[i].variant, self->variant) == 0 &&
		    strcmp(other, own) != 0)
			return true;
	}
	return false;
}

static void
add(struct best_search *search, size_t treatment)
{
	search->candidates[search->candidate_count++] = treatment;
}

static void
take_named(const struct fields *fields, const struct study_case *one, struct best_search *search)
{
	struct texts names = fields_texts(fields, "among", FIELDS_LIST_ONLY, NULL);
	size_t i, k, found;

	search->candidates = arena_alloc(host_of(fields->L)->arena, names.count, sizeof *search->candidates);
	for (i = 0; i < names.count; i++) {
		found = find_treatment(fields, "among", names.items[i], one);
		if (found == search->against)
			fields_fail(fields, "among", "\"%.100s\" is what the best is compared with", names.items[i]);
		for (k = 0; k < i; k++)
			if (search->candidates[k] == found)
				fields_fail(fields, "among", "names \"%.100s\" twice", names.items[i]);
		add(search, found);
	}
}

static void
take_all(const struct fields *fields, const char *over, const struct study_case *one,
	 struct best_search *search)
{
	size_t i;

	search->candidates =
		arena_alloc(host_of(fields->L)->arena, one->treatment_count, sizeof *search->candidates);
	for (i = 0; i < one->treatment_count; i++)
		if (i != search->against && (over == NULL || varies(one, i, over)))
			add(search, i);
	if (over != NULL && search->candidate_count == 0)
		fields_fail(fields, "over", "no variant is in the block with several values of \"%.100s\"; name "
			    "the dimension in blocked", over);
}

/* ---- the table ---- */

static void
read_candidates(const struct fields *fields, const struct study_case *one, struct best_search *search)
{
	const char *over = fields_text(fields, "over", NULL);

	if (over != NULL && fields_has(fields, "among"))
		fields_fail(fields, "among", "over names the candidates already; give one of the two");
	search->name = fields_text(fields, "name", over != NULL ? over : "variant");
	if (fields_has(fields, "among"))
		take_named(fields, one, search);
	else
		take_all(fields, over, one, search);
	if (search->candidate_count < 2)
		fields_fail(fields, "", "has %zu candidate%s; the best is chosen from at least two",
			    search->candidate_count, search->candidate_count == 1 ? "" : "s");
}

/* With one pair there is no interval, with none no estimate. */
static void
check_share(const struct fields *fields, const struct experiment *out)
{
	int choosing = study_search_pairs(&out->search, out->design.pairs);

	if (out->design.pairs - choosing < 2)
		fields_fail(fields, "share", "of %d pair%s %d choose%s, so that fewer than 2 are left to confirm the choice; "
			    "plan more pairs or a smaller share", out->design.pairs, out->design.pairs == 1 ? "" : "s",
			    choosing, choosing == 1 ? "s" : "");
}

void
search_read(const struct fields *experiment, struct experiment *out)
{
	static const char *const keys[] = {"name", "over", "among", "against", "share", NULL};
	const struct study_case *one = &out->cases[0];
	struct fields fields;
	const char *against;

	if (!fields_open(experiment, "search", &fields))
		return;
	fields_only(&fields, keys, 0);
	if (out->design.stop != STOP_FIXED)
		fields_fail(&fields, "", "needs a fixed number of pairs, since they are divided beforehand into "
			    "those that choose and those that confirm; leave until_ci and looks out");
	against = fields_text(&fields, "against", one->treatments[0].name);
	out->search.against = find_treatment(&fields, "against", against, one);
	out->search.share = fields_number(&fields, "share", 0.5, 0, true, 0.95);
	check_share(&fields, out);
	read_candidates(&fields, one, &out->search);
	lua_pop(experiment->L, 1);
}

/* ---- search("chunk") ---- */

static int
name_the_best(lua_State *L)
{
	struct best_search search = {.name = (char *)luaL_checkstring(L, 1)};
	char *label = study_search_label(&search), *kept = arena_text(host_of(L)->arena, label);

	free(label);
	lua_pushstring(L, kept);
	return 1;
}

void
search_open(lua_State *L)
{
	lua_pushcfunction(L, name_the_best);
	sandbox_add(L, "search");
}
