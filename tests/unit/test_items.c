#include "judge_scene.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/judge/claims.h"
#include "analysis/judge/labels.h"
#include "base/json.h"
#include "base/memory.h"

/* A case whose program yields several items: each judged by itself, all paid for together. */

static const char *const names[] = {"plain", "fast", "plain'"};

static void
begin_group(struct scene *scene)
{
	scene->order++;
}

static void
put_row(struct scene *scene, const char *phase, int treatment, int pair, int slot, const char *item,
	const char *status, double value)
{
	buffer_printf(&scene->csv, "r%d,1,c,e,%s,%d,%s,%s,%d,%d,%d,%d,1,%d,%d000000000,1,%s,%s,1,", scene->order,
		      item, treatment, names[treatment], phase, scene->block, pair, scene->order, slot,
		      strcmp(status, "ok") == 0, scene->order, status, strcmp(status, "ok") == 0 ? "" : "no file");
	if (strcmp(status, "ok") == 0)
		buffer_printf(&scene->csv, "%.17g,%.17g,,0,7," SCENE_TOLD_NOTHING "\n", value, value);
	else
		buffer_puts(&scene->csv, ",,,0,7," SCENE_TOLD_NOTHING "\n");
}

/* Rows of one group: what each item takes there. */
typedef void put_items(struct scene *scene, const char *phase, int treatment, int pair, int slot,
		       double noise);

static void
put_blocks(struct scene *scene, const char *phase, int pairs, int other, put_items *put)
{
	int pair;

	for (pair = 1; pair <= pairs; pair++) {
		int first = pair % 2 == 0 ? 0 : other, second = pair % 2 == 0 ? other : 0;

		scene->block++;
		begin_group(scene);
		put(scene, phase, first, pair, 1, 0.01 * (pair % 3));
		begin_group(scene);
		put(scene, phase, second, pair, 2, 0.01 * (pair % 5));
	}
}

static void
put_mixture(struct scene *scene, const char *phase, int treatment, int pair, int slot, double noise)
{
	put_row(scene, phase, treatment, pair, slot, "BM_slower", "ok", treatment == 1 ? 120 + noise : 100 + noise);
	put_row(scene, phase, treatment, pair, slot, "BM_equal", "ok", 50 + noise);
	if (treatment == 1)
		put_row(scene, phase, treatment, pair, slot, "BM_new", "ok", 10 + noise);
	if (treatment == 0)
		put_row(scene, phase, treatment, pair, slot, "BM_breaks", "ok", 10 + noise);
	if (pair <= 3 || treatment == 0)
		put_row(scene, phase, treatment, pair, slot, "BM_rare", "ok", 10 + noise);
	if (treatment == 1)
		put_row(scene, phase, treatment, pair, slot, "BM_breaks", "failed", 0);
}

static json_t *
mixture(struct scene *scene)
{
	scene_begin(scene);
	put_blocks(scene, "aa", 4, 2, put_mixture);
	put_blocks(scene, "ab", 10, 1, put_mixture);
	return analyse(scene);
}

static const json_t *
item_of(const json_t *document, const char *name)
{
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0), *item;
	size_t i;

	json_array_foreach(json_object_get(metric, "items"), i, item)
		if (strcmp(json_get_text(item, "item"), name) == 0)
			return item;
	fail_msg("no item %s", name);
	return NULL;
}

static const json_t *
verdict_of(const json_t *document, const char *name)
{
	return json_array_get(json_object_get(item_of(document, name), "comparisons"), 0);
}

static void
each_item_has_its_verdict(void **state)
{
	struct scene scene;
	json_t *document = mixture(&scene);
	const json_t *slower = verdict_of(document, "BM_slower"), *groups = json_object_get(document, "groups");

	(void)state;
	assert_false(json_is_true(json_object_get(document, "invalid")));
	assert_int_equal(json_get_integer(json_object_get(document, "pairs"), "valid", 0), 10);
	assert_int_equal(json_get_integer(groups, "aa", 0), 8);
	assert_int_equal(json_get_integer(groups, "ab", 0), 20);
	assert_int_equal(json_get_integer(groups, "failed", -1), 0);
	assert_string_equal(json_get_text(slower, "verdict"), "slower");
	assert_string_equal(json_get_text(slower, "correction"), "Benjamini-Hochberg");
	assert_non_null(strstr(json_get_text(slower, "sentence"), "in BM_slower at n=8"));
	assert_string_equal(json_get_text(verdict_of(document, "BM_equal"), "verdict"), "inconclusive");
	scene_end(&scene, document);
}

