#include "session/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "session/leftovers.h"
#include "session/watch.h"

#define EXIT_CODE_TIMEOUT 124
#define DISK_RESERVE (64 << 10)
#define DISK_PLENTY (64 << 20)

/* What the child needs, made ready before the clock starts; it shares our memory until exec. */
struct child {
	const struct launch_request *request;
	pid_t parent;
	int streams[3]; /* 0, 1, 2 to be */
	cpu_set_t *cpus;
	size_t cpus_size;
	/* its answer */
	volatile enum { STEP_NONE, STEP_OURS, STEP_CHDIR, STEP_EXEC } failed_step;
	volatile int failed_errno;
	volatile bool pinned;
};

/*
 * The signals whose disposition is not the default, which each group gets back. Asked for once:
 * 64 system calls before each launch took 0.1 ms where a virtual machine makes them dear.
 */
static sigset_t handled;

/* ---- the child, between vfork and exec ---- */

static void __attribute__((noreturn))
fail_child(struct child *child, int step)
{
	child->failed_errno = errno;
	child->failed_step = step;
	_exit(127);
}

static void
reset_signals(void)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	int number;

	for (number = 1; number < NSIG; number++)
		if (sigismember(&handled, number) == 1)
			sigaction(number, &plain, NULL);
}

static int
limit(int resource, int64_t most)
{
	struct rlimit bound = {(rlim_t)most, (rlim_t)most};

	return setrlimit(resource, &bound);
}

static int
take_streams(const struct child *child)
{
	int i;

	for (i = 0; i < 3; i++)
		if (dup2(child->streams[i], i) < 0)
			return -1;
	return close_range(3, ~0U, 0);
}

static void __attribute__((noreturn))
be_child(struct child *child)
{
	const struct launch_request *request = child->request;
	sigset_t none;

	if (setsid() < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != child->parent)
		fail_child(child, STEP_OURS);
	reset_signals();
	/* A core limit of 1, not 0: 0 would still start a crash collector, 1 does not. */
	if (limit(RLIMIT_CORE, 1) != 0 ||
	    (request->output_limit_bytes > 0 &&
	     limit(RLIMIT_FSIZE, request->output_limit_bytes + 1) != 0))
		fail_child(child, STEP_OURS);
	child->pinned = child->cpus != NULL &&
			sched_setaffinity(0, child->cpus_size, child->cpus) == 0;
	if (request->cwd != NULL && chdir(request->cwd) != 0)
		fail_child(child, STEP_CHDIR);
	if (take_streams(child) != 0)
		fail_child(child, STEP_OURS);
	if (request->watch_libraries)
		watch_ask();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(request->program, request->argv, request->envp);
	fail_child(child, STEP_EXEC);
}

/* ---- before ---- */

static void
note_handled_signals(void)
{
	struct sigaction action;
	int number;

	sigemptyset(&handled);
	for (number = 1; number < NSIG; number++)
		if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
			sigaddset(&handled, number);
}

