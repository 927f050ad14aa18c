#include "session/interrupt.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

static volatile int interrupted;

static void
on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

static void
on_broken_pipe(int number)
{
	(void)number;
}

static void
handle(int number, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler}; /* no SA_RESTART: waits must end */

	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

/* ---- a parent that is Ninja's shell ---- */

/* Ninja starts commands through `sh -c`, and not each shell gives its place to its last command. */
static bool
is_shell_for_one_command(pid_t pid)
{
	char *path = memory_format("/proc/%d/cmdline", (int)pid);
	struct buffer line = BUFFER_EMPTY;
	bool is = false;

	if (file_read(path, 0, &line, NULL) == 0 && line.length > 0) {
		size_t first = strlen(line.bytes) + 1;

		is = first < line.length && strcmp(line.bytes + first, "-c") == 0;
	}
	buffer_free(&line);
	free(path);
	return is;
}

/* The parent of a process; 0 when it can't be told. */
static pid_t
parent_of(pid_t pid)
{
	char *path = memory_format("/proc/%d/stat", (int)pid);
	struct buffer text = BUFFER_EMPTY;
	const char *after_name;
	int parent = 0;

	if (file_read(path, 0, &text, NULL) == 0) {
		after_name = strrchr(buffer_text(&text), ')');
		if (after_name == NULL || sscanf(after_name, ") %*c %d", &parent) != 1)
			parent = 0;
	}
	buffer_free(&text);
	free(path);
	return parent;
}

/* ---- a Ninja that was asked to end ---- */

static bool
reads(pid_t pid, const char *name, const struct stat *pipe)
{
	char *path = memory_format("/proc/%d/fd/%s", (int)pid, name);
	struct stat link, file;
	bool does = lstat(path, &link) == 0 && (link.st_mode & 0700) == 0500 &&
		    stat(path, &file) == 0 && file.st_dev == pipe->st_dev &&
		    file.st_ino == pipe->st_ino;

	free(path);
	return does;
}

static bool
has_reader(pid_t pid, const struct stat *pipe)
{
	char *path = memory_format("/proc/%d/fd", (int)pid);
	DIR *folder = opendir(path);
	struct dirent *entry;
	bool has = false;

	while (!has && folder != NULL && (entry = readdir(folder)) != NULL)
		has = reads(pid, entry->d_name, pipe);
	if (folder != NULL)
		closedir(folder);
	free(path);
	return has;
}

/*
 * A SIGTERM to Ninja alone: it tells a command in the console pool nothing and waits for it to
 * end. But it first closes its end of a pipe that it gives each command, for it to keep open.
 * Returns our end of that pipe, or -1.
 */
static int
pipe_to(pid_t ninja)
{
	DIR *folder = opendir("/proc/self/fd");
	struct dirent *entry;
	struct stat status;
	int found = -1;

	while (found < 0 && folder != NULL && (entry = readdir(folder)) != NULL) {
		int fd = atoi(entry->d_name);

		if (fd > 2 && fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode) &&
		    has_reader(ninja, &status))
			found = fd;
	}
	if (folder != NULL)
		closedir(folder);
	return found;
}

/* ---- the watch ---- */

/* In a process of its own, asleep until the one it watches has died or wants to. It dies with us. */
static void
watch(int pidfd, int pipe, pid_t session)
{
	struct pollfd ends[2] = {{.fd = pidfd, .events = POLLIN}, {.fd = pipe, .events = 0}};

	signal(SIGINT, SIG_IGN); /* a terminal's Ctrl-C is not for it */
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != session)
		_exit(0);
	while (poll(ends, 2, -1) < 0)
		;
	kill(session, SIGTERM);
	_exit(0);
}

/* Who started us, and did so itself or through `parent`, a shell. */
static void
watch_starter(pid_t starter, pid_t parent)
{
	pid_t session = getpid();
	int pidfd = pidfd_open(starter, 0);

	if (pidfd < 0 || (starter != parent && parent_of(parent) != starter))
		interrupted = 1; /* it died just now */
	else if (fork() == 0)
		watch(pidfd, pipe_to(starter), session);
	if (pidfd >= 0)
		close(pidfd);
}

static void
watch_parent(void)
{
	pid_t parent = getppid();
	pid_t starter = is_shell_for_one_command(parent) ? parent_of(parent) : parent;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (starter > 1)
		watch_starter(starter, parent);
	if (getppid() != parent)
		interrupted = 1; /* it died before the kernel knew that we care */
}

void
interrupt_watch(void)
{
	static bool watching;
	struct sigaction hangup;

	if (watching)
		return;
	watching = true;
	handle(SIGINT, on_signal);
	handle(SIGTERM, on_signal);
	/* A handler, not SIG_IGN, which measured programs would inherit. */
	handle(SIGPIPE, on_broken_pipe);
	if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler == SIG_IGN)
		return;
	handle(SIGHUP, on_signal);
	watch_parent();
}

const volatile int *
interrupt_flag(void)
{
	return &interrupted;
}
