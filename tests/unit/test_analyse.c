/* assay analyse: exploring stored data, the group report, data measured elsewhere. */
#include "case_fixture.h"

#include <ftw.h>
#include <math.h>

#include "base/digest.h"
#include "base/json.h"
#include "cli/commands.h"
#include "identity/identity.h"
#include "run_command.h"
#include "store/store.h"

/* ---- a measured case ---- */

static void
publish_block(const char *folder, const struct block *block, int *order)
{
	struct error error = {0};
	int slot;

	for (slot = 0; slot < block->size; slot++) {
		struct record record;
		int treatment = block->treatments[slot], base = treatment == 1 ? 1000 : 2000, k;
		struct buffer out = BUFFER_EMPTY;

		fixture_record(&record, 1, ++*order, block->phase, block->number, slot + 1, treatment);
		record.pair = block->pair;
		for (k = 0; k < 5; k++) /* the last sample is a spike: 1.5 times the median */
			buffer_printf(&out, "RESULT %g %d 1e9\n", (k == 4 ? 1.5 : 1) * (base + *order % 5),
				      7 * base);
		free(record.stdout_bytes);
		record.stdout_length = out.length;
		record.stdout_bytes = buffer_detach(&out);
		if (store_publish(folder, &record, &error) != 0)
			fail_msg("%s", error.message);
		record_free(&record);
	}
}

static void
write_identity(struct identity *identity)
{
	char *content;

	identity_from_text("protocol = 1\n", identity);
	content = text("%s\n%s", identity->hex, identity->text);
	assert_int_equal(file_write("build/identity/" FIXTURE_CASE, content, strlen(content), 0, NULL), 0);
}

static void
measure(int pairs)
{
	struct error error = {0};
	struct identity identity;
	struct schedule schedule;
	struct plan plan;
	char *folder;
	int number, order = 0;
	size_t i;

	fixture_plan(&plan, "protocol", pairs);
	assert_int_equal(plan_write("build/plan/" FIXTURE_CASE ".json", &plan, 0, &error), 0);
	write_identity(&identity);
	plan.chunks = schedule_chunks(&plan, NULL, 0, pairs, &plan.chunk_count);
	schedule_build(&plan, plan.chunks, plan.chunk_count, &schedule);
	if (store_begin_session(FIXTURE_CASE, &identity, &plan, NULL, &number, &folder, &error) != 0)
		fail_msg("%s", error.message);
	assert_int_equal(file_write(text("%s/provenance.json", folder), "{}\n", 3, 0, &error), 0);
	assert_int_equal(file_write(text("%s/regime.txt", folder), "kernel = 6\n", 11, 0, &error), 0);
	for (i = 0; i < schedule.count; i++)
		publish_block(folder, &schedule.blocks[i], &order);
	schedule_free(&schedule);
	identity_free(&identity);
	free(folder);
	plan_free(&plan);
}

static struct buffer seen;

static int
see(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)type;
	(void)where;
	if (strcmp(path, ".") != 0 && strncmp(path, "./lock", 6) != 0)
		buffer_printf(&seen, "%s %lld %ld.%ld\n", path, (long long)status->st_ino,
			      (long)status->st_mtim.tv_sec, (long)status->st_mtim.tv_nsec);
	return 0;
}

/* Every file of the study; the lock, which a study has elsewhere, is no part of it. */
static char *
snapshot(void)
{
	char *all;

	seen = (struct buffer)BUFFER_EMPTY;
	nftw(".", see, 16, FTW_PHYS);
	all = text("%s", buffer_text(&seen));
	buffer_free(&seen);
	return all;
}

static void
run_ok(const char *words)
{
	int code = run_command(&command_analyse, words);

	if (code != EXIT_DONE)
		fail_msg("'%s' ends with %d: %s", words, code, run_errors);
}

static json_t *
run_json(const char *words)
{
	json_t *answer;

	run_ok(text("%s --json", words));
	answer = json_loads(run_output, 0, NULL);
	assert_non_null(answer);
	return answer;
}

/* ---- exploring ---- */

static const json_t *
first_item(const json_t *document)
{
	return json_array_get(
		json_object_get(json_array_get(json_object_get(document, "metrics"), 0), "items"), 0);
}

