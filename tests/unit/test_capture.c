/*
 * What a session records of where its numbers come from: studies made by hand in a fresh folder,
 * with and without git, and what capture_session says of them.
 */
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

#include "base/buffer.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "provenance/capture.h"

#define SESSION "results/C/0123/sessions/001"

static char *folder; /* the test's own; the study lies in it, as "study" */

static void __attribute__((format(printf, 1, 2)))
shell(const char *format, ...)
{
	va_list arguments;
	char command[4096];

	va_start(arguments, format);
	vsnprintf(command, sizeof command, format, arguments);
	va_end(arguments);
	if (system(command) != 0)
		fail_msg("this failed: %s", command);
}

static void
put(const char *path, const char *text)
{
	struct error error = {0};

	if (file_write(path, text, strlen(text), 0, &error) != 0)
		fail_msg("%s", error.message);
}

static char *
read_all(const char *path)
{
	struct buffer bytes = BUFFER_EMPTY;
	struct error error = {0};

	if (file_read(path, 0, &bytes, &error) != 0)
		fail_msg("%s", error.message);
	return buffer_detach(&bytes);
}

static void
commit(void)
{
	shell("git add -A && git -c user.name=a -c user.email=a@b commit -q -m one");
}

static int
set_up(void **state)
{
	char path[] = "/tmp/assay-capture-XXXXXX";

	(void)state;
	folder = memory_copy_text(mkdtemp(path));
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CEILING_DIRECTORIES", folder, 1);
	if (chdir(folder) != 0 || mkdir("study", 0777) != 0 || chdir("study") != 0)
		return -1;
	put("build/study.json", "{\"name\": \"s\", \"specs\": [\"experiments/one.md\"], "
				"\"entry\": \"build.ninja.lua\", \"private\": [\"hidden\"]}");
	put("build.ninja.lua", "study{}\n");
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	if (chdir("/") != 0 || file_remove_tree(folder, NULL) != 0)
		return -1;
	free(folder);
	return 0;
}

static json_t *
capture_program(const char *program)
{
	struct plan_treatment treatment = {.name = (char *)"a", .variant = (char *)"a"};
	struct plan plan = {.case_id = (char *)"C", .treatments = &treatment, .treatment_count = 1};
	struct error error = {0};
	json_t *provenance;

	treatment.program.path = (char *)program;
	provenance = capture_session(&plan, SESSION, &error);
	if (provenance == NULL)
		fail_msg("%s", error.message);
	return provenance;
}

static json_t *
capture(void)
{
	return capture_program("/bin/sh");
}

/* Follows "git.commit"; fails the test when it is not there. */
static const json_t *
at(const json_t *value, const char *path)
{
	char *copy = memory_copy_text(path), *rest = copy, *key;
	const json_t *found = value;

	while ((key = strsep(&rest, ".")) != NULL) {
		found = json_is_array(found) ? json_array_get(found, (size_t)atoi(key))
					     : json_object_get(found, key);
		if (found == NULL)
			fail_msg("%s is not recorded", path);
	}
	free(copy);
	return found;
}

static const char *
reason(const json_t *provenance, const char *path)
{
	const char *text = json_string_value(json_object_get(at(provenance, path), "unavailable"));

	if (text == NULL)
		fail_msg("%s is available", path);
	return text;
}

/* The entry of git.untracked with that path, or NULL. */
static const json_t *
untracked(const json_t *provenance, const char *path)
{
	const json_t *list = at(provenance, "git.untracked");
	size_t i;

	for (i = 0; i < json_array_size(list); i++)
		if (strcmp(json_get_text(json_array_get(list, i), "path"), path) == 0)
			return json_array_get(list, i);
	return NULL;
}

/* ---- git ---- */

static void
test_no_repository(void **state)
{
	json_t *provenance = capture();

	(void)state;
	assert_string_equal(reason(provenance, "git"), "not in a git repository");
	json_decref(provenance);
}

