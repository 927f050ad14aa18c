#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "spec/case_id.h"
#include "spec/locate.h"
#include "spec/placeholder.h"
#include "spec/suggest.h"
#include "spec/text.h"

/* The pure parts of the Lua host. */

static void
test_numbers(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{16384.0, "16384"}, {-0.0, "0"}, {-3, "-3"}, {0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"},
		{1e-7, "1e-07"}, {9007199254740993.0, "9007199254740992"}, {1e15, "1000000000000000"},
		{1e300, "1e+300"}, {0.1 + 0.2, "0.30000000000000004"}, {5e-324, "4.94065645841247e-324"},
	};
	char text[TEXT_NUMBER];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		text_number(cases[i].value, text);
		assert_string_equal(text, cases[i].text);
		assert_true(strtod(text, NULL) == cases[i].value);
	}
}

static void
test_utf8(void **state)
{
	static const struct {
		const char *bytes;
		int bad;
	} cases[] = {
		{"plain", -1}, {"\xc3\xbc", -1}, {"\xf0\x9f\x98\x80", -1}, {"\xe2\x82\xac", -1},
		{"a\xff", 1}, {"\xc3", 0}, {"\xc0\xaf", 0}, {"\xed\xa0\x80", 0}, {"\xf4\x90\x80\x80", 0},
		{"ab\xe2\x82", 2}, {"\x80", 0}, {"\xe0\x80\x80", 0}, {"\xf0\x80\x80\x80", 0},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(text_bad_utf8(cases[i].bytes, strlen(cases[i].bytes)), cases[i].bad);
}

static void
test_paths(void **state)
{
	static const struct {
		const char *path, *clean; /* NULL: leads out */
	} cases[] = {
		{"a/b", "a/b"}, {"./a//b/", "a/b"}, {"a/../b", "b"}, {"a/b/../../c", "c"}, {".", "."},
		{"a/..", "."}, {"", NULL}, {"..", NULL}, {"a/../../b", NULL}, {"/x/../y/.", "/y"},
		{"/..", "/"}, {"/", "/"}, {"..x/y", "..x/y"}, {"a/...", "a/..."},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buffer out = BUFFER_EMPTY;
		bool good = text_path(cases[i].path, &out);

		assert_int_equal(good, cases[i].clean != NULL);
		if (good)
			assert_string_equal(buffer_text(&out), cases[i].clean);
		buffer_free(&out);
	}
}

static void
test_shell_words(void **state)
{
	static const struct {
		const char *text, *word;
	} cases[] = {
		{"-O2", "-O2"}, {"", "''"}, {"a b", "'a b'"}, {"it's", "'it'\\''s'"}, {"$HOME", "'$$HOME'"},
		{"-DX=\"a\"", "'-DX=\"a\"'"}, {"-I/x/y", "-I/x/y"}, {"*", "'*'"}, {"a;b", "'a;b'"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buffer out = BUFFER_EMPTY;

		text_shell_word(&out, cases[i].text);
		assert_string_equal(buffer_text(&out), cases[i].word);
		buffer_free(&out);
	}
}

static void
test_suggestions(void **state)
{
	static const char *const names[] = {"variants", "sweep", "design", "metric", "metrics", NULL, "n"};

	(void)state;
	assert_string_equal(suggest_nearest("variant", names, 7), "variants");
	assert_string_equal(suggest_nearest("seewp", names, 7), "sweep");
	assert_string_equal(suggest_nearest("metrix", names, 7), "metric");
	assert_null(suggest_nearest("colour", names, 7));
	assert_null(suggest_nearest("m", names, 7)); /* one letter for another is no likeness */
	assert_null(suggest_nearest("", names, 7));
	assert_null(suggest_nearest("x", NULL, 0));
}

static struct point
point_of(struct point_value *value)
{
	struct point point = {value, 1};

	return point;
}

static void
test_placeholders(void **state)
{
	struct point_value n = {(char *)"n", NULL, (char *)"16384"};
	struct point point = point_of(&n);
	static const struct {
		const char *template, *text; /* NULL: refused */
	} cases[] = {
		{"--n={n}", "--n=16384"}, {"{n}{n}", "1638416384"}, {"plain", "plain"}, {"{{n}}", "{n}"},
		{"{{{n}}}", "{16384}"}, {"{m}", NULL}, {"{", NULL}, {"}", NULL}, {"{n", NULL}, {"{}", NULL},
		{"{n{", NULL}, {"", ""}, {"{ n }", NULL},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buffer out = BUFFER_EMPTY, problem = BUFFER_EMPTY;
		bool good = placeholder_fill(cases[i].template, &point, &out, &problem);

		assert_int_equal(good, cases[i].text != NULL);
		if (good)
			assert_string_equal(buffer_text(&out), cases[i].text);
		else
			assert_true(problem.length > 0);
		buffer_free(&out);
		buffer_free(&problem);
	}
}

static char *
id_of(const char *experiment, const char *name, json_t *value, const char *text)
{
	struct point_value item = {(char *)name, value, (char *)text};
	struct point point = {&item, name != NULL ? 1 : 0};
	struct buffer out = BUFFER_EMPTY;

	case_id_append(&out, experiment, &point);
	json_decref(value);
	return buffer_detach(&out);
}

static void
test_case_ids_are_safe_and_unequal(void **state)
{
	char *texts[300], *ids[300], byte[8];
	size_t i, k, count = 0;

	(void)state;
	for (i = 1; i < 128; i++) { /* every byte that a text can hold, alone */
		byte[0] = (char)i;
		byte[1] = '\0';
		texts[count++] = memory_copy_text(byte);
	}
	texts[count++] = memory_copy_text("");
	texts[count++] = memory_copy_text("..");
	texts[count++] = memory_copy_text("../../x");
	texts[count++] = memory_copy_text("\xc3\xbc\xf0\x9f\x98\x80");
	texts[count++] = memory_format("%0200d", 1);
	texts[count++] = memory_format("%0200d", 2);
	for (i = 0; i < count; i++) {
		ids[i] = id_of("e", "s", json_string(texts[i]), texts[i]);
		assert_true(strlen(ids[i]) <= CASE_ID_MAX);
		assert_int_equal(strspn(ids[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
						"0123456789._-"), strlen(ids[i]));
		assert_true(ids[i][0] != '.' && ids[i][0] != '-');
		for (k = 0; k < i; k++)
			assert_string_not_equal(ids[i], ids[k]);
	}
	for (i = 0; i < count; i++) {
		free(texts[i]);
		free(ids[i]);
	}
}

static void
test_case_id_is_of_the_exact_point(void **state)
{
	char *number = id_of("e", "n", json_integer(1), "1");
	char *text = id_of("e", "n", json_string("1"), "1");
	char *other = id_of("f", "n", json_integer(1), "1");
	char *again = id_of("e", "n", json_integer(1), "1");
	char *none = id_of("e", NULL, NULL, "");

	(void)state;
	assert_string_equal(number, again);
	assert_string_not_equal(number, text);
	assert_string_not_equal(strrchr(number, '-'), strrchr(other, '-'));
	assert_true(strncmp(none, "e-", 2) == 0);
	free(number);
	free(text);
	free(other);
	free(again);
	free(none);
}

static void
test_locate(void **state)
{
	static const char source[] = "local x = 1 -- experiment \"e\" { no = 1 }\n"
				     "experiment \"e\" {\n"
				     "    question = \"design = {\",\n"
				     "    --[[ design = ]]\n"
				     "    variants = {\n"
				     "        variant \"a\" { lab, args = {\n"
				     "            [==[ pairs = ]==],\n"
				     "            \"x\" } },\n"
				     "        variant \"b\" { lab },\n"
				     "    },\n"
				     "    derive = { m = function(p) return { pairs = 1 } end },\n"
				     "    design = {\n"
				     "        aa_pairs = 4,\n"
				     "        pairs = 5,\n"
				     "    },\n"
				     "    correct = good,\n"
				     "}\n";
	static const struct {
		int line;
		const char *callee, *name, *path;
		int at;
	} cases[] = {
		{2, "experiment", "e", "question", 3}, {2, "experiment", "e", "design", 12},
		{2, "experiment", "e", "design.pairs", 14}, {2, "experiment", "e", "design.absent", 12},
		{2, "experiment", "e", "variants", 5}, {2, "experiment", "e", "variants[2]", 9},
		{6, "variant", "a", "args[2]", 8}, {6, "variant", "a", "args", 6}, {2, "experiment", "e", "", 2},
		{2, "experiment", "e", "correct.check", 16}, {2, "experiment", "other", "design", 2},
		{9, "variant", "b", "[1]", 9}, {2, "experiment", "e", "absent", 2},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(locate_key(source, sizeof source - 1, cases[i].line, cases[i].callee,
					    cases[i].name, cases[i].path), cases[i].at);
	/* Whatever the source is cut to, it ends. */
	for (i = 0; i < sizeof source; i++)
		locate_key(source, i, 2, "experiment", "e", "design.pairs");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_shell_words),
		cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_placeholders),
		cmocka_unit_test(test_case_ids_are_safe_and_unequal),
		cmocka_unit_test(test_case_id_is_of_the_exact_point),
		cmocka_unit_test(test_locate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
