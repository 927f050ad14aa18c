#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "launch_acts.h"
#include "session/launch.h"
#include "session/leftovers.h"
#include "session/lock.h"
#include "session/warden.h"

/* Another one for each run of the tests: two runs at once must not end each other's processes. */
static char token[17], entry[32];

struct scene {
	char folder[64], fifo[80], lock[80];
	int stay[2]; /* pidfds of the two processes of act "two-stay" */
};

static int
set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof *scene);

	strcpy(scene->folder, "/tmp/assay-test-XXXXXX");
	if (mkdtemp(scene->folder) == NULL)
		return -1;
	snprintf(scene->fifo, sizeof scene->fifo, "%s/fifo", scene->folder);
	snprintf(scene->lock, sizeof scene->lock, "%s/lock", scene->folder);
	setenv("ASSAY_LOCK_DIR", scene->lock, 1);
	*state = scene;
	return mkfifo(scene->fifo, 0600);
}

static int
tear_down(void **state)
{
	struct scene *scene = *state;

	file_remove_tree(scene->folder, NULL);
	free(scene);
	return 0;
}

/* Sleeps until both processes of the act are there. */
static void
meet_both(struct scene *scene)
{
	int fd = open(scene->fifo, O_RDWR), i;
	pid_t pid;

	for (i = 0; i < 2; i++) {
		assert_int_equal(read(fd, &pid, sizeof pid), sizeof pid);
		scene->stay[i] = pidfd_open(pid, 0);
		assert_true(scene->stay[i] >= 0);
	}
	close(fd);
}

static bool
has_ended(int pidfd, int timeout_ms)
{
	struct pollfd end = {.fd = pidfd, .events = POLLIN};

	return poll(&end, 1, timeout_ms) == 1;
}

/* In a child: holds the machine and runs a group, with a warden or without. Never returns. */
static void
be_session(const struct scene *scene, bool warden)
{
	char out[80], *argv[] = {(char *)"program", (char *)"two-stay", (char *)scene->fifo, NULL};
	char *envp[] = {entry, NULL};
	struct launch_request request = {.program = act_program(), .argv = argv, .envp = envp,
					 .stdout_path = out, .stderr_path = out};
	struct launch_result result;
	struct lock *lock = lock_open("session", NULL);
	const int *fds;
	int count;

	snprintf(out, sizeof out, "%s/out", scene->folder);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	fds = lock_descriptors(lock, &count);
	if (launch_prepare(NULL) != 0 || lock_acquire(lock, LOCK_EXCLUSIVE, NULL) != 0 ||
	    (warden && warden_start(token, fds, count, NULL) != 0))
		_exit(1);
	launch_run(&request, NULL, &result, NULL);
	_exit(2);
}

static void
test_a_killed_sessions_group_is_gone_before_the_lock_is_free(void **state)
{
	struct scene *scene = *state;
	struct lock *next;
	int status;
	pid_t session;

	fflush(NULL);
	session = fork();
	if (session == 0)
		be_session(scene, true);
	meet_both(scene);
	assert_false(has_ended(scene->stay[0], 0) || has_ended(scene->stay[1], 0));
	kill(-session, SIGKILL); /* its process group, as a shell's job control does */
	assert_int_equal(waitpid(session, &status, 0), session);
	assert_true(WIFSIGNALED(status));
	next = lock_open("next", NULL);
	assert_int_equal(lock_acquire(next, LOCK_EXCLUSIVE, NULL), 0);
	assert_true(has_ended(scene->stay[0], 0));
	assert_true(has_ended(scene->stay[1], 0));
	lock_close(next);
	close(scene->stay[0]);
	close(scene->stay[1]);
}