static void
test_no_git(void **state)
{
	char *path = memory_copy_text(getenv("PATH"));
	json_t *provenance;

	(void)state;
	shell("git init -q .");
	setenv("PATH", "/nonexistent", 1);
	provenance = capture();
	setenv("PATH", path, 1);
	assert_string_equal(reason(provenance, "git"), "git is not installed");
	json_decref(provenance);
	free(path);
}

static void
test_clean_commit(void **state)
{
	json_t *provenance;
	struct error error = {0};
	char hex[64] = "";
	FILE *head;

	(void)state;
	put(".gitignore", "build\nresults\n");
	put("kernels/k.c", "int k;\n");
	shell("git init -q -b trunk .");
	commit();
	provenance = capture();
	head = popen("git rev-parse HEAD", "r");
	assert_int_equal(fscanf(head, "%63s", hex), 1);
	pclose(head);
	assert_string_equal(json_string_value(at(provenance, "git.commit")), hex);
	assert_string_equal(json_string_value(at(provenance, "git.branch")), "trunk");
	assert_true(json_is_false(at(provenance, "git.dirty")));
	assert_true(json_is_null(at(provenance, "git.diff")));
	assert_int_equal(json_array_size(at(provenance, "git.status")), 0);
	assert_false(file_exists(SESSION "/diff.patch"));
	assert_int_equal(json_write_file("again.json", provenance, 0, &error), 0);
	json_decref(provenance);
}

static void
test_no_commits(void **state)
{
	json_t *provenance;
	char *diff;

	(void)state;
	put("kernels/k.c", "int staged;\n");
	shell("git init -q -b trunk . && git add kernels");
	provenance = capture();
	assert_string_equal(reason(provenance, "git.commit"), "no commits yet");
	assert_string_equal(json_string_value(at(provenance, "git.branch")), "trunk");
	assert_true(json_is_true(at(provenance, "git.dirty")));
	diff = read_all(SESSION "/diff.patch");
	assert_non_null(strstr(diff, "+int staged;"));
	free(diff);
	json_decref(provenance);
}

static void
test_detached_head(void **state)
{
	json_t *provenance;

	(void)state;
	shell("git init -q .");
	commit();
	shell("git checkout -q --detach");
	provenance = capture();
	assert_string_equal(reason(provenance, "git.branch"), "detached head");
	assert_int_equal(json_string_length(at(provenance, "git.commit")), 40);
	json_decref(provenance);
}

/* The commit and the diff together are what was measured, whatever the user's settings. */
static void
test_diff_restores_the_tree(void **state)
{
	json_t *provenance;

	(void)state;
	put("kernels/k.c", "int one;\n");
	shell("printf 'a\\000b' >data.bin");
	put("results/old.log", "tracked\n");
	shell("git init -q . && git config diff.noprefix true && git config color.ui always");
	shell("git config diff.external false");
	commit();
	shell("git clone -q . ../clone");
	put("kernels/k.c", "int two;\n");
	shell("printf 'a\\000c' >data.bin");
	put("results/old.log", "changed\n");
	put("build/study.json", "{}");
	shell("git mv kernels/k.c kernels/renamed.c");
	provenance = capture();
	assert_string_equal(json_string_value(at(provenance, "git.diff")), "diff.patch");
	assert_true(json_is_true(at(provenance, "git.dirty")));
	shell("cd ../clone && git apply ../study/" SESSION "/diff.patch");
	shell("diff -r -x .git -x results -x build . ../clone");
	shell("! grep -q results " SESSION "/diff.patch");
	json_decref(provenance);
}

/* Our own records, tracked or not, do not make a measurement one of a dirty tree. */
static void
test_results_are_not_dirt(void **state)
{
	json_t *provenance;

	(void)state;
	put("results/old.log", "tracked\n");
	shell("git init -q .");
	commit();
	put("results/old.log", "changed\n");
	put("results/new.log", "new\n");
	put("build/new", "new\n");
	provenance = capture();
	assert_true(json_is_false(at(provenance, "git.dirty")));
	assert_int_equal(json_array_size(at(provenance, "git.status")), 0);
	assert_int_equal(json_array_size(at(provenance, "git.untracked")), 0);
	json_decref(provenance);
}

