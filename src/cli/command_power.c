#include <getopt.h>
#include <gsl/gsl_cdf.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/power.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/case_name.h"
#include "cli/case_spread.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/number.h"

/* What the command line asks for; NaN: not asked. */
struct question {
	const char *case_id;
	double cv, effect, pairs, p;       /* pairs of runs */
	double share, margin, rate, samples, events; /* a sampling profiler */
	double standard_error;
	double alpha, power;
	bool json;
};

/* An answer, told in words or as an object; `text` is printed as it is. */
struct answers {
	json_t *object;
	struct buffer text;
};

static void
put(struct answers *answers, const char *key, double value)
{
	json_object_set_new(answers->object, key, json_number_or_null(value));
}

static double
percent(double share)
{
	return 100 * share;
}

/* ---- pairs ---- */

static void
answer_needed(const struct question *q, double sd, json_t *object, struct buffer *text)
{
	struct power_pairs needed;
	double pairs;

	if (power_pairs(sd, q->effect, q->alpha, q->power, &needed) != STAT_OK ||
	    power_plan_pairs(sd, q->effect, q->alpha, q->power, &pairs) != STAT_OK)
		return;
	json_object_set_new(object, "effect", json_real(q->effect));
	json_object_set_new(object, "pairs_needed", json_real(pairs));
	json_object_set_new(object, "pairs_needed_rank", json_real(needed.wilcoxon_ceil));
	json_object_set_new(object, "pairs_needed_normal", json_real(needed.normal));
	json_object_set_new(object, "pairs_needed_t", json_real(needed.t_iter));
	json_object_set_new(object, "pairs_needed_t_exact", json_real(needed.t_exact));
	buffer_printf(text, "  an effect of %.4g %% is found in %.4g of 100 sessions, at the %.4g %% "
		      "level, with %.0f pairs\n    (normal formula %.5g; t test %.0f; rank test %.0f; an "
		      "exact test at this level has its own least)\n", percent(q->effect),
		      percent(q->power), percent(q->alpha), pairs, needed.normal, needed.t_iter,
		      needed.wilcoxon_ceil);
}

static void
answer_detectable(const struct question *q, double sd, double pairs, json_t *object,
		  struct buffer *text)
{
	struct power_mde effect;

	if (!(pairs >= 2) || power_mde(sd, (size_t)pairs, q->alpha, q->power, &effect) != STAT_OK)
		return;
	json_object_set_new(object, "pairs", json_real(pairs));
	json_object_set_new(object, "detectable_log", json_real(effect.t));
	json_object_set_new(object, "detectable_log_normal", json_real(effect.normal));
	json_object_set_new(object, "detectable_percent", json_real(effect.percent_t));
	buffer_printf(text, "  %.0f pairs find an effect from %.3g %% on in %.4g of 100 sessions\n",
		      pairs, effect.percent_t, percent(q->power));
}

static void
answer_smallest_p(const struct question *q, double pairs, json_t *object, struct buffer *text)
{
	size_t n = (size_t)pairs, needed = 0;
	double p;

	power_pairs_for_p(q->alpha, &needed);
	if (power_smallest_p(n - n / 2, n / 2, &p) != STAT_OK)
		p = NAN;
	json_object_set_new(object, "smallest_p", json_number_or_null(p));
	json_object_set_new(object, "pairs_for_level", json_integer((json_int_t)needed));
	if (isfinite(p))
		buffer_printf(text, "  the smallest p of %.0f pairs, half of each order, is %.3g\n", pairs,
			      p);
	buffer_printf(text, "  a %.4g %% interval exists from %zu pairs on\n", percent(1 - q->alpha),
		      needed);
}

