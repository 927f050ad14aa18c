/* What a session records of the state of the sources: with and without git, clean and changed. */
#include "capture_fixture.h"

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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