static void
test_study_in_a_subfolder(void **state)
{
	json_t *provenance;

	(void)state;
	shell("cd .. && git init -q . && mkdir other && echo a >other/a && echo b >study/b");
	shell("cd .. && git add -A && git -c user.name=a -c user.email=a@b commit -q -m one");
	shell("echo c >../other/a && echo d >../other/untracked");
	unsetenv("GIT_CEILING_DIRECTORIES");
	provenance = capture();
	assert_string_equal(json_string_value(at(provenance, "git.folder")), "study/");
	assert_int_equal(json_array_size(at(provenance, "git.status")), 1);
	assert_non_null(strstr(json_string_value(at(provenance, "git.status.0")), "other/a"));
	assert_true(json_is_true(at(provenance, "git.dirty")));
	assert_true(json_is_null(at(provenance, "git.diff"))); /* not ours to store */
	assert_int_equal(json_array_size(at(provenance, "git.untracked")), 0);
	json_decref(provenance);
}

static void
test_submodule(void **state)
{
	json_t *provenance;
	char *kept;

	(void)state;
	shell("git init -q ../library && cd ../library && echo a >a && git add a && "
	      "git -c user.name=a -c user.email=a@b commit -q -m one");
	shell("git init -q . && git -c protocol.file.allow=always submodule --quiet add "
	      "../library lib 2>/dev/null");
	commit();
	provenance = capture();
	assert_string_equal(json_string_value(at(provenance, "git.submodules.0.path")), "lib");
	assert_int_equal(json_string_length(at(provenance, "git.submodules.0.commit")), 40);
	assert_true(json_is_false(at(provenance, "git.dirty")));
	json_decref(provenance);
	put("lib/a", "changed\n");
	shell("rm -rf results");
	provenance = capture();
	assert_true(json_is_true(at(provenance, "git.dirty")));
	json_decref(provenance);
	shell("rm -rf results && cd lib && git -c user.name=a -c user.email=a@b commit -q -a -m two");
	provenance = capture();
	assert_true(json_is_true(at(provenance, "git.dirty")));
	kept = read_all(SESSION "/diff.patch");
	assert_non_null(strstr(kept, "+Subproject commit ")); /* the one that is checked out */
	free(kept);
	json_decref(provenance);
	shell("rm -rf results && git submodule --quiet update && git submodule --quiet deinit lib");
	provenance = capture();
	assert_string_equal(json_string_value(at(provenance, "git.submodules.0.path")), "lib");
	assert_true(json_is_false(at(provenance, "git.dirty")));
	json_decref(provenance);
}

/* ---- untracked files ---- */

/* Kept: what the specs and the graph name, and the headers that those sources include. */
static void
test_untracked_files_the_graph_uses(void **state)
{
	json_t *provenance;
	char hex[DIGEST_SHA256_HEX], *kept;

	(void)state;
	shell("git init -q .");
	commit();
	put("build.ninja", "build build/k.o: cc kernels/k$ 1.c | kernels/named.h\n");
	put("experiments/one.md", "# one\n");
	put("kernels/k 1.c", "#include \"deep/first.h\"\n#include <stdio.h>\n");
	put("kernels/named.h", "");
	put("kernels/deep/first.h", "#include \"../second.h\"\n");
	put("kernels/second.h", "int second;\n");
	put("kernels/unused.h", "int unused;\n");
	put("notes.txt", "private thoughts\n");
	put("hidden/kernel.h", "int hidden;\n");
	provenance = capture();
	assert_true(json_is_true(at(provenance, "git.dirty")));
	kept = read_all(SESSION "/untracked/kernels/second.h");
	assert_string_equal(kept, "int second;\n");
	digest_bytes(DIGEST_SHA256, kept, strlen(kept), hex);
	assert_string_equal(json_get_text(untracked(provenance, "kernels/second.h"), "sha256"), hex);
	assert_true(file_exists(SESSION "/untracked/kernels/k 1.c"));
	assert_true(file_exists(SESSION "/untracked/kernels/named.h"));
	assert_true(file_exists(SESSION "/untracked/experiments/one.md"));
	assert_false(file_exists(SESSION "/untracked/kernels/unused.h"));
	assert_false(file_exists(SESSION "/untracked/notes.txt"));
	assert_true(json_is_false(json_object_get(untracked(provenance, "notes.txt"), "kept")));
	assert_int_equal(strlen(json_get_text(untracked(provenance, "notes.txt"), "sha256")), 64);
	assert_null(untracked(provenance, "hidden/kernel.h"));
	free(kept);
	json_decref(provenance);
}