static void
an_item_of_one_side_is_listed_as_such(void **state)
{
	struct scene scene;
	json_t *document = mixture(&scene);
	const json_t *only = verdict_of(document, "BM_new"), *warning = find_warning(document, "one_sided_items");

	(void)state;
	assert_string_equal(json_get_text(only, "verdict"), "inconclusive");
	assert_string_equal(json_get_text(only, "reason"), "only fast has it");
	assert_string_equal(json_get_text(only, "sentence"),
			    "no comparison of fast with plain in BM_new at n=8: only fast has it");
	assert_true(json_is_null(json_object_get(only, "speedup")));
	assert_non_null(warning);
	assert_non_null(strstr(json_get_text(warning, "text"), "1 item is not in each variant"));
	assert_non_null(strstr(json_get_text(warning, "text"), "BM_new (fast)"));
	scene_end(&scene, document);
}

static void
an_item_that_fails_is_listed_with_its_reason(void **state)
{
	struct scene scene;
	json_t *document = mixture(&scene), *item, *failed = NULL;
	size_t i;

	(void)state;
	json_array_foreach(json_object_get(document, "items"), i, item)
		if (strcmp(json_get_text(item, "item"), "BM_breaks") == 0)
			failed = json_array_get(json_object_get(item, "failed"), 0);
	assert_non_null(failed);
	assert_int_equal(json_get_integer(failed, "groups", 0), 10);
	assert_string_equal(json_get_text(failed, "name"), "fast");
	assert_string_equal(json_get_text(verdict_of(document, "BM_breaks"), "reason"),
			    "it failed in fast: no file");
	assert_true(has_warning(document, "failed_items"));
	scene_end(&scene, document);
}

static void
what_most_pairs_lack_is_not_compared(void **state)
{
	struct scene scene;
	json_t *document = mixture(&scene);

	(void)state;
	assert_string_equal(json_get_text(verdict_of(document, "BM_rare"), "reason"),
			    "only 3 of 10 pairs have wall_us of it in both");
	scene_end(&scene, document);
}

/* Twenty items, of which one seems faster with p = 2/252 by chance. */
static void
put_many(struct scene *scene, const char *phase, int treatment, int pair, int slot, double noise)
{
	char name[16];
	int i;

	for (i = 0; i < 20; i++) {
		snprintf(name, sizeof name, "BM_%d", i);
		put_row(scene, phase, treatment, pair, slot, name, "ok",
			i == 7 && treatment == 1 ? 99 + noise : 100 + noise * (1 + (pair + i + treatment) % 4));
	}
}

static void
many_items_pay_for_each_other(void **state)
{
	struct scene scene;
	json_t *document;
	const json_t *one;

	(void)state;
	scene_begin(&scene);
	put_blocks(&scene, "ab", 10, 1, put_many);
	document = analyse(&scene);
	one = verdict_of(document, "BM_7");
	assert_true(json_get_number(one, "speedup_lo") > 1);
	assert_true(json_get_number(one, "p") < 0.05 && json_get_number(one, "p_adjusted") > 0.05);
	assert_string_equal(json_get_text(one, "verdict"), "inconclusive");
	assert_non_null(strstr(json_get_text(one, "reason"), "Benjamini-Hochberg"));
	scene_end(&scene, document);
}

/* ---- the process's own values ---- */

