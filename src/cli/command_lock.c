#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "session/lock.h"

#define EXIT_CANNOT_RUN 126
#define EXIT_NOT_FOUND 127

/* What others read while they wait: the command itself, unless told. */
static void
describe(char **command, struct buffer *who)
{
	for (; *command != NULL && who->length < 120; command++)
		buffer_printf(who, "%s%s", who->length > 0 ? " " : "", *command);
	if (*command != NULL)
		buffer_puts(who, " …");
}

static int
cannot_run(const char *name)
{
	int code = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;

	fprintf(stderr, "assay lock: cannot run '%s': %s\n", name, strerror(errno));
	return code;
}

/* The signals that are passed on, and SIGCHLD; blocked while the command runs. */
static void
watched_signals(sigset_t *set)
{
	static const int numbers[] = {SIGCHLD, SIGINT,  SIGTERM, SIGHUP,
				      SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM};
	size_t i;

	sigemptyset(set);
	for (i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaddset(set, numbers[i]);
}

/* vfork: the child borrows our memory until it runs the command, nothing is copied. */
static pid_t
start(char **command, const sigset_t *mask, int *failure)
{
	volatile int exec_error = 0;
	pid_t parent = getpid(), pid = vfork();

	if (pid == 0) {
		/* Without its holder the command must not go on beside a measurement. */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(EXIT_CANNOT_RUN);
		sigprocmask(SIG_SETMASK, mask, NULL);
		execvp(command[0], command);
		exec_error = errno;
		_exit(EXIT_NOT_FOUND);
	}
	*failure = pid < 0 ? errno : exec_error;
	if (pid > 0 && exec_error != 0) {
		waitpid(pid, NULL, 0);
		return -1;
	}
	return pid;
}

/* A signal of the terminal reaches the command by itself; one sent to us alone would not. */
static void
pass_on(pid_t pid, const siginfo_t *info)
{
	if (info->si_code != SI_KERNEL)
		kill(pid, info->si_signo);
}

static int
wait_for(pid_t pid, const sigset_t *watched)
{
	int status = 0;
	siginfo_t info;

	for (;;) {
		int number = sigwaitinfo(watched, &info);

		if (number == SIGCHLD && waitpid(pid, &status, WNOHANG) == pid)
			return status;
		if (number > 0 && number != SIGCHLD)
			pass_on(pid, &info);
	}
}

/* Ends as the command ended, so that Ninja sees an interrupted edge as one. */
static int
end_as(int status, const sigset_t *mask)
{
	struct rlimit none = {0, 0};

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	setrlimit(RLIMIT_CORE, &none);
	signal(WTERMSIG(status), SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

static int
run_locked(struct lock *lock, char **command)
{
	sigset_t watched, mask;
	int status, failure;
	pid_t pid;

	signal(SIGCHLD, SIG_DFL); /* an inherited "ignore" would lose the exit code */
	watched_signals(&watched);
	sigprocmask(SIG_BLOCK, &watched, &mask);
	pid = start(command, &mask, &failure);
	if (pid < 0) {
		lock_close(lock);
		errno = failure;
		return cannot_run(command[0]);
	}
	status = wait_for(pid, &watched);
	lock_close(lock);
	return end_as(status, &mask);
}

static int
print_status(void)
{
	struct error error = {0};

	return lock_print_status(stdout, &error) == 0 ? EXIT_DONE : error_print(&error);
}

static int
hold(enum lock_mode mode, const char *asked_who, char **command)
{
	struct buffer who = BUFFER_EMPTY;
	struct error error = {0};
	struct lock *lock;

	if (asked_who != NULL)
		buffer_puts(&who, asked_who);
	else
		describe(command, &who);
	lock = lock_open(buffer_text(&who), &error);
	buffer_free(&who);
	if (lock == NULL)
		return error_print(&error);
	if (lock_is_covered(lock)) { /* nothing to hold, nothing to wait for */
		lock_close(lock);
		execvp(command[0], command);
		return cannot_run(command[0]);
	}
	if (lock_acquire(lock, mode, &error) != 0) {
		lock_close(lock);
		return error_print(&error);
	}
	return run_locked(lock, command);
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {
		{"who", required_argument, NULL, 'w'},
		{"status", no_argument, NULL, 's'},
		{NULL, 0, NULL, 0},
	};
	const char *who = NULL, *mode;
	int option;

	/* the mode may come before the options: "shared --who X -- …" */
	if (argc > 1 && argv[1][0] != '-') {
		mode = argv[1];
		argv++;
		argc--;
	} else {
		mode = NULL;
	}
	while ((option = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		if (option == 's')
			return print_status();
		if (option != 'w')
			return command_misuse(&command_lock, "unknown option");
		who = optarg;
	}
	if (mode == NULL && optind < argc)
		mode = argv[optind++];
	if (mode == NULL || (strcmp(mode, "shared") != 0 && strcmp(mode, "exclusive") != 0))
		return command_misuse(&command_lock, "say 'shared' or 'exclusive'");
	if (optind < argc && strcmp(argv[optind], "--") == 0)
		optind++;
	if (optind >= argc)
		return command_misuse(&command_lock, "no command to run");
	return hold(strcmp(mode, "shared") == 0 ? LOCK_SHARED : LOCK_EXCLUSIVE, who, argv + optind);
}

const struct command command_lock = {
	"lock",
	"run a command while holding the machine-wide lock",
	"usage: assay lock shared|exclusive [--who TEXT] -- COMMAND [ARGUMENT…]\n"
	"       assay lock --status\n\n"
	"Nothing runs beside a measurement: a session holds the lock exclusive while it measures a\n"
	"block, everything else that works the machine (compile, analyse, plot) holds it shared. The\n"
	"lock is one for the machine: all studies, clones and users. First come, first served. COMMAND\n"
	"is looked up in PATH; the hold lasts until it ended, and its exit code is ours. Inside a hold\n"
	"a further hold is none. --status prints who holds and who waits.\n"
	"The lock's files lie in $ASSAY_LOCK_DIR, else /run/lock/assay, else /tmp/assay-lock.",
	run,
};
