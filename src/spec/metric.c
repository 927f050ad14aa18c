#include <lauxlib.h>
#include <string.h>

#include "base/lua_pattern.h"
#include "spec/api.h"
#include "spec/design.h"
#include "spec/fail.h"
#include "spec/value.h"

#define METRICS_MAX 100

/* Columns of samples.csv that every group has, docs/formats.md. */
static const struct known_metric {
	const char *name, *column, *unit;
	bool lower;
	bool inside; /* timed inside the program, told by its RESULT lines */
} known_metrics[] = {
	{"wall_us", "wall_us", "us", true, true},
	{"cpu_us", "cpu_us", "us", true, true},
	{"flops", "flops", "flop/s", false, true},
	{"process_wall_us", "process_wall_us", "us", true, false},
	{"process_user_us", "process_user_us", "us", true, false},
	{"process_sys_us", "process_sys_us", "us", true, false},
	{"user_us", "process_user_us", "us", true, false},
	{"sys_us", "process_sys_us", "us", true, false},
	{"max_rss_kib", "max_rss_kib", "kib", true, false},
	{"voluntary_switches", "voluntary_switches", "1", true, false},
	{"involuntary_switches", "involuntary_switches", "1", true, false},
};
#define KNOWN_COUNT (sizeof known_metrics / sizeof *known_metrics)

static const char *const betters[] = {"lower", "higher", NULL};

static const struct known_metric *
find_known(const char *name)
{
	size_t i;

	for (i = 0; i < KNOWN_COUNT; i++)
		if (strcmp(known_metrics[i].name, name) == 0)
			return &known_metrics[i];
	return NULL;
}

/* Each reader tells some of what is timed inside the program, and no other. */
static void
check_told(const struct fields *f, const struct known_metric *known, enum spec_reader reader)
{
	if (!known->inside || reader == SPEC_PROTOCOL)
		return;
	if (reader == SPEC_PROCESS && strcmp(known->name, "wall_us") != 0)
		fields_fail(f, "[1]", "%s is told by a RESULT line; with reader = \"process\" there is none",
			    known->name);
	if (reader == SPEC_GOOGLE_BENCHMARK && strcmp(known->name, "flops") == 0)
		fields_fail(f, "[1]", "flops is told by a RESULT line; with reader = \"google-benchmark\" take a "
			    "counter such as { \"items_per_second\", unit = \"1/s\", better = \"higher\" }");
	if (reader == SPEC_PATTERNS)
		fields_fail(f, "[1]", "%s is told by a RESULT line; with reader = \"patterns\" name what the "
			    "pattern finds, or take %s, which is of the whole process", known->name,
			    strcmp(known->name, "wall_us") == 0 ? "process_wall_us" : "process_user_us");
}

static void
fill_known(const struct fields *f, const struct known_metric *known, enum spec_reader reader,
	   struct metric *metric)
{
	const char *unit = fields_text(f, "unit", known->unit);
	bool lower = fields_choice(f, "better", betters, known->lower ? 0 : 1) == 0;

	check_told(f, known, reader);
	if (strcmp(unit, known->unit) != 0)
		fields_fail(f, "unit", "%s is in %s", known->name, known->unit);
	if (lower != known->lower)
		fields_fail(f, "better", "of %s %s is better", known->name, known->lower ? "lower" : "higher");
	if (fields_has(f, "pattern"))
		fields_fail(f, "pattern", "%s is always known; give what the pattern finds another name",
			    known->name);
	metric->name = arena_text(host_of(f->L)->arena, known->column);
	metric->unit = arena_text(host_of(f->L)->arena, known->unit);
	metric->scope = arena_text(host_of(f->L)->arena,
				   known->inside && reader != SPEC_PROCESS ? "compute" : "process");
	metric->lower_is_better = known->lower;
}

static void
read_pattern(const struct fields *f, const char *name, enum spec_reader reader,
	     struct metric *metric)
{
	int captures = 0;
	const char *problem;