static void
values_of_the_process_have_no_items(void **state)
{
	struct scene scene;
	json_t *document, *items;

	(void)state;
	scene_begin(&scene);
	scene.metric.name = scene.plan.primary = (char *)"max_rss_kib";
	memcpy(strstr(scene.csv.bytes, "wall_us,cpu_us"), "max_rss_kib,u_", 14); /* as long */
	put_blocks(&scene, "ab", 10, 1, put_mixture);
	document = analyse(&scene);
	items = json_object_get(json_array_get(json_object_get(document, "metrics"), 0), "items");
	assert_int_equal(json_array_size(items), 1);
	assert_string_equal(json_get_text(json_array_get(items, 0), "item"), "");
	assert_int_equal(json_get_integer(comparison_of(document), "pairs", 0), 10);
	scene_end(&scene, document);
}

/* ---- claims and the control ---- */

static json_t *
judge_claim(struct scene *scene, const char *kind, const char *item, const char **verdict,
	    const char **reason)
{
	json_t *document = mixture(scene), *study, *cases, *claims;

	study = json_pack("{s:[{s:s, s:[{s:s, s:s, s:s, s:s, s:s, s:f, s:o, s:[s]}]}]}", "experiments", "name",
			  "e", "claims", "id", "C1", "kind", kind, "b", "fast", "a", "plain", "text", "t", "within",
			  0.02, "item", item != NULL ? json_string(item) : json_null(), "cases", "c");
	assert_non_null(study);
	cases = json_pack("{s:O}", "c", document);
	claims = claims_judge(study, cases);
	*verdict = json_get_text(json_array_get(claims, 0), "verdict");
	*reason = json_get_text(json_array_get(claims, 0), "reason");
	json_decref(study);
	json_decref(cases);
	scene_end(scene, document);
	return claims;
}

static void
expect_claim(const char *kind, const char *item, const char *verdict, const char *reason, size_t evidence)
{
	const char *got, *why;
	struct scene scene;
	json_t *claims = judge_claim(&scene, kind, item, &got, &why);

	assert_string_equal(got, verdict);
	assert_string_equal(why, reason);
	assert_int_equal(json_array_size(json_object_get(json_array_get(claims, 0), "cases")), evidence);
	json_decref(claims);
}

static void
a_claim_names_an_item_or_is_about_all(void **state)
{
	(void)state;
	expect_claim("slower", "BM_slower", "supported", "", 1);
	expect_claim("slower", "BM_equal", "open", "", 1);
	expect_claim("slower", "BM_new", "open", "BM_new: only fast has it", 1);
	expect_claim("slower", "BM_nobody", "open", "no item is called BM_nobody", 1);
	/* BM_new is in one alone and no part of it; BM_breaks and BM_rare are. */
	expect_claim("not_slower", NULL, "refuted", "", 4);
	expect_claim("slower", NULL, "open", "BM_rare: only 3 of 10 pairs have wall_us of it in both", 4);
}

/* One process's items are no independent witnesses. */
static void
the_label_control_counts_pairs_and_not_items(void **state)
{
	struct scene scene;
	json_t *document = mixture(&scene), *study, *cases, *result;

	(void)state;
	study = json_pack("{s:[{s:s, s:[{s:s}]}]}", "experiments", "name", "e", "cases", "case_id", "c");
	cases = json_pack("{s:O}", "c", document);
	result = labels_judge(study, cases);
	assert_int_equal(json_get_integer(json_array_get(result, 0), "pairs", 0), 4);
	json_decref(result);
	json_decref(study);
	json_decref(cases);
	scene_end(&scene, document);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_item_has_its_verdict),
		cmocka_unit_test(an_item_of_one_side_is_listed_as_such),
		cmocka_unit_test(an_item_that_fails_is_listed_with_its_reason),
		cmocka_unit_test(what_most_pairs_lack_is_not_compared),
		cmocka_unit_test(many_items_pay_for_each_other),
		cmocka_unit_test(values_of_the_process_have_no_items),
		cmocka_unit_test(a_claim_names_an_item_or_is_about_all),
		cmocka_unit_test(the_label_control_counts_pairs_and_not_items),
	};

	return cmocka_run_group_tests(tests, scene_make_folder, scene_remove_folder);
}
