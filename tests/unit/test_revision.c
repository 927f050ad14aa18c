#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "compare/options.h"
#include "compare/spec.h"
#include "graph/paths.h"
#include "identity/program_identity.h"
#include "revision/repository.h"
#include "revision/revision.h"
#include "revision/step.h"

/* Revisions of a small repository: finding them, making their trees, and the command line of
 * `assay compare --rev`. */

static char folder[] = "/tmp/assay revision ü XXXXXX";
static char *before;

static void
put(const char *path, const char *text)
{
	assert_int_equal(file_write(path, text, strlen(text), 0, NULL), 0);
}

/* A commit of two files, one of them run, a second that changes one; new files that git does not
 * know. */
static int
set_up(void **state)
{
	static const char script[] =
		"export HOME=$PWD/.. GIT_CONFIG_NOSYSTEM=1 &&"
		"git config --global user.name n && git config --global user.email e@example.org &&"
		"git init -q -b main . && git add . && git commit -qm one && git tag v1 &&"
		"echo second >sub/data && git commit -qam two && git rm -q --cached gone && rm gone &&"
		"echo third >sub/data && echo new >untracked && ln -s data sub/link";

	(void)state;
	before = getcwd(NULL, 0);
	if (mkdtemp(folder) == NULL || chdir(folder) != 0 || mkdir("study", 0777) != 0)
		return -1;
	put("repository/sub/data", "first\n");
	put("repository/gone", "g\n");
	put("repository/.gitignore", "ignored\n");
	put("repository/ignored", "i\n");
	put("repository/run", "#!/bin/sh\n");
	if (chmod("repository/run", 0755) != 0 || chdir("repository") != 0 || system(script) != 0)
		return -1;
	setenv("HOME", folder, 1);
	return chdir("../study");
}

static int
tear_down(void **state)
{
	(void)state;
	if (chdir(before) != 0)
		return -1;
	free(before);
	return file_remove_tree(folder, NULL);
}

static void
assert_content(const char *path, const char *expected)
{
	struct buffer text = BUFFER_EMPTY;

	assert_int_equal(file_read(path, 0, &text, NULL), 0);
	assert_string_equal(buffer_text(&text), expected);
	buffer_free(&text);
}

/* ---- repositories ---- */

static void
a_repository_is_found_from_a_folder_in_it(void **state)
{
	struct repository repository;
	struct error error = {0};

	(void)state;
	assert_int_equal(repository_open("../repository/sub", &repository, &error), 0);
	assert_string_equal(repository.prefix, "sub");
	assert_string_equal(strrchr(repository.top, '/'), "/repository");
	assert_string_equal(repository.format, "sha1");
	assert_true(file_exists(repository.objects));
	repository_close(&repository);
	assert_int_equal(repository_open(".", &repository, &error), -1);
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	assert_non_null(strstr(error.message, "no git repository"));
	repository_close(&repository);
}

static void
assert_no_commit(const struct repository *repository, const char *text, const char *why)
{
	struct error error = {0};

	assert_null(repository_commit(repository, text, &error));
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	if (strstr(error.message, why) == NULL)
		fail_msg("'%s' does not say '%s'", error.message, why);
}

static void
a_revision_is_whatever_git_takes_for_one(void **state)
{
	static const char *const same[] = {"main", "HEAD", "main~0", "@", ":/two", "refs/heads/main"};
	struct repository repository;
	char *head, *other;
	size_t i;

	(void)state;
	assert_int_equal(repository_open("../repository", &repository, NULL), 0);
	head = repository_head(&repository);
	assert_int_equal(strlen(head), 40);
	for (i = 0; i < sizeof same / sizeof *same; i++) {
		other = repository_commit(&repository, same[i], NULL);
		assert_string_equal(other, head);
		free(other);
	}
	other = repository_commit(&repository, "v1", NULL);
	assert_string_not_equal(other, head);
	assert_true(repository_has(&repository, other));
	assert_false(repository_has(&repository, "0123456789012345678901234567890123456789"));
	free(other);
	free(head);
	assert_no_commit(&repository, "mian", "did you mean main?");
	assert_no_commit(&repository, "main:run", "is no commit");
	assert_no_commit(&repository, "v1..main", "no revision");
	assert_no_commit(&repository, "--all", "no revision");
	assert_no_commit(&repository, "", "no revision");
	repository_close(&repository);
}

