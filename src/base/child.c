#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

#define SECOND_NS ((int64_t)1000000000)
#define TIMEOUT_NS (20 * SECOND_NS)
#define PATIENCE_NS (2 * SECOND_NS)
#define COMPLAINT_LIMIT 4096

/* GIT_DIR and its like would have git look at another repository than the study's. */
static const char *const inherited[] = {
	"PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM",
	"GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", NULL,
};
static const char *const own[] = {"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
				  "GIT_PAGER=cat", NULL};

static char **
make_environment(void)
{
	size_t room = sizeof inherited / sizeof *inherited + sizeof own / sizeof *own, count = 0, i;
	char **list = memory_zeroed(room, sizeof *list);

	for (i = 0; inherited[i] != NULL; i++)
		if (getenv(inherited[i]) != NULL)
			list[count++] = memory_format("%s=%s", inherited[i], getenv(inherited[i]));
	for (i = 0; own[i] != NULL; i++)
		list[count++] = memory_copy_text(own[i]);
	return list;
}

static void
free_environment(char **list)
{
	size_t i;

	for (i = 0; list[i] != NULL; i++)
		free(list[i]);
	free(list);
}

/* Signals that the caller blocks or ignores are the caller's affair, not the child's. */
static int
start(const char *const *argv, int out, int complaint, pid_t *pid)
{
	char **environment = make_environment();
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int problem;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_adddup2(&actions, complaint, 2);
	problem = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	free_environment(environment);
	return problem;
}

/* Takes what there is; false at the end. */
static bool
take(int fd, struct buffer *to, size_t limit, bool *over)
{
	char chunk[65536];
	ssize_t got = read(fd, chunk, sizeof chunk);

	if (got < 0)
		return errno == EINTR || errno == EAGAIN;
	if (to->length + (size_t)got > limit) {
		*over = true;
		got = (ssize_t)(limit - to->length);
		buffer_append(to, chunk, (size_t)got);
		return true;
	}
	buffer_append(to, chunk, (size_t)got);
	return got > 0;
}

/* Whoever sits before a silent terminal learns whose time it is. */
static void
tell_waiting(const char *const *argv)
{
	struct buffer words = BUFFER_EMPTY;

	for (; *argv != NULL; argv++)
		buffer_printf(&words, " %s", *argv);
	fprintf(stderr, "waiting for this to end, %d s at most:%s\n", (int)(TIMEOUT_NS / SECOND_NS),
		buffer_text(&words));
	buffer_free(&words);
}

/* Until both ends are closed, the limit is passed, or time is up (then true). */
static bool
listen(const char *const *argv, int out, int complaint, size_t limit, struct child *child)
{
	struct pollfd ends[2] = {{.fd = out, .events = POLLIN}, {.fd = complaint, .events = POLLIN}};
	int64_t until_ns = clock_monotonic_ns() + TIMEOUT_NS;
	int64_t silent_ns = PATIENCE_NS;
	bool ignored = false;

	while ((ends[0].fd >= 0 || ends[1].fd >= 0) && !child->too_long) {
		int64_t left_ns = until_ns - clock_monotonic_ns();

		if (left_ns <= 0)
			return true;
		if (silent_ns > 0 && left_ns <= TIMEOUT_NS - silent_ns) {
			tell_waiting(argv);
			silent_ns = 0;
		}
		if (silent_ns > 0)
			left_ns -= TIMEOUT_NS - silent_ns;
		if (poll(ends, 2, (int)(left_ns / 1000000) + 1) <= 0)
			continue;
		if (ends[0].revents != 0 && !take(out, &child->out, limit, &child->too_long))
			ends[0].fd = -1;
		if (ends[1].revents != 0 &&
		    !take(complaint, &child->complaint, COMPLAINT_LIMIT, &ignored))
			ends[1].fd = -1;
	}
	return false;
}

static void
judge(const char *name, int status, bool timed_out, size_t limit, struct child *child)
{
	if (WIFEXITED(status))
		child->exit_code = WEXITSTATUS(status);
	if (timed_out)
		child->problem = memory_format("%s took longer than %d s", name,
					       (int)(TIMEOUT_NS / SECOND_NS));
	else if (child->too_long)
		child->problem = memory_format("%s printed more than %zu bytes", name, limit);
	else if (WIFSIGNALED(status))
		child->problem = memory_format("%s was ended by signal %d", name, WTERMSIG(status));
	else if (child->exit_code != 0)
		child->problem = memory_format("%s failed with exit code %d", name, child->exit_code);
}

void
child_run(const char *const *argv, size_t limit, struct child *child)
{
	int out[2], complaint[2], problem, status = 0;
	bool timed_out = false;
	pid_t pid = -1;

	memset(child, 0, sizeof *child);
	child->exit_code = -1;
	if (pipe2(out, O_CLOEXEC) != 0 || pipe2(complaint, O_CLOEXEC) != 0) {
		child->problem = memory_format("no pipe: %s", strerror(errno));
		return; /* out of descriptors: the session ends soon anyway */
	}
	problem = start(argv, out[1], complaint[1], &pid);
	close(out[1]);
	close(complaint[1]);
	if (problem == 0) {
		timed_out = listen(argv, out[0], complaint[0], limit, child);
		if (timed_out || child->too_long)
			kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		judge(argv[0], status, timed_out, limit, child);
	} else {
		child->missing = problem == ENOENT;
		child->problem = child->missing ? memory_format("%s is not installed", argv[0])
						: memory_format("cannot start %s: %s", argv[0],
								strerror(problem));
	}
	close(out[0]);
	close(complaint[0]);
}

void
child_free(struct child *child)
{
	buffer_free(&child->out);
	buffer_free(&child->complaint);
	free(child->problem);
	memset(child, 0, sizeof *child);
}
