#include "spec/design.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schedule/williams.h" /* what balances is one rule, wherever it is asked for */
#include "spec/value.h"

#define PAIRS_MAX 100000
#define DAY_S 86400.0
#define SHORT_BLOCKS 2
#define SHORT_SAMPLES 3

static const char *const known[] = {
	"pairs",    "blocks",	    "whole_squares", "aa_pairs",	    "warmups",	    "samples", "warmup_samples", "timeout",
	"order",    "aa_placement", "seed",	    "max_failures", "output_limit", "until_ci",
	"max_pairs", "budget",	    "looks",	    "collapse", "margin", "effect", NULL};

double
design_duration(const struct fields *fields, const char *key, double otherwise, double most)
{
	lua_State *L = fields->L;
	int type = fields_push(fields, key);
	const char *text = type == LUA_TSTRING ? lua_tostring(L, -1) : "";
	double seconds, unit;
	char *end;

	lua_pop(L, 1); /* the table still holds the text */
	if (type != LUA_TSTRING)
		return fields_number(fields, key, otherwise, 0, true, most);
	seconds = strtod(text, &end);
	unit = strcmp(end, "s") == 0 ? 1 : strcmp(end, "m") == 0 ? 60 : strcmp(end, "h") == 0 ? 3600 : 0;
	if (end == text || !(seconds * unit > 0) || !(seconds * unit <= most))
		fields_fail(fields, key, "must be a duration above 0 and at most %g s, such as 90, \"30s\", "
			    "\"5m\" or \"2h\", not \"%.60s\"", most, text);
	return seconds * unit;
}

/* With more than two treatments a pair is a block; the same number under the name that fits. */
static int
read_pairs(const struct fields *f, size_t treatments)
{
	bool blocks = fields_has(f, "blocks");
	long long pairs = fields_count(f, blocks ? "blocks" : "pairs", 16, 1, PAIRS_MAX);
	long long square = williams_rows((int)treatments);

	if (blocks && fields_has(f, "pairs"))
		fields_fail(f, "blocks", "says the same as pairs; give one of the two");
	if (fields_flag(f, "whole_squares", false))
		pairs = (pairs + square - 1) / square * square;
	return (int)pairs;
}

static void
read_counts(const struct fields *f, size_t treatments, struct design *d)
{
	d->pairs = read_pairs(f, treatments);
	d->aa_pairs = (int)fields_count(f, "aa_pairs", 4, 0, PAIRS_MAX);
	d->warmups = (int)fields_count(f, "warmups", 1, 0, 1000);
	d->samples = (int)fields_count(f, "samples", 10, 1, 1000000);
	d->samples_given = fields_has(f, "samples");
	d->warmup_samples = (int)fields_count(f, "warmup_samples", 1, 0, 1000000);
	d->timeout_s = design_duration(f, "timeout", 300, DAY_S);
	d->seed = (unsigned long long)fields_count(f, "seed", 0, 0, 9007199254740992LL);
	d->max_failures = (int)fields_count(f, "max_failures", 3, 1, PAIRS_MAX);
	d->output_limit_bytes = fields_count(f, "output_limit", 16 << 20, 1024, 1LL << 30);
	d->margin = fields_number(f, "margin", 0, 0, true, 1);
	d->effect = fields_number(f, "effect", 0, 0, true, 10);
}

/* A fixed number of pairs, a precision, or planned looks: one of the three. */
static void
read_stop_rule(const struct fields *f, struct design *d)
{
	d->until_ci = fields_number(f, "until_ci", 0, 0, true, 1);
	d->max_pairs = (int)fields_count(f, "max_pairs", 0, 1, PAIRS_MAX);
	d->budget_s = design_duration(f, "budget", 0, 30 * DAY_S);
	d->looks = (int)fields_count(f, "looks", 0, 2, 20);
	if (d->until_ci > 0 && d->looks > 0)
		fields_fail(f, "looks", "until_ci stops on precision and looks on significance; give one of "
			    "the two");
	if (d->until_ci > 0 && d->max_pairs == 0 && d->budget_s == 0)
		fields_fail(f, "until_ci", "needs max_pairs or budget, so that it ends");
	if (d->max_pairs > 0 && d->max_pairs < d->pairs)
		fields_fail(f, "max_pairs", "%d is below pairs = %d", d->max_pairs, d->pairs);
	if (d->looks > (d->max_pairs > 0 ? d->max_pairs : d->pairs))
		fields_fail(f, "looks", "%d looks at %d pairs: a look needs a pair at least", d->looks,
			    d->max_pairs > 0 ? d->max_pairs : d->pairs);
	d->stop = d->until_ci > 0 ? STOP_UNTIL_CI : d->looks > 0 ? STOP_LOOKS : STOP_FIXED;
}

/* A smoke test: enough to see each program run, too little to be a result. */
static void
shorten(struct design *d)
{
	d->pairs = d->pairs < SHORT_BLOCKS ? d->pairs : SHORT_BLOCKS;
	d->samples = d->samples < SHORT_SAMPLES ? d->samples : SHORT_SAMPLES;
	d->warmups = d->aa_pairs = 0;
	d->stop = STOP_FIXED;
	d->until_ci = d->budget_s = 0;
	d->max_pairs = d->looks = 0;
}

