/*
 * statistics [VALUES [FOLDER]]
 *
 * How fast the statistics are, as ratios within one run. Not part of the test suite: it takes
 * some 20 seconds and, with the default of 10,000,000 VALUES, writes a file of 180 MB into
 * FOLDER (default /tmp), which it removes again. Times are CPU time, the least of three, so that a
 * busy machine matters little.
 *
 *  - BCa interval of the mean, 10,000 resamples of 1,000 values; against R's `boot` with
 *    boot.ci(type = "bca") on the same values, where Rscript and that package are there, or else
 *    against the 8.9 s that it was seen to take on another machine.
 *  - Exact Mann-Whitney p of 500 + 500 values: under a second, and a number.
 *  - All summaries of VALUES numbers from a CSV file; against libcsv parsing the same file and
 *    doing nothing with it.
 */
#include <csv.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analysis/bootstrap.h"
#include "analysis/describe.h"
#include "analysis/rank.h"

static const double boot_seconds = 8.9;

enum { ROUNDS = 3 };

struct numbers {
	double *x;
	size_t n, capacity;
};

/* What is timed; context is its own. */
typedef void timed_work(void *context);

static double
cpu_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double
least_seconds(timed_work *work, void *context)
{
	double least = INFINITY;

	for (int round = 0; round < ROUNDS; round++) {
		double start = cpu_s();

		work(context);
		least = fmin(least, cpu_s() - start);
	}
	return least;
}

static void
give_up(const char *what)
{
	fprintf(stderr, "statistics: %s\n", what);
	exit(1);
}

/* Log-normal, as times are; *numbers->x is the caller's to free. */
static void
draw(struct numbers *numbers, size_t n, unsigned long seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	*numbers = (struct numbers){malloc(n * sizeof(double)), n, n};
	if (!rng || !numbers->x)
		give_up("no memory");
	gsl_rng_set(rng, seed);
	for (size_t i = 0; i < n; i++)
		numbers->x[i] = gsl_ran_lognormal(rng, 5, 0.02);
	gsl_rng_free(rng);
}

struct file {
	char path[4096];
	struct numbers numbers; /* what was read */
	size_t fields;
	bool keep; /* convert the fields, and summarise them */
};

static void
write_csv(const struct file *file, const struct numbers *numbers)
{
	FILE *out = fopen(file->path, "w");

	if (!out)
		give_up("cannot write the CSV file; name a folder as second argument");
	fprintf(out, "wall_us\n");
	for (size_t i = 0; i < numbers->n; i++)
		fprintf(out, "%.17g\n", numbers->x[i]);
	if (fclose(out))
		give_up("cannot write the CSV file; is the folder full?");
}

static void
run_bca(void *context)
{
	const struct numbers *numbers = context;
	struct bootstrap_result out;

	if (bootstrap_mean(numbers->x, numbers->n, 0.95, 10000, 1, &out) || out.bca_status)
		give_up("the bootstrap has no interval");
}

/*
 * R's own answer on the values in a file: CPU seconds and the interval. False when there is no R,
 * or no `boot`.
 */
static bool
ask_boot(const char *path, double *seconds, double *lo, double *hi)
{
	char command[8192];
	FILE *answer;
	bool good;

	snprintf(command, sizeof(command),
		 "Rscript -e 'library(boot); set.seed(1); x <- read.csv(\"%s\")[[1]]; s <- "
		 "system.time({b <- boot(x, function(d, i) mean(d[i]), R = 10000); c <- boot.ci(b, "
		 "type = \"bca\")}); cat(s[[1]] + s[[2]], c$bca[4], c$bca[5], \"\\n\")' 2>/dev/null",
		 path);
	answer = popen(command, "r");
	good = answer && fscanf(answer, "%lf %lf %lf", seconds, lo, hi) == 3;
	if (answer)
		pclose(answer);
	return good;
}

