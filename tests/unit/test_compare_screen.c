#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "compare/grid.h"
#include "compare/picture.h"
#include "compare/screen.h"

/* What `assay compare` draws, on wide and narrow, UTF-8 and plain terminals. */

static const struct screen wide = {80, true}, narrow = {40, false};

static void
assert_fits(const struct screen *screen, const char *text)
{
	while (*text != '\0') {
		size_t length = strcspn(text, "\n");
		char *line = memory_copy_span(text, length);

		if (screen_width(line) > screen->columns)
			fail_msg("wider than %zu: %s", screen->columns, line);
		free(line);
		text += length + (text[length] == '\n');
	}
}

static void
assert_ascii(const char *text)
{
	for (; *text != '\0'; text++)
		assert_in_range((unsigned char)*text, '\n', '~');
}

static void
text_is_wrapped_at_blanks(void **state)
{
	struct buffer out = BUFFER_EMPTY;
	struct screen tiny = {10, false};

	(void)state;
	screen_wrap(&tiny, "one two three four averyverylongword x", 2, &out);
	assert_string_equal(buffer_text(&out), "one two\n  three\n  four\n  averyverylongword\n  x\n");
	buffer_free(&out);
}

static void
width_counts_characters(void **state)
{
	char text[] = "12 µs";

	(void)state;
	assert_int_equal(screen_width(text), 5);
	screen_plain(&wide, text);
	assert_string_equal(text, "12 µs");
	screen_plain(&narrow, text);
	assert_string_equal(text, "12 us");
}

/* LC_ALL rules over LANG; TERM=dumb over both. */
static void
the_locale_says_what_can_be_shown(void **state)
{
	struct screen screen;

	(void)state;
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("TERM", "xterm", 1);
	screen_of(stderr, &screen);
	assert_true(screen.utf8);
	setenv("TERM", "dumb", 1);
	screen_of(stderr, &screen);
	assert_false(screen.utf8);
	setenv("TERM", "xterm", 1);
	setenv("LC_ALL", "C", 1);
	setenv("LANG", "C.UTF-8", 1);
	screen_of(stderr, &screen);
	assert_false(screen.utf8);
}

static void
fill(struct grid *grid)
{
	static const char *const cells[] = {"in ms", "median", "95 % interval", "old", "11.7",
					    "[11.43, 12.17]", "new", "12.26", "[11.98, 12.53]"};
	size_t i;

	grid_begin(grid, 3);
	for (i = 0; i < sizeof cells / sizeof *cells; i++)
		grid_add(grid, memory_copy_text(cells[i]));
}

static void
a_table_too_wide_becomes_lists(void **state)
{
	struct screen tight = {25, false};
	struct buffer out = BUFFER_EMPTY;
	struct grid grid;

	(void)state;
	fill(&grid);
	grid_put(&grid, &wide, &out);
	assert_string_equal(buffer_text(&out), "in ms  median   95 % interval\n"
			    "old      11.7  [11.43, 12.17]\n"
			    "new     12.26  [11.98, 12.53]\n");
	buffer_clear(&out);
	grid_put(&grid, &tight, &out);
	assert_string_equal(buffer_text(&out), "old in ms\n  median         11.7\n"
			    "  95 % interval  [11.43, 12.17]\nnew in ms\n  median         12.26\n"
			    "  95 % interval  [11.98, 12.53]\n");
	buffer_free(&out);
	grid_free(&grid);
}

static void
the_picture_shows_where_one_is(void **state)
{
	const struct picture_line lines[] = {{"new", 1.10, 1.08, 1.12, 0.02},
					     {"third", 1 / 1.10, 1 / 1.12, 1 / 1.08, NAN},
					     {"none", NAN, NAN, NAN, NAN}};
	struct buffer out = BUFFER_EMPTY;
	const char *line, *one;

	(void)state;
	assert_true(picture_put(lines, 3, &narrow, &out));
	assert_fits(&narrow, buffer_text(&out));
	assert_ascii(buffer_text(&out));
	line = buffer_text(&out);
	one = strchr(line, '|');
	/* new is to the right, with the noise floor around 1; third is its mirror image. */
	assert_true(one != NULL && one[-1] == ':' && one[1] == ':');
	assert_true(strchr(line, '(') > one && strchr(line, 'o') > one);
	assert_non_null(strstr(line, "+10 %"));
	line = strstr(line, "third");
	assert_true(strchr(line, 'o') < strchr(line, '|'));
	assert_null(strstr(line, "none"));
	buffer_clear(&out);
	assert_true(picture_put(lines, 3, &wide, &out));
	assert_fits(&wide, buffer_text(&out));
	assert_non_null(strstr(buffer_text(&out), "●"));
	buffer_clear(&out);
	assert_false(picture_put(&lines[2], 1, &wide, &out));
	assert_int_equal(out.length, 0);
	buffer_free(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_wrapped_at_blanks),
		cmocka_unit_test(width_counts_characters),
		cmocka_unit_test(the_locale_says_what_can_be_shown),
		cmocka_unit_test(a_table_too_wide_becomes_lists),
		cmocka_unit_test(the_picture_shows_where_one_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
