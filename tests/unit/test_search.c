/* What a search chooses, and from which blocks it says how good that is. */
#include "judge_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/claims.h"
#include "base/json.h"

enum { BASE, ONE, TWO, THREE, TREATMENTS, PAIRS = 16, CHOOSING = 8 };

/* Four treatments: what each takes in the blocks that choose and in those that confirm. */
struct searched {
	struct scene scene;
	struct plan_treatment treatments[TREATMENTS];
	size_t candidates[TREATMENTS - 1];
	double first[TREATMENTS], rest[TREATMENTS];
	int failing[TREATMENTS]; /* so many of the first blocks */
	bool base_last;          /* in the blocks that choose */
};

/* TWO is lucky in the blocks that choose, and no better than BASE. */
static void
searched_begin(struct searched *s)
{
	static char base[] = "base", one[] = "one", two[] = "two", three[] = "three", kernel[] = "kernel";
	const double first[] = {1000, 1000, 800, 900}, rest[] = {1000, 1000, 1000, 900};
	size_t i;

	scene_begin(&s->scene);
	memset(s->treatments, 0, sizeof s->treatments);
	memset(s->failing, 0, sizeof s->failing);
	s->base_last = false;
	memcpy(s->first, first, sizeof first);
	memcpy(s->rest, rest, sizeof rest);
	s->treatments[BASE].name = base;
	s->treatments[ONE].name = one;
	s->treatments[TWO].name = two;
	s->treatments[THREE].name = three;
	for (i = 1; i < TREATMENTS; i++)
		s->candidates[i - 1] = i;
	s->scene.plan.treatments = s->treatments;
	s->scene.plan.treatment_count = TREATMENTS;
	s->scene.plan.design.pairs = PAIRS;
	s->scene.plan.search = (struct best_search){kernel, 0.5, BASE, s->candidates, TREATMENTS - 1};
}

static void
put_one(struct searched *s, int pair, int slot, int treatment)
{
	double us = (pair <= CHOOSING ? s->first : s->rest)[treatment] + (pair * 7 + treatment * 3) % 5;
	struct scene *scene = &s->scene;
	bool ok = pair > s->failing[treatment];

	scene->order++;
	buffer_printf(&scene->csv, "r%d,1,c,e,,%d,%s,ab,%d,%d,%d,%d,1,1,%d000000000,1,%s,,1,%.17g,%.17g,%.17g,0,7,,,,,,,,,\n",
		      scene->order, treatment, s->treatments[treatment].name, pair, pair, scene->order, slot,
		      scene->order, ok ? "ok" : "failed", us, us, us);
}

/* Blocks in an order and in the reverse of it, in turn. */
static json_t *
judge(struct searched *s)
{
	int pair, slot;

	for (pair = 1; pair <= PAIRS; pair++)
		for (slot = 0; slot < TREATMENTS; slot++) {
			bool turned = pair % 2 == 0 || (s->base_last && pair <= CHOOSING);

			put_one(s, pair, slot + 1, turned ? TREATMENTS - 1 - slot : slot);
		}
	return analyse(&s->scene);
}

static const json_t *
search_of(const json_t *document)
{
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0);

	return json_object_get(json_array_get(json_object_get(metric, "items"), 0), "search");
}

static void
the_first_blocks_choose_and_the_others_confirm(void **state)
{
	struct searched s;
	json_t *document;
	const json_t *search, *confirmed, *found;

	(void)state;
	searched_begin(&s);
	document = judge(&s);
	search = search_of(document);
	confirmed = json_object_get(search, "confirmed");
	found = json_object_get(search, "searched");
	assert_string_equal(json_get_text(search, "chosen"), "two");
	assert_int_equal(json_get_integer(search, "pairs", 0), CHOOSING);
	assert_true(fabs(json_get_number(found, "speedup") - 1.25) < 0.01);
	assert_true(fabs(json_get_number(confirmed, "speedup") - 1) < 0.01);
	assert_int_equal(json_get_integer(found, "pairs", 0), CHOOSING);
	assert_int_equal(json_get_integer(confirmed, "pairs", 0), PAIRS - CHOOSING);
	assert_true(fabs(json_get_number(search, "flattered_percent") - 25) < 1);
	assert_string_equal(json_get_text(confirmed, "b_name"), "best kernel (two)");
	assert_string_equal(json_get_text(confirmed, "label"), "best kernel");
	scene_end(&s.scene, document);
}