static void
test_untracked_files_nobody_uses_are_no_dirt(void **state)
{
	json_t *provenance;

	(void)state;
	shell("git init -q .");
	commit();
	put("notes.txt", "a\n");
	provenance = capture();
	assert_true(json_is_false(at(provenance, "git.dirty")));
	assert_non_null(untracked(provenance, "notes.txt"));
	json_decref(provenance);
}

static void
test_strange_names(void **state)
{
	json_t *provenance;
	char *text;

	(void)state;
	shell("git init -q .");
	commit();
	put("two\nlines", "a");
	put("\xc3\xbc", "b");
	put("bad\xff", "c");
	shell("git init -q nested && ln -s /etc/passwd link");
	provenance = capture();
	assert_non_null(untracked(provenance, "two\nlines"));
	assert_non_null(untracked(provenance, "\xc3\xbc"));
	assert_non_null(untracked(provenance, "bad%FF"));
	assert_string_equal(json_get_text(json_object_get(untracked(provenance, "link"), "sha256"),
					  "unavailable"), "no regular file");
	text = json_dumps(provenance, 0);
	assert_non_null(text);
	free(text);
	json_decref(provenance);
}

/* Of files that git tracks, in the status and in the diff, and in the study's folder itself. */
static void
test_strange_names_that_git_tracks(void **state)
{
	json_t *provenance;

	(void)state;
	shell("mkdir -p 'a\nb/study' && cd 'a\nb/study' && git init -q .. && printf 'x' >'two\nlines'");
	assert_int_equal(chdir("a\nb/study"), 0);
	put("\xc3\xbc", "b");
	put("build/study.json", "{}");
	shell("cd .. && git add -A && git -c user.name=a -c user.email=a@b commit -q -m one && "
	      "git clone -q . ../clone");
	unsetenv("GIT_CEILING_DIRECTORIES");
	put("two\nlines", "changed");
	put("\xc3\xbc", "changed");
	provenance = capture();
	assert_string_equal(json_string_value(at(provenance, "git.folder")), "study/");
	assert_int_equal(json_array_size(at(provenance, "git.status")), 2);
	assert_non_null(strstr(json_string_value(at(provenance, "git.status.0")), " study/two\nlines"));
	assert_non_null(strstr(json_string_value(at(provenance, "git.status.1")), " study/\xc3\xbc"));
	shell("cd ../../clone && git apply '../a\nb/study/" SESSION "/diff.patch' && "
	      "cmp 'study/two\nlines' '../a\nb/study/two\nlines'");
	json_decref(provenance);
}

/* Their names may tell what they are: that something private changed is all that is said. */
static void
test_private_changes_are_counted_alone(void **state)
{
	json_t *provenance;
	char *text;

	(void)state;
	put("hidden/customer.c", "int one;\n");
	put("k.c", "int one;\n");
	shell("git init -q .");
	commit();
	put("hidden/customer.c", "int two;\n");
	provenance = capture();
	text = json_dumps(at(provenance, "git"), 0);
	assert_null(strstr(text, "customer"));
	assert_true(json_is_true(at(provenance, "git.dirty")));
	assert_int_equal(json_array_size(at(provenance, "git.status")), 0);
	assert_int_equal(json_integer_value(at(provenance, "git.status_private")), 1);
	free(text);
	json_decref(provenance);
}

