#include "session/leftovers.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"

#define DEATH_PATIENCE_MS 10000

/* ---- our own children ---- */

static void
add_child(struct children *children, size_t *capacity, pid_t pid)
{
	children->pids = memory_grow(children->pids, children->count, capacity, sizeof pid);
	children->pids[children->count++] = pid;
}

/* Appends what the open file holds, to its end; files of /proc have no size. */
static int
read_all(int fd, struct buffer *out)
{
	char chunk[4096];
	ssize_t got;

	while ((got = read(fd, chunk, sizeof chunk)) != 0) {
		if (got < 0 && errno != EINTR)
			return -1;
		if (got > 0)
			buffer_append(out, chunk, (size_t)got);
	}
	return 0;
}

/* The kernel's list: exact, as nobody but us reaps our children, and we don't while it is read. */
static int
list_from_kernel(struct children *children)
{
	struct buffer text = BUFFER_EMPTY;
	size_t capacity = 0;
	char path[64], *at, *end;
	int fd, result;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)gettid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	result = read_all(fd, &text);
	close(fd);
	for (at = text.bytes; result == 0 && at != NULL; at = end) {
		long pid = strtol(at, &end, 10);

		if (end == at)
			break;
		add_child(children, &capacity, (pid_t)pid);
	}
	buffer_free(&text);
	return result;
}

static pid_t
parent_of(const char *pid)
{
	char path[300], text[512], *at;
	int fd, parent = -1;
	ssize_t length;

	snprintf(path, sizeof path, "/proc/%s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	length = read(fd, text, sizeof text - 1);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	at = strrchr(text, ')'); /* "pid (name) state parent": the name may hold anything */
	if (at == NULL || sscanf(at, ") %*c %d", &parent) != 1)
		return -1;
	return parent;
}

/* For kernels built without that list. */
static int
list_from_all(struct children *children)
{
	DIR *processes = opendir("/proc");
	struct dirent *item;
	size_t capacity = 0;

	if (processes == NULL)
		return -1;
	while ((item = readdir(processes)) != NULL)
		if (isdigit((unsigned char)item->d_name[0]) && parent_of(item->d_name) == getpid())
			add_child(children, &capacity, (pid_t)strtol(item->d_name, NULL, 10));
	closedir(processes);
	return 0;
}

int
children_list(struct children *children, struct error *error)
{
	*children = (struct children){NULL, 0};
	if (list_from_kernel(children) == 0 || list_from_all(children) == 0)
		return 0;
	children_free(children);
	return error_set_errno(error, "cannot list our child processes in /proc");
}

void
children_free(struct children *children)
{
	free(children->pids);
	*children = (struct children){NULL, 0};
}

static bool
is_in(const struct children *children, pid_t pid)
{
	size_t i;

	for (i = 0; i < children->count; i++)
		if (children->pids[i] == pid)
			return true;
	return false;
}

/* Returns 1 when it still ran. A child's pid stays its own until we reap it. */
static int
end_child(pid_t pid)
{
	siginfo_t info = {.si_pid = 0};
	int running;

	running = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 &&
		  info.si_pid == 0;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		;
	return running;
}

int
leftovers_reap(const struct children *keep, struct error *error)
{
	struct children now;
	int ended = 0;
	bool found;
	size_t i;

	do {
		if (children_list(&now, error) != 0)
			return -1;
		found = false;
		for (i = 0; i < now.count; i++) {
			if (is_in(keep, now.pids[i]))
				continue;
			found = true; /* its own children are ours from now on: look again */
			ended += end_child(now.pids[i]);
		}
		children_free(&now);
	} while (found);
	return ended;
}

/* ---- processes that carry a token ---- */

static bool
carries(const char *pid, const char *entry)
{
	struct buffer environment = BUFFER_EMPTY;
	size_t length = strlen(entry) + 1, at = 0;
	char path[300];
	bool found = false;
	int fd;

	snprintf(path, sizeof path, "/proc/%s/environ", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false; /* gone, or another user's */
	if (read_all(fd, &environment) == 0)
		while (!found && at + length <= environment.length) {
			found = memcmp(environment.bytes + at, entry, length) == 0;
			at += strnlen(environment.bytes + at, environment.length - at) + 1;
		}
	close(fd);
	buffer_free(&environment);
	return found;
}

/* 1: ended; 0: not one of them; -1: cannot be ended. */
static int
end_carrier(const char *name, const char *entry, struct error *error)
{
	struct pollfd death = {.events = POLLIN};
	pid_t pid = (pid_t)strtol(name, NULL, 10);
	int result = 0;

	if (pid == getpid() || !carries(name, entry))
		return 0;
	death.fd = pidfd_open(pid, 0);
	if (death.fd < 0)
		return errno == ESRCH ? 1 : error_set_errno(error, "cannot watch process %d", pid);
	if (carries(name, entry)) { /* still that process, not a new one of its number */
		if (pidfd_send_signal(death.fd, SIGKILL, NULL, 0) != 0 && errno != ESRCH)
			result = error_set_errno(error, "cannot end process %d of a killed session", pid);
		else if (poll(&death, 1, DEATH_PATIENCE_MS) == 0)
			result = error_set(error, EXIT_FAILED,
					   "process %d of a killed session does not end", pid);
		else
			result = 1;
	}
	close(death.fd);
	return result;
}

static int
end_carriers(const char *entry, struct error *error)
{
	DIR *processes = opendir("/proc");
	struct dirent *item;
	int ended = 0, one;

	if (processes == NULL)
		return error_set_errno(error, "cannot list the processes in /proc");
	while ((item = readdir(processes)) != NULL && ended >= 0) {
		if (!isdigit((unsigned char)item->d_name[0]))
			continue;
		one = end_carrier(item->d_name, entry, error);
		ended = one < 0 ? -1 : ended + one;
	}
	closedir(processes);
	return ended;
}

int
leftovers_end(const char *token, struct error *error)
{
	char *entry = memory_format(LEFTOVERS_VARIABLE "=%s", token);
	int total = 0, clean = 0, ended = 0;

	/* A process has no environment to be seen for an instant while it starts a program, and one
	 * can be born behind our back while we look: only two looks in a row that find none count. */
	while (clean < 2 && ended >= 0) {
		ended = end_carriers(entry, error);
		clean = ended == 0 ? clean + 1 : 0;
		total += ended;
	}
	free(entry);
	return ended < 0 ? -1 : total;
}
