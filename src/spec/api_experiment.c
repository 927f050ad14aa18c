#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/item_filter.h"
#include "spec/api.h"
#include "spec/blocked.h"
#include "spec/claims.h"
#include "spec/counter_names.h"
#include "spec/design.h"
#include "spec/diagnosis.h"
#include "spec/expand.h"
#include "spec/fail.h"
#include "spec/figures.h"
#include "spec/rooflines.h"
#include "spec/sandbox.h"
#include "spec/scalings.h"
#include "spec/search.h"
#include "spec/value.h"
#include "spec/variant.h"
#include "spec/watermark.h"

/* experiment, variant, figure and the claims. */

#define VARIANTS BLOCKED_TREATMENTS
#define FORMS 16

static const char *const known[] = {"title",  "question", "variants", "sweep",	"derive",  "when",
				    "design", "metric",	  "metrics",  "correct", "claims", "figures",
				    "cpus",   "reader",	  "compare",  "invalid_if", "items",
				    "group_report", "forms", "blocked", "search", "roofline", "scaling", "counters", "diagnose", NULL};
/* What a form may say otherwise than its experiment. */
static const char *const of_forms[] = {"about",	 "title",   "question", "sweep",   "derive", "when",
				       "design", "compare", "claims",	"figures", "cpus",   "invalid_if",
				       "group_report", "blocked", "search", "roofline", "scaling", NULL};

static void
check_new_name(const struct fields *fields, const char *path, const char *name)
{
	const struct study *study = &host_of(fields->L)->study;
	size_t i;

	api_check_name(fields, path, name, NAME_FILE);
	if (strcmp(name, "report") == 0)
		fields_fail(fields, path, "an experiment cannot be called \"report\": its page would be report.html, "
			    "which is the study's");
	for (i = 0; i < study->experiment_count; i++)
		if (strcmp(study->experiments[i].name, name) == 0)
			fields_fail(fields, path, "an experiment of this name is at %s:%d; names are unique in "
				    "a study", study->experiments[i].place.file,
				    study->experiments[i].place.line);
}

static const struct variant *
read_variant(const struct fields *list, size_t i)
{
	lua_State *L = list->L;
	const struct value *value;
	const struct variant *variant;

	lua_rawgeti(L, list->index, (lua_Integer)i);
	value = value_get(L, -1, VALUE_VARIANT);
	if (value == NULL)
		fields_fail(list, arena_printf(host_of(L)->arena, "[%zu]", i),
			    "must be a variant such as variant \"name\" { program, args = { … } }, not %s",
			    value_describe(L, -1));
	variant = value->object;
	lua_pop(L, 1);
	return variant;
}

static const struct variant **
read_variants(const struct fields *fields, size_t *count)
{
	lua_State *L = fields->L;
	const struct variant **variants;
	struct fields list;
	size_t i, k;

	if (!fields_open(fields, "variants", &list))
		fields_fail(fields, "", "variants is missing; list at least two, the baseline first");
	fields_only(&list, NULL, VARIANTS);
	*count = lua_rawlen(L, list.index);
	if (*count < (fields_has(fields, "blocked") ? 1 : 2))
		fields_fail(&list, "", "must list at least two variants to compare, the baseline first");
	variants = arena_alloc(host_of(L)->arena, *count, sizeof *variants);
	for (i = 0; i < *count; i++) {
		variants[i] = read_variant(&list, i + 1);
		for (k = 0; k < i; k++)
			if (strcmp(variants[i]->name, variants[k]->name) == 0)
				fields_fail(&variants[i]->fields, "", "the variant is in the experiment "
					    "twice, first at line %d; give it another name",
					    variants[k]->fields.place.line);
	}
	lua_pop(L, 1);
	return variants;
}