static double
first_median(const json_t *document)
{
	return json_get_number(json_array_get(json_object_get(first_item(document), "treatments"), 0),
			       "median");
}

static void
exploring_writes_nothing_and_is_no_look(void **state)
{
	char *before;

	(void)state;
	measure(10);
	before = snapshot();
	run_ok(FIXTURE_CASE);
	assert_non_null(strstr(run_output, " times as fast as two_loops"));
	assert_non_null(strstr(run_output, "nothing was measured or written, and this counts as no look"));
	run_ok(FIXTURE_CASE " --metric cpu_us --stat mean --conf 0.99");
	run_command(&command_analyse, FIXTURE_CASE " --group-report");
	assert_string_equal(snapshot(), before);
}

static void
the_graphs_edge_is_a_look(void **state)
{
	struct store_case store;
	struct identity identity;
	struct error error = {0};

	(void)state;
	measure(10);
	run_ok("--edge " FIXTURE_CASE);
	assert_true(file_exists("build/stats/" FIXTURE_CASE ".json"));
	write_identity(&identity);
	assert_int_equal(store_load(FIXTURE_CASE, identity.hex, &store, &error), 0);
	assert_int_equal(store.look_count, 1);
	assert_int_equal(store.looks[0].pairs, 10);
	assert_string_equal(store.looks[0].rule, "fixed");
	store_free(&store);
	identity_free(&identity);
}

/* Five samples m, m, m, m, 1.5 m: the mean is 1.1 m, the trim at 1.2 keeps four, at 2 all. */
static void
the_statistic_and_the_trim_can_be_chosen(void **state)
{
	json_t *median, *mean, *trimmed, *wide;

	(void)state;
	measure(10);
	median = run_json(FIXTURE_CASE);
	mean = run_json(FIXTURE_CASE " --stat mean");
	trimmed = run_json(FIXTURE_CASE " --stat trimmed_mean");
	wide = run_json(FIXTURE_CASE " --stat trimmed_mean --trim 2");
	assert_true(fabs(first_median(mean) / first_median(median) - 1.1) < 1e-9);
	assert_true(fabs(first_median(trimmed) / first_median(median) - 1) < 1e-9);
	assert_true(fabs(first_median(wide) / first_median(mean) - 1) < 1e-9);
	assert_string_equal(json_get_text(mean, "collapse"), "mean");
	json_decref(median);
	json_decref(mean);
	json_decref(trimmed);
	json_decref(wide);
}

static void
another_metric_can_be_chosen_and_a_wrong_one_lists_them(void **state)
{
	json_t *cpu;

	(void)state;
	measure(10);
	cpu = run_json(FIXTURE_CASE " --metric cpu_us");
	assert_true(fabs(first_median(cpu) - 14000) < 1e-9);
	json_decref(cpu);
	assert_int_equal(run_command(&command_analyse, FIXTURE_CASE " --metric cpu"), EXIT_BAD_INPUT);
	assert_non_null(strstr(run_errors, "wall_us, cpu_us, flops"));
	assert_int_equal(run_command(&command_analyse, FIXTURE_CASE " --metric status"), EXIT_BAD_INPUT);
	assert_int_equal(run_command(&command_analyse, "no-such-case"), EXIT_BAD_INPUT);
}

static void
the_level_can_be_chosen(void **state)
{
	json_t *document;
	const json_t *comparison;

	(void)state;
	measure(10);
	document = run_json(FIXTURE_CASE " --conf 99%");
	comparison = json_array_get(json_object_get(first_item(document), "comparisons"), 0);
	assert_true(json_get_number(comparison, "level") >= 0.99);
	json_decref(document);
	document = run_json(FIXTURE_CASE);
	comparison = json_array_get(json_object_get(first_item(document), "comparisons"), 0);
	assert_true(json_get_number(comparison, "level") < 0.98);
	json_decref(document);
}

/* ---- the group report ---- */

