/* What `assay paper` finds in a text: names looked up, filled in, or said to be wrong by line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "report/numbers.h"
#include "report/paper.h"

static const char results[] =
	"% a comment\n"
	"\\providecommand\\assaydefine[2]{\\expandafter\\def\\csname assay@#1\\endcsname{#2}}\n"
	"\\assaydefine{e/-/b/speedup}{1.50}\n"
	"\\assaydefine{e/-/b/sentence}{a\\_b: 2 \\% \\{x\\} \\textbackslash{}n \\textasciitilde{}\\textasciicircum{}}\n"
	"\\assaydefine{empty}{}\n";

static struct numbers numbers;

static int
set_up(void **state)
{
	struct error error = {0};

	(void)state;
	if (file_write("test_paper.tex", results, strlen(results), 0, &error) != 0)
		return -1;
	return numbers_read("test_paper.tex", &numbers, &error);
}

static int
tear_down(void **state)
{
	(void)state;
	numbers_free(&numbers);
	return unlink("test_paper.tex");
}

/* The line of the complaint; 0 when there is none. */
static int
latex_line(const char *text)
{
	struct error error = {0};

	if (paper_check_latex(&numbers, text, "p.tex", &error) == 0)
		return 0;
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	assert_string_equal(error.file, "p.tex");
	return error.line;
}

static void
test_names_come_back_as_plain_text(void **state)
{
	struct error error = {0};

	(void)state;
	assert_int_equal(numbers.count, 3);
	assert_string_equal(numbers_get(&numbers, "e/-/b/speedup", "f", 1, &error), "1.50");
	assert_string_equal(numbers_get(&numbers, "e/-/b/sentence", "f", 1, &error), "a_b: 2 % {x} \\n ~^");
	assert_string_equal(numbers_get(&numbers, "empty", "f", 1, &error), "");
}

static void
test_unknown_name_is_told_with_the_nearest(void **state)
{
	struct error error = {0};

	(void)state;
	assert_null(numbers_get(&numbers, "e/-/b/sped", "f", 7, &error));
	assert_int_equal(error.line, 7);
	assert_non_null(strstr(error.message, "did you mean \"e/-/b/speedup\"?"));
	assert_null(numbers_get(&numbers, "nothing like it at all", "f", 7, &error));
	assert_non_null(strstr(error.message, "--names"));
}

static void
test_no_results_is_told(void **state)
{
	struct error error = {0};
	struct numbers none;

	(void)state;
	assert_int_equal(numbers_read("test_paper.absent", &none, &error), -1);
	assert_non_null(strstr(error.message, "ninja report"));
	numbers_free(&none);
	assert_int_equal(file_write("test_paper.other", "\\relax\n", 7, 0, &error), 0);
	assert_int_equal(numbers_read("test_paper.other", &none, &error), -1);
	assert_non_null(strstr(error.message, "no results.tex"));
	numbers_free(&none);
	unlink("test_paper.other");
}

static void
test_latex_uses_are_looked_up(void **state)
{
	(void)state;
	assert_int_equal(latex_line("x \\assay{e/-/b/speedup} y \\assay {empty}"), 0);
	assert_int_equal(latex_line("x\n\\section{\\assay{e/-/b/wrong}}"), 2);
	assert_int_equal(latex_line("x\n\n\\assay {wrong}\n"), 3);
	assert_int_equal(latex_line("\\%\\assay{wrong}"), 1);
	assert_int_equal(latex_line("a % b\n\\\\\n\\assay{wrong}"), 3);
	assert_int_equal(latex_line("a\\\n\\assay{wrong}"), 2);
	assert_int_equal(latex_line("\\assay{e/-/b/\nspeedup}"), 1);
	assert_int_equal(latex_line("\\assay{"), 1);
}

static void
test_latex_that_uses_no_name_passes(void **state)
{
	(void)state;
	assert_int_equal(latex_line("% \\assay{wrong}\n\\\\assay{wrong} \\assays{wrong} \\myassay{wrong}"), 0);
	assert_int_equal(latex_line("\\newcommand\\times[1]{\\assay{e/#1/speedup}} \\let\\a\\assay"), 0);
	assert_int_equal(latex_line("\\"), 0);
	assert_int_equal(latex_line("\\assay"), 0);
	assert_int_equal(latex_line(""), 0);
}

static void
test_markdown_is_filled_in(void **state)
{
	static const char text[] = "# T\n\n{{e/-/b/speedup}} and {{ e/-/b/sentence }}{{\n  empty\n}}.\n\n"
				   "`{{ code }}` \\{{ plain }}\n\n```lua\n{{ wrong }}\n```\n![a](b.svg)\n";
	struct buffer out = BUFFER_EMPTY;
	struct error error = {0};

	(void)state;
	assert_int_equal(paper_fill_markdown(&numbers, text, "p.md", &out, &error), 0);
	assert_string_equal(buffer_text(&out),
			    "# T\n\n1.50 and a\\_b: 2 % {x} \\\\n \\~^.\n\n"
			    "`{{ code }}` \\{{ plain }}\n\n```lua\n{{ wrong }}\n```\n![a](b.svg)\n");
	buffer_free(&out);
}

static void
test_markdown_without_names_is_as_it_was(void **state)
{
	struct buffer out = BUFFER_EMPTY;
	struct error error = {0};

	(void)state;
	assert_int_equal(paper_fill_markdown(&numbers, "a\n\n~~~lua\nb\n~~~\nc", "p.md", &out, &error), 0);
	assert_string_equal(buffer_text(&out), "a\n\n~~~lua\nb\n~~~\nc");
	buffer_free(&out);
}

static void
test_markdown_mistakes_have_their_line(void **state)
{
	static const char *const wrong[] = {"a\n\nb {{ e/-/b/wrong }}", "a\n\n{{ empty", "a\n\n{{ }}"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct buffer out = BUFFER_EMPTY;
		struct error error = {0};

		assert_int_equal(paper_fill_markdown(&numbers, wrong[i], "p.md", &out, &error), -1);
		assert_int_equal(error.code, EXIT_BAD_INPUT);
		assert_string_equal(error.file, "p.md");
		assert_int_equal(error.line, 3);
		buffer_free(&out);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_come_back_as_plain_text),
		cmocka_unit_test(test_unknown_name_is_told_with_the_nearest),
		cmocka_unit_test(test_no_results_is_told),
		cmocka_unit_test(test_latex_uses_are_looked_up),
		cmocka_unit_test(test_latex_that_uses_no_name_passes),
		cmocka_unit_test(test_markdown_is_filled_in),
		cmocka_unit_test(test_markdown_without_names_is_as_it_was),
		cmocka_unit_test(test_markdown_mistakes_have_their_line),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