static void
test_merge_that_is_not_done(void **state)
{
	json_t *provenance;

	(void)state;
	put("k.c", "int one;\n");
	shell("git init -q -b trunk .");
	commit();
	shell("git checkout -q -b side && echo 'int two;' >k.c");
	commit();
	shell("git checkout -q trunk && echo 'int three;' >k.c");
	commit();
	shell("git -c user.name=a -c user.email=a@b merge -q side >/dev/null 2>&1; test -e .git/MERGE_HEAD");
	provenance = capture();
	assert_non_null(strstr(json_string_value(at(provenance, "git.status.0")), "u UU "));
	assert_true(json_is_true(at(provenance, "git.dirty")));
	assert_string_equal(json_string_value(at(provenance, "git.diff")), "diff.patch");
	json_decref(provenance);
}

static void
test_long_lists_are_cut_and_say_so(void **state)
{
	json_t *provenance;

	(void)state;
	shell("git init -q .");
	commit();
	shell("mkdir a && cd a && seq 1100 | xargs touch");
	put("experiments/one.md", "# comes first, whatever its name\n");
	provenance = capture();
	assert_int_equal(json_array_size(at(provenance, "git.untracked")), 1000);
	assert_int_equal(json_integer_value(at(provenance, "git.untracked_left_out")), 101);
	assert_true(file_exists(SESSION "/untracked/experiments/one.md"));
	json_decref(provenance);
}

static void
test_large_diff_is_not_stored(void **state)
{
	json_t *provenance;

	(void)state;
	put("big", "");
	shell("git init -q .");
	commit();
	shell("seq 1000000 >big");
	provenance = capture();
	assert_non_null(strstr(reason(provenance, "git.diff"), "printed more than 4194304 bytes"));
	assert_true(json_is_true(at(provenance, "git.dirty")));
	assert_false(file_exists(SESSION "/diff.patch"));
	json_decref(provenance);
}

static void
test_disk_refuses(void **state)
{
	struct plan plan = {.case_id = (char *)"C"};
	struct error error = {0};

	(void)state;
	put("file", "a\n");
	shell("git init -q .");
	commit();
	put("file", "b\n");
	assert_null(capture_session(&plan, "file/sessions/001", &error));
	assert_non_null(strstr(error.message, "file/sessions"));
}

/* ---- programs ---- */

static void
test_elf_program(void **state)
{
	json_t *provenance = capture();
	char hex[DIGEST_SHA256_HEX];

	(void)state;
	digest_file(DIGEST_SHA256, "/bin/sh", hex, NULL);
	assert_string_equal(json_string_value(at(provenance, "programs.0.sha256")), hex);
	assert_true(json_string_length(at(provenance, "programs.0.build_id")) >= 16);
	assert_non_null(strstr(json_string_value(at(provenance, "programs.0.libraries.0.path")), ".so"));
	assert_int_equal(json_string_length(at(provenance, "programs.0.libraries.0.sha256")), 64);
	json_decref(provenance);
}

static void
test_program_in_the_study(void **state)
{
	char *self = realpath("/proc/self/exe", NULL);
	json_t *provenance;
	struct error error = {0};

	(void)state;
	assert_int_equal(file_copy(self, "build/bin/k", &error), 0);
	put("build.ninja", "rule cc\n  command = cc -O2 $in -o $out\nbuild build/bin/k: cc k.c\n");
	provenance = capture_program("build/bin/k");
	assert_string_equal(json_string_value(at(provenance, "programs.0.path")), "build/bin/k");
	assert_non_null(strpbrk(json_string_value(at(provenance, "programs.0.compiler")),
				"0123456789"));
	assert_true(json_string_length(at(provenance, "toolchain.version")) > 0);
	assert_string_equal(reason(provenance, "toolchain.command"),
			    "the graph builds none of the programs");
	json_decref(provenance);
	free(self);
}

