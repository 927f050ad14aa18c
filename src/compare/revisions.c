#include "compare/revisions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/memory.h"
#include "compare/argument_files.h"
#include "compare/commands.h"
#include "compare/find.h"
#include "compare/spec.h"
#include "compare/words.h"
#include "graph/shell.h"
#include "revision/revision.h"
#include "spec/git_source.h"
#include "spec/text.h"

/* ---- the command line ---- */

static bool
has_any(const struct compare_options *options)
{
	size_t i;

	for (i = 0; i < options->command_count; i++)
		if (options->commands[i].revision != NULL)
			return true;
	return false;
}

/* Takes the commands that are no revisions out of the list: all of them are words of one. */
static int
take_words(struct compare_options *options, struct texts *words, struct error *error)
{
	size_t kept = 0, i;
	int result = 0;

	for (i = 0; i < options->command_count; i++) {
		struct compared *one = &options->commands[i];

		if (one->revision != NULL) {
			options->commands[kept++] = *one;
			continue;
		}
		words_add(words, one->text);
		if (one->name != NULL)
			result = error_set(error, EXIT_USAGE, "--name '%.100s': with --rev it stands before the "
					   "--rev that it names", one->name);
		free(one->text);
		free(one->name);
	}
	options->command_count = kept;
	return result;
}

static int
check_count(const struct compare_options *options, const struct texts *given, struct error *error)
{
	if (given->count == 0)
		return error_set(error, EXIT_USAGE, "the command to compare is missing; it stands at the end, "
				 "after --");
	if (options->command_count < 2)
		return error_set(error, EXIT_USAGE, "give two --rev or more; --rev WORKTREE is what is not "
				 "committed yet");
	if (options->shell && given->count > 1)
		return error_set(error, EXIT_USAGE, "with --shell the command is one argument, as in 'a | b'");
	return 0;
}

/* As one would type it. The caller frees. */
static char *
text_of(const struct texts *words)
{
	struct buffer text = BUFFER_EMPTY;
	size_t i;

	for (i = 0; i < words->count; i++) {
		if (i > 0)
			buffer_putc(&text, ' ');
		shell_put_word(&text, words->items[i]);
	}
	return buffer_detach(&text);
}

static void
give_words(struct compare_options *options, const struct texts *given, const struct texts *words)
{
	size_t i, k;

	for (i = 0; i < options->command_count; i++) {
		options->commands[i].text = given->count == 1 ? memory_copy_text(given->items[0])
							      : text_of(words);
		for (k = 0; k < words->count; k++)
			words_add(&options->commands[i].args, words->items[k]);
	}
}

int
revisions_gather(struct compare_options *options, struct error *error)
{
	struct texts given = {0}, words = {0};
	int result;
	size_t i;

	if (!has_any(options))
		return options->builds.count == 0
			       ? 0
			       : error_set(error, EXIT_USAGE, "--build goes with --rev; for two programs that are "
					   "there, build them before");
	result = take_words(options, &given, error);
	if (result == 0)
		result = check_count(options, &given, error);
	if (result == 0 && given.count == 1)
		result = commands_split(options, given.items[0], &words, error);
	for (i = 0; result == 0 && given.count > 1 && i < given.count; i++)
		words_add(&words, given.items[i]);
	if (result == 0)
		result = commands_check(options, &words, error);
	if (result == 0)
		give_words(options, &given, &words);
	words_free(&given);
	words_free(&words);
	return result;
}

/* ---- commits and the program ---- */

static int
find_commit(const struct repository *repository, struct compared *command, struct error *error)
{
	if (revision_is_work_tree(command->revision)) {
		command->commit = repository_head(repository);
		return 0;
	}
	command->commit = repository_commit(repository, command->revision, error);
	return command->commit != NULL ? 0 : -1;
}

