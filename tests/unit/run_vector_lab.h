#ifndef TEST_RUN_VECTOR_LAB_H
#define TEST_RUN_VECTOR_LAB_H

/*
 * Starts vector_lab for test_harness.c and reads its lines. Each run leaves its output in a
 * directory of the test's own, made and removed by the group's set-up and teardown.
 */
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#ifndef VECTOR_LAB
#define VECTOR_LAB "build/runners/vector_lab"
#endif

#define MAX_ARGS 12
#define MAX_TEXT 65536

/* What a run of the program left. */
struct run {
	int status;	/* exit status, or 128 + the signal */
	char out[MAX_TEXT];
	char err[MAX_TEXT];
};

static char directory[] = "/tmp/assay-harness-XXXXXX";

static const char *
vector_lab(void)
{
	const char *path = getenv("ASSAY_TEST_VECTOR_LAB");

	return path ? path : VECTOR_LAB;
}

static void
path_of(const char *name, char *path, size_t size)
{
	assert_true((size_t)snprintf(path, size, "%s/%s", directory, name) < size);
}

static void
read_back(const char *name, char *text)
{
	char path[256];
	FILE *file;
	size_t length;

	path_of(name, path, sizeof path);
	file = fopen(path, "r");
	assert_non_null(file);
	length = fread(text, 1, MAX_TEXT - 1, file);
	assert_true(length < MAX_TEXT - 1);
	text[length] = '\0';
	fclose(file);
}

static int
open_new(const char *name)
{
	char path[256];
	int fd;

	path_of(name, path, sizeof path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	return fd;
}

/* Splits "a b c" into an argument list; options hold no spaces. */
static void
split(char *text, char **argv)
{
	int n = 0;

	argv[n++] = (char *)(uintptr_t)vector_lab();
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		assert_true(n < MAX_ARGS - 1);
		argv[n++] = word;
	}
	argv[n] = NULL;
}

static int
wait_for(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Starts the program with stdout and stderr at the two descriptors, on the given CPU or, when
 * it is -1, wherever the test itself may run. */
static int
start(const char *args, int out, int err, int cpu)
{
	char text[512];
	char *argv[MAX_ARGS];
	pid_t pid;

	assert_true(strlen(args) < sizeof text);
	strcpy(text, args);
	split(text, argv);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		cpu_set_t set;
		CPU_ZERO(&set);
		if (cpu >= 0)
			CPU_SET((size_t)cpu, &set);
		if (cpu >= 0 && sched_setaffinity(0, sizeof set, &set) != 0)
			_exit(125);
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		execv(argv[0], argv);
		_exit(127);
	}
	return wait_for(pid);
}

static void
run_on(const char *args, int cpu, struct run *run)
{
	int out = open_new("out");
	int err = open_new("err");

	run->status = start(args, out, err, cpu);
	close(out);
	close(err);
	read_back("out", run->out);
	read_back("err", run->err);
	if (run->status == 127)
		fail_msg("cannot start %s; set ASSAY_TEST_VECTOR_LAB", vector_lab());
}

static void
run(const char *args, struct run *result)
{
	run_on(args, -1, result);
}

/* The rest of the first line that starts with the keyword; NULL when there is none. */
static const char *
find_line(const char *text, const char *keyword, char *rest, size_t size)
{
	size_t length = strlen(keyword);

	for (const char *p = text; *p; p = strchr(p, '\n') + 1) {
		if (strncmp(p, keyword, length) == 0 && p[length] == ' ') {
			size_t n = strcspn(p, "\n") - length - 1;
			assert_true(n < size);
			memcpy(rest, p + length + 1, n);
			rest[n] = '\0';
			return rest;
		}
		assert_non_null(strchr(p, '\n'));
	}
	return NULL;
}

static void
assert_line(const char *text, const char *keyword, const char *expected)
{
	char rest[256];

	assert_non_null(find_line(text, keyword, rest, sizeof rest));
	assert_string_equal(rest, expected);
}

static int
count_lines(const char *text, const char *keyword)
{
	int count = 0;

	for (const char *p = text; p && *p; p = strchr(p, '\n'), p += p != NULL) {
		size_t length = strlen(keyword);
		count += strncmp(p, keyword, length) == 0 && p[length] == ' ';
	}
	return count;
}

static void
assert_one_line(const char *text)
{
	const char *newline = strchr(text, '\n');

	assert_non_null(newline);
	assert_string_equal(newline, "\n");
}

static int
make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static int
remove_directory(void **state)
{
	static const char *const names[] = {"out", "err"};
	char path[256];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		path_of(names[i], path, sizeof path);
		unlink(path);
	}
	return rmdir(directory);
}

#endif