static void
what_confirms_has_no_part_in_the_choice(void **state)
{
	struct searched s;
	json_t *document;

	(void)state;
	searched_begin(&s);
	s.rest[ONE] = 100;
	document = judge(&s);
	assert_string_equal(json_get_text(search_of(document), "chosen"), "two");
	scene_end(&s.scene, document);
}

static void
a_candidate_that_fails_in_most_blocks_is_not_chosen(void **state)
{
	struct searched s;
	json_t *document;
	const json_t *two;

	(void)state;
	searched_begin(&s);
	s.failing[TWO] = 5;
	document = judge(&s);
	assert_string_equal(json_get_text(search_of(document), "chosen"), "three");
	two = json_array_get(json_object_get(search_of(document), "candidates"), 1);
	assert_int_equal(json_get_integer(two, "pairs", 0), 3);
	assert_true(json_is_null(json_object_get(two, "speedup")));
	scene_end(&s.scene, document);
}

static void
with_one_order_alone_medians_choose(void **state)
{
	struct searched s;
	json_t *document;

	(void)state;
	searched_begin(&s);
	s.base_last = true;
	document = judge(&s);
	assert_string_equal(json_get_text(search_of(document), "chosen_by"), "median_paired_speedup");
	assert_string_equal(json_get_text(search_of(document), "chosen"), "two");
	scene_end(&s.scene, document);
}

static void
an_invalid_case_chooses_nothing(void **state)
{
	struct searched s;
	json_t *document;
	const json_t *search;

	(void)state;
	searched_begin(&s);
	s.scene.regime_problem = "two regimes";
	document = judge(&s);
	search = search_of(document);
	assert_true(json_is_null(json_object_get(search, "chosen")));
	assert_true(json_is_null(json_object_get(search, "confirmed")));
	assert_true(json_is_null(
		json_object_get(json_array_get(json_object_get(search, "candidates"), 1), "speedup")));
	scene_end(&s.scene, document);
}

/* The claim that the best is faster by 10 %, on the document of a case. */
static const char *
claimed(json_t *document)
{
	static char verdict[16];
	json_t *study = json_pack("{s:[{s:s, s:[{s:s, s:s, s:s, s:s, s:f, s:s, s:[s]}]}]}", "experiments", "name",
				  "e", "claims", "id", "C1", "kind", "faster", "b", "best kernel", "a", "base",
				  "by", 1.1, "text", "", "cases", "c");
	json_t *cases = json_pack("{s:O}", "c", document), *claims = claims_judge(study, cases);

	snprintf(verdict, sizeof verdict, "%s", json_get_text(json_array_get(claims, 0), "verdict"));
	json_decref(claims);
	json_decref(cases);
	json_decref(study);
	return verdict;
}

static void
a_claim_about_the_best_rests_on_what_confirms(void **state)
{
	struct searched s;
	json_t *document;

	(void)state;
	searched_begin(&s);
	document = judge(&s);
	assert_string_equal(claimed(document), "refuted");
	scene_end(&s.scene, document);
	searched_begin(&s);
	s.rest[TWO] = 800;
	document = judge(&s);
	assert_string_equal(claimed(document), "supported");
	scene_end(&s.scene, document);
	searched_begin(&s);
	s.scene.regime_problem = "two regimes";
	document = judge(&s);
	assert_string_equal(claimed(document), "invalid");
	scene_end(&s.scene, document);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_blocks_choose_and_the_others_confirm),
		cmocka_unit_test(what_confirms_has_no_part_in_the_choice),
		cmocka_unit_test(a_candidate_that_fails_in_most_blocks_is_not_chosen),
		cmocka_unit_test(with_one_order_alone_medians_choose),
		cmocka_unit_test(an_invalid_case_chooses_nothing),
		cmocka_unit_test(a_claim_about_the_best_rests_on_what_confirms),
	};

	return cmocka_run_group_tests(tests, scene_make_folder, scene_remove_folder);
}