static void
bench_bca(const char *folder)
{
	struct file file = {.keep = false};
	struct numbers numbers;
	struct bootstrap_result ours;
	double seconds, theirs, lo, hi;

	draw(&numbers, 1000, 1);
	seconds = least_seconds(run_bca, &numbers);
	bootstrap_mean(numbers.x, numbers.n, 0.95, 10000, 1, &ours);
	snprintf(file.path, sizeof(file.path), "%s/statistics.%ld.csv", folder, (long)getpid());
	write_csv(&file, &numbers);
	printf("BCa, 10,000 resamples of 1,000 values: %.4f s, [%.4f, %.4f]\n", seconds, ours.bca_lo,
	       ours.bca_hi);
	if (ask_boot(file.path, &theirs, &lo, &hi))
		printf("  R's boot on the same values now: %.2f s, [%.4f, %.4f]: ours is %.0f times as "
		       "fast (asked: 100)\n", theirs, lo, hi, theirs / seconds);
	else
		printf("  no Rscript with the package boot here; against %.1f s seen elsewhere: %.0f "
		       "times as fast (asked: 100)\n", boot_seconds, boot_seconds / seconds);
	unlink(file.path);
	free(numbers.x);
}

static void
run_mann_whitney(void *context)
{
	const struct numbers *numbers = context;
	size_t half = numbers->n / 2;
	struct rank_mann_whitney out;

	if (rank_mann_whitney(numbers->x, half, numbers->x + half, half, &out) ||
	    out.exact_status || !(out.p_exact > 0 && out.p_exact <= 1))
		give_up("no exact p of 500 + 500 values");
}

static void
bench_mann_whitney(void)
{
	struct numbers numbers;

	draw(&numbers, 1000, 2);
	printf("exact Mann-Whitney p, 500 + 500 values: %.3f s (asked: 1)\n",
	       least_seconds(run_mann_whitney, &numbers));
	free(numbers.x);
}

static void
take_field(void *bytes, size_t length, void *context)
{
	struct file *file = context;
	char *end;
	double value;

	file->fields++;
	if (!file->keep || length == 0)
		return;
	value = strtod(bytes, &end); /* ended by CSV_APPEND_NULL */
	if (*end == '\0' && file->numbers.n < file->numbers.capacity)
		file->numbers.x[file->numbers.n++] = value;
}

static void
take_row(int end, void *context)
{
	(void)end;
	(void)context;
}

static void
parse(struct file *file)
{
	static char bytes[1 << 16];
	struct csv_parser parser;
	FILE *in = fopen(file->path, "r");
	size_t length;

	if (!in || csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL))
		give_up("cannot read the CSV file again");
	file->fields = file->numbers.n = 0;
	while ((length = fread(bytes, 1, sizeof(bytes), in)) > 0) {
		if (csv_parse(&parser, bytes, length, take_field, take_row, file) != length)
			give_up("not valid CSV");
	}
	csv_fini(&parser, take_field, take_row, file);
	csv_free(&parser);
	fclose(in);
}

static void
run_parser(void *context)
{
	struct file *file = context;

	file->keep = false;
	parse(file);
}

static void
run_reading(void *context)
{
	struct file *file = context;

	file->keep = true;
	parse(file);
}

static void
run_summary(void *context)
{
	struct file *file = context;
	struct describe_summary out;

	if (describe_summary(file->numbers.x, file->numbers.n, 0.95, &out))
		give_up("no summary");
}

static void
bench_summaries(size_t n, const char *folder)
{
	struct numbers numbers;
	struct file file = {.keep = false};
	double parser, reading, summary;

	snprintf(file.path, sizeof(file.path), "%s/statistics.%ld.csv", folder, (long)getpid());
	draw(&numbers, n, 3);
	write_csv(&file, &numbers);
	file.numbers = numbers;
	parser = least_seconds(run_parser, &file);
	reading = least_seconds(run_reading, &file);
	summary = least_seconds(run_summary, &file);
	unlink(file.path);
	if (file.numbers.n != n)
		give_up("read another count of values than were written");
	printf("all summaries of %zu values from CSV: libcsv alone %.2f s, with numbers read "
	       "%.2f s, summaries %.2f s more: together %.1f times libcsv alone, %.1f times "
	       "reading numbers\n",
	       n, parser, reading, summary, (reading + summary) / parser,
	       (reading + summary) / reading);
	free(numbers.x);
}

int
main(int argc, char **argv)
{
	const char *folder = argc > 2 ? argv[2] : "/tmp";
	long long n = 10000000;
	char *end = NULL;

	if (argc > 1)
		n = strtoll(argv[1], &end, 10);
	if (argc > 3 || (end && *end != '\0') || n < 2) {
		fprintf(stderr, "usage: statistics [VALUES [FOLDER]]\n");
		return 2;
	}
	bench_bca(folder);
	bench_mann_whitney();
	bench_summaries((size_t)n, folder);
	return 0;
}
