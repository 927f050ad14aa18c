#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "spec/literate.h"

/* Splitting Markdown into spec and prose: each input beside what it gives. */

/* "M1:text|E3:expr|F4:label(caption)|L6:code", or "error line" */
static char *
split(const char *source)
{
	static const char letters[] = "LMEF";
	struct buffer out = BUFFER_EMPTY;
	struct literate literate;
	struct error error = {0};
	size_t i;

	if (literate_split(source, strlen(source), "x.md", &literate, &error) != 0) {
		literate_free(&literate);
		assert_string_equal(error.file, "x.md");
		assert_int_equal(error.code, EXIT_BAD_INPUT);
		buffer_printf(&out, "error %d", error.line);
		return buffer_detach(&out);
	}
	for (i = 0; i < literate.count; i++) {
		const struct literate_segment *s = &literate.segments[i];

		buffer_printf(&out, "%s%c%d:%.*s", i > 0 ? "|" : "", letters[s->kind], s->line,
			      (int)s->length, s->text);
		if (s->kind == LITERATE_FIGURE)
			buffer_printf(&out, "(%.*s)", (int)s->caption_length, s->caption);
	}
	literate_free(&literate);
	return buffer_detach(&out);
}

static void
test_splits(void **state)
{
	static const char *const cases[][2] = {
		{"", ""},
		{"text\n", "M1:text\n"},
		{"a {{ x }} b", "M1:a |E1:x|M1: b"},
		{"{{x}}{{y}}", "E1:x|E1:y"},
		{"{{ at{ n = 1 }.x }}", "E1:at{ n = 1 }.x"},
		{"{{ f{a={b=1}}.c }}", "E1:f{a={b=1}}.c"},
		{"{{ \"}}\" }}", "E1:\"}}\""},
		{"{{ '\\'}}' }}", "E1:'\\'}}'"},
		{"{{ a\n  .b }}", "E1:a\n  .b"},
		{"{{ a\n\n}}", "error 1"},
		{"one\n{{ a", "error 2"},
		{"{{ }}", "error 1"},
		{"{ x } {", "M1:{ x } {"},
		{"\\{{ x }}", "M1:\\{{ x }}"},
		{"`{{ x }}` {{ y }}", "M1:`{{ x }}` |E1:y"},
		{"`` ` {{ x }} `` {{ y }}", "M1:`` ` {{ x }} `` |E1:y"},
		{"a ` b {{ y }}", "M1:a ` b |E1:y"},
		{"`a\nb {{ x }}` {{ y }}", "M1:`a\nb {{ x }}` |E2:y"},
		{"`a\n\nb` {{ y }}", "M1:`a\n\nb` |E3:y"},
		{"\\`{{ x }}`", "M1:\\`|E1:x|M1:`"},
		{"```lua\nx = 1\n```\n", "L2:x = 1\n"},
		{"a\n```lua\nx\n```\nb", "M1:a\n|L3:x\n|M5:b"},
		{"```lua\n```\n", "L2:"},
		{"~~~ lua \nx\n~~~~\n", "L2:x\n"},
		{"````lua\n```\n````\n", "L2:```\n"},
		{"   ```lua\nx\n  ```  \n", "L2:x\n"},
		{"```lua\nx\n    ```\n", "error 1"},
		{"    ```lua\nx\n", "M1:    ```lua\nx\n"},
		{"```lua example\n{{ x }}\n```\n{{ y }}", "M1:```lua example\n{{ x }}\n```\n|E4:y"},
		{"```\n{{ x }}\n```\n", "M1:```\n{{ x }}\n```\n"},
		{"```luax\n```\n", "M1:```luax\n```\n"},
		{"text\n```lua\nx\n", "error 2"},
		{"~~~\nx\n```\n", "error 1"},
		{"```lua\r\nx\r\n```\r\n", "L2:x\r\n"},
		{"``` a`b\ntext {{ x }}\n", "M1:``` a`b\ntext |E2:x|M2:\n"},
		{"![cap](figure:speed)", "F1:speed(cap)"},
		{"a ![c [x] d](figure:s) b", "M1:a |F1:s(c [x] d)|M1: b"},
		{"![x](pic.png) {{ y }}", "M1:![x](pic.png) |E1:y"},
		{"![x](figure:a", "error 1"},
		{"![{{ x }}](figure:a)", "error 1"},
		{"![x]\n\n(figure:a)", "M1:![x]\n\n(figure:a)"},
		{"![x", "M1:![x"},
		{"\\", "M1:\\"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *got = split(cases[i][0]);

		if (strcmp(got, cases[i][1]) != 0)
			print_error("of: %s\n", cases[i][0]);
		assert_string_equal(got, cases[i][1]);
		free(got);
	}
}

static void
test_titles(void **state)
{
	static const char *const cases[][2] = {
		{"# One\n# Two\n", "One"}, {"text\n\n## No\n# Yes #\n", "Yes"}, {"#No\n", NULL},
		{"```\n# No\n```\n", NULL}, {"# C# \n", "C#"}, {"   # In\n", "In"}, {"# \n", NULL},
	};
	struct literate literate;
	struct error error = {0};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(literate_split(cases[i][0], strlen(cases[i][0]), "x", &literate, &error), 0);
		if (cases[i][1] == NULL) {
			assert_null(literate.title);
		} else {
			assert_int_equal(literate.title_length, strlen(cases[i][1]));
			assert_memory_equal(literate.title, cases[i][1], literate.title_length);
		}
		literate_free(&literate);
	}
}

static void
test_lua_keeps_its_lines(void **state)
{
	static const char source[] = "# T\n\n```lua\na\n```\ntext\n```lua\nb\nc\n```\n";
	struct literate literate;
	struct error error = {0};
	size_t length;
	char *lua;

	(void)state;
	assert_int_equal(literate_split(source, strlen(source), "x", &literate, &error), 0);
	lua = literate_lua(&literate, &length);
	assert_string_equal(lua, "\n\n\na\n\n\n\nb\nc\n");
	assert_int_equal(length, strlen(lua));
	free(lua);
	literate_free(&literate);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_splits),
		cmocka_unit_test(test_titles),
		cmocka_unit_test(test_lua_keeps_its_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
