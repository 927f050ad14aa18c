#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/power.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/case_name.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/planned.h"
#include "cli/selection.h"
#include "schedule/growth.h"
#include "schedule/schedule.h"

#define ALPHA 0.05
#define POWER 0.80

/* ---- what it will take and tell ---- */

static int
pairs(const struct planned *planned)
{
	int sum = 0;
	size_t i;

	for (i = 0; i < planned->chunk_count; i++)
		sum += planned->chunks[i].pairs;
	return sum;
}

static int
aa_pairs(const struct planned *planned)
{
	int sum = 0;
	size_t i;

	for (i = 0; i < planned->chunk_count; i++)
		sum += planned->chunks[i].aa_pairs;
	return sum;
}

/* In percent; NaN until measured. */
static double
smallest_effect(const struct planned *planned)
{
	struct power_mde effect;
	int count = pairs(planned);

	if (isnan(planned->times.pair_sd) || count < 2 ||
	    power_mde(planned->times.pair_sd, (size_t)count, ALPHA, POWER, &effect) != STAT_OK)
		return NAN;
	return effect.percent_t;
}

/* For the declared effect; NaN until measured, or when none was declared. */
static double
pairs_needed(const struct planned *planned)
{
	double effect = planned->plan.design.effect;
	struct power_pairs needed;

	if (isnan(planned->times.pair_sd) || effect <= 0 ||
	    power_pairs(planned->times.pair_sd, effect, ALPHA, POWER, &needed) != STAT_OK)
		return NAN;
	return needed.wilcoxon_ceil;
}

/* ---- printing ---- */

static const char *
name_of(const struct plan *plan, int treatment)
{
	return plan_treatment(plan, treatment)->name;
}

static bool
is_copy(const struct plan *plan, int treatment)
{
	return (size_t)treatment == plan->treatment_count;
}

static void
print_duration(const char *before, double seconds, const char *after)
{
	if (seconds >= 120)
		printf("%s%.0f min %.0f s%s", before, floor(seconds / 60), fmod(seconds, 60), after);
	else
		printf("%s%.3g s%s", before, seconds, after);
}

static void
print_expected(const struct planned *planned)
{
	double all = planned_expected_s(planned, false), left = planned_expected_s(planned, true);

	if (isnan(all)) {
		puts("expected time: unknown until measured");
		return;
	}
	print_duration("expected time: ", all, "");
	print_duration(" for all groups, ", left, "");
	printf(" for the %d still to be measured (from earlier groups of this case)\n",
	       planned->left);
}

static void
print_effect(const struct planned *planned)
{
	double effect = smallest_effect(planned), needed = pairs_needed(planned);

	if (isnan(effect))
		puts("smallest effect it can detect: unknown until measured");
	else
		printf("smallest effect it can detect: %.2g %% with %d pairs (in %.0f of 100 cases, at "
		       "the %.0f %% level, if the noise stays as it was)\n",
		       effect, pairs(planned), POWER * 100, ALPHA * 100);
	if (!isnan(needed))
		printf("pairs needed for the declared effect of %.3g %%: %.0f\n",
		       planned->plan.design.effect * 100, needed);
}

static void
print_range(const char *what, int least, int most)
{
	if (least == most)
		printf("%s %d times", what, least);
	else
		printf("%s %d to %d times", what, least, most);
}

static void
print_balance(const struct planned *planned)
{
	int treatments = (int)planned->plan.treatment_count;
	struct balance balance = schedule_balance(&planned->schedule, treatments);

	print_range("balance: each treatment stands at each place of a block", balance.place_least,
		    balance.place_most);
	if (plan_measured(&planned->plan, NULL) > 1)
		print_range(", directly follows each other one", balance.follow_least,
			    balance.follow_most);
	putchar('\n');
}

/* A fixed number of pairs says itself. */
static void
print_stop(const struct plan *plan)
{
	char *rule = growth_rule(&plan->design);

	if (strcmp(rule, "fixed") != 0)
		printf("declared rule: %s; at most %d pairs\n", rule, growth_most_pairs(plan));
	free(rule);
}

static void
print_skipped(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->treatment_count; i++)
		if (plan->treatments[i].skipped != NULL)
			printf("skipped: %s: %s\n", plan->treatments[i].name, plan->treatments[i].skipped);
}

static void
print_text(const struct planned *planned)
{
	const struct plan *plan = &planned->plan;
	size_t i;

	printf("case %s\n", plan->case_id);
	printf("%zu groups: %d pairs, %d A/A pairs, %d warm-ups of each treatment a session; order "
	       "%s, %zu chunk%s\n", planned->count, pairs(planned), aa_pairs(planned),
	       plan->design.warmups, plan->design.alternate ? "alternate" : "balanced",
	       planned->chunk_count, planned->chunk_count == 1 ? "" : "s");
	print_stop(plan);
	print_skipped(plan);
	print_balance(planned);
	print_expected(planned);
	print_effect(planned);
	puts("\nchunk  order  block  phase   pair  slot  treatment");
	for (i = 0; i < planned->count; i++) {
		const struct planned_group *group = &planned->groups[i];

		printf("%5d  %5d  %5d  %-6s  %4d  %4d  %d %s%s%s\n", group->chunk, group->order,
		       group->block, phase_name(group->phase), group->pair, group->slot,
		       group->treatment, name_of(plan, group->treatment),
		       is_copy(plan, group->treatment) ? "' (copy of A)" : "",
		       group->left ? "" : "  measured");
	}
}