	metric->pattern = fields_text(f, "pattern", NULL);
	if (metric->pattern == NULL && reader == SPEC_PATTERNS)
		fields_fail(f, "", "\"%.100s\" needs pattern = \"…\", a Lua pattern with the value in ( )", name);
	if (metric->pattern == NULL)
		return;
	if (reader != SPEC_PATTERNS)
		fields_fail(f, "pattern", "needs reader = \"patterns\" in the experiment");
	problem = lua_pattern_check(metric->pattern, &captures);
	if (problem != NULL)
		fields_fail(f, "pattern", "\"%.200s\" is no Lua pattern: %s", metric->pattern, problem);
	if (captures == 0)
		fields_fail(f, "pattern", "\"%.200s\" has no ( ) around the value", metric->pattern);
}

/* Where a metric of the program's own comes from. */
static const char *
source_of(enum spec_reader reader)
{
	return reader == SPEC_GOOGLE_BENCHMARK ? "one that the program gives as a user counter"
	       : reader == SPEC_PATTERNS       ? "one that a pattern finds"
					       : "one that the program prints as a METRIC line";
}

static bool
ends_in(const char *name, const char *end)
{
	size_t length = strlen(name), of_end = strlen(end);

	return length > of_end && strcmp(name + length - of_end, end) == 0;
}

/* A metric of the program's own: what it is called and in what unit is for it to say. */
static void
fill_declared(const struct fields *f, const char *name, enum spec_reader reader,
	      struct metric *metric)
{
	const char *names[KNOWN_COUNT];
	size_t i;

	for (i = 0; i < KNOWN_COUNT; i++)
		names[i] = known_metrics[i].name;
	if (!fields_has(f, "unit") && ends_in(name, METRIC_PER_FLOP))
		fields_fail(f, "[1]", "\"%.100s\" is what { \"%.*s\", per = \"flop\" } is called; write that", name,
			    (int)(strlen(name) - strlen(METRIC_PER_FLOP)), name);
	if (!fields_has(f, "unit"))
		fields_fail_unknown(f, "[1]", name, names, KNOWN_COUNT,
				    "unknown metric \"%.100s\" (%s needs unit = \"…\")", name,
				    source_of(reader));
	if (reader == SPEC_PROCESS)
		fields_fail(f, "[1]", "\"%.100s\" is told by a METRIC line; with reader = \"process\" there is "
			    "none", name);
	api_check_name(f, "[1]", name, NAME_LABEL);
	if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != strlen(name))
		fields_fail(f, "[1]", "a metric's name holds letters, digits, _ and . only");
	read_pattern(f, name, reader, metric);
	metric->name = arena_text(host_of(f->L)->arena, name);
	metric->unit = fields_text(f, "unit", "1");
	metric->scope = arena_text(host_of(f->L)->arena, "compute");
	metric->lower_is_better = fields_choice(f, "better", betters, 0) == 0;
}

/* A metric of its own, beside the undivided one: a column that the reader adds (store/work.h). */
static void
divide(const struct fields *f, enum spec_reader reader, struct metric *metric)
{
	struct arena *arena = host_of(f->L)->arena;

	if (reader != SPEC_PROTOCOL)
		fields_fail(f, "per", "per = \"flop\" divides by the work that a CFG line tells, which programs "
			    "with reader = \"protocol\" print");
	if (!metric->lower_is_better || strcmp(metric->scope, "compute") != 0)
		fields_fail(f, "per", "per = \"flop\" divides what a sample takes, such as wall_us; %s is %s",
			    metric->name, metric->lower_is_better ? "of the whole process, warm-ups and all"
								  : "a rate, or the like");
	metric->per = arena_text(arena, "flop");
	metric->divided = metric->name;
	metric->name = arena_printf(arena, "%s" METRIC_PER_FLOP, metric->name);
	metric->unit = arena_printf(arena, "%s/flop", metric->unit);
}

static void
fill_metric(const struct fields *f, const char *name, enum spec_reader reader, struct metric *metric)
{
	static const char *const pers[] = {"flop", NULL};
	const struct known_metric *known = find_known(name);

	if (known != NULL)
		fill_known(f, known, reader, metric);
	else
		fill_declared(f, name, reader, metric);
	if (fields_choice(f, "per", pers, -1) == 0)
		divide(f, reader, metric);
}

static void
add_metric(const struct fields *f, struct experiment *out, const struct metric *metric)
{
	size_t i;

	for (i = 0; i < out->metric_count; i++)
		if (strcmp(out->metrics[i].name, metric->name) == 0)
			fields_fail(f, "", "the metric \"%s\" is there twice", metric->name);
	out->metrics[out->metric_count++] = *metric;
}

