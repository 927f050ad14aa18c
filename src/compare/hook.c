#include "compare/hook.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "compare/find.h"
#include "session/launch.h"
#include "session/lock.h"

#define STDOUT_PATH "build/hook.stdout"
#define STDERR_PATH "build/hook.stderr"
#define SHOWN_BYTES 600

/* Seen from the folder that the command runs in, where we are not. */
static char *
program_in(const char *word, const char *folder, struct error *error)
{
	char *here = getcwd(NULL, 0), *program = NULL;

	if (here != NULL && chdir(folder) == 0)
		program = find_program_of(word, error);
	else
		error_set_errno(error, "cannot go to %s", folder);
	if (here != NULL && chdir(here) != 0 && program != NULL) {
		free(program);
		program = NULL;
		error_set_errno(error, "cannot go back to %s", here);
	}
	free(here);
	return program;
}

static int
judge(const char *option, const struct launch_result *result, struct error *error)
{
	struct buffer text = BUFFER_EMPTY;
	const char *end;

	if (result->end == LAUNCH_INTERRUPTED)
		return error_set(error, EXIT_INTERRUPTED, "interrupted in --%s", option);
	if (result->end == LAUNCH_EXITED && result->exit_code == 0)
		return 0;
	file_read(STDERR_PATH, 0, &text, NULL);
	end = buffer_text(&text);
	if (text.length > SHOWN_BYTES)
		end += text.length - SHOWN_BYTES;
	if (result->end == LAUNCH_EXITED)
		error_set(error, EXIT_FAILED, "--%s exited with %d: %s", option, result->exit_code, end);
	else
		error_set(error, EXIT_FAILED, "--%s did not end by itself: %s", option, end);
	buffer_free(&text);
	return -1;
}

static int
launch(const char *option, const struct texts *words, const char *folder,
       const volatile int *interrupted, struct error *error)
{
	char **argv = memory_zeroed(words->count + 1, sizeof *argv);
	struct launch_request request = {
		.argv = argv,
		.envp = environ,
		.cwd = folder,
		.stdout_path = STDOUT_PATH,
		.stderr_path = STDERR_PATH,
	};
	struct launch_result result = {0};
	char *program = program_in(words->items[0], folder, error);
	int code = -1;

	memcpy(argv, words->items, words->count * sizeof *argv);
	request.program = program;
	if (program != NULL && file_make_parent(STDOUT_PATH, error) == 0 &&
	    launch_prepare(error) == 0 &&
	    launch_run(&request, interrupted, &result, error) == 0)
		code = judge(option, &result, error);
	launch_result_free(&result);
	free(program);
	free(argv);
	return code;
}

int
hook_run(const char *option, const struct texts *words, const char *folder,
	 const volatile int *interrupted, struct error *error)
{
	struct lock *lock;
	int result = -1;

	if (words->count == 0)
		return 0;
	lock = lock_open("compare", error);
	if (lock == NULL)
		return -1;
	lock_interrupted_by(lock, interrupted);
	if (lock_acquire(lock, LOCK_SHARED, error) == 0)
		result = launch(option, words, folder, interrupted, error);
	lock_close(lock);
	return result;
}