static size_t
find_treatment(const struct fields *fields, const char *name, const struct blocked_treatments *treatments)
{
	const char *names[BLOCKED_TREATMENTS];
	size_t i;

	for (i = 0; i < treatments->count; i++) {
		names[i] = treatments->items[i].name;
		if (strcmp(names[i], name) == 0)
			return i;
	}
	fields_fail_unknown(fields, "", name, names, treatments->count, "no %s is called \"%.100s\"",
			    treatments->items[0].values.count > 0 ? "treatment" : "variant", name);
}

/* compare = { { "b", "a" }, … }: b against the baseline a. */
static void
read_comparisons(const struct fields *fields, const struct blocked_treatments *treatments,
		 struct experiment *out)
{
	lua_State *L = fields->L;
	struct arena *arena = host_of(L)->arena;
	struct fields list;
	size_t i, k;

	if (!fields_open(fields, "compare", &list)) {
		out->comparison_count = treatments->count - 1;
		out->comparisons = arena_alloc(arena, treatments->count - 1, sizeof *out->comparisons);
		for (i = 1; i < treatments->count; i++)
			out->comparisons[i - 1] = (struct comparison){watermark_baseline(treatments, i), i};
		return;
	}
	fields_only(&list, NULL, VARIANTS * VARIANTS);
	out->comparison_count = lua_rawlen(L, list.index);
	out->comparisons = arena_alloc(arena, out->comparison_count, sizeof *out->comparisons);
	for (i = 0; i < out->comparison_count; i++) {
		struct comparison *comparison = &out->comparisons[i];
		struct fields pair;
		struct texts names;

		fields_open_item(&list, "", (int)i + 1, &pair);
		names = fields_items(&pair, 1);
		if (names.count != 2)
			fields_fail(&pair, "", "must be { \"b\", \"a\" }: a variant and its baseline");
		comparison->b = find_treatment(&pair, names.items[0], treatments);
		comparison->a = find_treatment(&pair, names.items[1], treatments);
		if (comparison->a == comparison->b)
			fields_fail(&pair, "", "compares \"%s\" with itself", names.items[0]);
		for (k = 0; k < i; k++)
			if (out->comparisons[k].a == comparison->a && out->comparisons[k].b == comparison->b)
				fields_fail(&pair, "", "is there twice");
		lua_pop(L, 1);
	}
	if (out->comparison_count == 0)
		fields_fail(&list, "", "the list is empty; leave compare out to compare each variant with the "
			    "first");
	lua_pop(L, 1);
}

/* The name of a variant stands for all its treatments. */
static bool
is_variant(const struct blocked_treatments *treatments, const char *name)
{
	size_t i;

	for (i = 0; i < treatments->count; i++)
		if (strcmp(treatments->items[i].variant->name, name) == 0)
			return true;
	return false;
}

static void
check_among(const struct fields *fields, const struct blocked_treatments *treatments,
	    const struct group_check *check)
{
	struct fields inner = *fields;
	size_t i, k;

	for (i = 0; i < check->among.count; i++) {
		inner.within = arena_printf(host_of(fields->L)->arena, "correct.among[%zu]", i + 1);
		for (k = 0; k < check->among.sets[i].count; k++)
			if (!is_variant(treatments, check->among.sets[i].items[k]))
				find_treatment(&inner, check->among.sets[i].items[k], treatments);
	}
}

/* Divided by operations here and by elements there, no two would compare. */
static void
check_flops(const struct fields *fields, const struct variant *const *variants, size_t count,
	    const struct experiment *out)
{
	const struct variant *with = NULL, *without = NULL;
	size_t i;

	for (i = 0; i < count; i++)
		*(variants[i]->cfg_flops > 0 ? &with : &without) = variants[i];
	for (i = 0; i < out->metric_count; i++)
		if (out->metrics[i].per != NULL && with != NULL && without != NULL)
			fields_fail(fields, "metric", "per = \"flop\" divides by the operations that cfg = { flops = … } "
				    "declares; \"%s\" declares them, \"%s\" does not", with->name, without->name);
}

