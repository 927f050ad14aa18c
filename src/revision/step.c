#include "revision/step.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "session/launch.h"
#include "session/leftovers.h"

#define SHELL "/bin/sh"
#define SHOWN_LINES 15
#define SHOWN_BYTES 1400
/* 1980-01-01: archives cannot hold earlier dates. */
#define EPOCH "SOURCE_DATE_EPOCH=315532800"

/* ---- environment ---- */

static bool
is_setting(const char *entry, const char *name)
{
	size_t length = strlen(name);

	return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

/* Those of `git rev-parse --local-env-vars`; a hook, for one, is started with some of them. */
static bool
leads_git_astray(const char *entry)
{
	static const char *const names[] = {
		"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_SHALLOW_FILE",
		"GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_GRAFT_FILE",
		"GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_REPLACE_REF_BASE",
		"GIT_NO_REPLACE_OBJECTS"};
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (is_setting(entry, names[i]))
			return true;
	return false;
}

/* The list is the caller's, the texts but the last are not. */
static char **
make_environment(const char *token)
{
	char **list;
	size_t count = 0, i;

	while (environ[count] != NULL)
		count++;
	list = memory_zeroed(count + 3, sizeof *list);
	for (i = count = 0; environ[i] != NULL; i++)
		if (!leads_git_astray(environ[i]) && !is_setting(environ[i], LEFTOVERS_VARIABLE))
			list[count++] = environ[i];
	if (getenv("SOURCE_DATE_EPOCH") == NULL)
		list[count++] = (char *)EPOCH;
	list[count] = memory_format(LEFTOVERS_VARIABLE "=%s", token);
	return list;
}

static void
free_environment(char **list)
{
	size_t last = 0;

	while (list[last + 1] != NULL)
		last++;
	free(list[last]);
	free(list);
}

/* ---- what it said ---- */

/* The last lines of the log, which may be long and hold anything. The caller frees. */
static char *
last_lines(const char *log)
{
	struct buffer text = BUFFER_EMPTY, shown = BUFFER_EMPTY;
	size_t at, lines = 0;

	file_read(log, 0, &text, NULL);
	while (text.length > 0 && strchr("\n\r ", text.bytes[text.length - 1]) != NULL)
		text.bytes[--text.length] = '\0';
	for (at = text.length; at > 0 && text.length - at < SHOWN_BYTES; at--)
		if (text.bytes[at - 1] == '\n' && ++lines == SHOWN_LINES)
			break;
	for (; at < text.length; at++) {
		unsigned char byte = (unsigned char)text.bytes[at];

		if (byte == '\n')
			buffer_puts(&shown, "\n  ");
		else
			buffer_putc(&shown, byte < ' ' && byte != '\t' ? '?' : text.bytes[at]);
	}
	buffer_free(&text);
	return buffer_detach(&shown);
}

static int
judge(const struct step *step, const struct launch_result *result, struct error *error)
{
	char *said;

	if (result->end == LAUNCH_INTERRUPTED)
		return error_set(error, EXIT_INTERRUPTED, "interrupted");
	if (result->end == LAUNCH_NOT_STARTED)
		return error_set(error, EXIT_BAD_INPUT, "cannot run " SHELL " in %s: %s", step->folder,
				 strerror(result->start_error));
	if (result->end == LAUNCH_EXITED && result->exit_code == 0)
		return 0;
	said = last_lines(step->log);
	if (result->end == LAUNCH_EXITED)
		error_set(error, EXIT_FAILED, "exited with %d%s%s", result->exit_code,
			  said[0] != '\0' ? ":\n  " : " and said nothing", said);
	else
		error_set(error, EXIT_FAILED, "was ended by signal %d%s%s", result->signal_number,
			  said[0] != '\0' ? ":\n  " : "", said);
	free(said);
	return -1;
}

/* ---- running ---- */

static int
launch(const struct step *step, char *const *argv, struct error *error)
{
	char **environment = make_environment(step->token);
	char *rest = memory_format("%s.shell", step->log);
	struct launch_request request = {.program = SHELL, .argv = argv, .envp = environment,
					 .cwd = step->folder, .stdout_path = step->log,
					 .stderr_path = rest};
	struct launch_result result = {0};
	int code = -1;

	if (file_make_parent(step->log, error) == 0 && launch_prepare(error) == 0 &&
	    launch_run(&request, step->interrupted, &result, error) == 0)
		code = judge(step, &result, error);
	launch_result_free(&result);
	unlink(rest);
	free(rest);
	free_environment(environment);
	return code;
}

/* The first line puts both streams into one file, in the order in which they were written. */
int
step_shell(const struct step *step, const char *command, struct error *error)
{
	char *text = memory_format("exec 2>&1\n%s", command);
	char *const argv[] = {(char *)"sh", (char *)"-c", text, NULL};
	int result = launch(step, argv, error);

	free(text);
	return result;
}

int
step_program(const struct step *step, const char *const *words, struct error *error)
{
	static const char *const start[] = {"sh", "-c", "exec \"$@\" 2>&1", "sh"};
	size_t begun = sizeof start / sizeof *start, count = 0;
	char **argv;
	int result;

	while (words[count] != NULL)
		count++;
	argv = memory_zeroed(begun + count + 1, sizeof *argv);
	memcpy(argv, start, sizeof start);
	memcpy(argv + begun, words, count * sizeof *argv);
	result = launch(step, argv, error);
	free(argv);
	return result;
}