static void
answer_spread(const struct question *q, double sd, json_t *object, struct buffer *text)
{
	double runs;

	json_object_set_new(object, "pair_sd", json_number_or_null(sd));
	if (isfinite(q->effect))
		answer_needed(q, sd, object, text);
	if (isfinite(q->pairs))
		answer_detectable(q, sd, q->pairs, object, text);
	if (isfinite(q->effect) && isfinite(q->cv) &&
	    power_plan_pairs(sd * M_SQRT2, q->effect, q->alpha, q->power, &runs) == STAT_OK) {
		json_object_set_new(object, "pairs_needed_if_cv_of_runs", json_real(runs));
		buffer_printf(text, "    (were %.4g %% the spread of single, independent runs, a pair would "
			      "scatter by %.3g %%: %.0f pairs)\n", percent(q->cv), percent(sd * M_SQRT2),
			      runs);
	}
}

static void
answer_comparison(const struct question *q, const struct case_spread *spread,
		  struct answers *answers)
{
	json_t *one = json_pack("{s:s, s:i}", "comparison", spread->name, "measured_pairs",
				(int)spread->pairs);
	double pairs = isfinite(q->pairs) ? q->pairs : (double)spread->pairs;

	buffer_printf(&answers->text, "%s:\n", spread->name);
	if (isfinite(spread->sd))
		buffer_printf(&answers->text, "  single pairs scatter by %.3g %% (sd of log(b/a) of %zu pairs, "
			      "the slot effect taken out)\n", percent(spread->sd), spread->pairs);
	else
		buffer_printf(&answers->text, "  the spread is unknown: %zu pairs are too few\n",
			      spread->pairs);
	json_object_set_new(one, "pair_sd", json_number_or_null(spread->sd));
	if (isfinite(q->effect))
		answer_needed(q, spread->sd, one, &answers->text);
	answer_detectable(q, spread->sd, pairs, one, &answers->text);
	answer_smallest_p(q, pairs, one, &answers->text);
	json_array_append_new(json_object_get(answers->object, "comparisons"), one);
}

static int
answer_case(const struct question *q, struct answers *answers, struct error *error)
{
	struct case_spread *list;
	size_t count, i;

	if (case_spread_read(q->case_id, &list, &count, error) != 0)
		return -1;
	json_object_set_new(answers->object, "case_id", json_string(q->case_id));
	json_object_set_new(answers->object, "comparisons", json_array());
	for (i = 0; i < count; i++)
		answer_comparison(q, &list[i], answers);
	case_spread_free(list, count);
	return 0;
}

static void
answer_cv(const struct question *q, struct answers *answers)
{
	struct power_count count;

	buffer_printf(&answers->text, "pairs whose ratios scatter by %.4g %% (sd of log(b/a)):\n",
		      percent(q->cv));
	answer_spread(q, q->cv, answers->object, &answers->text);
	if (isnan(q->standard_error) ||
	    power_standard_error(q->cv, q->standard_error, &count) != STAT_OK)
		return;
	put(answers, "runs_for_standard_error", count.n);
	buffer_printf(&answers->text, "  a standard error of %.4g %% takes %.0f runs, (%.4g/%.4g)^2; there is "
		      "no power in that number: a\n    true effect of one standard error is found in "
		      "about 17 of 100 sessions\n", percent(q->standard_error), count.ceil,
		      percent(q->cv), percent(q->standard_error));
}

/* ---- exact tests ---- */

static void
answer_pairs(const struct question *q, struct answers *answers)
{
	buffer_printf(&answers->text, "%.0f pairs:\n", q->pairs);
	answer_smallest_p(q, q->pairs, answers->object, &answers->text);
}

static void
answer_p(const struct question *q, struct answers *answers)
{
	size_t needed = 0;

	power_pairs_for_p(q->p, &needed);
	put(answers, "pairs_for_p", (double)needed);
	buffer_printf(&answers->text, "an exact p of %.4g takes at least %zu pairs, half of each order\n",
		      q->p, needed);
}

/* ---- a sampling profiler ---- */