static void
test_whole_command_line(void **state)
{
	struct plan_treatment treatment = {.name = (char *)"a", .variant = (char *)"a"};
	struct plan plan = {.case_id = (char *)"C", .treatments = &treatment, .treatment_count = 1};
	json_t *provenance;

	(void)state;
	put("build/bin/k", "");
	put("build.ninja", "rule cc\n  command = cc -O2 $in -o $out\nbuild build/bin/k: cc k.c\n");
	treatment.program.path = (char *)"build/bin/k";
	treatment.program.built = true;
	provenance = capture_session(&plan, SESSION, NULL);
	if (json_is_array(at(provenance, "toolchain.command")))
		assert_string_equal(json_string_value(at(provenance, "toolchain.command.0")),
				    "cc -O2 k.c -o build/bin/k");
	else
		assert_string_equal(reason(provenance, "toolchain.command"), "ninja is not installed");
	json_decref(provenance);
}

static void
test_script(void **state)
{
	json_t *provenance;

	(void)state;
	put("k.sh", "#!/usr/bin/env bash\n");
	shell("chmod +x k.sh");
	provenance = capture_program("k.sh");
	assert_non_null(strstr(json_string_value(at(provenance, "interpreters.0.path")), "/bash"));
	assert_non_null(strstr(json_string_value(at(provenance, "interpreters.0.version")), "bash"));
	assert_string_equal(reason(provenance, "programs.0.build_id"), "the file has none");
	json_decref(provenance);
}

static void
test_missing_program(void **state)
{
	json_t *provenance = capture_program("build/bin/gone");

	(void)state;
	assert_non_null(strstr(reason(provenance, "programs.0.sha256"), "No such file"));
	json_decref(provenance);
}

static bool
lists_text(const json_t *list, const char *text)
{
	size_t i;

	for (i = 0; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i)), text) == 0)
			return true;
	return false;
}

/* ---- machine ---- */

static void
test_planted_machine(void **state)
{
	char *root = memory_format("%s/root", folder);
	json_t *provenance;

	(void)state;
	setenv("ASSAY_SYSROOT", root, 1);
	put("../root/proc/cpuinfo", "processor\t: 0\nmodel name\t: Planted 9000\nmicrocode\t: 0x42\n"
				    "flags\t\t: fpu hypervisor sse\n\n");
	put("../root/proc/loadavg", "1.50 0.25 0.10 1/100 7\n");
	put("../root/proc/meminfo", "MemTotal:       1024 kB\n");
	put("../root/proc/sys/kernel/osrelease", "6.6.6\n");
	put("../root/proc/sys/kernel/randomize_va_space", "2\n");
	put("../root/sys/class/thermal/thermal_zone0/temp", "45000\n");
	put("../root/sys/class/thermal/thermal_zone0/type", "x86_pkg_temp\n");
	put("../root/.dockerenv", "");
	put("../root/proc/self/status", "Name:\tassay\nTracerPid:\t77\n");
	put("../root/proc/77/comm", "strace\n");
	put("../root/proc/78/comm", "perf\n");
	put("../root/proc/79/comm", "perf\n");
	put("../root/proc/80/comm", "perfect\n"); /* is no profiler */
	put("../root/proc/81/comm", "callgrind-amd64\n");
	provenance = capture();
	unsetenv("ASSAY_SYSROOT");
	assert_int_equal(json_array_size(at(provenance, "profilers")), 4);
	assert_true(lists_text(at(provenance, "profilers"), "strace traces the session"));
	assert_true(lists_text(at(provenance, "profilers"), "perf"));
	assert_true(lists_text(at(provenance, "profilers"), "callgrind-amd64"));
	assert_string_equal(json_string_value(at(provenance, "cpu.model")), "Planted 9000");
	assert_string_equal(json_string_value(at(provenance, "cpu.microcode")), "0x42");
	assert_string_equal(json_string_value(at(provenance, "kernel.release")), "6.6.6");
	assert_int_equal(json_integer_value(at(provenance, "aslr")), 2);
	assert_string_equal(json_string_value(at(provenance, "memory.MemTotal")), "1024 kB");
	assert_true(json_number_value(at(provenance, "load.1_min")) == 1.5);
	assert_int_equal(json_integer_value(
				 at(provenance, "temperature.thermal_zone0.millidegrees")), 45000);
	assert_string_equal(json_string_value(at(provenance, "virtualisation.container")), "docker");
	assert_true(json_is_true(at(provenance, "virtualisation.hypervisor")));
	assert_non_null(strstr(reason(provenance, "cpu.governor"), "cpufreq"));
	assert_non_null(strstr(reason(provenance, "cpu.isolated"), "No such file"));
	assert_true(json_array_size(at(provenance, "numa")) >= 1);
	assert_true(json_integer_value(at(provenance, "cpu.threads")) >= 1);
	json_decref(provenance);
	free(root);
}

