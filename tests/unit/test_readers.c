#include "case_fixture.h"

#include <lauxlib.h>
#include <lualib.h>
#include <math.h>

#include "base/buffer.h"
#include "base/item_filter.h"
#include "base/lua_pattern.h"
#include "session/judge.h"
#include "store/google_benchmark.h"
#include "store/output_patterns.h"
#include "store/reader.h"

/* ---- Google Benchmark ---- */

static char gb[] = "google-benchmark", pat[] = "patterns";

struct scene {
	struct plan plan;
	struct record record;
	struct reading reading;
	struct setting metric[2], pattern[2];
};

static void
end(struct scene *scene)
{
	reading_free(&scene->reading);
	free(scene->record.stdout_bytes);
	free(scene->record.status);
	free(scene->record.reason);
}

static void
read_text(struct scene *scene, char *items, const char *output, size_t length)
{
	static char lower[] = "lower", wall[] = "wall_us", counter[] = "items_per_second";

	memset(scene, 0, sizeof *scene);
	scene->metric[0] = (struct setting){wall, lower};
	scene->metric[1] = (struct setting){counter, lower};
	scene->plan.reader = gb;
	scene->plan.items = items;
	scene->plan.metrics = (struct settings){scene->metric, 2};
	scene->record.stdout_bytes = memory_copy_span(output, length);
	scene->record.stdout_length = length;
	google_benchmark_read(&scene->plan, &scene->record, &scene->reading);
}

#define ROW(name, rest) "{ \"name\": \"" name "\", \"run_name\": \"" name "\", \"run_type\": \"iteration\", " rest " }"
#define TIME(ns) "\"real_time\": " ns ", \"cpu_time\": 1, \"time_unit\": \"ns\""
#define ALL(rows) "{ \"context\": { \"num_cpus\": 2 }, \"benchmarks\": [" rows "] }\n"

static void
read_rows(struct scene *scene, const char *output)
{
	read_text(scene, NULL, output, strlen(output));
}

static void
benchmarks_are_items_and_repetitions_are_samples(void **state)
{
	struct scene s;

	(void)state;
	read_rows(&s, "some words first\n" ALL(
		ROW("BM_a", TIME("1500") ", \"items_per_second\": 5e3, \"other\": 1") ","
		ROW("BM_b<int>/8", "\"real_time\": 2, \"cpu_time\": 1.5, \"time_unit\": \"ms\"") ","
		ROW("BM_a", TIME("1600")) ","
		"{ \"name\": \"BM_a_mean\", \"run_name\": \"BM_a\", \"run_type\": \"aggregate\", " TIME("1550") " },"
		"{ \"name\": \"BM_a_BigO\", \"run_type\": \"aggregate\", \"big_o\": \"(1)\" }")
		"and some after");
	assert_null(s.reading.problem);
	assert_int_equal(s.reading.count, 3);
	assert_string_equal(s.reading.samples[0].item, "BM_a");
	assert_string_equal(s.reading.samples[1].item, "BM_a");
	assert_string_equal(s.reading.samples[2].item, "BM_b<int>/8");
	assert_true(s.reading.samples[0].wall_us == 1.5 && s.reading.samples[1].wall_us == 1.6);
	assert_true(s.reading.samples[2].wall_us == 2000 && s.reading.samples[2].cpu_us == 1500);
	assert_int_equal(s.reading.samples[0].value_count, 1); /* what the plan names, no other */
	assert_true(s.reading.samples[0].values[0].value == 5000);
	assert_int_equal(s.reading.samples[1].value_count, 0);
	end(&s);
}

static void
items_are_chosen_by_their_whole_name(void **state)
{
	static char items[] = "BM_(a|b/.*)";
	const char *output = ALL(ROW("BM_a", TIME("1")) "," ROW("BM_ab", TIME("1")) ","
				 ROW("BM_b/1", TIME("1")) "," ROW("xBM_a", TIME("1")));
	struct scene s;

	(void)state;
	read_text(&s, items, output, strlen(output));
	assert_int_equal(s.reading.count, 2);
	assert_string_equal(s.reading.samples[1].item, "BM_b/1");
	end(&s);
}