static json_t *
group_object(const struct plan *plan, const struct planned_group *group)
{
	char *name = memory_format("%s%s", name_of(plan, group->treatment),
				   is_copy(plan, group->treatment) ? "'" : "");
	json_t *object = json_pack("{s:i, s:i, s:i, s:s, s:i, s:i, s:i, s:s, s:b}", "chunk",
				   group->chunk, "order", group->order, "block", group->block,
				   "phase", phase_name(group->phase), "pair", group->pair, "slot",
				   group->slot, "treatment", group->treatment, "name", name,
				   "measured", !group->left);

	free(name);
	return object;
}

static void
print_json(const struct planned *planned)
{
	const struct plan *plan = &planned->plan;
	struct balance balance =
		schedule_balance(&planned->schedule, (int)plan->treatment_count);
	json_t *groups = json_array(), *object;
	size_t i;

	for (i = 0; i < planned->count; i++)
		json_array_append_new(groups, group_object(plan, &planned->groups[i]));
	object = json_pack("{s:s, s:s, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "case_id",
			   plan->case_id, "experiment", plan->experiment, "pairs", pairs(planned),
			   "aa_pairs", aa_pairs(planned), "left", planned->left, "expected_s",
			   json_number_or_null(planned_expected_s(planned, false)), "expected_left_s",
			   json_number_or_null(planned_expected_s(planned, true)),
			   "smallest_effect_percent",
			   json_number_or_null(smallest_effect(planned)), "pairs_needed",
			   json_number_or_null(pairs_needed(planned)), "balance",
			   json_pack("{s:[i, i], s:[i, i]}", "place", balance.place_least,
				     balance.place_most, "follow", balance.follow_least,
				     balance.follow_most),
			   "groups", groups);
	json_dumpf(object, stdout, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
	putchar('\n');
	json_decref(object);
}

/* ---- one case, or an experiment's ---- */

static int
plan_case(const char *case_id, bool json, struct error *error)
{
	struct planned planned = {.count = 0};
	int result = planned_load(case_id, &planned, error);

	if (result == 0 && json)
		print_json(&planned);
	else if (result == 0)
		print_text(&planned);
	planned_free(&planned);
	return result;
}

/* What all cases of an experiment come to; seconds are NaN where a case was never measured. */
struct sum {
	size_t cases, groups, left;
	double left_s;
};

static int
add_case(const char *case_id, struct sum *sum, struct error *error)
{
	struct planned planned = {.count = 0};
	int result = planned_load(case_id, &planned, error);

	if (result == 0) {
		sum->cases++;
		sum->groups += planned.count;
		sum->left += (size_t)planned.left;
		sum->left_s += planned.left > 0 ? planned_expected_s(&planned, true) : 0;
	}
	planned_free(&planned);
	return result;
}

static void
print_sum(const char *name, const char *about, const struct sum *sum)
{
	printf("%s%s%s: %zu groups in %zu case%s, %zu of them still to be measured", name,
	       about[0] != '\0' ? " - " : "", about, sum->groups, sum->cases, sum->cases == 1 ? "" : "s",
	       sum->left);
	if (sum->left > 0 && isnan(sum->left_s))
		puts("; expected time: unknown until measured, the session tells it after its first groups");
	else if (sum->left > 0)
		print_duration("; expected time: ", sum->left_s, " (from earlier groups)\n");
	else
		putchar('\n');
}

static int
plan_experiment(const char *name, bool if_left, struct error *error)
{
	static const struct selection whole;
	json_t *studies = selection_studies(error), *cases = NULL;
	struct sum sum = {0, 0, 0, 0};
	const json_t *id;
	int result = -1;
	size_t i;

	if (studies != NULL)
		cases = selection_cases_of(&whole, studies, name, error);
	if (cases != NULL)
		result = 0;
	json_array_foreach(cases, i, id)
		if (result == 0)
			result = add_case(json_string_value(id), &sum, error);
	if (result == 0 && (sum.left > 0 || !if_left))
		print_sum(name, selection_about(studies, name), &sum);
	json_decref(cases);
	json_decref(studies);
	return result;
}

static int
plan_named(const char *name, bool json, bool if_left, struct error *error)
{
	char *case_id;
	int result;

	if (if_left || (!json && selection_is_of_several(name)))
		return plan_experiment(name, if_left, error);
	case_id = case_name_find(name, error);
	result = case_id != NULL ? plan_case(case_id, json, error) : -1;
	free(case_id);
	return result;
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {{"json", no_argument, NULL, 'j'},
						{"if-left", no_argument, NULL, 'l'},
						{NULL, 0, NULL, 0}};
	struct error error = {0};
	bool json = false, if_left = false;
	int option, result;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'j')
			json = true;
		else if (option == 'l')
			if_left = true;
		else
			return EXIT_USAGE;
	}
	if (optind + 1 != argc)
		return command_misuse(&command_plan, "needs one case or experiment");
	result = plan_named(argv[optind], json, if_left, &error);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_plan = {
	.name = "plan",
	.about = "print a case's groups in the order they are launched",
	.usage = "usage: assay plan [--json] CASE\n"
		 "       assay plan [--if-left] EXPERIMENT\n\n"
		 "Prints the groups of the case launch by launch, with the expected time and the\n"
		 "smallest effect that so many pairs can detect, as far as earlier results tell. Of an\n"
		 "experiment, or of a form of one, how many groups its cases have and how long those that\n"
		 "lack take; with --if-left nothing where none lacks.",
	.run = run,
};