static void
the_group_report_holds_groups_against_each_other(void **state)
{
	json_t *report, *with_first;
	const json_t *table, *group;
	double change;

	(void)state;
	measure(10);
	report = run_json(FIXTURE_CASE " --group-report");
	table = json_array_get(json_object_get(report, "treatments"), 0);
	assert_string_equal(json_get_text(table, "check"), "PASS");
	assert_int_equal(json_array_size(json_object_get(table, "groups")), 10);
	assert_int_equal(json_get_integer(table, "first", 0), 2);
	group = json_array_get(json_object_get(table, "groups"), 0);
	assert_int_equal(json_get_integer(group, "n", 0), 5);
	assert_int_equal(json_get_integer(group, "kept", 0), 4); /* the spike is left out */
	assert_true(json_is_null(json_object_get(group, "vs_overall")));
	group = json_array_get(json_object_get(table, "groups"), 1);
	assert_true(json_is_number(json_object_get(group, "vs_overall")));
	assert_true(json_is_null(json_object_get(group, "vs_before")));
	change = json_get_number(json_array_get(json_object_get(table, "groups"), 2), "median") -
		 json_get_number(group, "median");
	group = json_array_get(json_object_get(table, "groups"), 2);
	assert_true(fabs(json_get_number(group, "vs_before") -
			 change / json_get_number(json_object_get(table, "overall"), "median")) < 1e-12);
	assert_int_equal(json_get_integer(json_object_get(table, "overall"), "kept", 0), 9 * 4);
	json_decref(report);
	with_first = run_json(FIXTURE_CASE " --include-first-group --trim 2");
	table = json_array_get(json_object_get(with_first, "treatments"), 0);
	assert_int_equal(json_get_integer(json_object_get(table, "overall"), "kept", 0), 10 * 5);
	json_decref(with_first);
	/* 2000 to 2004: off by more than 0.05 % from each other */
	assert_int_equal(run_command(&command_analyse, FIXTURE_CASE " --tol 0.05"), EXIT_NOT_HELD);
	assert_non_null(strstr(run_output, "FAIL"));
	assert_non_null(strstr(run_output, "<--"));
}

/* ---- data measured elsewhere ---- */

#define FOREIGN "--csv pairs.csv --a a --b b"

static void
write_pairs(void)
{
	struct buffer out = BUFFER_EMPTY;
	int i;

	buffer_puts(&out, "a,b,first\n");
	for (i = 0; i < 12; i++)
		buffer_printf(&out, "%d,%d,%s\n", 2000 + i % 5, 1000 + i % 3, i % 2 == 0 ? "AB" : "BA");
	assert_int_equal(file_write("pairs.csv", out.bytes, out.length, 0, NULL), 0);
	buffer_free(&out);
}

static const json_t *
result(const json_t *document, const char *method)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(document, "results"), i, one)
		if (strncmp(json_get_text(one, "method"), method, strlen(method)) == 0)
			return one;
	fail_msg("no result '%s'", method);
	return NULL;
}

static bool
is_available(const json_t *document, const char *method)
{
	return json_is_true(json_object_get(result(document, method), "available"));
}

static void
unknown_order_refuses_what_rests_on_it_with_the_reason(void **state)
{
	json_t *answer;

	(void)state;
	write_pairs();
	answer = run_json(FOREIGN);
	assert_false(is_available(answer, "crossover"));
	assert_string_equal(json_get_text(result(answer, "crossover"), "reason"),
			    "the run order or the pairing is unknown");
	assert_true(json_is_null(json_object_get(result(answer, "crossover"), "speedup")));
	assert_true(json_is_null(json_object_get(result(answer, "crossover"), "p")));
	assert_false(is_available(answer, "slot effect"));
	assert_false(is_available(answer, "rank swap"));
	assert_false(is_available(answer, "drift of a"));
	assert_false(is_available(answer, "dependence of the runs of b"));
	assert_true(is_available(answer, "signed rank"));
	assert_true(is_available(answer, "paired t"));
	assert_true(is_available(answer, "sign test"));
	assert_true(fabs(json_get_number(result(answer, "signed rank"), "speedup") - 2) < 0.01);
	json_decref(answer);
	run_ok(FOREIGN);
	assert_non_null(strstr(run_output, "refused: the run order or the pairing is unknown"));
}

static void
a_known_order_allows_the_primary_analysis(void **state)
{
	json_t *answer;

	(void)state;
	write_pairs();
	answer = run_json(FOREIGN " --order first");
	assert_true(is_available(answer, "crossover"));
	assert_true(fabs(json_get_number(result(answer, "crossover"), "speedup") - 2) < 0.01);
	assert_true(json_get_number(result(answer, "crossover"), "speedup_lo") > 1.9);
	assert_true(is_available(answer, "rank swap"));
	assert_false(is_available(answer, "drift of a")); /* that is another order */
	json_decref(answer);
	answer = run_json(FOREIGN " --run-order");
	assert_true(is_available(answer, "drift of a"));
	assert_false(is_available(answer, "crossover"));
	json_decref(answer);
}