/* ---- trees ---- */

static json_t *
make(const char *revision, const char *command, const char *program)
{
	struct revision_wish wish = {.repository = "../repository/sub", .revision = revision,
				     .folder = "build/source/0123456789ab", .program = program};
	struct error error = {0};
	json_t *record;

	paths_add(&wish.build, "%s", command);
	if (revision_make(&wish, &error) != 0)
		fail_msg("%s", error.message);
	paths_free(&wish.build);
	record = json_read_file("build/source/0123456789ab/source.json", &error);
	assert_non_null(record);
	return record;
}

#define TREE "build/source/0123456789ab/tree"

static void
a_commit_is_taken_whole_and_alone(void **state)
{
	json_t *record = make("v1", "cat data >made && git describe --tags >>made && test {jobs} -ge 1 && "
			      "echo ${HOME:+{}} >>made", "../run");
	char *line = memory_format("first\nv1\n{}\n");

	(void)state;
	assert_content(TREE "/sub/made", line);
	assert_content(TREE "/gone", "g\n");
	assert_int_equal(access(TREE "/run", X_OK), 0);
	assert_false(file_exists(TREE "/untracked"));
	assert_false(file_exists(TREE "/ignored"));
	assert_false(json_is_true(json_object_get(record, "dirty")));
	assert_string_equal(json_get_text(record, "revision"), "v1");
	assert_int_equal(strlen(json_get_text(record, "commit")), 40);
	assert_int_equal(strlen(json_get_text(record, "tree")), 40);
	json_decref(record);
	free(line);
}

static void
the_work_tree_is_taken_as_it_is(void **state)
{
	json_t *record = make("WORKTREE", "git status --porcelain >status", NULL);
	const char *tree = json_get_text(record, "tree");

	(void)state;
	assert_content(TREE "/sub/data", "third\n");
	assert_content(TREE "/sub/link", "third\n");
	assert_content(TREE "/untracked", "new\n");
	assert_false(file_exists(TREE "/gone"));
	assert_false(file_exists(TREE "/ignored"));
	assert_true(json_is_true(json_object_get(record, "dirty")));
	assert_int_equal(json_array_size(json_object_get(record, "changes")), 4);
	assert_int_equal(strncmp(tree, "sha256:", 7), 0);
	json_decref(record);
}

static void
assert_not_made(const char *revision, const char *repository, const char *command,
		const char *program, const char *why)
{
	struct revision_wish wish = {.repository = repository, .revision = revision,
				     .folder = "build/source/0123456789ab", .program = program};
	struct error error = {0};

	if (command != NULL)
		paths_add(&wish.build, "%s", command);
	assert_int_equal(revision_make(&wish, &error), -1);
	if (strstr(error.message, why) == NULL)
		fail_msg("'%s' does not say '%s'", error.message, why);
	paths_free(&wish.build);
}

static void
what_goes_wrong_names_the_revision(void **state)
{
	(void)state;
	assert_not_made("v1", "../repository", "echo almost; echo no >&2; exit 3", NULL, "v1 (commit ");
	assert_not_made("v1", "../repository", "echo almost; echo no >&2; exit 3", NULL,
			"exited with 3:\n  almost\n  no");
	assert_not_made("v1", "../repository", "if", NULL, "yntax");
	assert_not_made("v1", "../repository", "kill -9 $$", NULL, "ended by signal 9");
	assert_not_made("v1", "../repository", "true", "run2", "the build made no run2");
	assert_not_made("v1", "../repository", NULL, "run2", "no build was asked for");
	assert_not_made("v1", "../repository", "true", "gone", "may be run");
	assert_not_made("WORKTREE", "../repository", "false", NULL, "with changes): the build failed");
	assert_not_made("v0", "../repository", "true", NULL, "there is no revision 'v0'");
	assert_not_made("v1", "../repository/new", "true", NULL, "cannot go to");
	assert_int_equal(mkdir("../repository/new", 0777), 0);
	assert_not_made("v1", "../repository/new", "true", NULL, "it has no folder new");
	assert_int_equal(rmdir("../repository/new"), 0);
}

