#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "identity/check_index.h"
#include "identity/check_state.h"
#include "identity/elf_content.h"
#include "identity/escape.h"
#include "identity/hasher.h"
#include "identity/identity.h"
#include "identity/machine.h"
#include "identity/recorded.h"

/* ---- a study in a folder of its own ---- */

static int
enter_folder(void **state)
{
	static char folder[64];

	strcpy(folder, "/tmp/assay-identity-XXXXXX");
	*state = folder;
	return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int
leave_folder(void **state)
{
	return chdir("/") != 0 || file_remove_tree(*state, NULL) != 0;
}

static void
put(const char *path, const char *text)
{
	assert_int_equal(file_write(path, text, strlen(text), 0, NULL), 0);
}

static void
put_executable(const char *path, const char *text)
{
	assert_int_equal(file_write(path, text, strlen(text), FILE_EXECUTABLE, NULL), 0);
}

static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void
run(const char *format, ...)
{
	char command[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(command, sizeof command, format, arguments);
	va_end(arguments);
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}

#define SOURCE "int main(void)\n{\n\treturn 42;\n}\n"

static void
compile(const char *output, const char *source, const char *flags)
{
	put("x.c", source);
	run("gcc -O1 -fdebug-prefix-map=\"$PWD\"=. x.c %s -o %s", flags, output);
}

static void
content(const char *path, char hex[DIGEST_SHA256_HEX])
{
	struct error error = {0};

	if (elf_content_digest(path, hex, &error) != 0)
		fail_msg("%s", error.message);
}

static void
assert_same_content(const char *a, const char *b)
{
	char first[DIGEST_SHA256_HEX], second[DIGEST_SHA256_HEX];

	content(a, first);
	content(b, second);
	assert_string_equal(first, second);
}

static void
assert_other_content(const char *a, const char *b)
{
	char first[DIGEST_SHA256_HEX], second[DIGEST_SHA256_HEX];

	content(a, first);
	content(b, second);
	assert_string_not_equal(first, second);
}

static void
assert_other_bytes(const char *a, const char *b)
{
	char first[DIGEST_SHA256_HEX], second[DIGEST_SHA256_HEX];

	digest_file(DIGEST_SHA256, a, first, NULL);
	digest_file(DIGEST_SHA256, b, second, NULL);
	assert_string_not_equal(first, second);
}

/* ---- what a program brings into memory ---- */

static void
comment_does_not_count(void **state)
{
	static const char *const flags[] = {"", "-g", "-g -static"};
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		compile("a", SOURCE, flags[i]);
		compile("b", "/* a comment at the top */\n" SOURCE "/* and one at the end */\n",
			flags[i]);
		assert_same_content("a", "b");
		if (i > 0)
			assert_other_bytes("a", "b");
	}
}

static void
edit_and_flag_count(void **state)
{
	(void)state;
	compile("a", SOURCE, "-g");
	compile("b", "int main(void)\n{\n\treturn 43;\n}\n", "-g");
	compile("c", SOURCE, "-g -O0");
	assert_other_content("a", "b");
	assert_other_content("a", "c");
}

static void
build_id_and_debug_sections_do_not_count(void **state)
{
	(void)state;
	compile("a", SOURCE, "-g -Wl,--build-id=0x0123456789abcdef");
	compile("b", SOURCE, "-g -Wl,--build-id=0xfedcba9876543210");
	assert_other_bytes("a", "b");
	assert_same_content("a", "b");
	run("strip --strip-debug a -o c");
	assert_other_bytes("a", "c");
	assert_same_content("a", "c");
	run("strip a -o d");
	assert_same_content("a", "d");
}

static void
data_and_stack_flags_count(void **state)
{
	(void)state;
	compile("a", "int x = 1;\n" SOURCE, "");
	compile("b", "int x = 2;\n" SOURCE, "");
	compile("c", "int x = 1;\n" SOURCE, "-Wl,-z,execstack");
	compile("d", "int x = 1;\nchar more[4096];\n" SOURCE, "");
	assert_other_content("a", "b");
	assert_other_content("a", "c");
	assert_other_content("a", "d");
}

static void
appended_bytes_count(void **state)
{
	(void)state;
	compile("a", SOURCE, "");
	run("cp a b; echo payload >>b");
	run("cp a c; echo PAYLOAD >>c");
	assert_other_content("a", "b");
	assert_other_content("b", "c");
}

static void
damaged_and_foreign_files_count_whole(void **state)
{
	(void)state;
	compile("a", SOURCE, "");
	run("head -c 3000 a >b; head -c 3001 a >c");
	assert_other_content("b", "c");
	put("d", "no ELF");
	put("e", "no elf");
	put("f", "no ELF");
	assert_other_content("d", "e");
	assert_same_content("d", "f");
	assert_int_equal(elf_content_digest("none", (char[DIGEST_SHA256_HEX]){0}, NULL), -1);
}

/* ---- digests over runs ---- */

/* As if the cache had been written ten seconds later, when nothing in it was fresh any more. */
static void
age_cache(void)
{
	struct buffer old = BUFFER_EMPTY, out = BUFFER_EMPTY;
	char *rest, *line;

	assert_int_equal(file_read("cache", 0, &old, NULL), 0);
	for (rest = old.bytes; (line = strsep(&rest, "\n")) != NULL && rest != NULL;) {
		char kind[4], hex[DIGEST_SHA256_HEX];
		long long hashed;
		int used = 0;

		assert_int_equal(sscanf(line, "%3s %64s %lld%n", kind, hex, &hashed, &used), 3);
		buffer_printf(&out, "%s %s %lld%s\n", kind, hex, hashed + 10000000000LL, line + used);
	}
	put("cache", out.bytes);
	buffer_free(&old);
	buffer_free(&out);
}

/* Makes the cache lie, so that an answer from it can be told from one of the file. */
static void
forge_cache(void)
{
	run("sed -i -E 's/^([01]) [0-9a-f]{4}/\\1 0000/' cache");
}

static void
digest_of(const char *path, char hex[DIGEST_SHA256_HEX])
{
	struct hasher *hasher = hasher_open("cache");

	assert_int_equal(hasher_digest(hasher, HASH_ALL, path, hex, NULL), 0);
	hasher_close(hasher);
}

static bool
is_forged(const char *path)
{
	char hex[DIGEST_SHA256_HEX];

	digest_of(path, hex);
	return strncmp(hex, "0000", 4) == 0;
}

static void
make_forged_cache(bool aged)
{
	unlink("cache");
	put("file", "abc");
	assert_false(is_forged("file"));
	if (aged)
		age_cache();
	forge_cache();
}

static void
unchanged_file_is_not_hashed_again(void **state)
{
	(void)state;
	make_forged_cache(true);
	assert_true(is_forged("file"));
}

static void
fresh_digest_is_not_trusted(void **state)
{
	(void)state;
	make_forged_cache(false);
	assert_false(is_forged("file"));
}

static void
any_change_is_noticed(void **state)
{
	static const char *const changes[] = {
		"echo abcd >file",                                     /* another size */
		"cp -p file other && printf abd >file && touch -r other file", /* rewritten in place */
		"printf abd >other && touch -r file other && mv other file", /* replaced, same times */
		"printf abd >other && touch -d 2001-01-01 other && mv other file", /* an older one */
		"touch file",
		"ln -sf /etc/passwd file",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		make_forged_cache(true);
		run("%s", changes[i]);
		assert_false(is_forged("file"));
	}
}

static void
damaged_cache_is_no_cache(void **state)
{
#define ZEROS "00000000000000000000000000000000"
	static const char *const texts[] = {"", "\n\n", "0 00 1 2 3 4 5 6 file\n", "rubbish",
					    ("9 " ZEROS ZEROS " 1 2 3 4 5 6 file\n")};
	char good[DIGEST_SHA256_HEX], hex[DIGEST_SHA256_HEX];
	size_t i;

	(void)state;
	put("file", "abc");
	digest_file(DIGEST_SHA256, "file", good, NULL);
	for (i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		put("cache", texts[i]);
		digest_of("file", hex);
		assert_string_equal(hex, good);
	}
}

static void
odd_file_names_survive_the_cache(void **state)
{
	static const char name[] = "a b\n%41=\xc3\xa4";
	char hex[DIGEST_SHA256_HEX];
	struct hasher *hasher;

	(void)state;
	put(name, "abc");
	digest_of(name, hex);
	age_cache();
	forge_cache();
	hasher = hasher_open("cache");
	hasher_digest(hasher, HASH_ALL, name, hex, NULL);
	assert_memory_equal(hex, "0000", 4);
	hasher_close(hasher);
}

static void
escaping_goes_both_ways(void **state)
{
	struct buffer out = BUFFER_EMPTY;

	(void)state;
	escape_put(&out, "a=b c%\n\x7f\xc3\xa4", "=");
	assert_string_equal(out.bytes, "a%3Db c%25%0A%7F\xc3\xa4");
	escape_undo(out.bytes);
	assert_string_equal(out.bytes, "a=b c%\n\x7f\xc3\xa4");
	buffer_free(&out);
}

/* ---- the identity of a plan ---- */

struct study_of_two {
	struct plan plan;
	struct plan_treatment treatments[2];
	char *args[2][2];
	char *inputs[1];
	struct setting env[1];
};

static char word_lab[] = "lab", word_n[] = "--n=16384", word_a[] = "--kernel=a",
	    word_b[] = "--kernel=b", word_input[] = "data/x.gz", word_env[] = "LD_LIBRARY_PATH",
	    word_here[] = "lib", word_empty[] = "", word_last[] = "last", word_case[] = "case-1";

static void
make_study(struct study_of_two *study)
{
	int i;

	memset(study, 0, sizeof *study);
	study->plan.case_id = word_case;
	study->plan.cpus = word_last;
	study->plan.treatments = study->treatments;
	study->plan.treatment_count = 2;
	study->plan.design = (struct design){.pairs = 16, .aa_pairs = 4, .warmups = 1,
					     .samples = 10, .timeout_s = 60};
	study->inputs[0] = word_input;
	study->env[0] = (struct setting){word_env, word_here};
	for (i = 0; i < 2; i++) {
		study->args[i][0] = i == 0 ? word_a : word_b;
		study->args[i][1] = word_n;
		study->treatments[i].name = study->treatments[i].variant = i == 0 ? word_a : word_b;
		study->treatments[i].program.path = word_lab;
		study->treatments[i].program.identity_command = word_empty;
		study->treatments[i].args = (struct texts){study->args[i], 2};
		study->treatments[i].inputs = (struct texts){study->inputs, 1};
	}
	put("data/x.gz", "input");
	compile("lab", SOURCE, "");
}

static void
compute(struct plan *plan, struct identity *identity)
{
	struct error error = {0};

	if (identity_compute(plan, identity, &error) != 0)
		fail_msg("%s", error.message);
}

/* The change's lines, against the identity before it. */
static void
assert_changed(struct identity *before, struct plan *plan, const char *expected_start)
{
	struct buffer changes = BUFFER_EMPTY;
	struct identity after;

	compute(plan, &after);
	identity_diff(before->text, after.text, &changes);
	if (strncmp(buffer_text(&changes), expected_start, strlen(expected_start)) != 0 ||
	    (expected_start[0] == '\0') != (changes.length == 0))
		fail_msg("expected \"%s\", got \"%s\"", expected_start, buffer_text(&changes));
	assert_int_equal(strcmp(before->hex, after.hex) != 0, changes.length != 0);
	buffer_free(&changes);
	identity_free(before);
	*before = after;
}

static void
identity_is_the_digest_of_its_text(void **state)
{
	char hex[DIGEST_SHA256_HEX];
	struct study_of_two study;
	struct identity identity, again;

	(void)state;
	make_study(&study);
	compute(&study.plan, &identity);
	digest_bytes(DIGEST_SHA256, identity.text, strlen(identity.text), hex);
	assert_string_equal(identity.hex, hex);
	assert_int_equal(identity_verify(&study.plan, &again, NULL), 0);
	assert_string_equal(identity.text, again.text);
	assert_non_null(strstr(identity.text, "\npinning = last\n"));
	assert_non_null(strstr(identity.text, "\ntreatment 1 argument 1 = --kernel=b\n"));
	assert_non_null(strstr(identity.text, "\ninput data/x.gz = "));
	assert_non_null(strstr(identity.text, "\ntreatment 0 library libc.so.6 = "));
	assert_non_null(strstr(identity.text, "\nmachine id = "));
	identity_free(&identity);
	identity_free(&again);
}

static void
what_reaches_the_program_counts(void **state)
{
	static char other[] = "--n=4194304", first[] = "first", two[] = "2", name[] = "OMP";
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	compute(&study.plan, &identity);
	study.args[1][1] = other;
	assert_changed(&identity, &study.plan, "treatment 1 argument 2: --n=16384 -> --n=4194304\n");
	study.plan.cpus = first;
	assert_changed(&identity, &study.plan, "pinning: last -> first\n");
	study.plan.design.samples = 20;
	assert_changed(&identity, &study.plan, "samples: 10 -> 20\n");
	study.plan.design.warmups = 2;
	assert_changed(&identity, &study.plan, "warm-ups: 1 -> 2\n");
	study.plan.design.alternate = true;
	assert_changed(&identity, &study.plan, "order: balanced -> alternate\n");
	study.env[0] = (struct setting){name, two};
	study.treatments[0].env = (struct settings){study.env, 1};
	assert_changed(&identity, &study.plan, "treatment 0 env OMP: none -> 2\n");
	study.treatments[0].stdin_path = word_input;
	assert_changed(&identity, &study.plan, "treatment 0 stdin: none -> ");
	study.treatments[0].args.count = 1;
	assert_changed(&identity, &study.plan, "treatment 0 argument 2: --n=16384 -> none\n");
	compile("lab", "int main(void) { return 1; }\n", "");
	assert_changed(&identity, &study.plan, "treatment 0 program: ");
	identity_free(&identity);
}

static void
names_counts_and_limits_do_not_count(void **state)
{
	static char other[] = "other", mode[] = "mode";
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	compute(&study.plan, &identity);
	study.treatments[0].name = study.treatments[0].variant = other;
	study.treatments[1].expect_mode = mode;
	study.plan.case_id = study.plan.experiment = other;
	study.plan.primary = other;
	study.plan.design.pairs = 24;
	study.plan.design.aa_pairs = 6;
	study.plan.design.timeout_s = 5;
	study.plan.design.seed = 7;
	study.plan.design.max_failures = 9;
	study.plan.design.trimmed_mean = true;
	study.plan.check.equal = true;
	assert_changed(&identity, &study.plan, "");
	compile("lab", "/* touched */\n" SOURCE, "");
	assert_changed(&identity, &study.plan, "");
	identity_free(&identity);
}

static void
input_with_an_older_time_is_noticed(void **state)
{
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	compute(&study.plan, &identity);
	run("printf other >new && touch -d 2001-01-01 new && mv new data/x.gz");
	assert_changed(&identity, &study.plan, "input data/x.gz: ");
	identity_free(&identity);
}

static void
make_library(const char *path, int value)
{
	char source[64];

	snprintf(source, sizeof source, "int foo(void) { return %d; }\n", value);
	compile(path, source, "-shared -fPIC -Wl,-soname,libfoo.so.1");
}

static void
library_replaced_keeping_its_time_is_noticed(void **state)
{
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	mkdir("lib", 0777);
	make_library("lib/libfoo.so.1", 1);
	compile("lab", "int foo(void);\nint main(void) { return foo(); }\n",
		"-Wl,-rpath,'$ORIGIN/lib' lib/libfoo.so.1");
	compute(&study.plan, &identity);
	assert_non_null(strstr(identity.text, "\ntreatment 1 library libfoo.so.1 = "));
	make_library("new", 2);
	run("touch -r lib/libfoo.so.1 new && mv new lib/libfoo.so.1");
	assert_changed(&identity, &study.plan, "treatment 0 library libfoo.so.1: ");
	unlink("lib/libfoo.so.1");
	identity_free(&identity);
	compute(&study.plan, &identity);
	assert_non_null(strstr(identity.text, "\ntreatment 1 library libfoo.so.1 = not found\n"));
	identity_free(&identity);
}

static void
library_is_found_as_the_treatment_would(void **state)
{
	static char env_lib[] = "lib";
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	mkdir("lib", 0777);
	mkdir("two", 0777);
	make_library("lib/libfoo.so.1", 1);
	make_library("two/libfoo.so.1", 2);
	compile("lab", "int foo(void);\nint main(void) { return foo(); }\n",
		"-Wl,-rpath,'$ORIGIN/two' -Wl,--enable-new-dtags lib/libfoo.so.1");
	compute(&study.plan, &identity);
	study.env[0] = (struct setting){word_env, env_lib};
	study.treatments[1].env = (struct settings){study.env, 1};
	assert_changed(&identity, &study.plan, "treatment 1 env LD_LIBRARY_PATH: none -> lib\n"
					       "treatment 1 library libfoo.so.1: ");
	identity_free(&identity);
}

/* The loader of a treatment with a folder of its own answers relative to that folder. */
static void
library_path_is_relative_to_the_treatments_folder(void **state)
{
	static char folder[] = "data";
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	mkdir("data/lib", 0777);
	make_library("data/lib/libfoo.so.1", 1);
	compile("lab", "int foo(void);\nint main(void) { return foo(); }\n",
		"data/lib/libfoo.so.1");
	study.plan.treatment_count = 1;
	study.treatments[0].cwd = folder;
	study.treatments[0].env = (struct settings){study.env, 1};
	compute(&study.plan, &identity);
	make_library("data/lib/libfoo.so.1", 2);
	assert_changed(&identity, &study.plan, "treatment 0 library libfoo.so.1: ");
	identity_free(&identity);
}

static void
scripts_of_a_program_count(void **state)
{
	static char kernel[] = "k.py";
	static char *scripts[] = {kernel};
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	put("k.py", "pass");
	study.treatments[1].program.scripts = (struct texts){scripts, 1};
	compute(&study.plan, &identity);
	put("k.py", "pass # 2");
	assert_changed(&identity, &study.plan, "treatment 1 script k.py: ");
	identity_free(&identity);
}

static void
script_counts_with_its_interpreter(void **state)
{
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	put_executable("lab", "#! /bin/sh -e\nexit 0\n");
	compute(&study.plan, &identity);
	assert_non_null(strstr(identity.text, "\ntreatment 0 interpreter sh = "));
	assert_non_null(strstr(identity.text, "\ntreatment 0 library libc.so.6 = "));
	put_executable("lab", "#! /bin/sh -e\nexit 1\n");
	assert_changed(&identity, &study.plan, "treatment 0 program: ");
	put_executable("lab", "#!/usr/bin/env -S sh -e\nexit 1\n");
	assert_changed(&identity, &study.plan, "treatment 0 program: ");
	assert_non_null(strstr(identity.text, "\ntreatment 0 interpreter env = "));
	assert_non_null(strstr(identity.text, "\ntreatment 0 interpreter sh = "));
	identity_free(&identity);
}

/* What `env` finds depends on PATH, an earlier folder included. */
static void
interpreter_found_by_env_is_looked_for_along_path(void **state)
{
	static char name[] = "PATH", value[] = "early:/usr/bin:/bin";
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	study.env[0] = (struct setting){name, value};
	study.treatments[0].env = (struct settings){study.env, 1};
	study.plan.treatment_count = 1;
	put_executable("lab", "#!/usr/bin/env sh\nexit 0\n");
	compute(&study.plan, &identity);
	put_executable("early/sh", "#!/bin/sh\nexec /bin/sh \"$@\"\n");
	assert_changed(&identity, &study.plan, "treatment 0 interpreter sh: ");
	identity_free(&identity);
}

static void
program_by_inputs_counts_by_them(void **state)
{
	static char kernel[] = "k.cu", compiler[] = "nvcc -O3", other[] = "nvcc -O2";
	static char *sources[] = {kernel};
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	put("k.cu", "kernel");
	study.treatments[0].program.by_inputs = true;
	study.treatments[0].program.identity_inputs = (struct texts){sources, 1};
	study.treatments[0].program.identity_command = compiler;
	study.plan.treatment_count = 1;
	compute(&study.plan, &identity);
	compile("lab", "int main(void) { return 7; }\n", "");
	assert_changed(&identity, &study.plan, "");
	put("k.cu", "kernel 2");
	assert_changed(&identity, &study.plan, "treatment 0 source k.cu: ");
	study.treatments[0].program.identity_command = other;
	assert_changed(&identity, &study.plan, "treatment 0 command: nvcc -O3 -> nvcc -O2\n");
	identity_free(&identity);
}

static void
missing_files_are_named(void **state)
{
	struct study_of_two study;
	struct identity identity;
	struct error error = {0};

	(void)state;
	make_study(&study);
	unlink("data/x.gz");
	assert_int_equal(identity_compute(&study.plan, &identity, &error), -1);
	assert_non_null(strstr(error.message, "data/x.gz"));
	put("data/x.gz", "input");
	unlink("lab");
	study.treatments[0].program.built = true;
	assert_int_equal(identity_compute(&study.plan, &identity, &error), -1);
	assert_non_null(strstr(error.message, "program lab"));
	assert_non_null(strstr(error.message, "builds it"));
	assert_int_equal(error.code, EXIT_FAILED);
}

static void
newline_cannot_forge_a_line(void **state)
{
	static char evil[] = "x\npinning = first\n% = y";
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	study.args[0][1] = evil;
	compute(&study.plan, &identity);
	assert_null(strstr(identity.text, "\npinning = first"));
	assert_non_null(strstr(identity.text, "argument 2 = x%0Apinning = first%0A%25 = y\n"));
	identity_free(&identity);
}

static void
identity_file_is_read_without_its_notes(void **state)
{
	struct study_of_two study;
	struct identity identity, read;
	struct error error = {0};
	char *text;

	(void)state;
	make_study(&study);
	compute(&study.plan, &identity);
	text = memory_format("%s\n%s# recorded\n# disturbed 0123\n", identity.hex, identity.text);
	put("build/identity/case-1", text);
	assert_int_equal(identity_read("build/identity/case-1", &read, &error), 0);
	assert_string_equal(read.text, identity.text);
	assert_true(read.recorded);
	identity_free(&read);
	text[DIGEST_SHA256_HEX + 3]++;
	put("build/identity/case-1", text);
	assert_int_equal(identity_read("build/identity/case-1", &read, &error), -1);
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	free(text);
	identity_free(&identity);
}

static void
diff_shortens_digests_and_names_both_sides(void **state)
{
	static const char old[] =
		"a = 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n"
		"b = same\ngone = x\nempty = \n";
	static const char new[] =
		"a = 1123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n"
		"b = same\nempty = 1 = 2\nnew = y\n";
	struct buffer out = BUFFER_EMPTY;

	(void)state;
	identity_diff(old, new, &out);
	assert_string_equal(out.bytes, "a: 0123456789ab -> 1123456789ab\n"
				       "empty: empty -> 1 = 2\nnew: none -> y\ngone: x -> none\n");
	buffer_free(&out);
}

/* ---- the fast path of check ---- */

static bool
holds_after(const char *command, int64_t age_ns)
{
	struct sightings seen = SIGHTINGS_EMPTY;
	bool result;

	put("file", "abc");
	mkdir("folder", 0777);
	sightings_add(&seen, "file");
	sightings_add(&seen, "folder");
	sightings_add(&seen, "missing");
	check_state_write("state", "surroundings", &seen, clock_realtime_ns() + age_ns);
	sightings_free(&seen);
	run("%s", command);
	result = check_state_holds("state", "surroundings");
	run("rm -rf file folder missing");
	return result;
}

static void
check_state_notices_every_change(void **state)
{
	int64_t later = 10000000000;

	(void)state;
	assert_true(holds_after("true", later));
	assert_false(holds_after("true", 0)); /* looked at too soon after the change */
	assert_false(holds_after("printf abd >file", later));
	assert_false(holds_after("rm file", later));
	assert_false(holds_after("touch folder/new", later));
	assert_false(holds_after("touch missing", later));
	assert_false(holds_after("truncate -s -1 state", later));
	assert_false(holds_after("rm state", later));
	assert_false(holds_after("echo >>state", later));
	assert_true(holds_after("true", later));
}

static void
check_state_is_for_its_surroundings(void **state)
{
	struct sightings seen = SIGHTINGS_EMPTY;

	(void)state;
	check_state_write("state", "PATH=a", &seen, 1);
	assert_true(check_state_holds("state", "PATH=a"));
	assert_false(check_state_holds("state", "PATH=b"));
	assert_false(check_state_holds("state", "PATH=ab"));
	assert_false(check_state_holds("state", ""));
	seen.never_holds = true;
	check_state_write("state", "PATH=a", &seen, 1);
	assert_false(check_state_holds("state", "PATH=a"));
}

static void
index_changes_with_any_plan(void **state)
{
	static char name[] = "fused", path[] = "lab", first[] = "case-1", second[] = "case-2";
	struct program program = {.name = path, .path = path};
	struct treatment treatments[2] = {{.name = word_a, .variant = word_a},
					  {.name = word_b, .variant = word_b}};
	struct study_case cases[2] = {{.case_id = first, .treatments = &treatments[0],
				       .treatment_count = 1},
				      {.case_id = second, .treatments = &treatments[1],
				       .treatment_count = 1}};
	struct experiment experiment = {.name = name, .cases = cases, .case_count = 2};
	struct study study = {.programs = &program, .program_count = 1};
	struct file_signature before, after;
	struct check_index index, changed;

	(void)state;
	assert_int_equal(check_index_write(&study, &experiment, "index", NULL), 0);
	file_signature("index", &before);
	assert_int_equal(check_index_write(&study, &experiment, "index", NULL), 0);
	file_signature("index", &after);
	assert_true(file_signature_equal(&before, &after));
	assert_int_equal(check_index_read("index", &index, NULL), 0);
	assert_int_equal(index.count, 2);
	assert_string_equal(index.cases[1].case_id, "case-2");
	treatments[1].lowers_scale = true;
	check_index_write(&study, &experiment, "index", NULL);
	check_index_read("index", &changed, NULL);
	assert_string_equal(index.cases[0].plan_sha256, changed.cases[0].plan_sha256);
	assert_string_not_equal(index.cases[1].plan_sha256, changed.cases[1].plan_sha256);
	check_index_free(&index);
	check_index_free(&changed);
	put("index", "{}");
	assert_int_equal(check_index_read("index", &index, NULL), -1);
}

/* ---- stored identities ---- */

static void
store_identity(const char *text, const char *started)
{
	struct identity identity;
	char *path;

	identity_from_text(text, &identity);
	path = memory_format("results/case-1/%.16s/identity.txt", identity.hex);
	put(path, text);
	free(path);
	path = memory_format("results/case-1/%.16s/sessions/001/provenance.json", identity.hex);
	run("mkdir -p $(dirname %s) && echo '{\"started\": \"%s\"}' >%s", path, started, path);
	free(path);
	identity_free(&identity);
}

static void
newest_stored_identity_comes_first(void **state)
{
	struct recorded *list;
	size_t count;

	(void)state;
	store_identity("a = 1\n", "2026-01-02T00:00:00.000000000Z");
	store_identity("a = 2\n", "2026-01-03T00:00:00.000000000Z");
	store_identity("a = 3\n", "2026-01-01T00:00:00.000000000Z");
	run("mkdir -p results/case-1/0123456789abcdef results/case-1/odd");
	put("results/case-1/0123456789abcdef/identity.txt", "not of that name\n");
	list = recorded_list("case-1", &count);
	assert_int_equal(count, 3);
	assert_string_equal(list[0].identity.text, "a = 2\n");
	assert_string_equal(list[2].identity.text, "a = 3\n");
	recorded_free(list, count);
	list = recorded_list("none", &count);
	assert_int_equal(count, 0);
	recorded_free(list, count);
}

static void
recorded_machine_stands_in(void **state)
{
	struct identity present, chosen;
	struct error error = {0};

	(void)state;
	identity_from_text("identity = 1\nmachine id = cc\nx = 1\n", &present);
	assert_int_equal(recorded_choose("case-1", "recorded", &present, &chosen, &error), -1);
	assert_int_equal(error.code, EXIT_NOTHING);
	store_identity("identity = 1\nmachine id = aa\nx = 1\n", "2026-01-02");
	store_identity("identity = 1\nmachine id = bb\nx = 2\n", "2026-01-03");
	assert_int_equal(recorded_choose("case-1", "recorded", &present, &chosen, &error), 0);
	assert_non_null(strstr(chosen.text, "machine id = aa"));
	assert_true(chosen.recorded);
	identity_free(&chosen);
	assert_int_equal(recorded_choose("case-1", "bb", &present, &chosen, &error), 0);
	assert_non_null(strstr(chosen.text, "machine id = bb"));
	identity_free(&chosen);
	assert_int_equal(recorded_choose("case-1", "dd", &present, &chosen, &error), -1);
	identity_free(&present);
}

static void
loader_output_is_read(void **state)
{
	char text[] = "\tlinux-vdso.so.1 (0x00007ffd)\n"
		      "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f00)\n"
		      "\tlibgone.so => not found\n"
		      "\t/lib64/ld-linux-x86-64.so.2 (0x00007f01)\n"
		      "\tlibfoo.so.1 => lib/libfoo.so.1 (0x00007f02)\n"
		      "\tstatically linked\n\n";
	struct libraries libraries = {NULL, 0, NULL};

	(void)state;
	libraries_parse(text, &libraries);
	assert_int_equal(libraries.count, 4);
	assert_string_equal(libraries.items[0].path, "/lib/x86_64-linux-gnu/libc.so.6");
	assert_string_equal(libraries.items[1].name, "libgone.so");
	assert_null(libraries.items[1].path);
	assert_string_equal(libraries.items[2].name, "ld-linux-x86-64.so.2");
	assert_string_equal(libraries.items[3].path, "lib/libfoo.so.1");
	libraries_free(&libraries);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(comment_does_not_count),
		IN_FOLDER(edit_and_flag_count),
		IN_FOLDER(build_id_and_debug_sections_do_not_count),
		IN_FOLDER(data_and_stack_flags_count),
		IN_FOLDER(appended_bytes_count),
		IN_FOLDER(damaged_and_foreign_files_count_whole),
		IN_FOLDER(unchanged_file_is_not_hashed_again),
		IN_FOLDER(fresh_digest_is_not_trusted),
		IN_FOLDER(any_change_is_noticed),
		IN_FOLDER(damaged_cache_is_no_cache),
		IN_FOLDER(odd_file_names_survive_the_cache),
		cmocka_unit_test(escaping_goes_both_ways),
		IN_FOLDER(identity_is_the_digest_of_its_text),
		IN_FOLDER(what_reaches_the_program_counts),
		IN_FOLDER(names_counts_and_limits_do_not_count),
		IN_FOLDER(input_with_an_older_time_is_noticed),
		IN_FOLDER(library_replaced_keeping_its_time_is_noticed),
		IN_FOLDER(library_is_found_as_the_treatment_would),
		IN_FOLDER(library_path_is_relative_to_the_treatments_folder),
		IN_FOLDER(scripts_of_a_program_count),
		IN_FOLDER(script_counts_with_its_interpreter),
		IN_FOLDER(interpreter_found_by_env_is_looked_for_along_path),
		IN_FOLDER(program_by_inputs_counts_by_them),
		IN_FOLDER(missing_files_are_named),
		IN_FOLDER(newline_cannot_forge_a_line),
		IN_FOLDER(identity_file_is_read_without_its_notes),
		cmocka_unit_test(diff_shortens_digests_and_names_both_sides),
		IN_FOLDER(check_state_notices_every_change),
		IN_FOLDER(check_state_is_for_its_surroundings),
		IN_FOLDER(index_changes_with_any_plan),
		IN_FOLDER(newest_stored_identity_comes_first),
		IN_FOLDER(recorded_machine_stands_in),
		cmocka_unit_test(loader_output_is_read),
	};

	return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
