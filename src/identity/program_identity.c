#include "identity/program_identity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "identity/escape.h"

/* A session's PATH where neither the treatment nor our environment sets one (staging.c). */
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/* Interpreters of interpreters; the kernel itself gives up after four. */
#define DEEPEST 4

/* What put_start hands down. */
struct putting {
	struct hasher *hasher;
	const struct plan_treatment *treatment;
	const char *prefix;
	struct buffer *out;
	struct error *error;
};

static void
put(const struct putting *to, const char *kind, const char *name, const char *value)
{
	buffer_puts(to->out, to->prefix);
	buffer_puts(to->out, kind);
	if (name != NULL) {
		buffer_putc(to->out, ' ');
		escape_put(to->out, name, "=");
	}
	buffer_puts(to->out, " = ");
	escape_put(to->out, value, "");
	buffer_putc(to->out, '\n');
}

static int
put_digest(const struct putting *to, const char *kind, const char *name, enum hash_kind how,
	   const char *path)
{
	char hex[DIGEST_SHA256_HEX];

	if (hasher_digest(to->hasher, how, path, hex, to->error) != 0)
		return -1;
	put(to, kind, name, hex);
	return 0;
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static int
put_libraries(const struct putting *to, const char *loader, const char *path)
{
	const struct libraries *libraries =
		hasher_libraries(to->hasher, loader, path, to->treatment->cwd, &to->treatment->env);
	size_t i;

	if (libraries->problem != NULL) {
		char *value = memory_format("unavailable: %s", libraries->problem);

		put(to, "libraries", NULL, value);
		free(value);
	}
	for (i = 0; i < libraries->count; i++) {
		const struct library *library = &libraries->items[i];

		if (library->path == NULL)
			put(to, "library", library->name, "not found");
		else if (put_digest(to, "library", library->name, HASH_LOADED, library->path) != 0)
			return -1;
	}
	return 0;
}

/* PATH as a session sets it for the treatment. */
static const char *
search_path(const struct settings *env)
{
	const char *path = getenv("PATH");
	size_t i;

	for (i = 0; i < env->count; i++)
		if (strcmp(env->items[i].name, "PATH") == 0)
			return env->items[i].value;
	return path != NULL ? path : DEFAULT_PATH;
}

/*
 * Where a bare command is found; the caller frees, NULL: nowhere. The places where it is not are
 * looked at too: one that comes there later hides the one found now.
 */
static char *
search(const struct putting *to, const char *command)
{
	char *copy = memory_copy_text(search_path(&to->treatment->env)), *rest = copy, *folder;
	char *found = NULL;

	while (found == NULL && (folder = strsep(&rest, ":")) != NULL) {
		found = memory_format("%s/%s", folder[0] != '\0' ? folder : ".", command);
		if (access(found, X_OK) != 0) {
			sightings_add(hasher_sightings(to->hasher), found);
			free(found);
			found = NULL;
		}
	}
	free(copy);
	return found;
}

/* The command that `env ARGUMENT` runs: after options and VAR=value. The caller frees. */
static char *
command_of_env(const char *argument)
{
	char *copy = memory_copy_text(argument), *rest = copy, *word, *command = NULL;

	while (command == NULL && (word = strsep(&rest, " \t")) != NULL)
		if (word[0] != '\0' && word[0] != '-' && strchr(word, '=') == NULL)
			command = memory_copy_text(word);
	free(copy);
	return command;
}

static int put_started_by(const struct putting *to, const char *path, int depth);

static int
put_interpreter(const struct putting *to, const char *path, int depth)
{
	if (put_digest(to, "interpreter", base_name(path), HASH_LOADED, path) != 0) {
		error_prefix(to->error, "the interpreter of %s", to->treatment->program.path);
		return -1;
	}
	return put_started_by(to, path, depth);
}

static int
put_found_by_env(const struct putting *to, const char *argument, int depth)
{
	char *command = argument != NULL ? command_of_env(argument) : NULL, *path;
	int result = 0;

	if (command == NULL)
		return 0;
	path = strchr(command, '/') != NULL ? memory_copy_text(command)
					    : search(to, command);
	if (path != NULL)
		result = put_interpreter(to, path, depth);
	else
		put(to, "interpreter", command, "not found");
	free(path);
	free(command);
	return result;
}

/* Whatever is loaded to run the file: its libraries, or its interpreter with its own. */
static int
put_started_by(const struct putting *to, const char *path, int depth)
{
	const struct start *start = hasher_start(to->hasher, path);
	char *interpreter, *argument;
	int result;

	if (start->loader != NULL)
		return put_libraries(to, start->loader, path);
	if (start->interpreter == NULL || depth >= DEEPEST)
		return 0;
	interpreter = memory_copy_text(start->interpreter);
	argument = start->argument != NULL ? memory_copy_text(start->argument) : NULL;
	result = put_interpreter(to, interpreter, depth + 1);
	if (result == 0 && strcmp(base_name(interpreter), "env") == 0)
		result = put_found_by_env(to, argument, depth + 1);
	free(interpreter);
	free(argument);
	return result;
}

char *
program_identity_name(const struct plan_program *program, const char *path)
{
	size_t length = program->source != NULL ? strlen(program->source) : 0;

	if (length > 0 && strncmp(path, program->source, length) == 0 && path[length] == '/')
		return memory_format("source:%s", path + length + 1);
	return memory_copy_text(path);
}

static int
put_files(const struct putting *to, const char *kind, const struct texts *paths)
{
	int result = 0;
	size_t i;

	for (i = 0; result == 0 && i < paths->count; i++) {
		char *name = program_identity_name(&to->treatment->program, paths->items[i]);

		result = put_digest(to, kind, name, HASH_ALL, paths->items[i]);
		free(name);
	}
	return result;
}

static int
put_made_of(const struct putting *to, const struct plan_program *program)
{
	put(to, "command", NULL, program->identity_command);
	return put_files(to, "source", &program->identity_inputs);
}

int
program_identity(struct hasher *hasher, const struct plan_treatment *treatment,
		 const char *prefix, struct buffer *out, struct error *error)
{
	const struct plan_program *program = &treatment->program;
	struct putting to = {hasher, treatment, prefix, out, error};

	if (access(program->path, F_OK) != 0)
		return error_set(error, EXIT_FAILED, "program %s of treatment '%s' cannot be read: %s%s",
				 program->path, treatment->name, strerror(errno),
				 program->built ? "; 'ninja build/runners' builds it" : "");
	if ((program->by_inputs ? put_made_of(&to, program)
				: put_digest(&to, "program", NULL, HASH_LOADED, program->path)) != 0)
		return -1;
	if (put_started_by(&to, program->path, 0) != 0)
		return -1;
	return put_files(&to, "script", &program->scripts);
}
