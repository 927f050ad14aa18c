#include "session/warden.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/leftovers.h"

static pid_t warden_pid = -1;
static int lifeline = -1; /* our end; the kernel closes it when we die, however we die */

static bool
is_wanted(int fd, const int *fds, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (fds[i] == fd)
			return true;
	return false;
}

/* Keeps `fds` and nothing else: an inherited end of a lifeline or an entry of the lock's queue would
 * look like a living session. */
static void
close_others(const int *fds, int count)
{
	int fd, from = 0, most = 0;

	for (fd = 0; fd < count; fd++)
		most = fds[fd] > most ? fds[fd] : most;
	for (fd = 0; fd <= most; fd++)
		if (is_wanted(fd, fds, count)) {
			if (fd > from)
				close_range((unsigned)from, (unsigned)fd - 1, 0);
			from = fd + 1;
		}
	close_range((unsigned)from, ~0U, 0);
}

static void
open_null(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < 2);
	if (fd > 2)
		close(fd);
}

/* The lifeline's end without a word is the session's death. */
static void
keep_watch(const char *token, int from_session)
{
	char farewell;
	ssize_t got;

	do
		got = read(from_session, &farewell, 1);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		leftovers_end(token, NULL);
	_exit(0);
}

static void
be_warden(const char *token, int from_session, const int *fds, int count)
{
	int keep[64], i;
	sigset_t none;

	for (i = 0; i < count; i++)
		keep[i] = fds[i];
	keep[count] = from_session;
	setsid(); /* a terminal's signals and a kill of the session's process group pass us by */
	prctl(PR_SET_NAME, "assay-warden");
	prctl(PR_SET_PDEATHSIG, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close_others(keep, count + 1);
	open_null();
	keep_watch(token, from_session);
}

int
warden_start(const char *token, const int *fds, int count, struct error *error)
{
	int ends[2];

	if (warden_pid > 0)
		return error_set(error, EXIT_FAILED, "a warden runs already");
	if (count > 60)
		return error_set(error, EXIT_FAILED, "too many descriptors for the warden");
	/* No pipe: a word to a warden that somebody killed must not end us with SIGPIPE. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return error_set_errno(error, "cannot make a socket to the warden");
	warden_pid = fork();
	if (warden_pid == 0)
		be_warden(token, ends[0], fds, count);
	if (warden_pid < 0)
		error_set_errno(error, "cannot start the warden");
	close(ends[0]);
	lifeline = ends[1];
	if (warden_pid > 0)
		return 0;
	close(lifeline);
	return -1;
}

void
warden_stop(void)
{
	if (warden_pid <= 0)
		return;
	while (send(lifeline, "q", 1, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
	close(lifeline);
	while (waitpid(warden_pid, NULL, 0) < 0 && errno == EINTR)
		;
	warden_pid = -1;
	lifeline = -1;
}
