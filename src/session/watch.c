#include "session/watch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/memory.h"

bool
watch_ask(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

static int
compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "start-end perms offset device inode   /path": the path of a regular file that is still there
 * by that name, or NULL. */
static char *
mapped_path(char *line)
{
	char *path = strchr(line, '/');
	struct stat status;

	if (path == NULL)
		return NULL;
	path[strcspn(path, "\n")] = '\0';
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return NULL;
	return path;
}

static void
note_files(pid_t pid, struct buffer *libraries)
{
	char name[64], *line = NULL, *path;
	char **paths = NULL;
	size_t room = 0, count = 0, capacity = 0, i;
	FILE *maps;

	snprintf(name, sizeof name, "/proc/%d/maps", (int)pid);
	maps = fopen(name, "re");
	if (maps == NULL)
		return;
	while (getline(&line, &room, maps) > 0) {
		path = mapped_path(line);
		if (path == NULL)
			continue;
		paths = memory_grow(paths, count, &capacity, sizeof *paths);
		paths[count++] = memory_copy_text(path);
	}
	fclose(maps);
	free(line);
	if (count > 0)
		qsort(paths, count, sizeof *paths, compare_texts);
	for (i = 0; i < count; i++)
		if (i == 0 || strcmp(paths[i], paths[i - 1]) != 0)
			buffer_printf(libraries, "%s\n", paths[i]);
	for (i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
}

void
watch_step(struct watch *watch, pid_t pid, int status)
{
	long options = PTRACE_O_TRACEEXIT | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	int signal_number = WSTOPSIG(status), event = status >> 16;
	siginfo_t info;

	if (!watch->begun) { /* at its exec: nothing of the program has run yet */
		ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)options);
		watch->begun = true;
		signal_number = 0;
	} else if (event == PTRACE_EVENT_EXIT) {
		buffer_clear(watch->files);
		note_files(pid, watch->files);
		signal_number = 0;
	} else if (event != 0 || ptrace(PTRACE_GETSIGINFO, pid, NULL, &info) != 0) {
		signal_number = 0; /* another exec, or stopped by job control: no signal to deliver */
	}
	ptrace(PTRACE_CONT, pid, NULL, (void *)(long)signal_number);
}
