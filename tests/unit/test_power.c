/* assay power: how many pairs an effect needs, what pairs can show. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "run_command.h"

static char folder[] = "/tmp/assay-power-XXXXXX";

/* The answer as JSON; json_decref. */
static json_t *
ask(const char *words)
{
	char *all = memory_format("%s --json", words);
	json_t *answer;

	if (run_command(&command_power, all) != EXIT_DONE)
		fail_msg("'%s': %s", words, run_errors);
	answer = json_loads(run_output, 0, NULL);
	assert_non_null(answer);
	free(all);
	return answer;
}

static double
number(const char *words, const char *key)
{
	json_t *answer = ask(words);
	double value = json_get_number(answer, key);

	json_decref(answer);
	return value;
}

static void
assert_near(double got, double expected, double tolerance)
{
	if (!(fabs(got - expected) <= tolerance))
		fail_msg("%.17g is not %.17g", got, expected);
}

/* ((z(.975) + z(.8)) s / log(1 + d))^2 = (2.80158522 * 0.02 / log 1.02)^2 */
static void
pairs_for_an_effect_follow_the_formula(void **state)
{
	double z = 1.959963984540054 + 0.8416212335729143;

	(void)state;
	assert_near(number("--cv 2% --effect 2%", "pairs_needed_normal"), pow(z * 0.02 / log(1.02), 2), 1e-9);
	assert_near(number("--cv 2% --effect 1%", "pairs_needed"), 34, 0); /* 31.7 * pi/3 = 33.2 */
	assert_near(number("--cv 0.02 --effect 0.01", "pairs_needed"), 34, 0);
	assert_near(number("--cv 2% --effect 1% --power 95% --alpha 1%", "pairs_needed_normal"),
		    pow((2.5758293035489004 + 1.6448536269514722) * 0.02 / log(1.01), 2), 1e-9);
}

/* Three pairs would do by the formula, but have no p of 5 %. */
static void
never_fewer_pairs_than_the_exact_test_can_use(void **state)
{
	(void)state;
	assert_near(number("--cv 1% --effect 2%", "pairs_needed_rank"), 3, 0);
	assert_near(number("--cv 1% --effect 2%", "pairs_needed"), 8, 0);
	assert_near(number("--pairs 16", "pairs_for_level"), 8, 0);
	assert_near(number("--pairs 16", "smallest_p"), 2.0 / 12870, 1e-15);
	assert_near(number("--pairs 7", "smallest_p"), 2.0 / 35, 1e-15);
	assert_near(number("--p 0.0125", "pairs_for_p"), 10, 0);
}

static void
what_pairs_can_detect(void **state)
{
	/* (t(.975, 15) + t(.8, 15)) * 0.02 / 4 */
	const double log_effect = (2.131449545559323 + 0.8662449627) * 0.02 / 4;

	(void)state;
	assert_near(number("--cv 2% --pairs 16", "detectable_log"), log_effect, 1e-9);
	assert_near(number("--cv 2% --pairs 16", "detectable_percent"), 100 * expm1(log_effect), 1e-6);
}

static void
a_profilers_error_is_binomial(void **state)
{
	(void)state;
	assert_near(number("--share 0.5 --margin 5%", "samples_needed"), 385, 0);
	assert_near(number("--share 50% --margin 1%", "samples_needed"), 9604, 0);
	assert_near(number("--share 0.5 --margin 0.1%", "samples_needed"), 960400, 0);
	assert_near(number("--share 0.3 --margin 1% --rate 1000", "seconds"), 8.068, 1e-9);
	assert_near(number("--share 0.5 --samples 9604", "margin"), 0.01, 1e-12);
	assert_near(number("--events 10000", "relative_error"), 0.01, 1e-12);
}

static void
a_standard_error_has_no_power_in_it_and_says_so(void **state)
{
	(void)state;
	assert_near(number("--cv 12.5% --standard-error 1%", "runs_for_standard_error"), 156.25, 1e-9);
	assert_int_equal(run_command(&command_power, "--cv 12.5% --standard-error 1%"), EXIT_DONE);
	assert_non_null(strstr(run_output, "no power in that number"));
}

/* The slot effect (+10 % for whoever runs second) is not spread; +-1 % is. */
static void
write_stats(void)
{
	json_t *points = json_array(), *stats;
	struct error error = {0};
	int i;

	for (i = 0; i < 16; i++)
		json_array_append_new(points, json_pack("{s:s, s:f}", "order", i % 2 == 0 ? "AB" : "BA", "d",
							log(1.1) + (i / 2 % 2 == 0 ? 0.01 : -0.01)));
	stats = json_pack("{s:[{s:[{s:s, s:[{s:s, s:s, s:o}]}]}]}", "metrics", "items", "item", "",
			  "comparisons", "a_name", "plain", "b_name", "fast", "points", points);
	assert_int_equal(json_write_file("build/stats/c.json", stats, 0, &error), 0);
	json_decref(stats);
}

static void
a_cases_own_spread_is_used_without_its_slot_effect(void **state)
{
	json_t *answer;
	const json_t *one;

	(void)state;
	write_stats();
	answer = ask("c --effect 1%");
	one = json_array_get(json_object_get(answer, "comparisons"), 0);
	assert_string_equal(json_get_text(one, "comparison"), "fast against plain");
	assert_near(json_get_number(one, "pair_sd"), 0.01 * sqrt(16.0 / 14), 1e-12);
	assert_near(json_get_number(one, "pairs_needed_normal"),
		    pow(2.8015852181129683 * 0.01 * sqrt(16.0 / 14) / log(1.01), 2), 1e-9);
	assert_near(json_get_number(one, "pairs"), 16, 0);
	json_decref(answer);
}

static void
a_case_never_analysed_is_told(void **state)
{
	(void)state;
	assert_int_equal(run_command(&command_power, "nowhere --effect 1%"), EXIT_BAD_INPUT);
	assert_non_null(strstr(run_errors, "nothing is known of the spread of 'nowhere'"));
}

static void
nonsense_is_a_usage_error(void **state)
{
	static const char *const wrong[] = {
		"", "--cv 1%", "--effect 2%", "--cv x --effect 1%", "--cv -1% --effect 1%", "--pairs 0",
		"--pairs 1.5", "--share 0.5", "--margin 1%", "--share 1 --margin 1%", "--p 0", "--p 2",
		"--alpha 0 --pairs 3", "--power 1 --pairs 3", "a b", "c --cv 1%", "--nonsense",
		"--pairs 99999999999"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (run_command(&command_power, wrong[i]) != EXIT_USAGE)
			fail_msg("'%s' is taken", wrong[i]);
}

static int
make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int
remove_folder(void **state)
{
	(void)state;
	run_free();
	return chdir("/") == 0 ? file_remove_tree(folder, NULL) : -1;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_for_an_effect_follow_the_formula),
		cmocka_unit_test(never_fewer_pairs_than_the_exact_test_can_use),
		cmocka_unit_test(what_pairs_can_detect),
		cmocka_unit_test(a_profilers_error_is_binomial),
		cmocka_unit_test(a_standard_error_has_no_power_in_it_and_says_so),
		cmocka_unit_test(a_cases_own_spread_is_used_without_its_slot_effect),
		cmocka_unit_test(a_case_never_analysed_is_told),
		cmocka_unit_test(nonsense_is_a_usage_error),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