/* A time stamp that changes is enough: it only leads to another build. */
static void
a_look_sees_what_changed(void **state)
{
	struct revision_wish wish = {.repository = "../repository", .revision = "WORKTREE",
				     .folder = "look"};
	struct buffer first = BUFFER_EMPTY, second = BUFFER_EMPTY;
	struct error error = {0};

	(void)state;
	assert_int_equal(revision_look(&wish, &error), 0);
	assert_int_equal(file_read("look/revision", 0, &first, NULL), 0);
	assert_int_equal(revision_look(&wish, &error), 0);
	assert_content("look/revision", buffer_text(&first));
	put("../repository/ignored", "another\n");
	assert_int_equal(revision_look(&wish, &error), 0);
	assert_content("look/revision", buffer_text(&first));
	put("../repository/untracked", "newer\n");
	assert_int_equal(revision_look(&wish, &error), 0);
	assert_int_equal(file_read("look/revision", 0, &second, NULL), 0);
	assert_string_not_equal(buffer_text(&first), buffer_text(&second));
	put("../repository/untracked", "new\n");
	buffer_free(&first);
	buffer_free(&second);
}

/* So that two of the same content are known to be the same, whatever they are called. */
static void
files_of_a_source_have_the_same_name_for_all(void **state)
{
	struct plan_program program = {.source = (char *)"build/source/0123456789ab"};
	char *inside = program_identity_name(&program, "build/source/0123456789ab/tree/x");
	char *beside = program_identity_name(&program, "build/source/0123456789abc/tree/x");

	(void)state;
	assert_string_equal(inside, "source:tree/x");
	assert_string_equal(beside, "build/source/0123456789abc/tree/x");
	free(inside);
	free(beside);
}

/* ---- the command line ---- */

static int
read_options(struct compare_options *options, struct error *error, const char *const *arguments)
{
	char *argv[32] = {(char *)"compare"};
	int count = 1, result;

	memset(error, 0, sizeof *error);
	for (; *arguments != NULL; arguments++)
		argv[count++] = (char *)*arguments;
	assert_int_equal(chdir("../repository"), 0);
	result = compare_options_read(count, argv, options, error);
	assert_int_equal(chdir("../study"), 0);
	return result;
}
#define READ(options, error, ...) \
	read_options(options, error, (const char *const[]){__VA_ARGS__, NULL})

static void
one_command_at_several_revisions(void **state)
{
	struct compare_options options;
	struct error error;

	(void)state;
	assert_int_equal(READ(&options, &error, "--rev", "v1", "--name", "new", "--rev", "HEAD", "--rev=HEAD^",
			      "--build", "make -j2", "--build", "true", "--", "./run", "-a", "b c"), 0);
	assert_int_equal(options.command_count, 3);
	assert_string_equal(options.commands[0].name, "v1");
	assert_string_equal(options.commands[1].name, "new");
	assert_string_equal(options.commands[2].name, "HEAD");
	assert_string_equal(options.commands[0].commit, options.commands[2].commit);
	assert_string_equal(options.commands[0].output, "run");
	assert_null(options.commands[0].program);
	assert_int_equal(options.commands[2].args.count, 2);
	assert_string_equal(options.commands[2].args.items[1], "b c");
	assert_int_equal(options.builds.count, 2);
	compare_options_free(&options);
}

