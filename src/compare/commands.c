#include "compare/commands.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "compare/find.h"
#include "compare/words.h"

#define NAME_BYTES 64 /* a variant's name in a spec */

int
commands_words(const char *text, bool shell, struct texts *words, struct error *error)
{
	if (!shell)
		return words_split(text, words, error);
	words_add(words, "sh");
	words_add(words, "-c");
	words_add(words, text);
	return 0;
}

static bool
is_a_path(const char *text)
{
	struct stat status;

	return strchr(text, '/') != NULL && stat(text, &status) == 0 && S_ISREG(status.st_mode) &&
	       access(text, X_OK) == 0;
}

/* The program's own name may not depend on the point: it is staged once for all of them. */
static int
check_program_word(const struct compare_options *options, const char *word, struct error *error)
{
	size_t i;

	for (i = 0; i < options->dimension_count; i++) {
		char *placeholder = memory_format("{%s}", options->dimensions[i].name);
		bool found = strstr(word, placeholder) != NULL;

		free(placeholder);
		if (found)
			return error_set(error, EXIT_USAGE, "'%.200s': {%s} may stand in arguments, not in the "
					 "program's name", word, options->dimensions[i].name);
	}
	return 0;
}

int
commands_split(const struct compare_options *options, const char *text, struct texts *words,
	       struct error *error)
{
	if (!options->shell && is_a_path(text))
		words_add(words, text);
	else if (commands_words(text, options->shell, words, error) != 0)
		return -1;
	return 0;
}

int
commands_check(const struct compare_options *options, const struct texts *words,
	       struct error *error)
{
	if (words->count == 0)
		return error_set(error, EXIT_USAGE, "a command is empty");
	return check_program_word(options, words->items[0], error);
}

static int
resolve(const struct compare_options *options, struct compared *command, struct error *error)
{
	struct texts words = {0};
	size_t i;
	int result;

	if (command->revision != NULL) /* revisions.c */
		return 0;
	result = commands_split(options, command->text, &words, error);
	if (result == 0)
		result = commands_check(options, &words, error);
	if (result == 0) {
		command->program = find_program_of(words.items[0], error);
		result = command->program != NULL ? 0 : -1;
	}
	for (i = 1; result == 0 && i < words.count; i++)
		words_add(&command->args, words.items[i]);
	words_free(&words);
	return result;
}

/* ---- names ---- */

static bool
may_be_in_a_name(char byte)
{
	return isalnum((unsigned char)byte) || (byte != '\0' && strchr("_-.+:=,@", byte) != NULL);
}

/* What a spec takes as a variant's name: the bytes of the text that may be in one, each run of
 * others as one _. The caller frees. */
static char *
as_name(const char *text)
{
	struct buffer name = BUFFER_EMPTY;

	for (; *text != '\0' && name.length < NAME_BYTES; text++) {
		if (may_be_in_a_name(*text) && (name.length > 0 || isalnum((unsigned char)*text)))
			buffer_putc(&name, *text);
		else if (name.length > 0 && name.bytes[name.length - 1] != '_')
			buffer_putc(&name, '_');
	}
	while (name.length > 0 && name.bytes[name.length - 1] == '_')
		name.bytes[--name.length] = '\0';
	return buffer_detach(&name);
}

static char *
short_name(const struct compared *command)
{
	if (command->revision != NULL)
		return as_name(command->revision);
	return as_name(strrchr(command->program, '/') + 1);
}

static char *
long_name(const struct compared *command)
{
	char *text, *name;

	if (command->revision == NULL)
		return as_name(command->text);
	text = memory_format("%s@%.7s", command->revision, command->commit != NULL ? command->commit : "");
	name = as_name(text);
	free(text);
	return name;
}

static bool
all_differ(char *const *names, size_t count)
{
	size_t i, k;

	for (i = 0; i < count; i++)
		for (k = 0; k < i; k++)
			if (strcmp(names[i], names[k]) == 0)
				return false;
	return true;
}

/* The program's name or the revision where these differ, else the whole command, the revision with
 * its commit; letters where that is no help. */
static void
make_names(const struct compare_options *options, char **names)
{
	size_t i, way;

	for (way = 0; way < 3; way++) {
		for (i = 0; i < options->command_count; i++) {
			const struct compared *command = &options->commands[i];

			free(names[i]);
			names[i] = command->name != NULL ? memory_copy_text(command->name)
				   : way == 0		 ? short_name(command)
				   : way == 1		 ? long_name(command)
							 : NULL;
			if (names[i] == NULL || names[i][0] == '\0') {
				free(names[i]);
				names[i] = i < 26 ? memory_format("%c", (int)('A' + i))
						  : memory_format("command%zu", i + 1);
			}
		}
		if (all_differ(names, options->command_count))
			return;
	}
}

static int
check_name(const char *name, struct error *error)
{
	const char *at = name;

	while (may_be_in_a_name(*at))
		at++;
	if (*at != '\0' || name[0] == '\0' || at - name > NAME_BYTES)
		return error_set(error, EXIT_USAGE, "--name '%.100s': a name has 1 to %d letters, digits and "
				 "the signs _-.+:=,@", name, NAME_BYTES);
	return 0;
}

int
commands_resolve(struct compare_options *options, struct error *error)
{
	char **names = memory_zeroed(options->command_count, sizeof *names);
	size_t i;
	int result = 0;

	for (i = 0; result == 0 && i < options->command_count; i++) {
		result = resolve(options, &options->commands[i], error);
		if (result == 0 && options->commands[i].name != NULL)
			result = check_name(options->commands[i].name, error);
	}
	if (result == 0) {
		make_names(options, names);
		if (!all_differ(names, options->command_count))
			result = error_set(error, EXIT_USAGE, "two commands have the same --name");
	}
	for (i = 0; i < options->command_count; i++) {
		if (result == 0) {
			free(options->commands[i].name);
			options->commands[i].name = names[i];
		} else {
			free(names[i]);
		}
	}
	free(names);
	return result;
}
