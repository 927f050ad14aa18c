#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "schedule/plan.h"

/* Each test runs in a folder of its own. */
static int
enter_folder(void **state)
{
	static char folder[64];

	strcpy(folder, "/tmp/assay-plan-XXXXXX");
	*state = folder;
	return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int
leave_folder(void **state)
{
	return chdir("/") != 0 || file_remove_tree(*state, NULL) != 0;
}

/* A program's settings, in an order that is not the sorted one. */
static struct setting environment[] = {{(char *)"ZED", (char *)"1"}, {(char *)"ALPHA", (char *)"a=b\n"}};
static char *args[] = {(char *)"--n=16384", (char *)"", (char *)"\xc3\xa4 \"quoted\""};
static char *set[] = {(char *)"two_loops", (char *)"fused"};
static struct texts sets[] = {{set, 2}};
static struct program programs[] = {{.name = (char *)"lab", .path = (char *)"build/bin/lab", .built = true},
				    {.name = (char *)"gpu", .path = (char *)"build/bin/gpu",
				     .identity = PROGRAM_BY_INPUTS, .identity_inputs = {set, 2},
				     .identity_command = (char *)"nvcc -O3"}};
static struct treatment treatments[] = {
	{.name = (char *)"two_loops", .variant = (char *)"two_loops", .args = {args, 3},
	 .env = {environment, 2}, .expect_mode = (char *)"two_loops"},
	{.name = (char *)"fused", .variant = (char *)"fused", .program = 1, .stdin_path = (char *)"data/x.gz",
	 .cwd = (char *)"data", .cpus = (char *)"4 cores", .inputs = {args, 1}, .lowers_scale = true, .ignore_exit = true}};
static struct comparison comparisons[] = {{0, 1}};
static struct metric metrics[] = {{.name = (char *)"wall_us", .lower_is_better = true},
				  {.name = (char *)"rate", .pattern = (char *)"rate (%d+)"}};

static void
make_plan(struct plan *plan)
{
	struct point_value n = {(char *)"n", json_integer(16384), (char *)"16384"};
	struct study_case one = {.case_id = (char *)"fused-1", .point = {&n, 1},
				 .cpus = (char *)"2 cores", .treatments = treatments,
				 .treatment_count = 2};
	struct experiment experiment = {.name = (char *)"fused", .metrics = metrics, .metric_count = 2,
					.cpus = (char *)"{threads} cores", .reader = (char *)"protocol",
					.comparisons = comparisons, .comparison_count = 1};
	struct study study = {.programs = programs, .program_count = 2};

	treatments[0].expect_cfg = json_pack("[i, I]", 16384, (json_int_t)1 << 40);
	experiment.design = (struct design){.pairs = 16, .aa_pairs = 4, .warmups = 1, .samples = 10,
					    .warmup_samples = 1, .timeout_s = 0.1,
					    .aa_first = true, .seed = UINT64_MAX - 5,
					    .max_failures = 3, .output_limit_bytes = 1LL << 40,
					    .stop = STOP_UNTIL_CI, .until_ci = 0.01,
					    .max_pairs = 64, .trimmed_mean = true, .margin = 1e-300};
	experiment.check = (struct group_check){.equal = true, .relative = 1.0 / 3, .exit_code = -1,
						.among = {sets, 1}};
	experiment.group_report = (struct group_report){.wanted = true, .metric = (char *)"rate",
							.statistic = (char *)"geomean", .trim = 1.2,
							.tolerance = 1.0 / 30, .counts_first = true};
	treatments[0].expect_flops = 2;
	treatments[1].blocked = (struct point){&n, 1};
	plan_from_case(&study, &experiment, &one, plan);
	json_decref(n.value);
	json_decref(treatments[0].expect_cfg);
}

static void
model_becomes_a_plan(void **state)
{
	struct plan plan;

	(void)state;
	make_plan(&plan);
	assert_string_equal(plan.case_id, "fused-1");
	assert_string_equal(plan.treatments[0].env.items[0].name, "ALPHA");
	assert_int_equal(plan.treatments[0].expect_iters, 1LL << 40);
	assert_int_equal(plan.treatments[1].expect_len, -1);
	assert_true(plan.treatments[1].program.by_inputs);
	assert_string_equal(plan.treatments[0].program.identity_command, "");
	assert_string_equal(plan.primary, "wall_us");
	assert_string_equal(plan.cpus, "2 cores");
	assert_string_equal(plan_cpus(&plan, 0), "2 cores");
	assert_string_equal(plan_cpus(&plan, 1), "4 cores");
	assert_string_equal(plan_cpus(&plan, 2), "2 cores"); /* A' as A */
	assert_int_equal(plan_cores("4 cores"), 4);
	assert_int_equal(plan_cores("last"), 1);
	assert_int_equal(plan_cores("none"), 0);
	assert_string_equal(plan.metrics.items[0].name, "rate");
	assert_string_equal(plan.metrics.items[0].value, "higher");
	assert_int_equal(plan.patterns.count, 1);
	plan_free(&plan);
}

/* Written, read and written again: the same value and the same bytes. */
static void
round_trip_is_exact(void **state)
{
	struct chunk chunks[] = {{16, 4, 0xfedcba98}, {8, 2, UINT64_MAX}};
	struct buffer first = BUFFER_EMPTY, second = BUFFER_EMPTY;
	struct plan plan, again;
	struct error error = {0};

	(void)state;
	make_plan(&plan);
	plan.chunks = malloc(sizeof chunks);
	memcpy(plan.chunks, chunks, sizeof chunks);
	plan.chunk_count = 2;
	assert_int_equal(plan_write("a/plan.json", &plan, 0, &error), 0);
	assert_int_equal(plan_read("a/plan.json", &again, &error), 0);
	assert_int_equal(plan_write("b/plan.json", &again, 0, &error), 0);
	file_read("a/plan.json", 0, &first, NULL);
	file_read("b/plan.json", 0, &second, NULL);
	assert_string_equal(first.bytes, second.bytes);
	assert_memory_equal(again.chunks, chunks, sizeof chunks);
	assert_true(again.check.relative == 1.0 / 3);
	assert_string_equal(again.treatments[1].cpus, "4 cores");
	assert_int_equal(json_integer_value(json_object_get(again.treatments[1].blocked, "n")), 16384);
	assert_null(again.treatments[0].cpus);
	assert_true(again.group_report.wanted && again.group_report.counts_first);
	assert_true(again.group_report.tolerance == 1.0 / 30 && again.treatments[0].expect_flops == 2);
	assert_string_equal(again.group_report.statistic, "geomean");
	assert_string_equal(again.check.among.sets[0].items[1], "fused");
	assert_string_equal(again.treatments[0].args.items[2], "\xc3\xa4 \"quoted\"");
	assert_string_equal(again.treatments[0].env.items[0].value, "a=b\n");
	assert_null(again.treatments[0].stdin_path);
	assert_string_equal(again.treatments[1].stdin_path, "data/x.gz");
	assert_null(again.items);
	buffer_free(&first);
	buffer_free(&second);
	plan_free(&plan);
	plan_free(&again);
}

static void
unchanged_plan_keeps_its_time(void **state)
{
	struct file_signature before, after;
	struct plan plan;

	(void)state;
	make_plan(&plan);
	plan_write("plan.json", &plan, FILE_IF_CHANGED, NULL);
	file_signature("plan.json", &before);
	plan_write("plan.json", &plan, FILE_IF_CHANGED, NULL);
	file_signature("plan.json", &after);
	assert_true(file_signature_equal(&before, &after));
	plan_free(&plan);
}

/* Replaces the line that starts (after spaces) with `start` by `line`, "" to drop it; returns
 * its number. */
static int
damage(const char *start, const char *line)
{
	struct buffer old = BUFFER_EMPTY, out = BUFFER_EMPTY;
	char *rest, *one;
	int number = 0, found = 0;

	file_read("plan.json", 0, &old, NULL);
	for (rest = old.bytes; (one = strsep(&rest, "\n")) != NULL && rest != NULL;) {
		bool hit = found == 0 && strncmp(one + strspn(one, " "), start, strlen(start)) == 0;

		number++;
		found = hit ? number : found;
		buffer_printf(&out, hit && line[0] == '\0' ? "%s" : "%s\n", hit ? line : one);
	}
	file_write("bad.json", out.bytes, out.length, 0, NULL);
	buffer_free(&old);
	buffer_free(&out);
	return found;
}

static void
bad_plan_names_its_line(void **state)
{
	static const struct {
		const char *start, *line, *tells;
	} cases[] = {
		{"\"pairs\"", "\"pairs\": \"many\",", "design.pairs"},
		{"\"pairs\"", "\"pairs\": -1,", "design.pairs"},
		{"\"pairs\"", "\"pairs\": 99999999999,", "from 0 to 2147483647"},
		{"\"stop\"", "\"stop\": \"soon\",", "until_ci"},
		{"\"order\"", "\"order\": \"random\",", "\"balanced\" or \"alternate\""},
		{"\"b\"", "\"b\": 2", "comparisons[0].b"},
		{"\"cpus\"", "\"cpus\": null,", "'cpus' must be a text"},
		{"\"format\"", "\"format\": \"assay-plan-9\",", "assay-plan-1"},
		{"\"expect_mode\"", "\"expect_mode\": 7,", "treatments[0].expect_mode"},
		{"\"--n=16384\"", "3,", "treatments[0].args"},
		{"\"pairs\"", "\"pairs\": 1, \"pairs\": 2,", "duplicate"},
		{"\"timeout_s\"", "\"timeout_s\": soon,", "not valid JSON"},
	};
	struct plan plan;
	size_t i;

	(void)state;
	make_plan(&plan);
	plan_write("plan.json", &plan, 0, NULL);
	plan_free(&plan);
	for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct error error = {0};
		int line = damage(cases[i].start, cases[i].line);

		assert_true(line > 0);
		assert_int_equal(plan_read("bad.json", &plan, &error), -1);
		assert_int_equal(error.code, EXIT_BAD_INPUT);
		assert_string_equal(error.file, "bad.json");
		if (strstr(cases[i].tells, ".args") == NULL) /* the list is named, not the item */
			assert_int_equal(error.line, line);
		assert_non_null(strstr(error.message, cases[i].tells));
	}
}

static void
missing_member_names_the_object(void **state)
{
	struct error error = {0};
	struct plan plan;
	int line;

	(void)state;
	make_plan(&plan);
	plan_write("plan.json", &plan, 0, NULL);
	plan_free(&plan);
	line = damage("\"aa_pairs\"", "");
	assert_int_equal(plan_read("bad.json", &plan, &error), -1);
	assert_non_null(strstr(error.message, "'design.aa_pairs' is missing"));
	assert_in_range(error.line, line - 2, line); /* where "design" opens */
}

static void
missing_file_is_named(void **state)
{
	struct error error = {0};
	struct plan plan;

	(void)state;
	assert_int_equal(plan_read("none.json", &plan, &error), -1);
	assert_non_null(strstr(error.message, "none.json"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(model_becomes_a_plan),
		cmocka_unit_test_setup_teardown(round_trip_is_exact, enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(unchanged_plan_keeps_its_time, enter_folder,
						leave_folder),
		cmocka_unit_test_setup_teardown(bad_plan_names_its_line, enter_folder, leave_folder),
		cmocka_unit_test_setup_teardown(missing_member_names_the_object, enter_folder,
						leave_folder),
		cmocka_unit_test_setup_teardown(missing_file_is_named, enter_folder, leave_folder),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