/* Which items of a program count. */
static void
read_items(const struct fields *fields, enum spec_reader reader, struct experiment *out)
{
	struct item_filter filter;
	char *problem;

	out->items = fields_text(fields, "items", NULL);
	if (out->items == NULL)
		return;
	if (reader != SPEC_GOOGLE_BENCHMARK)
		fields_fail(fields, "items", "needs reader = \"google-benchmark\"");
	problem = item_filter_open(out->items, &filter);
	if (problem != NULL) {
		const char *kept = arena_text(host_of(fields->L)->arena, problem);

		free(problem);
		fields_fail(fields, "items", "\"%.200s\" is no extended regular expression over names: %s",
			    out->items, kept);
	}
	item_filter_close(&filter);
}

/* A runner linked with the harness speaks the protocol; of other programs it must be said. */
static enum spec_reader
read_reader(const struct fields *fields, const struct variant *const *variants, size_t count,
	    struct experiment *out)
{
	static const char *const readers[] = {"protocol", "process", "google-benchmark", "patterns", NULL};
	const struct host *host = host_of(fields->L);
	const char *speaks = NULL;
	enum spec_reader choice;
	size_t i;

	for (i = 0; i < count; i++)
		if (variants[i]->program != VARIANT_FILLED && host->declared[variants[i]->program].harness)
			speaks = variants[i]->name;
	choice = (enum spec_reader)fields_choice(fields, "reader", readers,
						 speaks != NULL ? SPEC_PROTOCOL : SPEC_PROCESS);
	if (choice == SPEC_GOOGLE_BENCHMARK && speaks != NULL)
		fields_fail(fields, "reader", "\"%.100s\" is a runner with the harness and no Google Benchmark "
			    "binary", speaks);
	out->reader = arena_text(host->arena, readers[choice]);
	read_items(fields, choice, out);
	return choice;
}

static void
read_invalid_if(const struct fields *fields, struct experiment *out)
{
	static const char *const keys[] = {"load_above", "preempted_above", NULL};
	struct fields inner;

	if (!fields_open(fields, "invalid_if", &inner))
		return;
	fields_only(&inner, keys, 0);
	out->load_above = fields_number(&inner, "load_above", 0, 0, true, 1e6);
	out->preempted_above = fields_number(&inner, "preempted_above", 0, 0, true, 1);
	lua_pop(fields->L, 1);
}

static void
take_prose(const struct fields *fields, struct experiment *out)
{
	struct source *source = host_of(fields->L)->running;

	if (source == NULL)
		return;
	source->experiments++;
	if (!source->literate)
		return;
	if (source->experiments > 1)
		fields_fail(fields, "", "a second experiment in one literate spec: the text around could "
			    "belong to either; give it a file of its own");
	out->prose = source->prose;
	out->prose_count = source->prose_count;
}

static struct experiment *
add_experiment(struct host *host, const struct experiment *experiment)
{
	struct study *study = &host->study;

	study->experiments = arena_grow(host->arena, study->experiments, study->experiment_count,
					&host->experiments_room, sizeof *study->experiments);
	study->experiments[study->experiment_count] = *experiment;
	return &study->experiments[study->experiment_count++];
}

/* `form` NULL: the experiment itself. */
static void
read_texts(const struct fields *fields, const char *form, struct experiment *out)
{
	struct arena *arena = host_of(fields->L)->arena;
	const struct source *source = host_of(fields->L)->running;
	const char *title = source != NULL && source->title != NULL ? source->title : fields->name;

	if (form == NULL) {
		out->name = arena_text(arena, fields->name);
	} else {
		out->name = arena_printf(arena, "%s-%s", fields->name, form);
		out->form = arena_text(arena, fields->name);
		out->about = fields_text(fields, "about", title);
		title = arena_printf(arena, "%s (%s)", title, form);
	}
	out->title = fields_text(fields, "title", title);
	out->question = fields_text(fields, "question", "");
	out->cpus = fields_text(fields, "cpus", "last");
	out->place = fields->place;
}