static void
an_item_fails_by_itself(void **state)
{
	struct scene s;

	(void)state;
	read_rows(&s, ALL(ROW("BM_a", TIME("1")) ","
			  ROW("BM_bad", "\"error_occurred\": true, \"error_message\": \"no file\", " TIME("0")) ","
			  ROW("BM_half", TIME("1")) ","
			  ROW("BM_half", "\"error_occurred\": true, " TIME("1")) ","
			  ROW("BM_nan", TIME("NaN")) "," ROW("BM_zero", TIME("0")) ","
			  ROW("BM_none", "\"time_unit\": \"ns\"") ","
			  ROW("BM_unit", "\"real_time\": 1, \"time_unit\": \"weeks\"") ","
			  ROW("BM_skipped", "\"skipped\": true, \"skip_message\": \"no GPU\", " TIME("0"))));
	assert_null(s.reading.problem);
	assert_int_equal(s.reading.count, 1);
	assert_string_equal(s.reading.samples[0].item, "BM_a");
	assert_int_equal(s.reading.failure_count, 6);
	assert_string_equal(s.reading.failures[0].item, "BM_bad");
	assert_string_equal(s.reading.failures[0].reason, "no file");
	assert_string_equal(s.reading.failures[1].item, "BM_half");
	assert_string_equal(s.reading.failures[2].item, "BM_nan");
	assert_non_null(strstr(s.reading.failures[5].reason, "time_unit"));
	end(&s);
}

static void
two_benchmarks_of_one_name_are_two_items(void **state)
{
	struct scene s;

	(void)state;
	read_rows(&s, ALL(ROW("BM_a", "\"family_index\": 0, " TIME("1")) ","
			  ROW("BM_a", "\"family_index\": 1, " TIME("7")) ","
			  ROW("BM_a", "\"family_index\": 0, " TIME("2"))));
	assert_int_equal(s.reading.count, 3);
	assert_string_equal(s.reading.samples[1].item, "BM_a");
	assert_string_equal(s.reading.samples[2].item, "BM_a #2");
	assert_true(s.reading.samples[2].wall_us == 0.007);
	end(&s);
}

/* What the library itself writes where a counter divides by nothing. */
static void
values_that_are_no_numbers_are_not_given(void **state)
{
	struct scene s;

	(void)state;
	read_rows(&s, ALL(ROW("BM_NaN \\\" Infinity", TIME("1") ", \"items_per_second\": NaN, \"x\": -Infinity")));
	assert_null(s.reading.problem);
	assert_int_equal(s.reading.count, 1);
	assert_string_equal(s.reading.samples[0].item, "BM_NaN \" Infinity");
	assert_int_equal(s.reading.samples[0].value_count, 0);
	end(&s);
}

static void
expect_problem(const char *output, const char *words)
{
	struct scene s;

	read_rows(&s, output);
	if (s.reading.problem == NULL || strstr(s.reading.problem, words) == NULL)
		fail_msg("%s\ngives '%s', not '%s'", output, s.reading.problem, words);
	assert_int_equal(s.reading.count, 0);
	end(&s);
}

static void
broken_output_says_how(void **state)
{
	(void)state;
	expect_problem("", "no JSON");
	expect_problem("Benchmark   Time\nBM_a   5 ns\n", "no JSON");
	expect_problem("{", "broken in its line 1");
	expect_problem("{ \"benchmarks\": 5 }", "no list");
	expect_problem("{ }", "no list");
	expect_problem(ALL("5"), "benchmark 1 in the JSON is no object");
	expect_problem(ALL("{}"), "run_type");
	expect_problem(ALL(ROW("BM_a", TIME("1")) ", { \"run_type\": \"iteration\", " TIME("1") " }"),
		       "benchmark 2 in the JSON has no name");
	expect_problem(ALL(ROW("BM\\na", TIME("1"))), "no name that can be used");
	expect_problem(ALL(ROW("BM_a", TIME("1e999"))), "broken");
	expect_problem(ALL(ROW("BM_a", TIME("1") ", \"real_time\": 2")), "duplicate");
	expect_problem(ALL(ROW("BM_\xff", TIME("1"))), "0xff");
}

/* No cut makes the rest look whole, and none reads past its end (the sanitizer would tell). */
static void
truncated_output_is_broken_at_every_length(void **state)
{
	const char *output = ALL(ROW("BM_a \\\"", TIME("1.5e-3") ", \"x\": NaN") "," ROW("BM_b", TIME("2")));
	size_t whole = strlen(output) - 1, length;
	struct scene s;

	(void)state;
	for (length = 0; length < whole; length++) {
		read_text(&s, NULL, output, length);
		assert_non_null(s.reading.problem);
		end(&s);
	}
}

static void
huge_numbers_do_no_harm(void **state)
{
	struct scene s;

	(void)state;
	read_rows(&s, ALL(ROW("BM_a", TIME("1e300") ", \"iterations\": 123456789012345678901234567890") ","
			  ROW("BM_b", "\"real_time\": 1e306, \"time_unit\": \"s\"")));
	assert_null(s.reading.problem);
	assert_int_equal(s.reading.count, 1);
	assert_true(s.reading.samples[0].wall_us == 1e297);
	assert_int_equal(s.reading.failure_count, 1); /* more microseconds than a double holds */
	end(&s);
}

