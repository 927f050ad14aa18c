#include "identity/libraries.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"

static void
add(struct libraries *libraries, const char *name, const char *path)
{
	const char *slash = strrchr(name, '/');
	struct library *library;

	libraries->items = memory_resize(libraries->items, libraries->count + 1,
					 sizeof *libraries->items);
	library = &libraries->items[libraries->count++];
	library->name = memory_copy_text(slash != NULL ? slash + 1 : name);
	library->path = path != NULL ? memory_copy_text(path) : NULL;
}

/*
 *	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f…)
 *	libgone.so => not found
 *	/lib64/ld-linux-x86-64.so.2 (0x00007f…)
 *	linux-vdso.so.1 (0x00007f…)		the kernel's; no file
 */
static void
parse_line(char *line, struct libraries *libraries)
{
	char *arrow = strstr(line, " => "), *path, *address;

	line += strspn(line, " \t");
	path = arrow != NULL ? arrow + 4 : line;
	if (arrow != NULL)
		*arrow = '\0';
	address = strstr(path, " (0x");
	if (address != NULL)
		*address = '\0';
	if (path[0] == '/')
		add(libraries, line, path);
	else if (arrow != NULL && strcmp(path, "not found") == 0)
		add(libraries, line, NULL);
	else if (arrow != NULL && address != NULL)
		add(libraries, line, path); /* a relative LD_LIBRARY_PATH */
}

void
libraries_parse(char *text, struct libraries *libraries)
{
	char *line;

	while ((line = strsep(&text, "\n")) != NULL)
		parse_line(line, libraries);
}

static char **
environment(const struct settings *env)
{
	char **list = memory_zeroed(env->count + 1, sizeof *list);
	size_t i;

	for (i = 0; i < env->count; i++)
		list[i] = memory_format("%s=%s", env->items[i].name, env->items[i].value);
	return list;
}

static int
start(char *const *argv, const char *cwd, char *const *envp, int out, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	int problem;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_adddup2(&actions, out, 2);
	if (cwd != NULL)
		posix_spawn_file_actions_addchdir_np(&actions, cwd);
	problem = posix_spawn(child, argv[0], &actions, NULL, argv, envp);
	posix_spawn_file_actions_destroy(&actions);
	return problem;
}

static int
collect(int fd, pid_t child, struct buffer *out)
{
	char chunk[4096];
	int status = 0;
	ssize_t got;

	while ((got = read(fd, chunk, sizeof chunk)) > 0 || (got < 0 && errno == EINTR))
		if (got > 0)
			buffer_append(out, chunk, (size_t)got);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/*
 * glibc's loader gives up at the first library that it cannot find:
 *	PROGRAM: error while loading shared libraries: libgone.so: cannot open …
 */
static void
explain_failure(char *text, const char *loader, struct libraries *libraries)
{
	static const char before[] = "error while loading shared libraries: ";
	char *name = strstr(text, before);

	if (name == NULL) {
		libraries->problem = memory_format("%s --list failed", loader);
		return;
	}
	name += strlen(before);
	name[strcspn(name, ":\n")] = '\0';
	add(libraries, name, NULL);
}

static void
ask(char *const *argv, const char *cwd, char *const *envp, struct libraries *libraries)
{
	struct buffer out = BUFFER_EMPTY;
	int ends[2], problem, status;
	pid_t child = -1;
	char *text;

	if (pipe2(ends, O_CLOEXEC) != 0) {
		libraries->problem = memory_format("no pipe: %s", strerror(errno));
		return;
	}
	problem = start(argv, cwd, envp, ends[1], &child);
	close(ends[1]);
	status = problem == 0 ? collect(ends[0], child, &out) : 0;
	close(ends[0]);
	text = buffer_detach(&out);
	if (problem != 0)
		libraries->problem = memory_format("cannot start %s: %s", argv[0], strerror(problem));
	else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		explain_failure(text, argv[0], libraries);
	else
		libraries_parse(text, libraries);
	free(text);
}

/* With a relative LD_LIBRARY_PATH the loader's paths are relative to its folder, not to ours. */
static void
make_reachable(struct libraries *libraries, const char *cwd)
{
	size_t i;

	for (i = 0; cwd != NULL && i < libraries->count; i++) {
		char *path = libraries->items[i].path;

		if (path == NULL || path[0] == '/')
			continue;
		libraries->items[i].path = memory_format("%s/%s", cwd, path);
		free(path);
	}
}

void
libraries_resolve(const char *loader, const char *program, const char *cwd,
		  const struct settings *env, struct libraries *libraries)
{
	char list[] = "--list", *real = realpath(program, NULL), **envp = environment(env);
	char *first = memory_copy_text(loader);
	char *argv[] = {first, list, real, NULL};
	size_t i;

	*libraries = (struct libraries){NULL, 0, NULL};
	if (real == NULL)
		libraries->problem = memory_format("cannot read %s: %s", program, strerror(errno));
	else
		ask(argv, cwd, envp, libraries);
	make_reachable(libraries, cwd);
	for (i = 0; i < env->count; i++)
		free(envp[i]);
	free(envp);
	free(first);
	free(real);
}

void
libraries_free(struct libraries *libraries)
{
	size_t i;

	for (i = 0; i < libraries->count; i++) {
		free(libraries->items[i].name);
		free(libraries->items[i].path);
	}
	free(libraries->items);
	free(libraries->problem);
	*libraries = (struct libraries){NULL, 0, NULL};
}
