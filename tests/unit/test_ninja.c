/* What the graph must know of Ninja's syntax and of the shell's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "graph/ninja.h"
#include "graph/shell.h"

static void
paths_are_escaped(void **state)
{
	struct buffer out = BUFFER_EMPTY;
	struct error error = {0};

	(void)state;
	assert_int_equal(ninja_put_path(&out, "a b$c:d/é", &error), 0);
	assert_string_equal(out.bytes, "a$ b$$c$:d/é");
	assert_int_equal(ninja_put_path(&out, "a\nb", &error), -1);
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	assert_non_null(strstr(error.message, "newline"));
	assert_int_equal(ninja_put_path(&out, "a|b", &error), -1);
	assert_int_equal(ninja_put_path(&out, "", &error), -1);
	buffer_clear(&out);
	ninja_put_literal(&out, " $5 for: it");
	assert_string_equal(out.bytes, "$ $$5 for: it");
	buffer_free(&out);
}

static void
variables_are_filled_in(void **state)
{
	struct setting items[] = {{(char *)"cc", (char *)"gcc $flags"},
				  {(char *)"flags", (char *)"-O2"}};
	struct settings variables = {items, 2};
	struct buffer out = BUFFER_EMPTY;

	(void)state;
	ninja_expand(&out, "$cc -c ${in} -o $out $none$$x", &variables);
	assert_string_equal(out.bytes, "gcc -O2 -c path -o path $x");
	buffer_free(&out);
}

static void
words_are_quoted_for_the_shell(void **state)
{
	struct buffer out = BUFFER_EMPTY;

	(void)state;
	shell_put_word(&out, "build/bin/assay");
	buffer_putc(&out, ' ');
	shell_put_word(&out, "it's $HOME");
	buffer_putc(&out, ' ');
	shell_put_word(&out, "");
	assert_string_equal(out.bytes, "build/bin/assay 'it'\\''s $HOME' ''");
	buffer_free(&out);
}

static void
only_one_plain_command_is_simple(void **state)
{
	static const char *const others[] = {
		"cd x && make", "a; b", "a | b", "a & b", "X=1 make", "echo $(date)", "echo hi",
		"(a)", "{ a }", "if a", "a `b`", "", "! a", "exec a", "a # b",
	};
	size_t i;

	(void)state;
	assert_true(shell_is_simple("gcc -c 'a b.c' -o a.o -DX=\"1\" >log"));
	assert_true(shell_is_simple("  /usr/bin/make -C x"));
	for (i = 0; i < sizeof others / sizeof others[0]; i++)
		if (shell_is_simple(others[i]))
			fail_msg("'%s' was taken for one plain command", others[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_escaped),
		cmocka_unit_test(variables_are_filled_in),
		cmocka_unit_test(words_are_quoted_for_the_shell),
		cmocka_unit_test(only_one_plain_command_is_simple),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
