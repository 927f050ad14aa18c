#include "spec/rooflines.h"

#include <lauxlib.h>
#include <string.h>

#include "spec/claims.h"
#include "spec/fail.h"
#include "spec/suggest.h"

void
rooflines_read(const struct fields *experiment, struct roofline *out)
{
	static const char *const known[] = {"peak", "bandwidth", "where", NULL};
	struct fields inner;

	if (!fields_open(experiment, "roofline", &inner))
		return;
	fields_only(&inner, known, 0);
	out->peak = fields_text(&inner, "peak", NULL);
	out->bandwidth = fields_text(&inner, "bandwidth", NULL);
	out->place = fields_place(&inner, "");
	claims_read_where(&inner, &out->where);
	if (out->peak == NULL || out->bandwidth == NULL)
		fields_fail(&inner, "", "must give both, as in roofline = { peak = \"ceilings/fma\", bandwidth = "
			    "\"ceilings/triad\" }");
	lua_pop(experiment->L, 1);
}

/* Which roof of which experiment is looked for, and who wants it. */
struct search {
	lua_State *L;
	const struct experiment *experiment;
	const struct experiment *roof_of;
	const char *key, *name; /* name: behind the slash */
	bool flops;             /* the roof must declare these, else its bytes */
};

static _Noreturn void
fail_roof(const struct search *s, const char *why)
{
	fail_at(s->L, s->experiment->roofline.place, "experiment \"%s\": roofline.%s: %s", s->experiment->name,
		s->key, why);
}

static bool
same_value(const json_t *one, const json_t *other)
{
	return json_is_number(one) && json_is_number(other)
		       ? json_number_value(one) == json_number_value(other)
		       : json_equal(one, other);
}

/* False when both have a dimension in which they differ. */
static bool
agree(const struct point *one, const struct point *other)
{
	size_t i, k;

	for (i = 0; i < one->count; i++)
		for (k = 0; k < other->count; k++)
			if (strcmp(one->items[i].name, other->items[k].name) == 0 &&
			    !same_value(one->items[i].value, other->items[k].value))
				return false;
	return true;
}

static bool
is_roof_of(const struct search *s, const struct study_case *there, const struct treatment *roof,
	   const struct study_case *here, const struct treatment *kernel)
{
	const struct point *own[] = {&here->point, &here->derived, &kernel->blocked};
	size_t i;

	if (strcmp(roof->name, s->name) != 0 && strcmp(roof->variant, s->name) != 0)
		return false;
	for (i = 0; i < sizeof own / sizeof *own; i++)
		if (!agree(own[i], &there->point) || !agree(own[i], &roof->blocked))
			return false;
	return true;
}

static _Noreturn void
fail_two(const struct search *s, const struct study_case *first, const struct roof *roof,
	 const struct study_case *second, size_t treatment)
{
	struct arena *arena = host_of(s->L)->arena;

	fail_roof(s, arena_printf(arena, "\"%s\" may be \"%s\" of case %s or \"%s\" of case %s; write one out",
				  s->name, first->treatments[roof->treatment].name, first->case_id,
				  second->treatments[treatment].name, second->case_id));
}

static void
find(const struct search *s, const struct study_case *here, const struct treatment *kernel,
     struct roof *out)
{
	const struct study_case *found = NULL;
	size_t c, t;