int
launch_prepare(struct error *error)
{
	struct sigaction action;

	if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
		return error_set_errno(error, "cannot become the parent of what groups leave behind");
	/* An inherited "ignore" would have the kernel reap the groups without a word to us. */
	if (sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
		signal(SIGCHLD, SIG_DFL);
	note_handled_signals();
	return 0;
}

/* Above the standard streams, so that dup2 onto them overwrites nothing still needed. */
static int
open_stream(const char *path, int flags, struct error *error)
{
	int fd = open(path, flags | O_CLOEXEC | O_NOCTTY, 0666), high = fd;

	if (fd < 0)
		return error_set_errno(error, "cannot open %s", path);
	if (fd < 3) {
		high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		if (high < 0)
			error_set_errno(error, "cannot open %s", path);
		close(fd);
	}
	return high;
}

static int
open_streams(const struct launch_request *request, int streams[3], struct error *error)
{
	const char *in = request->stdin_path != NULL ? request->stdin_path : "/dev/null";
	int written = O_WRONLY | O_CREAT | O_TRUNC;

	streams[0] = streams[1] = streams[2] = -1;
	if ((streams[0] = open_stream(in, O_RDONLY, error)) < 0 ||
	    (streams[1] = open_stream(request->stdout_path, written, error)) < 0 ||
	    (streams[2] = open_stream(request->stderr_path, written, error)) < 0)
		return -1;
	return 0;
}

static void
close_streams(const int streams[3])
{
	int i;

	for (i = 0; i < 3; i++)
		if (streams[i] >= 0)
			close(streams[i]);
}

static int
make_cpu_set(const struct launch_request *request, struct child *child, struct error *error)
{
	int i, most = 0;

	child->cpus = NULL;
	if (request->cpu_count <= 0)
		return 0;
	for (i = 0; i < request->cpu_count; i++) {
		if (request->cpus[i] < 0 || request->cpus[i] > 1 << 20)
			return error_set(error, EXIT_BAD_INPUT, "there is no CPU %d", request->cpus[i]);
		most = request->cpus[i] > most ? request->cpus[i] : most;
	}
	child->cpus = CPU_ALLOC((size_t)most + 1);
	if (child->cpus == NULL)
		return error_set_errno(error, "cannot make a set of CPUs");
	child->cpus_size = CPU_ALLOC_SIZE((size_t)most + 1);
	CPU_ZERO_S(child->cpus_size, child->cpus);
	for (i = 0; i < request->cpu_count; i++)
		CPU_SET_S((size_t)request->cpus[i], child->cpus_size, child->cpus);
	return 0;
}

/* ---- while it runs ---- */

/* A group on its way. */
struct flight {
	pid_t pid;
	int pidfd, stops;  /* stops: a signalfd for SIGCHLD, -1 when nothing is watched */
	int64_t deadline_ns; /* 0: none */
	const volatile int *interrupted;
	sigset_t while_waiting;
	struct watch watch;
	enum launch_end cut; /* LAUNCH_EXITED while nobody cut it short */
};

static void
cut_short(struct flight *flight, enum launch_end why)
{
	flight->cut = why;
	kill(flight->pid, SIGKILL); /* all that it started is a leftover from now on */
}

/* Sleeps until the group ended or stopped, a signal came or time is up. Signals are blocked but
 * inside ppoll, so none slips in between the look at *interrupted and the sleep. */
static void
sleep_on(struct flight *flight)
{
	struct pollfd wake[2] = {{.fd = flight->pidfd, .events = POLLIN},
				 {.fd = flight->stops, .events = POLLIN}};
	struct timespec left, *timeout = NULL;
	struct signalfd_siginfo info;

	if (flight->cut == LAUNCH_EXITED) {
		int64_t left_ns = flight->deadline_ns - clock_monotonic_ns();

		if (flight->interrupted != NULL && *flight->interrupted) {
			cut_short(flight, LAUNCH_INTERRUPTED);
		} else if (flight->deadline_ns > 0 && left_ns <= 0) {
			cut_short(flight, LAUNCH_TIMED_OUT);
		} else if (flight->deadline_ns > 0) {
			left.tv_sec = (time_t)(left_ns / 1000000000);
			left.tv_nsec = (long)(left_ns % 1000000000);
			timeout = &left;
		}
	}
	if (ppoll(wake, 2, timeout, &flight->while_waiting) > 0 && wake[1].revents != 0)
		if (read(flight->stops, &info, sizeof info) < 0)
			return; /* somebody else's wake-up; wait4 tells what is true */
}

/* Returns the wait status of its end; *ended_ns is when it could be reaped. */
static int
wait_for_end(struct flight *flight, struct rusage *usage, int64_t *ended_ns)
{
	int status;

	for (;;) {
		pid_t got;

		sleep_on(flight);
		*ended_ns = clock_monotonic_ns();
		while ((got = wait4(flight->pid, &status, WNOHANG | __WALL, usage)) == flight->pid &&
		       WIFSTOPPED(status))
			watch_step(&flight->watch, flight->pid, status);
		if (got == flight->pid)
			return status;
	}
}

static int
begin_flight(struct flight *flight, const struct launch_request *request,
	     struct launch_result *result, struct error *error)
{
	sigset_t child_only;

	flight->watch = (struct watch){.files = &result->libraries};
	flight->cut = LAUNCH_EXITED;
	flight->stops = -1;
	flight->deadline_ns = 0;
	if (request->timeout_s > 0)
		flight->deadline_ns = result->started_monotonic_ns + (int64_t)(request->timeout_s * 1e9);
	flight->pidfd = pidfd_open(flight->pid, 0);
	if (flight->pidfd < 0)
		return error_set_errno(error, "cannot watch the group's process");
	if (!request->watch_libraries)
		return 0;
	sigemptyset(&child_only);
	sigaddset(&child_only, SIGCHLD);
	/* Blocked in our sleep too: an unblocked SIGCHLD that nobody handles is thrown away. */
	sigaddset(&flight->while_waiting, SIGCHLD);
	flight->stops = signalfd(-1, &child_only, SFD_CLOEXEC | SFD_NONBLOCK);
	return flight->stops >= 0 ? 0 : error_set_errno(error, "cannot watch the group's process");
}

static void
end_flight(const struct flight *flight)
{
	if (flight->pidfd >= 0)
		close(flight->pidfd);
	if (flight->stops >= 0)
		close(flight->stops);
}

/* ---- after ---- */

static double
microseconds(struct timeval time)
{
	return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

static void
note_end(struct launch_result *result, int status, const struct rusage *usage, int64_t ended_ns)
{
	result->wall_us = (double)(ended_ns - result->started_monotonic_ns) / 1e3;
	result->user_us = microseconds(usage->ru_utime);
	result->sys_us = microseconds(usage->ru_stime);
	result->max_rss_kib = usage->ru_maxrss;
	result->voluntary_switches = usage->ru_nvcsw;
	result->involuntary_switches = usage->ru_nivcsw;
	result->end = WIFSIGNALED(status) ? LAUNCH_SIGNALLED : LAUNCH_EXITED;
	result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	result->signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static bool
is_over(int fd, int64_t most)
{
	struct stat status;

	return most > 0 && fstat(fd, &status) == 0 && status.st_size > most;
}

/* A reason of ours to end it outranks what it looked like from outside. */
static void
note_cut(struct launch_result *result, const struct launch_request *request,
	 const struct child *child, enum launch_end cut)
{
	int64_t most = request->output_limit_bytes;

	if (cut != LAUNCH_INTERRUPTED &&
	    (is_over(child->streams[1], most) || is_over(child->streams[2], most)))
		cut = LAUNCH_OUTPUT_LIMIT;
	if (cut == LAUNCH_EXITED)
		return;
	result->end = cut;
	result->signal_number = 0;
	result->exit_code = cut == LAUNCH_TIMED_OUT ? EXIT_CODE_TIMEOUT : 0;
}

/* Told by asking for some room once the group is gone: its own failed writes look like any other
 * failure of it. A disk that was full and is no longer cannot be told. Asking takes longer than
 * all else that a launch adds, so it is left where a group ended well on a disk with much room. */
static int
check_disk(int fd, const char *path, bool ended_well, struct error *error)
{
	struct statvfs system;
	struct stat status;

	if (ended_well && fstatvfs(fd, &system) == 0 && system.f_bavail * system.f_frsize > DISK_PLENTY)
		return 0;
	if (fstat(fd, &status) != 0)
		return error_set_errno(error, "cannot look at %s", path);
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, status.st_size, DISK_RESERVE) == 0)
		return ftruncate(fd, status.st_size) == 0
			       ? 0
			       : error_set_errno(error, "cannot give back room at %s", path);
	if (errno == ENOSPC || errno == EDQUOT || errno == EIO)
		return error_set_errno(error, "cannot keep the group's output in %s", path);
	if (fstatvfs(fd, &system) == 0 && system.f_bfree * system.f_frsize < DISK_RESERVE) {
		errno = ENOSPC;
		return error_set_errno(error, "cannot keep the group's output in %s", path);
	}
	return 0;
}

static bool
is_our_fault(const struct child *child)
{
	int number = child->failed_errno;

	return child->failed_step == STEP_OURS || number == EAGAIN || number == ENOMEM ||
	       number == EMFILE || number == ENFILE;
}

static int
note_not_started(const struct child *child, pid_t pid, struct launch_result *result,
		 struct error *error)
{
	while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		;
	errno = child->failed_errno;
	if (is_our_fault(child))
		return error_set_errno(error, "cannot start %s", child->request->program);
	result->end = LAUNCH_NOT_STARTED;
	result->start_error = child->failed_errno;
	return 0;
}

/* ---- the whole ---- */

static pid_t
spawn(struct child *child, struct launch_result *result)
{
	pid_t pid;

	result->started_realtime_ns = clock_realtime_ns();
	result->started_monotonic_ns = clock_monotonic_ns();
	pid = vfork(); /* copies nothing, however much memory the session has */
	if (pid == 0)
		be_child(child);
	return pid;
}

static int
fly(struct child *child, struct flight *flight, struct launch_result *result, struct error *error)
{
	struct rusage usage;
	int64_t ended_ns;
	int status, begun;

	flight->pid = spawn(child, result);
	if (flight->pid < 0)
		return error_set_errno(error, "cannot start a process for %s", child->request->program);
	result->pinned = child->pinned;
	if (child->failed_step != STEP_NONE)
		return note_not_started(child, flight->pid, result, error);
	begun = begin_flight(flight, child->request, result, error);
	if (begun != 0) { /* leftovers_reap ends it */
		end_flight(flight);
		return -1;
	}
	status = wait_for_end(flight, &usage, &ended_ns);
	end_flight(flight);
	note_end(result, status, &usage, ended_ns);
	note_cut(result, child->request, child, flight->cut);
	return 0;
}

static int
check_disks(const struct child *child, const struct launch_result *result, struct error *error)
{
	bool well = result->end == LAUNCH_EXITED && result->exit_code == 0;

	if (check_disk(child->streams[1], child->request->stdout_path, well, error) != 0)
		return -1;
	return check_disk(child->streams[2], child->request->stderr_path, well, error);
}

int
launch_run(const struct launch_request *request, const volatile int *interrupted,
	   struct launch_result *result, struct error *error)
{
	struct child child = {.request = request, .parent = getpid()};
	struct flight flight = {.interrupted = interrupted};
	struct children before = {NULL, 0};
	sigset_t all, callers;
	int outcome = -1;

	*result = (struct launch_result){.libraries = BUFFER_EMPTY};
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &callers);
	flight.while_waiting = callers;
	if (open_streams(request, child.streams, error) == 0 &&
	    make_cpu_set(request, &child, error) == 0 && children_list(&before, error) == 0) {
		outcome = fly(&child, &flight, result, error);
		result->leftovers = leftovers_reap(&before, outcome == 0 ? error : NULL);
		if (outcome == 0 && (result->leftovers < 0 || check_disks(&child, result, error) != 0))
			outcome = -1;
	}
	children_free(&before);
	if (child.cpus != NULL)
		CPU_FREE(child.cpus);
	close_streams(child.streams);
	sigprocmask(SIG_SETMASK, &callers, NULL);
	return outcome;
}

void
launch_result_free(struct launch_result *result)
{
	buffer_free(&result->libraries);
}
