#include "spec/diagnosis.h"

#include <string.h>

#include "base/memory.h"
#include "spec/expand.h"
#include "spec/sandbox.h"

#define TREATMENTS 4096
#define DEFAULT_TIMEOUT_S 300
#define LONGEST_TIMEOUT_S 86400

const struct diagnosis_tool diagnosis_tools[] = {
	{"perf_stat",
	 {"task_clock_ms", "context_switches", "migrations", "page_faults", "cycles", "instructions",
	  "branches", "branch_misses", "cache_references", "cache_misses", "cpus_used", NULL}},
	{"perf_record", {"samples", "functions", "hottest_share", "hottest_error", "hottest_samples", NULL}},
	{"perf_c2c", {"loads", "stores", "hitm", "hitm_share", "hitm_error", "shared_lines", NULL}},
	{"callgrind", {"instructions", "functions", "hottest_share", NULL}},
	{"gnu_time",
	 {"user_s", "sys_s", "max_rss_kib", "major_faults", "minor_faults", "voluntary_switches",
	  "involuntary_switches", NULL}},
	{"compute_sanitizer", {"errors", NULL}},
	{"nsys", {"kernels", "kernel_ns", "launches", "hottest_share", NULL}},
	{"ncu", {"kernels", "sm_percent", "dram_percent", "l2_hit_percent", "ceiling", NULL}},
	{NULL, {NULL}},
};

static void
check_tools(const struct fields *fields, const struct texts *tools)
{
	const char *names[sizeof diagnosis_tools / sizeof *diagnosis_tools];
	size_t known = 0, i, k;

	for (; diagnosis_tools[known].name != NULL; known++)
		names[known] = diagnosis_tools[known].name;
	if (tools->count == 0)
		fields_fail(fields, "", "must list at least one tool, as in diagnose = { \"callgrind\" }");
	for (i = 0; i < tools->count; i++) {
		for (k = 0; k < known && strcmp(names[k], tools->items[i]) != 0; k++)
			;
		if (k == known)
			fields_fail_unknown(fields, "", tools->items[i], names, known, "no tool \"%.100s\" is known",
					    tools->items[i]);
		for (k = 0; k < i; k++)
			if (strcmp(tools->items[k], tools->items[i]) == 0)
				fields_fail(fields, "", "\"%s\" is there twice", tools->items[i]);
	}
}

static struct point
read_where(const struct fields *fields)
{
	lua_State *L = fields->L;
	struct point where = {NULL, 0};
	struct fields inner;
	const char **names;
	size_t i;

	if (!fields_open(fields, "where", &inner))
		return where;
	names = sandbox_names(L, inner.index, &where.count);
	if (sandbox_sorted_keys(L, inner.index) != where.count)
		fields_fail(&inner, "", "must be a table dimension = value");
	where.items = arena_alloc(host_of(L)->arena, where.count, sizeof *where.items);
	for (i = 0; i < where.count; i++) {
		fields_push(&inner, names[i]);
		where.items[i] = expand_value(&inner, names[i], names[i]);
		lua_pop(L, 1);
	}
	lua_pop(L, 3);
	return where;
}

static bool
covers(const struct point *where, const struct point *point)
{
	size_t i, k;

	for (i = 0; i < where->count; i++) {
		for (k = 0; k < point->count; k++)
			if (strcmp(point->items[k].name, where->items[i].name) == 0 &&
			    json_equal(point->items[k].value, where->items[i].value))
				break;
		if (k == point->count)
			return false;
	}
	return true;
}

/* One case says what a program does as well as ten; more of them where they are asked for. */
static void
choose_cases(const struct fields *fields, const struct experiment *experiment, struct texts *cases)
{
	struct arena *arena = host_of(fields->L)->arena;
	struct point where = read_where(fields);
	size_t i;

	for (i = 0; i < experiment->case_count; i++)
		if (covers(&where, &experiment->cases[i].point) && (where.count > 0 || cases->count == 0))
			texts_add(arena, cases, experiment->cases[i].case_id);
	if (cases->count == 0)
		fields_fail(fields, "where", "matches no case of the experiment");
}

/* All treatments, or those that `variants` names, by themselves or by their variant. */
static void
choose_treatments(const struct fields *fields, const struct experiment *experiment,
		  struct texts *treatments)
{
	struct arena *arena = host_of(fields->L)->arena;
	struct texts asked = fields_texts(fields, "variants", FIELDS_LIST_ONLY, NULL);
	const struct study_case *one = &experiment->cases[0];
	const char *names[TREATMENTS];
	size_t i, k, found;

	for (k = 0; k < one->treatment_count && k < TREATMENTS; k++) {
		names[k] = one->treatments[k].name;
		for (i = 0; i < asked.count && strcmp(asked.items[i], names[k]) != 0 &&
			    strcmp(asked.items[i], one->treatments[k].variant) != 0; i++)
			;
		if (asked.count == 0 || i < asked.count)
			texts_add(arena, treatments, names[k]);
	}
	for (i = 0; i < asked.count; i++) {
		for (k = found = 0; k < one->treatment_count; k++)
			found += strcmp(asked.items[i], one->treatments[k].name) == 0 ||
				 strcmp(asked.items[i], one->treatments[k].variant) == 0;
		if (found == 0)
			fields_fail_unknown(fields, "variants", asked.items[i], names, one->treatment_count,
					    "no variant is called \"%.100s\"", asked.items[i]);
	}
}

void
diagnosis_read(const struct fields *experiment, struct experiment *out)
{
	static const char *const known[] = {"where", "variants", "timeout", NULL};
	struct diagnosis *diagnosis = &out->diagnosis;
	struct fields fields;

	if (!fields_open(experiment, "diagnose", &fields))
		return;
	fields_only(&fields, known, FIELDS_LIST);
	diagnosis->tools = fields_items(&fields, 1);
	check_tools(&fields, &diagnosis->tools);
	choose_cases(&fields, out, &diagnosis->cases);
	choose_treatments(&fields, out, &diagnosis->treatments);
	diagnosis->timeout_s = fields_number(&fields, "timeout", DEFAULT_TIMEOUT_S, 0, true,
					     LONGEST_TIMEOUT_S);
	lua_pop(experiment->L, 1);
}

char *
diagnosis_key(const char *tool, const char *treatment)
{
	return memory_format("%s/%s", tool, treatment);
}

json_t *
diagnosis_view(const char *tool)
{
	json_t *view = json_pack("{s:n, s:n, s:n, s:n, s:n}", "state", "reason", "summary", "version", "hottest");
	size_t i, k;

	for (i = 0; diagnosis_tools[i].name != NULL; i++)
		for (k = 0; strcmp(diagnosis_tools[i].name, tool) == 0 && diagnosis_tools[i].values[k] != NULL; k++)
			json_object_set_new(view, diagnosis_tools[i].values[k], json_null());
	return view;
}