/* { "wall_us", better = "lower" } or { "latency", pattern = "p99: ([%d.]+)", unit = "us" } */
static void
read_metric(const struct fields *f, enum spec_reader reader, struct experiment *out)
{
	static const char *const keys[] = {"unit", "better", "per", "pattern", NULL};
	struct metric metric = {0};
	const char *name;

	fields_only(f, keys, 1);
	lua_rawgeti(f->L, f->index, 1);
	if (lua_type(f->L, -1) != LUA_TSTRING)
		fields_fail(f, "", "the first item must be a metric's name, not %s", value_describe(f->L, -1));
	name = fields_value_text(f, -1, "[1]");
	lua_pop(f->L, 1);
	fill_metric(f, name, reader, &metric);
	add_metric(f, out, &metric);
}

/* A name alone, without a table around it. */
static void
read_plain(const struct fields *f, const char *name, enum spec_reader reader, struct experiment *out)
{
	struct fields inner = *f;
	struct metric metric = {0};

	lua_createtable(f->L, 1, 0);
	lua_pushstring(f->L, name);
	lua_rawseti(f->L, -2, 1);
	inner.index = lua_gettop(f->L);
	fill_metric(&inner, name, reader, &metric);
	add_metric(f, out, &metric);
	lua_pop(f->L, 1);
}

static void
read_list(const struct fields *list, enum spec_reader reader, struct experiment *out)
{
	lua_State *L = list->L;
	size_t count = lua_rawlen(L, list->index), i;

	fields_only(list, NULL, METRICS_MAX);
	if (count == 0)
		fields_fail(list, "", "the list is empty");
	out->metrics = arena_alloc(host_of(L)->arena, count, sizeof *out->metrics);
	for (i = 1; i <= count; i++) {
		struct fields inner;

		lua_rawgeti(L, list->index, (lua_Integer)i);
		if (lua_type(L, -1) == LUA_TSTRING) {
			inner = *list;
			inner.within = arena_printf(host_of(L)->arena, "%s[%zu]", list->within, i);
			read_plain(&inner, fields_value_text(list, -1, ""), reader, out);
		} else {
			fields_open_item(list, "", (int)i, &inner);
			read_metric(&inner, reader, out);
			lua_pop(L, 1);
		}
		lua_pop(L, 1);
	}
}

/* There is a pattern, or the reader would have nothing to do. */
static void
check_patterns(const struct fields *experiment, const struct experiment *out)
{
	size_t i;

	for (i = 0; i < out->metric_count; i++)
		if (out->metrics[i].pattern != NULL)
			return;
	fields_fail(experiment, "reader", "\"patterns\" needs a metric with a pattern, as in metric = { \"name\", "
		    "pattern = \"name: ([%%d.]+)\", unit = \"us\" }");
}

void
metrics_read(const struct fields *experiment, enum spec_reader reader, struct experiment *out)
{
	lua_State *L = experiment->L;
	struct fields inner = *experiment;
	const char *name;

	out->metrics = arena_alloc(host_of(L)->arena, 1, sizeof *out->metrics);
	if (fields_has(experiment, "metric") && fields_has(experiment, "metrics"))
		fields_fail(experiment, "metrics", "give metric = { … } for one or metrics = { { … }, … } for "
			    "several, not both");
	if (reader == SPEC_PATTERNS && !fields_has(experiment, "metric") &&
	    !fields_has(experiment, "metrics"))
		check_patterns(experiment, out);
	if (fields_has(experiment, "metrics")) {
		fields_open(experiment, "metrics", &inner);
		read_list(&inner, reader, out);
		lua_pop(L, 1);
	} else if (fields_push(experiment, "metric") == LUA_TTABLE) {
		lua_pop(L, 1);
		fields_open(experiment, "metric", &inner);
		read_metric(&inner, reader, out);
		lua_pop(L, 1);
	} else {
		lua_pop(L, 1);
		name = fields_text(experiment, "metric", "wall_us");
		inner.within = "metric";
		read_plain(&inner, name, reader, out);
	}
	if (reader == SPEC_PATTERNS)
		check_patterns(experiment, out);
}
