/* How a program was built, by what its file says of itself and by its sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "provenance/build_facts.h"
#include "provenance/elf_build.h"
#include "provenance/volatile_loops.h"
#include "tests/unit/identity_folder.h"

/* ---- volatile in a loop ---- */

/* "function name line; …" */
static char *
scan(const char *text, size_t length)
{
	json_t *list = json_array(), *one;
	struct buffer out = BUFFER_EMPTY;
	size_t i;

	volatile_loops(text, length, "k.c", list);
	json_array_foreach(list, i, one)
		buffer_printf(&out, "%s%s %s %lld", i > 0 ? "; " : "", json_get_text(one, "function"),
			      json_get_text(one, "name"), json_get_integer(one, "line", 0));
	json_decref(list);
	return buffer_detach(&out);
}

static void
volatile_in_the_body_of_a_loop_is_found(void **state)
{
	static const char *const cases[][2] = {
		{"void f(volatile int *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; }", "f x 1"},
		{"int f(int *p, int n) {\n const volatile int *x = p; int s = 0;\n"
		 " while (n--)\n  s += x[n];\n return s; }", "f x 4"},
		{"double f(double *x, int n) { volatile double s = 0; for (;;) { s += *x; s++; } }", "f s 1"},
		{"int f(int *x) { do { (void)*(volatile int *)x; } while (*x); return 0; }", "f  1"},
		{"volatile int a, b = 1;\nvoid f(void) { for (;;) if (b) a = 2; }\n"
		 "void g(void)\n{ while (1) { switch (a) { case 1: b = 2; } } }",
		 "f b 2; f a 2; g a 4; g b 4"},
		{"static __attribute__((noinline)) void f(int v) { int __volatile__ k[4]; for (;;) k[v] = 1; }",
		 "f k 1"},
		{"extern \"C\" { void f(volatile int *x) { for (;;) *x = 1; } }", "f x 1"},
		/* and what is none */
		{"volatile double sink;\nvoid f(double *x, int n) { double s = 0;\n"
		 "for (int i = 0; i < n; i++) s += x[i];\nsink = s; }", ""},
		{"void f(void) { for (;;) { __asm__ volatile(\"\" : : : \"memory\"); asm volatile(\"nop\"); } }", ""},
		{"static volatile sig_atomic_t stop;\nvoid f(void) { for (;;) if (stop) return; }", ""},
		{"void g(volatile int *x);\nvoid f(int *x) { for (;;) x[0] = 1; }", ""},
		{"void g(volatile int *x) { *x = 1; }\nvoid f(int *x) { for (;;) x[0] = 1; }", ""},
		{"void f(struct s *p) { volatile int x = 1; (void)x; for (;;) p->x = p[0].x; }", ""},
		{"/* volatile int x; for (;;) x; */ // volatile\n#define X volatile int *x; for (;;) x\n"
		 "const char *s = \"volatile int x\"; void f(void) { for (;;) s = \"volatile\"; }", ""},
		{"void f(int n) { { volatile int x = n; (void)x; } { int x = 0; while (n--) x++; } }", ""},
		{"int f(volatile int *go) { while (!*go) ; return 1; }", ""},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *got = scan(cases[i][0], strlen(cases[i][0]));

		if (strcmp(got, cases[i][1]) != 0)
			print_error("of: %s\n", cases[i][0]);
		assert_string_equal(got, cases[i][1]);
		free(got);
	}
}

/* A source that ends anywhere, or nests without end, is no reason to fall. */
static void
a_source_may_be_anything(void **state)
{
	static const char text[] = "volatile int a[3] = {1, 2}; #x\n\"\\\nint f(volatile int (*x)[2]) "
				   "{ for (a; b; /* c */) do { case 1: x: y ? *x : 'c'; } while ((1)); else }}";
	char *deep = memory_zeroed(20000, 1);
	size_t i;

	(void)state;
	for (i = 0; i <= sizeof text - 1; i++) {
		char *copy = memory_copy_span(text, i);

		free(scan(copy, i));
		free(copy);
	}
	memset(deep, '{', 19999);
	memcpy(deep, "int f() ", 8);
	free(scan(deep, 19999));
	for (i = 8; i + 4 < 19999; i += 4)
		memcpy(deep + i, "do(;", 4);
	free(scan(deep, 19999));
	free(deep);
}

/* ---- ELF files ---- */

static char *
dump(json_t *value)
{
	char *text = value != NULL ? json_dumps(value, JSON_SORT_KEYS) : memory_copy_text("nothing");

	json_decref(value);
	return text;
}

static void
a_file_tells_its_build(void **state)
{
	static const char *const cases[][2] = {
		{"-O2 -g", "{\"instrumented\": [], \"optimise\": [\"-O2\"]}"},
		{"-O2 -O0 -g", "{\"instrumented\": [], \"optimise\": [\"-O0\"]}"},
		{"-g", "{\"instrumented\": [], \"optimise\": [\"-O0\"]}"},
		{"-O -g -gz", "{\"instrumented\": [], \"optimise\": [\"-O1\"]}"},
		{"-O3", "{\"instrumented\": [], \"optimise\": []}"},
		{"-O2 -pg", "{\"instrumented\": [\"gprof (-pg)\"], \"optimise\": []}"},
		{"-O2 -fsanitize=address", "{\"instrumented\": [\"AddressSanitizer\"], \"optimise\": []}"},
		{"-fsanitize=undefined", "{\"instrumented\": [\"UndefinedBehaviorSanitizer\"], \"optimise\": []}"},
		{"-O2 --coverage", "{\"instrumented\": [\"gcov (--coverage)\"], \"optimise\": []}"},
	};
	size_t i;

	(void)state;
	put_file("b.c", "int f(int *x, int n) { return x[n] / n; }\n");
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *got;

		run("gcc %s -c b.c -o b.o", cases[i][0]);
		got = dump(elf_build("b.o"));
		if (strcmp(got, cases[i][1]) != 0)
			print_error("of: %s\n", cases[i][0]);
		assert_string_equal(got, cases[i][1]);
		free(got);
	}
	assert_null(elf_build("b.c"));
	assert_null(elf_build("none"));
}

/* clang does not write its flags into the file: the graph's commands say them. */
static void
the_commands_tell_what_the_file_does_not(void **state)
{
	char *got;

	(void)state;
	put_file("k.c", "int f(volatile int *x, int n) { int s = 0; while (n--) s += x[n]; return s; }\n");
	run("gcc -O1 -c k.c -o k.o");
	got = dump(build_facts("k.o", "lock shared -- clang -O3 -g -O0 -MD -c k.c -o k.o\n"
				      "clang -O2 -c assay/kernels/harness/clock.c -o clock.o\nclang k.o -o k\n"));
	assert_string_equal(got, "{\"instrumented\": [], \"optimise\": [\"-O0\"], \"volatile_loops\": [{\"file\": "
				 "\"k.c\", \"function\": \"f\", \"line\": 1, \"name\": \"x\"}]}");
	free(got);
	got = dump(build_facts("k.o", NULL));
	assert_string_equal(got, "{\"instrumented\": [], \"optimise\": [], \"volatile_loops\": []}");
	free(got);
	assert_null(build_facts("k.c", NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(volatile_in_the_body_of_a_loop_is_found),
		cmocka_unit_test(a_source_may_be_anything),
		IN_FOLDER(a_file_tells_its_build),
		IN_FOLDER(the_commands_tell_what_the_file_does_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