void
design_read(const struct fields *experiment, size_t treatments, struct design *design)
{
	static const char *const orders[] = {"balanced", "alternate", NULL};
	static const char *const placements[] = {"strata", "first", NULL};
	static const char *const collapses[] = {"median", "trimmed_mean", NULL};
	struct fields fields;
	bool given = fields_open(experiment, "design", &fields);

	if (!given) { /* the defaults, through the same functions */
		lua_newtable(experiment->L);
		fields = *experiment;
		fields.index = lua_gettop(experiment->L);
	}
	fields_only(&fields, known, 0);
	read_counts(&fields, treatments, design);
	read_stop_rule(&fields, design);
	design->alternate = fields_choice(&fields, "order", orders, 0) == 1;
	design->aa_first = fields_choice(&fields, "aa_placement", placements, 0) == 1;
	design->trimmed_mean = fields_choice(&fields, "collapse", collapses, 0) == 1;
	if (host_of(experiment->L)->shortened)
		shorten(design);
	lua_pop(experiment->L, 1);
}

void
group_report_read(const struct fields *experiment, const struct metric *metrics, size_t count,
		  struct group_report *report)
{
	static const char *const keys[] = {"metric", "statistic", "trim", "tolerance", "first_block", NULL};
	static const char *const statistics[] = {"mean", "median", "geomean", NULL};
	static const char *const firsts[] = {"listed", "counted", NULL};
	struct arena *arena = host_of(experiment->L)->arena;
	const char **names = arena_alloc(arena, 2 * count + 1, sizeof *names);
	struct fields fields;
	size_t i, choices = count;

	if (!fields_open(experiment, "group_report", &fields))
		return;
	fields_only(&fields, keys, 0);
	for (i = 0; i < count; i++)
		names[i] = metrics[i].name;
	for (i = 0; i < count; i++)
		if (metrics[i].divided != NULL)
			names[choices++] = metrics[i].divided;
	report->wanted = true;
	if (fields_has(&fields, "metric"))
		report->metric = arena_text(arena, names[fields_choice(&fields, "metric", names, 0)]);
	report->statistic = arena_text(arena, statistics[fields_choice(&fields, "statistic", statistics, 0)]);
	report->trim = fields_number(&fields, "trim", 1.2, 0, false, 1000);
	if (report->trim != 0 && (report->trim < 1 || fabs(report->trim * 1000 - round(report->trim * 1000)) > 1e-6))
		fields_fail(&fields, "trim", "is a factor from 1 to 1000 with three decimals at most, or 0 for no trim");
	report->tolerance = fields_number(&fields, "tolerance", 0.05, 0, true, 10);
	report->counts_first = fields_choice(&fields, "first_block", firsts, 0) == 1;
	lua_pop(experiment->L, 1);
}

/* check = "equal" or { rel = 1e-9 }. */
static void
read_check_lines(const struct fields *fields, struct group_check *check)
{
	static const char *const known_check[] = {"rel", NULL};
	static const char *const choices[] = {"equal", NULL};
	struct fields inner;
	int type = fields_push(fields, "check");

	lua_pop(fields->L, 1);
	if (type != LUA_TTABLE) {
		check->equal = fields_choice(fields, "check", choices, -1) == 0;
		return;
	}
	fields_open(fields, "check", &inner);
	fields_only(&inner, known_check, 0);
	check->relative = fields_number(&inner, "rel", 0, 0, true, 1);
	if (check->relative == 0)
		fields_fail(fields, "check", "must be \"equal\" or { rel = 1e-9 }");
	lua_pop(fields->L, 1);
}

static void
read_among(const struct fields *fields, struct group_check *check)
{
	lua_State *L = fields->L;
	struct fields list;
	size_t i;

	if (!fields_open(fields, "among", &list))
		return;
	check->among.count = lua_rawlen(L, list.index);
	check->among.sets = arena_alloc(host_of(L)->arena, check->among.count, sizeof(struct texts));
	for (i = 0; i < check->among.count; i++) {
		struct fields set;

		fields_open_item(&list, "", (int)i + 1, &set);
		check->among.sets[i] = fields_items(&set, 1);
		if (check->among.sets[i].count < 2)
			fields_fail(&set, "", "a set names at least two variants that must agree");
		lua_pop(L, 1);
	}
	if (check->among.count == 0)
		fields_fail(fields, "among", "must be a list of lists of variants, { { \"a\", \"b\" } }");
	lua_pop(L, 1);
}

void
group_check_read(const struct fields *experiment, struct group_check *check)
{
	static const char *const known_correct[] = {"check", "stdout", "exit_code", "among", NULL};
	static const char *const stdouts[] = {"sha256", NULL};
	struct fields fields;

	if (!fields_open(experiment, "correct", &fields))
		return;
	fields_only(&fields, known_correct, 0);
	read_check_lines(&fields, check);
	check->stdout_sha256 = fields_choice(&fields, "stdout", stdouts, -1) == 0;
	check->exit_code = (int)fields_count(&fields, "exit_code", 0, 0, 255);
	read_among(&fields, check);
	if (check->among.count > 0 && !check->equal && check->relative == 0 && !check->stdout_sha256)
		fields_fail(&fields, "among", "says who must agree; say in what too: check = \"equal\" or "
			    "stdout = \"sha256\"");
	lua_pop(experiment->L, 1);
}