/* With z as tables have it, 1.96 at 5 %, so that the numbers are the known ones: 385, 9604. */
static void
answer_profiler(const struct question *q, struct answers *answers)
{
	double z = round(100 * gsl_cdf_ugaussian_Qinv(q->alpha / 2)) / 100, margin, seconds;
	struct power_count count;

	put(answers, "share", q->share);
	if (isfinite(q->margin) && power_binomial(z, q->share, q->margin, &count) == STAT_OK) {
		put(answers, "samples_needed", count.ceil);
		buffer_printf(&answers->text, "a share of %.4g %% is known to +-%.4g points (z = %.4g) "
			      "with %.0f samples\n", percent(q->share), percent(q->margin), z,
			      count.ceil);
	}
	if (isfinite(q->margin) && isfinite(q->rate) &&
	    power_sampling_seconds(z, q->share, q->margin, q->rate, &seconds) == STAT_OK) {
		put(answers, "seconds", seconds);
		buffer_printf(&answers->text, "  at %.6g samples a second: %.4g s\n", q->rate, seconds);
	}
	if (isfinite(q->samples) &&
	    power_binomial_margin(z, q->share, q->samples, &margin) == STAT_OK) {
		put(answers, "margin", margin);
		buffer_printf(&answers->text, "%.0f samples know a share of %.4g %% to +-%.3g points\n",
			      q->samples, percent(q->share), percent(margin));
	}
}

static void
answer_events(const struct question *q, struct answers *answers)
{
	double relative;

	if (power_poisson_error(q->events, &relative) != STAT_OK)
		return;
	put(answers, "relative_error", relative);
	buffer_printf(&answers->text, "a count of %.0f events has a relative standard error of %.3g %% "
		      "(1/sqrt(count))\n", q->events, percent(relative));
}

/* ---- the whole ---- */

static int
answer(const struct question *q, struct answers *answers, struct error *error)
{
	put(answers, "alpha", q->alpha);
	put(answers, "power", q->power);
	if (q->case_id != NULL)
		return answer_case(q, answers, error);
	if (isfinite(q->cv))
		answer_cv(q, answers);
	if (isfinite(q->pairs))
		answer_pairs(q, answers);
	if (isfinite(q->p))
		answer_p(q, answers);
	if (isfinite(q->share))
		answer_profiler(q, answers);
	if (isfinite(q->events))
		answer_events(q, answers);
	return 0;
}

