#include "figures/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/* HEIGHT is a script's variable, in pixels of the SVG; noenhanced: names are not markup. The fonts
 * have the size that they have in the SVG, so that what fits there fits everywhere. */
static const struct {
	const char *suffix, *terminal;
} terminals[] = {
	{"svg", "set terminal svg noenhanced size 800,HEIGHT font 'DejaVu Sans,12' background '#ffffff'"},
	{"pdf", "set terminal pdfcairo noenhanced size 8,HEIGHT/100.0 font 'DejaVu Sans,12' fontscale 0.53"},
	{"png", "set terminal pngcairo noenhanced size 1200,HEIGHT*1.5 font 'DejaVu Sans,12' fontscale 1.125"},
};

enum { FORMATS = sizeof terminals / sizeof *terminals };

static char **
environment(void)
{
	char **list = memory_zeroed(6, sizeof *list);
	const char *home = getenv("HOME"), *path = getenv("PATH");

	list[0] = memory_format("HOME=%s", home != NULL ? home : "/");
	list[1] = memory_format("PATH=%s", path != NULL ? path : "/usr/bin:/bin");
	list[2] = memory_copy_text("LC_ALL=C.UTF-8");
	list[3] = memory_copy_text("TZ=UTC");
	list[4] = memory_copy_text("SOURCE_DATE_EPOCH=0");
	return list;
}

static void
free_list(char **list)
{
	size_t i;

	for (i = 0; list[i] != NULL; i++)
		free(list[i]);
	free(list);
}

/* One run of gnuplot in `folder`, its complaints into `log`. */
static int
run(const char *folder, const char *const *argv, const char *log, struct error *error)
{
	char **envp = environment();
	posix_spawn_file_actions_t actions;
	int status = 0, problem;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	posix_spawn_file_actions_adddup2(&actions, 1, 2);
	posix_spawn_file_actions_addchdir_np(&actions, folder);
	problem = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, envp);
	posix_spawn_file_actions_destroy(&actions);
	free_list(envp);
	if (problem != 0)
		return error_set(error, EXIT_FAILED, "cannot run gnuplot: %s; install gnuplot-nox",
				 strerror(problem));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return error_set(error, EXIT_FAILED, "gnuplot failed");
}

static void
add_complaint(const char *log, struct error *error)
{
	struct buffer text = BUFFER_EMPTY;
	char *line, *next;

	if (file_read(log, 65536, &text, NULL) == 0)
		for (line = text.bytes; line != NULL && *line != '\0'; line = next) {
			next = strchr(line, '\n');
			if (next != NULL)
				*next++ = '\0';
			if (strstr(line, "line ") != NULL) {
				error_set(error, EXIT_FAILED, "gnuplot: %s", line);
				break;
			}
		}
	buffer_free(&text);
}

/* cairo writes the time of day into a PDF; the same number of other bytes takes its place. */
static void
fix_pdf_dates(struct buffer *bytes)
{
	static const char *const keys[] = {"/CreationDate (", "/ModDate ("};
	size_t k;

	for (k = 0; k < 2; k++) {
		char *at = bytes->bytes;
		size_t left = bytes->length;

		while (at != NULL && (at = memmem(at, left, keys[k], strlen(keys[k]))) != NULL) {
			at += strlen(keys[k]);
			left = bytes->length - (size_t)(at - bytes->bytes);
			while (left > 0 && *at != ')') {
				if (*at >= '0' && *at <= '9')
					*at = '0';
				at++;
				left--;
			}
		}
	}
}

static int
put_in_place(const char *temporary, const char *path, bool pdf, struct error *error)
{
	struct buffer bytes = BUFFER_EMPTY;
	int result = file_read(temporary, 0, &bytes, error);

	if (result == 0 && bytes.length == 0)
		result = error_set(error, EXIT_FAILED, "gnuplot drew nothing into %s", path);
	if (result == 0 && pdf)
		fix_pdf_dates(&bytes);
	if (result == 0)
		result = file_write(path, bytes.bytes, bytes.length, FILE_IF_CHANGED, error);
	buffer_free(&bytes);
	return result;
}

static char *
draw_one(const char *stem, const char *suffix, const char *terminal)
{
	return memory_format("TERMINAL = \"%s\"; OUTPUT = \"%s.drawing.%s\"; load \"%s.gnuplot\"; unset output",
			     terminal, stem, suffix, stem);
}

/* Starting gnuplot takes longer than drawing, so one start draws all formats. The session is
 * reset in between: a script finds nothing that the format before left. */
static int
draw_all(const char *folder, const char *stem, const char *log, struct error *error)
{
	const char *argv[2 + 4 * FORMATS + 1] = {"gnuplot", "-d"};
	char *commands[FORMATS];
	size_t i, n = 2;
	int result;

	for (i = 0; i < FORMATS; i++) {
		commands[i] = draw_one(stem, terminals[i].suffix, terminals[i].terminal);
		argv[n++] = "-e";
		argv[n++] = commands[i];
		argv[n++] = "-e";
		argv[n++] = "reset session";
	}
	result = run(folder, argv, log, error);
	if (result != 0)
		add_complaint(log, error);
	for (i = 0; i < FORMATS; i++)
		free(commands[i]);
	return result;
}

/* Puts one format in place, or only removes what was begun. */
static int
finish(const char *folder, const char *stem, const char *suffix, bool drawn, struct error *error)
{
	char *temporary = memory_format("%s/%s.drawing.%s", folder, stem, suffix);
	char *path = memory_format("%s/%s.%s", folder, stem, suffix);
	int result = drawn ? put_in_place(temporary, path, strcmp(suffix, "pdf") == 0, error) : 0;

	unlink(temporary);
	free(temporary);
	free(path);
	return result;
}

int
gnuplot_draw(const char *folder, const char *stem, struct error *error)
{
	char *log = memory_format("%s/%s.log", folder, stem);
	int result = draw_all(folder, stem, log, error);
	bool drawn = result == 0;
	size_t i;

	for (i = 0; i < FORMATS; i++)
		if (finish(folder, stem, terminals[i].suffix, drawn, error) != 0) {
			drawn = false;
			result = -1;
		}
	unlink(log);
	free(log);
	return result;
}