static void
unpaired_data_get_no_paired_test(void **state)
{
	json_t *answer;

	(void)state;
	assert_int_equal(file_write("pairs.csv", "a,b\n5,2\n6,3\n7,2.5\n5.5,\n", 22, 0, NULL), 0);
	answer = run_json(FOREIGN " --unpaired");
	assert_true(is_available(answer, "Mann-Whitney"));
	assert_true(fabs(json_get_number(result(answer, "Mann-Whitney"), "p") - 2.0 / 35) < 1e-12);
	assert_true(is_available(answer, "Welch's t of the logs"));
	assert_false(is_available(answer, "signed rank"));
	assert_false(is_available(answer, "paired t"));
	assert_false(is_available(answer, "crossover"));
	json_decref(answer);
}

static void
wrong_foreign_data_are_told_with_the_line(void **state)
{
	(void)state;
	write_pairs();
	assert_int_equal(run_command(&command_analyse, "--csv pairs.csv --a a --b c"), EXIT_BAD_INPUT);
	assert_non_null(strstr(run_errors, "no column 'c'; there are: a, b, first"));
	assert_int_equal(run_command(&command_analyse, FOREIGN " --order b"), EXIT_BAD_INPUT);
	assert_non_null(strstr(run_errors, "pairs.csv:2: '1000' in column 'b' must be AB"));
	assert_int_equal(file_write("pairs.csv", "a,b\n1,2\nx,3\n", 12, 0, NULL), 0);
	assert_int_equal(run_command(&command_analyse, FOREIGN), EXIT_BAD_INPUT);
	assert_non_null(strstr(run_errors, "pairs.csv:3: 'x' in column 'a' is no number"));
}

/* No value is made up: zeros, too few, all equal. */
static void
degenerate_foreign_data_are_unavailable(void **state)
{
	static const char *const files[] = {"a,b\n", "a,b\n1,2\n", "a,b\n1,1\n1,1\n1,1\n", "a,b\n0,1\n2,3\n",
					    "a,b\n-1,1\n2,3\n", "a,b\n1e-300,1e300\n1e300,1e-300\n"};
	static const char *const ways[] = {FOREIGN, FOREIGN " --unpaired", FOREIGN " --run-order"};
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof files / sizeof *files; i++)
		for (k = 0; k < sizeof ways / sizeof *ways; k++) {
			assert_int_equal(file_write("pairs.csv", files[i], strlen(files[i]), 0, NULL), 0);
			run_ok(ways[k]);
			assert_null(strstr(run_output, "nan"));
			assert_null(strstr(run_output, "inf"));
		}
}

static void
nonsense_is_a_usage_error(void **state)
{
	static const char *const wrong[] = {"", "a b", "c --stat modus", "c --trim 0.5", "c --conf 1",
					    "c --tol x", "c --order first", "--csv f --a x", "--study more",
					    FOREIGN " --unpaired --order first", "c --nonsense"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (run_command(&command_analyse, wrong[i]) != EXIT_USAGE)
			fail_msg("'%s' is taken", wrong[i]);
}

static int
end(void **state)
{
	run_free();
	return fixture_end(state);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_begin, end)
	const struct CMUnitTest tests[] = {
		TEST(exploring_writes_nothing_and_is_no_look),
		TEST(the_graphs_edge_is_a_look),
		TEST(the_statistic_and_the_trim_can_be_chosen),
		TEST(another_metric_can_be_chosen_and_a_wrong_one_lists_them),
		TEST(the_level_can_be_chosen),
		TEST(the_group_report_holds_groups_against_each_other),
		TEST(unknown_order_refuses_what_rests_on_it_with_the_reason),
		TEST(a_known_order_allows_the_primary_analysis),
		TEST(unpaired_data_get_no_paired_test),
		TEST(wrong_foreign_data_are_told_with_the_line),
		TEST(degenerate_foreign_data_are_unavailable),
		TEST(nonsense_is_a_usage_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