static void
test_without_a_warden_the_program_itself_dies_with_its_session(void **state)
{
	struct scene *scene = *state;
	struct pollfd ends[2];
	pid_t session;

	fflush(NULL);
	session = fork();
	if (session == 0)
		be_session(scene, false);
	meet_both(scene);
	kill(session, SIGKILL);
	assert_int_equal(waitpid(session, NULL, 0), session);
	ends[0] = (struct pollfd){.fd = scene->stay[0], .events = POLLIN};
	ends[1] = (struct pollfd){.fd = scene->stay[1], .events = POLLIN};
	assert_true(poll(ends, 2, 20000) > 0);
	/* the next session finds the other one by the token */
	assert_int_equal(leftovers_end(token, NULL), 1);
	assert_true(has_ended(scene->stay[0], 0) && has_ended(scene->stay[1], 0));
}

/* The act's two processes, as orphans of nobody's launch. */
static void
start_act(struct scene *scene, const char *mark)
{
	pid_t pid = fork();

	if (pid == 0) {
		char *argv[] = {(char *)"program", (char *)"two-stay", scene->fifo, NULL};
		char *envp[] = {(char *)"BEFORE=1", (char *)mark, NULL};

		setsid();
		execve(act_program(), argv, envp);
		_exit(1);
	}
	assert_true(pid > 0);
	meet_both(scene);
}

static void
reap_all(void)
{
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

static void
test_a_warden_sent_away_ends_nothing(void **state)
{
	struct scene *scene = *state;

	start_act(scene, entry);
	assert_int_equal(warden_start(token, NULL, 0, NULL), 0);
	assert_int_equal(warden_start(token, NULL, 0, NULL), -1); /* one only */
	warden_stop();
	warden_stop();
	assert_false(has_ended(scene->stay[0], 0) || has_ended(scene->stay[1], 0));
	assert_int_equal(leftovers_end(token, NULL), 2);
	reap_all();
}

static void
test_a_token_ends_its_own_processes_only(void **state)
{
	struct scene *scene = *state;
	struct scene others[3];
	static const char *const shapes[] = {"%s0", "X%s", "other=%s"};
	int i, other;

	for (i = 0; i < 3; i++) {
		char mark[64];

		others[i] = *scene;
		snprintf(mark, sizeof mark, shapes[i], entry);
		start_act(&others[i], mark);
	}
	start_act(scene, entry);
	assert_int_equal(leftovers_end(token, NULL), 2);
	assert_true(has_ended(scene->stay[0], 0) && has_ended(scene->stay[1], 0));
	for (i = 0; i < 3; i++)
		for (other = 0; other < 2; other++) {
			assert_false(has_ended(others[i].stay[other], 0));
			pidfd_send_signal(others[i].stay[other], SIGKILL, NULL, 0);
		}
	assert_int_equal(leftovers_end(token, NULL), 0);
	reap_all();
}

static void
test_a_killed_warden_does_not_harm_the_session(void **state)
{
	struct children children;
	int pidfd;

	(void)state;
	assert_int_equal(warden_start(token, NULL, 0, NULL), 0);
	assert_int_equal(children_list(&children, NULL), 0);
	assert_int_equal(children.count, 1);
	pidfd = pidfd_open(children.pids[0], 0);
	kill(children.pids[0], SIGKILL);
	assert_true(has_ended(pidfd, -1));
	close(pidfd);
	children_free(&children);
	warden_stop();
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_a_killed_sessions_group_is_gone_before_the_lock_is_free),
		TEST(test_without_a_warden_the_program_itself_dies_with_its_session),
		TEST(test_a_warden_sent_away_ends_nothing),
		TEST(test_a_token_ends_its_own_processes_only),
		TEST(test_a_killed_warden_does_not_harm_the_session),
	};

	act_if_asked(argc, argv);
	snprintf(token, sizeof token, "%016" PRIx64, (uint64_t)clock_monotonic_ns());
	snprintf(entry, sizeof entry, LEFTOVERS_VARIABLE "=%s", token);
	unsetenv("ASSAY_LOCK_TOKEN"); /* of the hold that the tests themselves run under */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
