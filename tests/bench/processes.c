/*
 * What hyperfine.sh measures with, and measures.
 *
 *	processes work COUNT		a program: so many turns of a loop, then it ends
 *	processes calibrate MS		the COUNT that takes about so long here
 *	processes spawn N PROGRAM [ARGUMENT]…
 *					N times posix_spawn and wait4, nothing else; prints the mean and the
 *					median of them in milliseconds
 *	processes spawn-keep N FOLDER PROGRAM…	N times a spawn, and then what keeps a record of it: write,
 *					fsync, rename, fsync of the folder; prints the mean of both
 *					together in milliseconds
 *	processes disturb SEED		computes and sleeps at random, up to half a second each, until it is
 *					killed
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double
now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static void
give_up(const char *what)
{
	perror(what);
	exit(1);
}

static void
work(uint64_t count)
{
	volatile uint64_t x = 1;

	while (count-- > 0)
		x = x * 6364136223846793005u + 1442695040888963407u;
}

static int
calibrate(double ms)
{
	uint64_t count = 1 << 16;
	double took;

	do {
		double start = now_ms();

		count *= 2;
		work(count);
		took = now_ms() - start;
	} while (took < 200);
	printf("%llu\n", (unsigned long long)((double)count * ms / took));
	return 0;
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
spawn_one(char **command)
{
	double start = now_ms();
	int status;
	pid_t pid;

	if (posix_spawn(&pid, command[0], NULL, NULL, command, environ) != 0 ||
	    wait4(pid, &status, 0, NULL) != pid || status != 0)
		give_up(command[0]);
	return now_ms() - start;
}

static int
spawn(size_t n, char **command)
{
	double *times = calloc(n, sizeof *times), sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += times[i] = spawn_one(command);
	qsort(times, n, sizeof *times, by_size);
	printf("%.4f %.4f\n", sum / (double)n, times[n / 2]);
	free(times);
	return 0;
}

/* Each is a new file, as in the store. */
static void
keep_record(int folder)
{
	static const char record[700] = "a record";
	static unsigned count;
	char name[32];
	int file = openat(folder, "record.tmp", O_WRONLY | O_CREAT | O_EXCL, 0644);

	snprintf(name, sizeof name, "record-%d-%u", (int)getpid(), count++);
	if (file < 0 || write(file, record, sizeof record) != sizeof record || fsync(file) != 0 ||
	    close(file) != 0 || renameat(folder, "record.tmp", folder, name) != 0 ||
	    fsync(folder) != 0)
		give_up("record");
}

static int
spawn_and_keep(size_t n, const char *path, char **command)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY);
	double start = now_ms();
	size_t i;

	for (i = 0; i < n; i++) {
		spawn_one(command);
		keep_record(folder);
	}
	printf("%.4f\n", (now_ms() - start) / (double)n);
	return 0;
}

static _Noreturn void
disturb(unsigned seed)
{
	for (;;) {
		double until = now_ms() + 500.0 * rand_r(&seed) / RAND_MAX;

		while (now_ms() < until)
			work(100000);
		usleep(500000.0 * rand_r(&seed) / RAND_MAX);
	}
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (strcmp(what, "work") == 0) {
		work(strtoull(argv[2], NULL, 10));
		return 0;
	}
	if (strcmp(what, "calibrate") == 0)
		return calibrate(strtod(argv[2], NULL));
	if (strcmp(what, "spawn") == 0 && argc > 3)
		return spawn(strtoul(argv[2], NULL, 10), argv + 3);
	if (strcmp(what, "spawn-keep") == 0 && argc > 4)
		return spawn_and_keep(strtoul(argv[2], NULL, 10), argv[3], argv + 4);
	if (strcmp(what, "disturb") == 0)
		disturb((unsigned)strtoul(argv[2], NULL, 10));
	fputs("usage: processes work|calibrate|spawn|spawn-keep|disturb …; see the source\n", stderr);
	return 2;
}
