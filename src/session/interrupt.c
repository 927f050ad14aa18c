#include "session/interrupt.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
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

/* In a process of its own, asleep until the one it watches has died. It dies with us. */
static void
watch(int pidfd, pid_t session)
{
	struct pollfd death = {.fd = pidfd, .events = POLLIN};

	signal(SIGINT, SIG_IGN); /* a terminal's Ctrl-C is not for it */
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != session)
		_exit(0);
	while (poll(&death, 1, -1) < 0)
		;
	kill(session, SIGTERM);
	_exit(0);
}

static void
watch_grandparent(pid_t parent)
{
	pid_t session = getpid(), grandparent = parent_of(parent);
	int pidfd = grandparent > 1 ? pidfd_open(grandparent, 0) : -1;

	if (grandparent <= 1)
		return;
	if (pidfd < 0 || parent_of(parent) != grandparent)
		interrupted = 1; /* it died just now */
	else if (fork() == 0)
		watch(pidfd, session);
	if (pidfd >= 0)
		close(pidfd);
}

static void
watch_parent(void)
{
	pid_t parent = getppid();

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (is_shell_for_one_command(parent))
		watch_grandparent(parent);
	if (getppid() != parent)
		interrupted = 1; /* it died before the kernel knew that we care */
}

void
interrupt_watch(void)
{
	struct sigaction hangup;

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