static void
define(const struct fields *fields, const char *form)
{
	struct experiment out = {0};
	const struct variant **variants;
	struct blocked_treatments treatments;
	size_t count;
	enum spec_reader reader;

	read_texts(fields, form, &out);
	variants = read_variants(fields, &count);
	expand_read_sweep(fields, &out);
	blocked_read(fields, &out);
	treatments = blocked_expand(fields, variants, count, &out);
	expand_leave_out(fields, &out, &treatments);
	reader = read_reader(fields, variants, count, &out);
	counter_names_read(fields, &out);
	metrics_read(fields, reader, &out);
	check_flops(fields, variants, count, &out);
	design_read(fields, treatments.count, &out.design);
	group_report_read(fields, out.metrics, out.metric_count, &out.group_report);
	group_check_read(fields, &out.check);
	check_among(fields, &treatments, &out.check);
	watermark_check_among(fields, &treatments, &out.check);
	if (reader == SPEC_GOOGLE_BENCHMARK && out.check.stdout_sha256)
		fields_fail(fields, "correct", "what a Google Benchmark binary prints holds its times and differs "
			    "from run to run; leave stdout out");
	read_comparisons(fields, &treatments, &out);
	read_invalid_if(fields, &out);
	scalings_read(fields, &treatments, &out);
	expand_cases(fields, &treatments, &out);
	search_read(fields, &out);
	claims_read(fields, &out);
	if (form == NULL)
		diagnosis_read(fields, &out);
	figures_read(fields, &out);
	rooflines_read(fields, &out.roofline);
	if (form == NULL)
		take_prose(fields, &out);
	add_experiment(host_of(fields->L), &out);
}

/* The same experiment with other keys: an experiment of its own, which the report leaves out. */
static void
define_form(const struct fields *fields, const struct fields *forms, const char *form)
{
	struct fields over, whole = *fields;

	if (!fields_open(forms, form, &over))
		return;
	fields_only(&over, of_forms, 0);
	check_new_name(forms, form, arena_printf(host_of(fields->L)->arena, "%s-%s", fields->name, form));
	whole.over = &over;
	define(&whole, form);
}

static void
define_forms(const struct fields *fields)
{
	lua_State *L = fields->L;
	int top = lua_gettop(L), inside;
	struct fields forms;
	const char **names;
	size_t count, i;

	if (!fields_open(fields, "forms", &forms))
		return;
	names = sandbox_names(L, forms.index, &count);
	if (sandbox_sorted_keys(L, forms.index) != count || count > FORMS)
		fields_fail(&forms, "", "must be a table name = { … } of at most %d forms", FORMS);
	inside = lua_gettop(L);
	for (i = 0; i < count; i++) {
		define_form(fields, &forms, names[i]);
		lua_settop(L, inside);
	}
	lua_settop(L, top);
}

static int
experiment_body(lua_State *L)
{
	struct fields fields;
	int top;

	api_begin_named(L, &fields, "experiment");
	check_new_name(&fields, "", fields.name);
	fields_only(&fields, known, 0);
	top = lua_gettop(L);
	define(&fields, NULL);
	lua_settop(L, top);
	define_forms(&fields);
	return 0;
}

static int
api_experiment(lua_State *L)
{
	return api_named(L, "experiment", experiment_body);
}

static int
api_variant(lua_State *L)
{
	return api_named(L, "variant", variant_body);
}

static int
api_watermark(lua_State *L)
{
	return api_named(L, "watermark", watermark_body);
}

static int
api_figure(lua_State *L)
{
	return api_named(L, "figure", figure_body);
}

void
api_open_experiment(lua_State *L)
{
	static const struct api_function functions[] = {{"experiment", api_experiment},
							{"variant", api_variant},
							{"watermark", api_watermark},
							{"figure", api_figure},
							{"treatment", blocked_name},
							{NULL, NULL}};

	api_add(L, functions);
	claims_open(L);
	search_open(L);
}