static void
ten_thousand_items_are_read(void **state)
{
	struct buffer output = BUFFER_EMPTY;
	struct scene s;
	int i;

	(void)state;
	buffer_puts(&output, "{ \"benchmarks\": [");
	for (i = 0; i < 20000; i++)
		buffer_printf(&output, "%s{ \"name\": \"BM_%d\", \"run_type\": \"iteration\", \"real_time\": %d, "
			      "\"time_unit\": \"us\" }", i > 0 ? "," : "", i % 10000, i + 1);
	buffer_puts(&output, "] }");
	read_rows(&s, buffer_text(&output));
	assert_null(s.reading.problem);
	assert_int_equal(s.reading.count, 20000);
	assert_string_equal(s.reading.samples[19998].item, "BM_9999");
	assert_true(s.reading.samples[19998].wall_us == 10000 && s.reading.samples[19999].wall_us == 20000);
	end(&s);
	buffer_free(&output);
}

/* ---- a group's judgement ---- */

static void
judge(struct scene *scene)
{
	static char primary[] = "wall_us";

	scene->plan.primary = primary;
	scene->plan.treatments = memory_zeroed(1, sizeof *scene->plan.treatments);
	scene->plan.treatments[0].expect_len = scene->plan.treatments[0].expect_iters = -1;
	scene->plan.treatment_count = 1;
	scene->record.result.end = LAUNCH_EXITED;
	judge_group(&scene->plan, &scene->record);
	free(scene->plan.treatments);
}

static void
a_group_is_ok_while_one_item_is(void **state)
{
	struct scene s;

	(void)state;
	read_rows(&s, ALL(ROW("BM_a", TIME("1")) "," ROW("BM_bad", "\"error_occurred\": true, "
			  "\"error_message\": \"no file\"")));
	judge(&s);
	assert_string_equal(s.record.status, "ok");
	assert_string_equal(s.record.reason, "item BM_bad failed: no file");
	end(&s);
	read_rows(&s, ALL(ROW("BM_bad", "\"error_occurred\": true, \"error_message\": \"no file\"")));
	judge(&s);
	assert_string_equal(s.record.status, "invalid");
	assert_string_equal(s.record.reason, "BM_bad: no file");
	end(&s);
}

/* ---- patterns over the output ---- */

static void
search(struct scene *scene, const char *first, const char *second, const char *output)
{
	memset(scene, 0, sizeof *scene);
	scene->pattern[0] = (struct setting){text("first"), text("%s", first)};
	scene->pattern[1] = (struct setting){text("second"), text("%s", second != NULL ? second : "")};
	scene->plan.reader = pat;
	scene->plan.patterns = (struct settings){scene->pattern, second != NULL ? 2 : 1};
	scene->record.stdout_bytes = memory_copy_text(output);
	scene->record.stdout_length = strlen(output);
	output_patterns_read(&scene->plan, &scene->record, &scene->reading);
}

static void
each_match_is_a_sample(void **state)
{
	struct scene s;

	(void)state;
	search(&s, "latency: ([%d.]+)", "rate (%S+)",
	       "latency: 5.25 us\r\nnoise\nlatency: 6 latency: 1e3\nrate 1e3 rate -2.5\nno newline: latency: 7");
	assert_null(s.reading.problem);
	assert_int_equal(s.reading.count, 4);
	assert_true(isnan(s.reading.samples[0].wall_us));
	assert_true(s.reading.samples[0].values[0].value == 5.25);
	assert_true(s.reading.samples[0].values[1].value == 1000);
	assert_true(s.reading.samples[1].values[1].value == -2.5);
	assert_true(s.reading.samples[2].values[0].value == 1);
	assert_int_equal(s.reading.samples[3].value_count, 1);
	end(&s);
}

static void
expect_no_value(const char *pattern, const char *output, const char *words)
{
	struct scene s;

	search(&s, pattern, NULL, output);
	if (s.reading.problem == NULL || strstr(s.reading.problem, words) == NULL)
		fail_msg("%s gives '%s', not '%s'", pattern, s.reading.problem, words);
	assert_int_equal(s.reading.count, 0);
	end(&s);
}

