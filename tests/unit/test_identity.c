/* The identity of a plan: what reaches the program counts, nothing else does. */
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

#include "base/file.h"
#include "base/memory.h"
#include "identity/identity.h"
#include "identity/libraries.h"
#include "tests/unit/identity_folder.h"

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
	put_file("data/x.gz", "input");
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
	static char other[] = "--n=4194304", first[] = "first", cores[] = "2 cores", two[] = "2", name[] = "OMP";
	struct study_of_two study;
	struct identity identity;

	(void)state;
	make_study(&study);
	compute(&study.plan, &identity);
	study.args[1][1] = other;
	assert_changed(&identity, &study.plan, "treatment 1 argument 2: --n=16384 -> --n=4194304\n");
	study.plan.cpus = first;
	assert_changed(&identity, &study.plan, "pinning: last -> first\n");
	study.treatments[0].cpus = first;
	study.treatments[1].cpus = cores;
	identity_free(&identity);
	compute(&study.plan, &identity);
	assert_non_null(strstr(identity.text, "\ntreatment 1 pinning = 2 cores\n"));
	assert_null(strstr(identity.text, "\npinning"));
	study.treatments[1].cpus = first;
	assert_changed(&identity, &study.plan, "treatment 1 pinning: 2 cores -> first\n");
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
	put_file("k.py", "pass");
	study.treatments[1].program.scripts = (struct texts){scripts, 1};
	compute(&study.plan, &identity);
	put_file("k.py", "pass # 2");
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
	put_file("k.cu", "kernel");
	study.treatments[0].program.by_inputs = true;
	study.treatments[0].program.identity_inputs = (struct texts){sources, 1};
	study.treatments[0].program.identity_command = compiler;
	study.plan.treatment_count = 1;
	compute(&study.plan, &identity);
	compile("lab", "int main(void) { return 7; }\n", "");
	assert_changed(&identity, &study.plan, "");
	put_file("k.cu", "kernel 2");
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
	put_file("data/x.gz", "input");
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
	put_file("build/identity/case-1", text);
	assert_int_equal(identity_read("build/identity/case-1", &read, &error), 0);
	assert_string_equal(read.text, identity.text);
	assert_true(read.recorded);
	identity_free(&read);
	text[DIGEST_SHA256_HEX + 3]++;
	put_file("build/identity/case-1", text);
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

static void
what_is_left_out_has_no_lines(void **state)
{
	static char reason[] = "no lab", need[] = "python", version[] = "3.11";
	struct setting needs[1] = {{need, version}};
	struct study_of_two study;
	struct identity whole, few;

	(void)state;
	make_study(&study);
	compute(&study.plan, &whole);
	study.treatments[0].skipped = reason;
	study.treatments[0].left_out = true;
	study.treatments[0].program.path = reason;
	compute(&study.plan, &few);
	assert_non_null(strstr(few.text, "\ntreatments = 1\n"));
	assert_true(identity_has_treatment(whole.text, 0));
	assert_false(identity_has_treatment(few.text, 0));
	assert_true(identity_has_treatment(few.text, 1));
	identity_settle(&whole, &study.plan);
	assert_false(study.treatments[0].left_out);
	assert_string_equal(study.treatments[0].skipped, "no lab");
	identity_settle(&few, &study.plan);
	assert_true(study.treatments[0].left_out);
	study.treatments[1].needs = (struct settings){needs, 1};
	assert_changed(&few, &study.plan, "treatment 1 need python: none -> 3.11\n");
	identity_free(&whole);
	identity_free(&few);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
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
		IN_FOLDER(what_is_left_out_has_no_lines),
		cmocka_unit_test(diff_shortens_digests_and_names_both_sides),
		cmocka_unit_test(loader_output_is_read),
	};

	return cmocka_run_group_tests_name("identity", tests, NULL, NULL);
}
