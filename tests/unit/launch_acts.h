#ifndef ASSAY_TEST_LAUNCH_ACTS_H
#define ASSAY_TEST_LAUNCH_ACTS_H

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * What launched programs do in the tests of launch and warden: the test program starts itself
 * with the name of an act. Each act ends with _exit: no exit handlers, no leak checker (which
 * cannot work under a tracer).
 */

extern char **environ;

struct act {
	const char *name;
	void (*perform)(char **arguments);
};

static void
be_idle(void)
{
	alarm(120); /* none outlives a test that failed */
	for (;;)
		pause();
}

static void
tell(const char *path, pid_t pid)
{
	int fd = open(path, O_WRONLY);

	if (write(fd, &pid, sizeof pid) != sizeof pid)
		_exit(9);
	close(fd);
}

static void
print_arguments(char **arguments)
{
	for (; *arguments != NULL; arguments++)
		printf("%s\n", *arguments);
	for (char **entry = environ; *entry != NULL; entry++)
		printf("env %s\n", *entry);
}

static void
copy_input(char **arguments)
{
	char bytes[4096];
	size_t got;

	(void)arguments;
	while ((got = fread(bytes, 1, sizeof bytes, stdin)) > 0)
		fwrite(bytes, 1, got, stdout);
	fputs("to stderr", stderr);
}

static void
end_with(char **arguments)
{
	_exit(atoi(arguments[0]));
}

static void
crash(char **arguments)
{
	signal(SIGSEGV, SIG_DFL);
	(void)arguments;
	raise(SIGSEGV);
}

static void
hang(char **arguments)
{
	(void)arguments;
	if (fork() >= 0) /* one more of the same process group */
		be_idle();
}

static void
flood(char **arguments)
{
	static char bytes[1 << 16];
	long i, fd = strtol(arguments[0], NULL, 10);

	if (arguments[1] != NULL)
		signal(SIGXFSZ, SIG_IGN);
	for (i = 0; i < 16384; i++) /* 1 GiB */
		if (write((int)fd, bytes, sizeof bytes) < 0)
			_exit(0);
}

static void
flood_own_file(char **arguments)
{
	char number[16];
	int fd = open(arguments[0], O_WRONLY | O_CREAT, 0600);

	snprintf(number, sizeof number, "%d", fd);
	flood((char *[]){number, NULL});
}

/* Leaves two processes behind, one the other's child, each in a session of its own; they tell
 * their pids first. */
static void
leave_behind(char **arguments)
{
	int ready[2];
	char byte;
	pid_t pid;

	(void)arguments;
	if (pipe(ready) != 0 || (pid = fork()) < 0)
		_exit(8);
	if (pid == 0) {
		setsid();
		if (fork() != 0)
			_exit(0);
		fork();
		setsid();
		printf("%d\n", (int)getpid());
		fflush(stdout);
		if (write(ready[1], "x", 1) != 1)
			_exit(8);
		be_idle();
	}
	if (waitpid(pid, NULL, 0) != pid || read(ready[0], &byte, 1) != 1 ||
	    read(ready[0], &byte, 1) != 1)
		_exit(8);
}

/* A child that has ended already, and that nobody has waited for. */
static void
leave_a_dead_one(char **arguments)
{
	siginfo_t info;
	pid_t pid = fork();

	(void)arguments;
	if (pid == 0)
		_exit(0);
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0)
		_exit(8);
}

/*
 * Those that glibc keeps for itself do not count: it lets nobody set them, and has them ignored in
 * whatever posix_spawn starts, so in all that Ninja starts.
 */
static void
print_signals(void)
{
	struct sigaction action;
	sigset_t blocked;
	int number;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (number = 1; number < NSIG; number++) {
		if (sigaction(number, NULL, &action) != 0)
			continue;
		if (sigismember(&blocked, number) == 1)
			printf("signal %d blocked\n", number);
		if (action.sa_handler == SIG_IGN)
			printf("signal %d ignored\n", number);
	}
}

static void
print_state(char **arguments)
{
	struct rlimit core;
	cpu_set_t cpus;
	int cpu;

	(void)arguments;
	print_signals();
	getrlimit(RLIMIT_CORE, &core);
	printf("session %s, core %s\n", getsid(0) == getpid() ? "own" : "other",
	       core.rlim_cur <= 1 && core.rlim_max <= 1 ? "none" : "some");
	sched_getaffinity(0, sizeof cpus, &cpus);
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET((size_t)cpu, &cpus))
			printf("cpu %d\n", cpu);
}

static void
print_descriptors(char **arguments)
{
	DIR *folder = opendir("/proc/self/fd");
	struct dirent *item;

	(void)arguments;
	while ((item = readdir(folder)) != NULL)
		if (item->d_name[0] != '.' && atoi(item->d_name) != dirfd(folder))
			printf("%s\n", item->d_name);
}

static void
load_library(char **arguments)
{
	void *library = dlopen(arguments[0], RTLD_NOW);

	_exit(library != NULL ? 0 : 7);
}

static void
interrupt_launcher(char **arguments)
{
	(void)arguments;
	kill(getppid(), SIGINT);
	be_idle();
}

static void
print_folder(char **arguments)
{
	char path[PATH_MAX];

	(void)arguments;
	puts(getcwd(path, sizeof path) != NULL ? path : "?");
}

/* Tells its own and a setsid grandchild's pid through a FIFO; both stay. */
static void
two_stay(char **arguments)
{
	if (fork() == 0) {
		setsid();
		tell(arguments[0], getpid());
		be_idle();
	}
	tell(arguments[0], getpid());
	be_idle();
}

static const struct act acts[] = {
	{"print-arguments", print_arguments},
	{"copy-input", copy_input},
	{"end-with", end_with},
	{"crash", crash},
	{"hang", hang},
	{"flood", flood},
	{"flood-own-file", flood_own_file},
	{"leave-behind", leave_behind},
	{"leave-a-dead-one", leave_a_dead_one},
	{"print-state", print_state},
	{"print-descriptors", print_descriptors},
	{"load-library", load_library},
	{"interrupt-launcher", interrupt_launcher},
	{"print-folder", print_folder},
	{"two-stay", two_stay},
};

/* Performs argv[1] when it names an act and does not return then. */
static void
act_if_asked(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < sizeof acts / sizeof *acts; i++)
		if (strcmp(argv[1], acts[i].name) == 0) {
			acts[i].perform(argv + 2);
			fflush(NULL);
			_exit(0);
		}
}

/* The absolute path of the test program. */
static const char *
act_program(void)
{
	static char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

	path[length > 0 ? length : 0] = '\0';
	return path;
}

#endif
