/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program to be measured that watches its measurers and misbehaves as told; for the
 * end-to-end tests. It speaks the line protocol by hand, so that it can speak it wrongly.
 *
 *     --us=N          work (asleep) for N microseconds, default 1000
 *     --wall=X        what RESULT says, default what it took
 *     --check=X       what CHECK says, default 1
 *     --journal=FILE  append "start|end <pid> <CLOCK_MONOTONIC_RAW ns> <alone>" for each run;
 *                     alone is 0 when any other process that has --journal=FILE is still there
 *     --do=WHAT       misbehave, see misbehave
 *     --once=FILE     but only if FILE is there to be removed
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void
work(long us)
{
	struct timespec time = {us / 1000000, us % 1000000 * 1000};

	while (nanosleep(&time, &time) != 0)
		;
}

/* The kernel keeps the lock until the last process that inherited the file is gone, however it
 * ended: whoever finds it taken runs beside another group. */
static int
note(int journal, const char *what)
{
	char line[128];
	int alone = flock(journal, LOCK_EX | LOCK_NB) == 0;
	int length = snprintf(line, sizeof line, "%s %d %" PRId64 " %d\n", what, (int)getpid(),
			      now_ns(), alone);

	return write(journal, line, (size_t)length) == length ? 0 : -1;
}

/* A process in a session of its own that outlives us, and does not end when asked to. */
static void
leave_grandchild(void)
{
	pid_t child = fork();

	if (child != 0) { /* gone before we are: exactly one process is left behind */
		waitpid(child, NULL, 0);
		return;
	}
	setsid();
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	if (fork() != 0)
		_exit(0);
	work(600000000);
	_exit(0);
}

static void
flood(long long bytes) /* does not take the hint of SIGXFSZ */
{
	static char block[1 << 20];

	signal(SIGXFSZ, SIG_IGN);
	memset(block, 'x', sizeof block);
	while (bytes > 0) {
		if (write(1, block, sizeof block) < 0)
			break;
		bytes -= (long long)sizeof block;
	}
}

static void
print_garbage(void)
{
	unsigned state = 1;
	int i;

	for (i = 0; i < 100000; i++) {
		state = state * 1664525 + 1013904223;
		putchar((int)(state >> 24));
	}
	putchar('\n');
}

/* Returns the exit code of a program that says nothing more, or -1 to go on. */
static int
misbehave(const char *what, const char **wall)
{
	int i;

	if (strcmp(what, "crashes") == 0)
		*(volatile int *)0 = 1;
	if (strcmp(what, "is-killed") == 0)
		kill(getpid(), SIGKILL); /* as the kernel does when memory runs out */
	if (strcmp(what, "hangs") == 0) {
		signal(SIGTERM, SIG_IGN);
		work(600000000);
	}
	if (strcmp(what, "leaves-grandchild") == 0)
		leave_grandchild();
	if (strcmp(what, "floods") == 0)
		flood(1LL << 30);
	if (strcmp(what, "nan") == 0)
		*wall = "nan";
	if (strcmp(what, "negative") == 0)
		*wall = "-3";
	if (strcmp(what, "half-a-line") == 0)
		return printf("RESULT 12") < 0;
	if (strcmp(what, "closes-stdout") == 0)
		return close(1);
	if (strcmp(what, "garbage") == 0 || strcmp(what, "garbage-and-result") == 0)
		print_garbage();
	if (strcmp(what, "garbage") == 0)
		return 0;
	for (i = 0; i < 2000000 && strcmp(what, "two-million-results") == 0; i++)
		puts("RESULT 1 1 0");
	if (strcmp(what, "lies-about-exit") == 0 || strcmp(what, "talks-of-exit") == 0)
		puts("exit_code=0\nstatus=ok\ncomplete=1\n--- result\nend=exited\nexit_code=0");
	return -1;
}

static int
exit_code_of(const char *what)
{
	if (strcmp(what, "exits-77") == 0)
		return 77;
	return strcmp(what, "lies-about-exit") == 0;
}

int
main(int argc, char **argv)
{
	const char *journal = NULL, *wall = NULL, *check = "1", *what = "", *once = NULL;
	char took[32];
	long us = 1000;
	int i, fd = -1, code;
	int64_t began;

	for (i = 1; i < argc; i++) {
		if (strncmp(argv[i], "--us=", 5) == 0)
			us = atol(argv[i] + 5);
		else if (strncmp(argv[i], "--wall=", 7) == 0)
			wall = argv[i] + 7;
		else if (strncmp(argv[i], "--check=", 8) == 0)
			check = argv[i] + 8;
		else if (strncmp(argv[i], "--journal=", 10) == 0)
			journal = argv[i] + 10;
		else if (strncmp(argv[i], "--do=", 5) == 0)
			what = argv[i] + 5;
		else if (strncmp(argv[i], "--once=", 7) == 0)
			once = argv[i] + 7;
	}
	if (once != NULL && unlink(once) != 0)
		what = "";
	if (journal != NULL) {
		fd = open(journal, O_WRONLY | O_CREAT | O_APPEND, 0666);
		if (fd < 0 || note(fd, "start") != 0)
			return 2;
	}
	if (strcmp(what, "removes-itself") == 0)
		unlink(argv[0]);
	began = now_ns();
	work(us);
	snprintf(took, sizeof took, "%.3f", (double)(now_ns() - began) / 1e3);
	if (wall == NULL)
		wall = took;
	code = misbehave(what, &wall);
	if (code >= 0)
		return code;
	printf("RESULT %s %s 0\nCHECK %s\n", wall, wall, check);
	if (fd >= 0 && (fflush(stdout) != 0 || note(fd, "end") != 0))
		return 2;
	return exit_code_of(what);
}
