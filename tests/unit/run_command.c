#include "run_command.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char *run_output, *run_errors;

static char *
take_file(const char *path)
{
	struct buffer bytes = BUFFER_EMPTY;

	if (file_read(path, 0, &bytes, NULL) != 0)
		abort();
	unlink(path);
	return buffer_detach(&bytes);
}

/* Points a standard stream at a fresh file; what it was. */
static int
redirect(int fd, const char *path)
{
	int kept = dup(fd), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (kept < 0 || file < 0 || dup2(file, fd) < 0)
		abort();
	close(file);
	return kept;
}

static void
restore(int fd, int kept)
{
	dup2(kept, fd);
	close(kept);
}

void
run_free(void)
{
	free(run_output);
	free(run_errors);
	run_output = run_errors = NULL;
}

int
run_command(const struct command *command, const char *words)
{
	char out[] = "/tmp/assay-out-XXXXXX", err[] = "/tmp/assay-err-XXXXXX";
	char *copy = strdup(words), *argv[64] = {(char *)command->name}, *word, *rest = copy;
	int argc = 1, code, kept_out, kept_err;

	while (argc < 63 && (word = strsep(&rest, " ")) != NULL)
		if (*word != '\0')
			argv[argc++] = word;
	run_free();
	close(mkstemp(out));
	close(mkstemp(err));
	fflush(NULL);
	kept_out = redirect(STDOUT_FILENO, out);
	kept_err = redirect(STDERR_FILENO, err);
	optind = 0; /* glibc: begin anew */
	code = command->run(argc, argv);
	fflush(NULL);
	restore(STDOUT_FILENO, kept_out);
	restore(STDERR_FILENO, kept_err);
	run_output = take_file(out);
	run_errors = take_file(err);
	free(copy);
	return code;
}