/* Nothing that tells who measured and where, and no variable that was not asked for. */
static void
test_no_secrets(void **state)
{
	char *home = memory_format("%s/home-of-somebody", folder), *text, host[256] = "";
	char *list = memory_format("%s/lib:/opt/lib", home);
	char *tool = memory_format("%s/study/lib/tool.so", folder);
	json_t *provenance;

	(void)state;
	gethostname(host, sizeof host - 1);
	shell("git init -q .");
	setenv("HOME", home, 1);
	setenv("API_TOKEN", "planted-secret", 1);
	setenv("OMP_NUM_THREADS", "3", 1);
	setenv("OMP_TOOL_LIBRARIES", tool, 1);
	setenv("LD_LIBRARY_PATH", list, 1);
	provenance = capture();
	unsetenv("LD_LIBRARY_PATH");
	unsetenv("API_TOKEN");
	text = json_dumps(provenance, 0);
	assert_null(strstr(text, "planted-secret"));
	assert_null(strstr(text, "API_TOKEN"));
	assert_null(strstr(text, folder));
	if (strlen(host) > 8) /* a shorter one may be a word */
		assert_null(strstr(text, host));
	assert_string_equal(json_string_value(at(provenance, "environment.OMP_NUM_THREADS")), "3");
	assert_string_equal(json_string_value(at(provenance, "environment.LD_LIBRARY_PATH")),
			    "~/lib:/opt/lib");
	assert_string_equal(json_string_value(at(provenance, "environment.OMP_TOOL_LIBRARIES")),
			    "lib/tool.so");
	assert_true(json_is_null(at(provenance, "hostname")));
	assert_string_equal(json_string_value(at(provenance, "format")), "assay-provenance-1");
	assert_int_equal(json_string_length(at(provenance, "tool.sha256")), 64);
	json_decref(provenance);
	free(text);
	free(tool);
	free(list);
	free(home);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_no_repository),
		TEST(test_no_git),
		TEST(test_clean_commit),
		TEST(test_no_commits),
		TEST(test_detached_head),
		TEST(test_diff_restores_the_tree),
		TEST(test_results_are_not_dirt),
		TEST(test_study_in_a_subfolder),
		TEST(test_submodule),
		TEST(test_untracked_files_the_graph_uses),
		TEST(test_untracked_files_nobody_uses_are_no_dirt),
		TEST(test_strange_names),
		TEST(test_strange_names_that_git_tracks),
		TEST(test_private_changes_are_counted_alone),
		TEST(test_merge_that_is_not_done),
		TEST(test_long_lists_are_cut_and_say_so),
		TEST(test_large_diff_is_not_stored),
		TEST(test_disk_refuses),
		TEST(test_elf_program),
		TEST(test_program_in_the_study),
		TEST(test_whole_command_line),
		TEST(test_script),
		TEST(test_missing_program),
		TEST(test_planted_machine),
		TEST(test_no_secrets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