static void
what_is_no_value_is_a_problem(void **state)
{
	char *long_line = memory_zeroed(20001, 1);

	(void)state;
	expect_no_value("p99: (%d+)", "p98: 5\n", "no line of the output matches the pattern of first");
	expect_no_value("p99: (%d+)", "", "no line");
	expect_no_value("p99: (%S+)", "ok\np99: 1,234\n", "line 2 of the output: what the pattern of first captures, \"1,234\"");
	expect_no_value("p99: (%S+)", "p99: nan\n", "no decimal number");
	expect_no_value("p99: (%S+)", "p99: 0x10\n", "no decimal number");
	expect_no_value("p99: (%S+)", "p99: 1e999\n", "no decimal number");
	expect_no_value("(%d*)$", "1 2\n", "\"\""); /* the empty match behind the last one */
	memset(long_line, 'a', 20000);
	expect_no_value("a*a*a*a*(b)", long_line, "takes too long");
	free(long_line);
}

/* ---- the matcher, against Lua's own ---- */

static int
find_in_lua(lua_State *L)
{
	lua_getglobal(L, "string");
	lua_getfield(L, -1, "find");
	lua_pushvalue(L, 1);
	lua_pushvalue(L, 2);
	lua_call(L, 2, LUA_MULTRET);
	return lua_gettop(L) - 3;
}

/* Both find the same in it, with the same captures; patterns that ours refuses Lua may take. */
static void
compare(lua_State *L, const char *pattern, const char *subject)
{
	long long steps = 1000000;
	struct lua_pattern_match match;
	enum lua_pattern_result found;
	int k;

	if (lua_pattern_check(pattern, NULL) != NULL)
		return;
	found = lua_pattern_find(pattern, subject, strlen(subject), 0, &steps, &match);
	lua_settop(L, 0);
	lua_pushcfunction(L, find_in_lua);
	lua_pushstring(L, subject);
	lua_pushstring(L, pattern);
	if (lua_pcall(L, 2, LUA_MULTRET, 0) != LUA_OK)
		fail_msg("Lua refuses \"%s\", which we take: %s", pattern, lua_tostring(L, -1));
	if ((found == LUA_PATTERN_FOUND) != (lua_type(L, 1) == LUA_TNUMBER))
		fail_msg("\"%s\" in \"%s\": found is %d", pattern, subject, found);
	if (found != LUA_PATTERN_FOUND)
		return;
	assert_int_equal(match.begin + 1, lua_tointeger(L, 1));
	assert_int_equal(match.end, lua_tointeger(L, 2));
	assert_int_equal(match.capture_count, lua_gettop(L) - 2);
	for (k = 0; k < match.capture_count; k++)
		if (strlen(lua_tostring(L, 3 + k)) != match.captures[k].length ||
		    memcmp(lua_tostring(L, 3 + k), match.captures[k].text, match.captures[k].length) != 0)
			fail_msg("\"%s\" in \"%s\": capture %d", pattern, subject, k + 1);
}

static void
the_matcher_finds_what_lua_finds(void **state)
{
	static const char *const pieces[] = {"a", "b", ".", "%d", "%a", "%S", "%.", "[ab]", "[^a]", "[%d.]", "[a-c]", "[]]", "(",
					     ")", "(", ")", "*", "+", "-", "?", "^", "$", "%b()", "%f[%a]", "%1", "%2", " "};
	static const char letters[] = "aabbc1 2.(])";
	lua_State *L = luaL_newstate();
	unsigned long seed = 20261201;
	int round, i;

	(void)state;
	luaL_openlibs(L);
	for (round = 0; round < 20000; round++) {
		char pattern[64] = "", subject[16];

		for (i = 0; i < 7; i++) {
			seed = seed * 6364136223846793005UL + 1442695040888963407UL;
			strcat(pattern, pieces[(seed >> 33) % (sizeof pieces / sizeof *pieces)]);
		}
		for (i = 0; i < 12; i++) {
			seed = seed * 6364136223846793005UL + 1442695040888963407UL;
			subject[i] = letters[(seed >> 33) % (sizeof letters - 1)];
		}
		subject[i] = '\0';
		compare(L, pattern, subject);
	}
	lua_close(L);
}

static void
patterns_that_cannot_be_used_are_refused(void **state)
{
	static const char *const wrong[] = {"(", ")", "(()", "[", "[]", "[^]", "[a%", "%", "a%", "%b", "%bx", "%f",
					    "%fx", "%1", "(a%1)", "()", "%0"};
	int captures;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (lua_pattern_check(wrong[i], NULL) == NULL)
			fail_msg("\"%s\" is taken", wrong[i]);
	assert_null(lua_pattern_check("^(%d+) %(([%a()]-)%)$", &captures));
	assert_int_equal(captures, 2);
}