/* The first word leaves `args`: it becomes the output of the build, or a program from elsewhere. */
static int
take_program(const struct repository *repository, struct compared *command, struct error *error)
{
	char *word = command->args.items[0];

	command->args.count--;
	memmove(command->args.items, command->args.items + 1,
		command->args.count * sizeof *command->args.items);
	if (strchr(word, '/') != NULL)
		command->output = argument_files_in_tree(repository, word);
	if (command->output == NULL)
		command->program = find_program_of(word, error);
	free(word);
	return command->output != NULL || command->program != NULL ? 0 : -1;
}

int
revisions_resolve(struct compare_options *options, struct error *error)
{
	struct repository repository;
	int result = repository_open(options->folder, &repository, error);
	size_t i;

	for (i = 0; result == 0 && i < options->command_count; i++) {
		result = find_commit(&repository, &options->commands[i], error);
		if (result == 0)
			result = take_program(&repository, &options->commands[i], error);
	}
	repository_close(&repository);
	return result;
}

/* ---- building ---- */

/* Where its tree lies, and the program in it. */
static void
place(const struct repository *repository, struct compared *command, const char *folder)
{
	char *root = realpath(".", NULL);

	command->cwd = memory_format("%s/tree%s%s", folder, repository->prefix[0] != '\0' ? "/" : "",
				     repository->prefix);
	if (command->output != NULL) {
		char *joined = memory_format("%s/%s/%s", root != NULL ? root : "", command->cwd,
					     command->output);
		struct buffer clean = BUFFER_EMPTY;

		text_path(joined, &clean);
		command->program = buffer_detach(&clean);
		free(joined);
	}
	free(root);
}

/* What it really came to: the work tree may have changed since the commits were looked up. */
static int
read_record(struct compared *command, const char *folder, struct error *error)
{
	char *path = memory_format("%s/source.json", folder);
	json_t *record = json_read_file(path, error);

	free(path);
	if (record == NULL)
		return -1;
	command->dirty = json_is_true(json_object_get(record, "dirty"));
	free(command->commit);
	command->commit = json_is_string(json_object_get(record, "commit"))
				  ? memory_copy_text(json_get_text(record, "commit"))
				  : NULL;
	json_decref(record);
	return 0;
}

static void
tell(const struct compare_options *options, size_t index, FILE *out)
{
	const struct compared *command = &options->commands[index];

	if (out == NULL)
		return;
	fprintf(out, "%s %s (%zu of %zu)", options->builds.count > 0 ? "building" : "taking",
		command->revision, index + 1, options->command_count);
	if (command->commit != NULL && !revision_is_work_tree(command->revision))
		fprintf(out, ", commit %.12s", command->commit);
	fputc('\n', out);
	fflush(out);
}

static int
build(const struct compare_options *options, const struct repository *repository, size_t index,
      const volatile int *interrupted, struct error *error)
{
	struct compared *command = &options->commands[index];
	char *name = memory_format(COMPARE_REVISION, index + 1), folder[GIT_SOURCE_FOLDER];
	struct revision_wish wish = {
		.repository = options->folder,
		.revision = revision_is_work_tree(command->revision) ? command->revision : command->commit,
		.name = command->revision,
		.folder = folder,
		.build = options->builds,
		.program = command->output,
		.interrupted = interrupted,
	};

	git_source_folder(name, folder);
	free(name);
	if (revision_make(&wish, error) != 0 || read_record(command, folder, error) != 0)
		return -1;
	place(repository, command, folder);
	return 0;
}

int
revisions_build(struct compare_options *options, const volatile int *interrupted, FILE *out,
		struct error *error)
{
	struct repository repository;
	int result;
	size_t i;

	if (!compare_options_has_revisions(options))
		return 0;
	result = repository_open(options->folder, &repository, error);
	for (i = 0; result == 0 && i < options->command_count; i++) {
		tell(options, i, out);
		result = build(options, &repository, i, interrupted, error);
	}
	if (result == 0 && !options->shell)
		argument_files_settle(options, &repository, out);
	repository_close(&repository);
	return result;
}
