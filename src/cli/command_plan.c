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
#include "cli/stored_times.h"
#include "identity/recorded.h"
#include "schedule/growth.h"
#include "schedule/schedule.h"
#include "store/store.h"

#define ALPHA 0.05
#define POWER 0.80

/* One line of the plan. */
struct group {
	int order; /* in its session, from 1 */
	int chunk; /* from 1 */
	int block, pair, slot; /* block 0: a warm-up */
	enum phase phase;
	int treatment;
	bool left; /* still to be measured */
};

struct planned {
	struct plan plan;
	struct store_case store;   /* of the present identity; empty when there is none */
	struct store_case earlier; /* the newest results, whatever their identity */
	struct schedule schedule;
	struct chunk *chunks;
	size_t chunk_count;
	struct group *groups;
	size_t count, capacity;
	int left;
	struct stored_times times;
};

/* ---- the groups ---- */

static void
add(struct planned *planned, const struct group *group)
{
	planned->groups = memory_grow(planned->groups, planned->count, &planned->capacity,
				      sizeof *planned->groups);
	planned->groups[planned->count++] = *group;
	planned->left += group->left;
}

/* A session begins with the chunk that no session before it had; so does the next one. */
static bool
begins_session(const struct planned *planned, int chunk)
{
	size_t most = 0, i;

	for (i = 0; i < planned->store.session_count; i++) {
		if (most == (size_t)chunk)
			return true;
		if (planned->store.sessions[i].chunk_count > most)
			most = planned->store.sessions[i].chunk_count;
	}
	return most == (size_t)chunk;
}

static void
add_warmups(struct planned *planned, int chunk, bool left, int *order)
{
	size_t count, i, size = planned->plan.treatment_count;
	int *treatments = schedule_warmups(&planned->plan, &count);

	/* As a session counts them. */
	for (i = 0; i < count; i++) {
		struct group group = {.order = ++*order, .chunk = chunk + 1,
				      .pair = (int)(i / size) + 1, .slot = (int)(i % size) + 1,
				      .phase = PHASE_WARMUP, .treatment = treatments[i], .left = left};

		add(planned, &group);
	}
	free(treatments);
}

static void
add_block(struct planned *planned, const struct block *block, bool left, int *order)
{
	int i;

	for (i = 0; i < block->size; i++) {
		struct group group = {.order = ++*order, .chunk = block->chunk + 1,
				      .block = block->number, .pair = block->pair, .slot = i + 1,
				      .phase = block->phase, .treatment = block->treatments[i],
				      .left = left};

		add(planned, &group);
	}
}

static void
add_groups(struct planned *planned)
{
	enum block_state *states = store_blocks(&planned->store, &planned->schedule);
	const struct schedule *schedule = &planned->schedule;
	int chunk = -1, order = 0;
	size_t i;

	for (i = 0; i < schedule->count; i++) {
		const struct block *block = &schedule->blocks[i];
		bool left = states[i] == BLOCK_MISSING;

		if (left && store_left_off(&planned->store, &planned->plan, block))
			continue;
		if (block->chunk != chunk) {
			chunk = block->chunk;
			if (begins_session(planned, chunk)) {
				order = 0;
				add_warmups(planned, chunk, left, &order);
			}
		}
		add_block(planned, block, left, &order);
	}
	free(states);
}

/* ---- reading ---- */

static int
load_earlier(struct planned *planned, struct error *error)
{
	size_t count;
	struct recorded *list = recorded_list(planned->plan.case_id, &count);
	int result = count > 0 ? store_load(planned->plan.case_id, list[0].identity.hex,
					    &planned->earlier, error)
			       : 0;

	recorded_free(list, count);
	return result;
}

static int
load_store(struct planned *planned, struct error *error)
{
	char *path = memory_format("build/identity/%s", planned->plan.case_id);
	struct identity identity;
	int result = 0;

	if (file_exists(path)) {
		result = identity_read(path, &identity, error);
		if (result == 0) {
			result = store_load(planned->plan.case_id, identity.hex, &planned->store,
					    error);
			identity_free(&identity);
		}
	}
	free(path);
	return result;
}

static int
load(const char *case_id, struct planned *planned, struct error *error)
{
	char *path = memory_format("build/plan/%s.json", case_id);
	const struct chunk *had;
	size_t had_count;
	int result;

	result = plan_read(path, &planned->plan, error);
	free(path);
	if (result != 0)
		return -1;
	if (load_store(planned, error) != 0 || load_earlier(planned, error) != 0)
		return -1;
	had = store_chunks(&planned->store, &had_count);
	planned->chunks = schedule_chunks(&planned->plan, had, had_count,
					  growth_pairs(&planned->plan), &planned->chunk_count);
	schedule_build(&planned->plan, planned->chunks, planned->chunk_count, &planned->schedule);
	add_groups(planned);
	stored_times_load(&planned->plan, &planned->earlier, &planned->times);
	return 0;
}

static void
unload(struct planned *planned)
{
	stored_times_free(&planned->times);
	schedule_free(&planned->schedule);
	store_free(&planned->store);
	store_free(&planned->earlier);
	free(planned->chunks);
	free(planned->groups);
	plan_free(&planned->plan);
}

/* ---- what it will take and tell ---- */

/* NaN when a treatment was never measured. */
static double
expected_s(const struct planned *planned, bool left_only)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < planned->count; i++)
		if (planned->groups[i].left || !left_only)
			sum += planned->times.group_s[planned->groups[i].treatment];
	return sum;
}

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
	return plan->treatments[(size_t)treatment < plan->treatment_count ? treatment : 0].name;
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
	double all = expected_s(planned, false), left = expected_s(planned, true);

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
	if (treatments > 1)
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
	print_balance(planned);
	print_expected(planned);
	print_effect(planned);
	puts("\nchunk  order  block  phase   pair  slot  treatment");
	for (i = 0; i < planned->count; i++) {
		const struct group *group = &planned->groups[i];

		printf("%5d  %5d  %5d  %-6s  %4d  %4d  %d %s%s%s\n", group->chunk, group->order,
		       group->block, phase_name(group->phase), group->pair, group->slot,
		       group->treatment, name_of(plan, group->treatment),
		       is_copy(plan, group->treatment) ? "' (copy of A)" : "",
		       group->left ? "" : "  measured");
	}
}

static json_t *
group_object(const struct plan *plan, const struct group *group)
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
			   json_number_or_null(expected_s(planned, false)), "expected_left_s",
			   json_number_or_null(expected_s(planned, true)),
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

static int
run(int argc, char **argv)
{
	static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
	struct planned planned = {.count = 0};
	struct error error = {0};
	bool json = false;
	char *case_id;
	int option, result;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'j')
			return EXIT_USAGE;
		json = true;
	}
	if (optind + 1 != argc)
		return command_misuse(&command_plan, "needs one case");
	case_id = case_name_find(argv[optind], &error);
	result = case_id != NULL ? load(case_id, &planned, &error) : -1;
	free(case_id);
	if (result == 0 && json)
		print_json(&planned);
	else if (result == 0)
		print_text(&planned);
	unload(&planned);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_plan = {
	.name = "plan",
	.about = "print a case's groups in the order they are launched",
	.usage = "usage: assay plan [--json] CASE\n\n"
		 "Prints the groups of the case launch by launch, with the expected time and the\n"
		 "smallest effect that so many pairs can detect, as far as earlier results tell.",
	.run = run,
};