	for (c = 0; c < s->roof_of->case_count; c++)
		for (t = 0; t < s->roof_of->cases[c].treatment_count; t++) {
			const struct study_case *there = &s->roof_of->cases[c];

			if (!is_roof_of(s, there, &there->treatments[t], here, kernel))
				continue;
			if (found != NULL)
				fail_two(s, found, out, there, t);
			found = there;
			*out = (struct roof){there->case_id, t, NULL};
		}
	out->name = found == NULL ? NULL
				  : arena_printf(host_of(s->L)->arena, "%s/%s", s->roof_of->name,
						 found->treatments[out->treatment].name);
	if (found == NULL)
		fail_roof(s, arena_printf(host_of(s->L)->arena, "experiment \"%s\" has no \"%s\" that agrees with "
					  "\"%s\" of case %s in the dimensions that both have", s->roof_of->name,
					  s->name, kernel->name, here->case_id));
	if ((s->flops ? found->treatments[out->treatment].work.flops
		      : found->treatments[out->treatment].work.bytes) <= 0)
		fail_roof(s, arena_printf(host_of(s->L)->arena, "\"%s\" does not say its work; write work = { %s = "
					  "… } in the variant, above 0", s->name, s->flops ? "flops" : "bytes"));
}

static bool
has_wall(const struct experiment *e)
{
	size_t i;

	for (i = 0; i < e->metric_count; i++)
		if (strcmp(e->metrics[i].name, "wall_us") == 0 && e->metrics[i].per == NULL)
			return true;
	return false;
}

/* "ceilings/fma"; without a slash of the experiment itself. A form finds its own variants. */
static const struct experiment *
find_experiment(struct search *s, const char *written)
{
	struct host *host = host_of(s->L);
	const struct study *study = &host->study;
	const char *slash = strchr(written, '/'), *asked, **names;
	size_t i;

	s->name = slash != NULL ? slash + 1 : written;
	if (slash == NULL)
		return s->experiment;
	asked = arena_span(host->arena, written, (size_t)(slash - written));
	if (s->experiment->form != NULL && strcmp(s->experiment->form, asked) == 0)
		return s->experiment;
	names = arena_alloc(host->arena, study->experiment_count, sizeof *names);
	for (i = 0; i < study->experiment_count; i++) {
		names[i] = study->experiments[i].name;
		if (strcmp(names[i], asked) == 0)
			return &study->experiments[i];
	}
	fail_unknown(s->L, s->experiment->roofline.place, asked, names, study->experiment_count,
		     "experiment \"%s\": roofline.%s: no experiment is called \"%.100s\"", s->experiment->name,
		     s->key, asked);
}

static void
begin(struct search *s, const char *key, const char *written, bool flops)
{
	s->key = key;
	s->flops = flops;
	s->roof_of = find_experiment(s, written);
	if (!has_wall(s->roof_of) || !has_wall(s->experiment))
		fail_roof(s, arena_printf(host_of(s->L)->arena, "experiment \"%s\" does not measure wall_us, which "
					  "rates are made of; add it to the metrics",
					  has_wall(s->experiment) ? s->roof_of->name : s->experiment->name));
}

/* How many treatments get a roof. */
static size_t
resolve(const struct search *s, struct experiment *e)
{
	size_t c, t, count = 0;

	for (c = 0; c < e->case_count; c++)
		for (t = 0; t < e->cases[c].treatment_count; t++) {
			struct treatment *kernel = &e->cases[c].treatments[t];

			if (!claims_where_covers(&e->roofline.where, &e->cases[c]) ||
			    !(kernel->work.flops > 0 && kernel->work.bytes > 0))
				continue;
			find(s, &e->cases[c], kernel, s->flops ? &kernel->peak : &kernel->bandwidth);
			count++;
		}
	return count;
}

void
rooflines_resolve(lua_State *L)
{
	struct study *study = &host_of(L)->study;
	size_t i;

	for (i = 0; i < study->experiment_count; i++) {
		struct experiment *e = &study->experiments[i];
		struct search s = {.L = L, .experiment = e};

		if (e->roofline.peak == NULL)
			continue;
		begin(&s, "peak", e->roofline.peak, true);
		if (resolve(&s, e) == 0)
			fail_roof(&s, "no variant says its flops and its bytes in a case that `where` covers; write work = { "
				      "flops = …, bytes = … } in the variant");
		begin(&s, "bandwidth", e->roofline.bandwidth, false);
		resolve(&s, e);
	}
}