static int
tell(const struct question *q, struct error *error)
{
	struct answers answers = {json_object(), BUFFER_EMPTY};
	int result = answer(q, &answers, error);

	if (result == 0 && q->json) {
		json_dumpf(answers.object, stdout,
			   JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
		putchar('\n');
	} else if (result == 0) {
		fputs(buffer_text(&answers.text), stdout);
	}
	buffer_free(&answers.text);
	json_decref(answers.object);
	return result;
}

/* ---- the command line ---- */

#define MOST_PAIRS 100000.0

enum kind { SHARE, COUNT, POSITIVE };

/* One row an option with a number: where it goes and what it must be. */
static const struct {
	const char *name;
	size_t offset;
	enum kind kind;
	double most;
	const char *wanted;
} numbers[] = {
	{"cv", offsetof(struct question, cv), SHARE, 10, "a spread such as 1%"},
	{"effect", offsetof(struct question, effect), SHARE, 10, "an effect such as 2%"},
	{"pairs", offsetof(struct question, pairs), COUNT, MOST_PAIRS, "a number of pairs"},
	{"p", offsetof(struct question, p), SHARE, 1, "a p value such as 0.01"},
	{"share", offsetof(struct question, share), SHARE, 0.999999999, "a share such as 0.3 or 30%"},
	{"margin", offsetof(struct question, margin), SHARE, 0.999999999, "a margin such as 1%"},
	{"rate", offsetof(struct question, rate), POSITIVE, 1e12, "samples a second, such as 1000"},
	{"samples", offsetof(struct question, samples), COUNT, 1e15, "a number of samples"},
	{"events", offsetof(struct question, events), COUNT, 1e18, "a count of events"},
	{"standard-error", offsetof(struct question, standard_error), SHARE, 10,
	 "a standard error such as 1%"},
	{"alpha", offsetof(struct question, alpha), SHARE, 0.5, "a level such as 5%"},
	{"power", offsetof(struct question, power), SHARE, 0.999999999, "a share such as 80%"},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers, OPTION_JSON = NUMBERS };

static bool
parse(int index, const char *text, double *value)
{
	if (numbers[index].kind == COUNT)
		return number_parse_count(text, numbers[index].most, value);
	if (numbers[index].kind == SHARE ? !number_parse_share(text, value) : !number_parse(text, value))
		return false;
	return *value > 0 && *value <= numbers[index].most;
}

static void
question_begin(struct question *q)
{
	int i;

	memset(q, 0, sizeof *q);
	for (i = 0; i < NUMBERS; i++)
		*(double *)((char *)q + numbers[i].offset) = NAN;
	q->alpha = 0.05;
	q->power = 0.8;
}

/* NULL, or what is missing. */
static const char *
check(const struct question *q, int arguments)
{
	if (arguments > 1)
		return "name one case";
	if (arguments == 1)
		return isfinite(q->cv) ? "give a case or --cv, not both" : NULL;
	if (isfinite(q->effect) && isnan(q->cv))
		return "--effect needs a case, whose spread is known, or --cv";
	if (isfinite(q->standard_error) && isnan(q->cv))
		return "--standard-error needs --cv";
	if (isfinite(q->cv) && isnan(q->effect) && isnan(q->pairs) && isnan(q->standard_error))
		return "--cv needs --effect, --pairs or --standard-error";
	if (isfinite(q->share) && isnan(q->margin) && isnan(q->samples))
		return "--share needs --margin or --samples";
	if (isnan(q->share) && (isfinite(q->margin) || isfinite(q->samples) || isfinite(q->rate)))
		return "--margin, --samples and --rate go with --share";
	if (isnan(q->cv) && isnan(q->pairs) && isnan(q->p) && isnan(q->share) && isnan(q->events))
		return "name a case, or ask for something";
	return NULL;
}

static int
run(int argc, char **argv)
{
	struct option options[NUMBERS + 2] = {{NULL, 0, NULL, 0}};
	struct error error = {0};
	const char *problem;
	struct question q;
	char *case_id = NULL;
	int option, i, result;

	question_begin(&q);
	for (i = 0; i < NUMBERS; i++)
		options[i] = (struct option){numbers[i].name, required_argument, NULL, i + 1};
	options[NUMBERS] = (struct option){"json", no_argument, NULL, OPTION_JSON + 1};
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == '?')
			return command_misuse(&command_power, "unknown option");
		if (option == OPTION_JSON + 1)
			q.json = true;
		else if (!parse(option - 1, optarg, (double *)((char *)&q + numbers[option - 1].offset)))
			return command_misuse(&command_power, "--%s takes %s, not '%s'",
					      numbers[option - 1].name, numbers[option - 1].wanted, optarg);
	}
	problem = check(&q, argc - optind);
	if (problem != NULL)
		return command_misuse(&command_power, "%s", problem);
	if (optind < argc && (case_id = case_name_find(argv[optind], &error)) == NULL)
		return error_print(&error);
	q.case_id = case_id;
	result = tell(&q, &error);
	free(case_id);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_power = {
	"power",
	"how many pairs an effect needs, what pairs can show",
	"usage: assay power CASE [--effect E] [--pairs N]\n"
	"       assay power --cv S [--effect E] [--pairs N] [--standard-error SE]\n"
	"       assay power --pairs N\n"
	"       assay power --p P\n"
	"       assay power --share P (--margin M [--rate HZ] | --samples N)\n"
	"       assay power --events N\n\n"
	"Plans; measures nothing. With a CASE the spread is what its analysed pairs showed, else --cv\n"
	"is the spread of single pairs (standard deviation of log(b/a)). Effects are to be declared\n"
	"beforehand: pairs for the effect just observed say nothing.\n"
	"  --effect E           pairs needed to find it\n"
	"  --pairs N            the smallest effect that N pairs find, and their smallest p\n"
	"  --standard-error SE  runs for it; there is no power in this number\n"
	"  --p P                pairs that an exact p of P takes\n"
	"  --share, --margin    samples of a profiler for a share known to +-M points\n"
	"  --events N           relative error of a count\n"
	"  --alpha A, --power B two-sided level (5%) and power (80%)\n"
	"  --json               every number\n"
	"Numbers are shares: 2% or 0.02.",
	run,
};