static void
a_program_may_come_from_elsewhere(void **state)
{
	struct compare_options options;
	struct error error;
	struct buffer spec = BUFFER_EMPTY;

	(void)state;
	assert_int_equal(READ(&options, &error, "--rev", "v1", "--rev", "WORKTREE", "cat 'sub/data' -"), 0);
	assert_null(options.commands[1].output);
	assert_string_equal(strrchr(options.commands[1].program, '/'), "/cat");
	assert_string_equal(options.commands[1].args.items[0], "sub/data");
	compare_spec_experiment(&options, false, &spec);
	assert_non_null(strstr(spec.bytes, "program \"revision1\" {"));
	assert_non_null(strstr(spec.bytes, "}, -- v1\n"));
	assert_non_null(strstr(spec.bytes, "rev = WORKTREE }"));
	buffer_free(&spec);
	compare_options_free(&options);
}

static void
names_tell_revisions_apart(void **state)
{
	struct compare_options options;
	struct error error;

	(void)state;
	assert_int_equal(READ(&options, &error, "--rev", "HEAD", "--rev", "HEAD^", "--", "./run"), 0);
	assert_int_equal(strncmp(options.commands[0].name, "HEAD@", 5), 0);
	assert_int_equal(strncmp(options.commands[1].name, "HEAD_@", 6), 0);
	compare_options_free(&options);
	assert_int_equal(READ(&options, &error, "--rev", "v1", "--rev", "v1", "--", "./run"), 0);
	assert_string_equal(options.commands[0].name, "A");
	compare_options_free(&options);
}

static void
assert_misused(enum exit_code code, const char *why, const char *const *arguments)
{
	struct compare_options options;
	struct error error;

	assert_int_equal(read_options(&options, &error, arguments), -1);
	if (error.code != code || strstr(error.message, why) == NULL)
		fail_msg("code %d, '%s' does not say '%s'", error.code, error.message, why);
	compare_options_free(&options);
}
#define MISUSED(code, why, ...) \
	assert_misused(code, why, (const char *const[]){__VA_ARGS__, NULL})

static void
wrong_command_lines_say_what_is_wrong(void **state)
{
	(void)state;
	MISUSED(EXIT_USAGE, "two --rev", "--rev", "v1", "--", "./run");
	MISUSED(EXIT_USAGE, "is missing", "--rev", "v1", "--rev", "main");
	MISUSED(EXIT_USAGE, "--build goes with --rev", "true", "false", "--build", "make");
	MISUSED(EXIT_USAGE, "one argument", "--shell", "--rev", "v1", "--rev", "main", "--", "a", "b");
	MISUSED(EXIT_USAGE, "before the --rev", "--rev", "v1", "--rev", "main", "--name", "x", "./run");
	MISUSED(EXIT_USAGE, "use --shell", "--rev", "v1", "--rev", "main", "./run | cat");
	MISUSED(EXIT_USAGE, "not in the program", "--sweep", "n=1", "--rev", "v1", "--rev", "main", "--",
		"./run{n}");
	MISUSED(EXIT_BAD_INPUT, "no revision 'v7'", "--rev", "v1", "--rev", "v7", "--", "./run");
	MISUSED(EXIT_BAD_INPUT, "in PATH", "--rev", "v1", "--rev", "main", "--", "surely-not-there");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_repository_is_found_from_a_folder_in_it),
		cmocka_unit_test(a_revision_is_whatever_git_takes_for_one),
		cmocka_unit_test(a_commit_is_taken_whole_and_alone),
		cmocka_unit_test(the_work_tree_is_taken_as_it_is),
		cmocka_unit_test(what_goes_wrong_names_the_revision),
		cmocka_unit_test(a_look_sees_what_changed),
		cmocka_unit_test(files_of_a_source_have_the_same_name_for_all),
		cmocka_unit_test(one_command_at_several_revisions),
		cmocka_unit_test(a_program_may_come_from_elsewhere),
		cmocka_unit_test(names_tell_revisions_apart),
		cmocka_unit_test(wrong_command_lines_say_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