/* ---- the protocol, divided by the work ---- */

static void
judge_text(struct scene *scene, double flops, const char *output)
{
	static char protocol[] = "protocol", name[] = "wall_us_per_flop", wall[] = "wall_us", lower[] = "lower";
	static struct plan_treatment treatment;

	memset(scene, 0, sizeof *scene);
	treatment = (struct plan_treatment){.expect_len = -1, .expect_iters = -1, .expect_flops = flops};
	scene->metric[0] = (struct setting){name, lower};
	scene->pattern[0] = (struct setting){name, wall};
	scene->plan = (struct plan){.reader = protocol, .primary = name, .metrics = {scene->metric, 1},
				    .divided = {scene->pattern, 1}, .treatments = &treatment,
				    .treatment_count = 1};
	scene->record.result.end = LAUNCH_EXITED;
	scene->record.stdout_bytes = memory_copy_text(output);
	scene->record.stdout_length = strlen(output);
	judge_group(&scene->plan, &scene->record);
	reader_find(protocol)->read(&scene->plan, &scene->record, &scene->reading);
}

static void
times_are_divided_by_the_work_that_cfg_tells(void **state)
{
	struct scene s;

	(void)state;
	judge_text(&s, 2, "CFG 100 8\nRESULT 400 390 0\nRESULT 800 790 0\n");
	assert_string_equal(s.record.status, "ok");
	assert_int_equal(s.reading.count, 2);
	assert_string_equal(s.reading.samples[0].values[0].name, "wall_us_per_flop");
	assert_true(s.reading.samples[0].values[0].value == 0.25);
	assert_true(s.reading.samples[1].values[0].value == 0.5);
	assert_true(s.reading.samples[0].wall_us == 400);
	end(&s);
	judge_text(&s, 0, "CFG 100 8\nRESULT 400 390 0\n"); /* not declared: an operation an element */
	assert_true(s.reading.samples[0].values[0].value == 0.5);
	end(&s);
}

static void
without_cfg_there_is_no_work_to_divide_by(void **state)
{
	struct scene s;

	(void)state;
	judge_text(&s, 2, "RESULT 400 390 0\n");
	assert_string_equal(s.record.status, "invalid");
	assert_non_null(strstr(s.record.reason, "no CFG line tells the work"));
	assert_int_equal(s.reading.count, 0);
	end(&s);
	judge_text(&s, 2, "CFG 0 8\nRESULT 400 390 0\n");
	assert_string_equal(s.record.status, "invalid");
	end(&s);
}

static void
the_filter_is_a_regular_expression_over_whole_names(void **state)
{
	static const char *const wrong[] = {"(", "a)(b", "[", "(a)\\1"};
	struct item_filter filter;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char *problem = item_filter_open(wrong[i], &filter);

		if (problem == NULL)
			fail_msg("\"%s\" is taken", wrong[i]);
		free(problem);
	}
	assert_null(item_filter_open("a|bc", &filter));
	assert_true(item_filter_takes(&filter, "bc"));
	assert_false(item_filter_takes(&filter, "abc"));
	item_filter_close(&filter);
	assert_null(item_filter_open(NULL, &filter));
	assert_true(item_filter_takes(&filter, "anything"));
	item_filter_close(&filter);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(benchmarks_are_items_and_repetitions_are_samples),
		cmocka_unit_test(items_are_chosen_by_their_whole_name),
		cmocka_unit_test(an_item_fails_by_itself),
		cmocka_unit_test(two_benchmarks_of_one_name_are_two_items),
		cmocka_unit_test(values_that_are_no_numbers_are_not_given),
		cmocka_unit_test(broken_output_says_how),
		cmocka_unit_test(truncated_output_is_broken_at_every_length),
		cmocka_unit_test(huge_numbers_do_no_harm),
		cmocka_unit_test(ten_thousand_items_are_read),
		cmocka_unit_test(a_group_is_ok_while_one_item_is),
		cmocka_unit_test_setup_teardown(each_match_is_a_sample, fixture_begin, fixture_end),
		cmocka_unit_test_setup_teardown(what_is_no_value_is_a_problem, fixture_begin, fixture_end),
		cmocka_unit_test(the_matcher_finds_what_lua_finds),
		cmocka_unit_test(patterns_that_cannot_be_used_are_refused),
		cmocka_unit_test(times_are_divided_by_the_work_that_cfg_tells),
		cmocka_unit_test(without_cfg_there_is_no_work_to_divide_by),
		cmocka_unit_test(the_filter_is_a_regular_expression_over_whole_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
