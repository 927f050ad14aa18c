/*
 * The harness of the runners, from outside: vector_lab is started as the session would start
 * it and its lines are read. ASSAY_TEST_VECTOR_LAB in the environment says where it is.
 */
#include <inttypes.h>

#include "run_vector_lab.h"

#include <sys/ptrace.h>
#include <sys/stat.h>

#include "spec/counter_names.h"

static void
test_answers_what_was_asked(void **state)
{
	struct run r;

	(void)state;
	run("--kernel=fused --n=1000 --iters=7 --samples=3", &r);
	assert_int_equal(r.status, 0);
	assert_line(r.out, "CFG", "1000 7");
	assert_line(r.out, "MODE", "fused");
	assert_int_equal(count_lines(r.out, "RESULT"), 3);
	assert_int_equal(count_lines(r.out, "METRIC"), 3);
	assert_int_equal(count_lines(r.out, "CHECK"), 1);
	run("--mode=two_loops --n=16 --iters=1000", &r);
	assert_int_equal(r.status, 0);
	assert_line(r.out, "MODE", "two_loops");
	assert_int_equal(count_lines(r.out, "RESULT"), 10);
}

static void
test_order_of_lines(void **state)
{
	struct run r;
	char shape[64] = "";
	size_t lines = 0;

	(void)state;
	run("--kernel=fused --n=1000 --iters=1000 --samples=2 --tsc", &r);
	assert_int_equal(r.status, 0);
	for (const char *p = r.out; *p; p = strchr(p, '\n') + 1) {
		assert_non_null(strchr(p, '\n'));
		assert_true(lines + 1 < sizeof shape);
		shape[lines++] = *p;
	}
	assert_string_equal(shape, "CMATRMRMC");
}

/* flops = 3 n iters / wall and bytes likewise, 5 accesses of 8 bytes against 3. */
static void
check_rates(const char *args, double flops, double bytes)
{
	struct run r;
	char rest[256];
	double wall_us, cpu_us, rate, bytes_rate;

	run(args, &r);
	assert_int_equal(r.status, 0);
	assert_non_null(find_line(r.out, "RESULT", rest, sizeof rest));
	assert_int_equal(sscanf(rest, "%lf %lf %lf", &wall_us, &cpu_us, &rate), 3);
	assert_non_null(find_line(r.out, "METRIC", rest, sizeof rest));
	assert_int_equal(sscanf(rest, "bytes_per_s %lf B/s", &bytes_rate), 1);
	assert_true(wall_us > 0 && cpu_us > 0);
	assert_float_equal(rate * wall_us / 1e6 / flops, 1, 1e-12);
	assert_float_equal(bytes_rate * wall_us / 1e6 / bytes, 1, 1e-12);
}

static void
test_rates_come_from_the_work_done(void **state)
{
	(void)state;
	check_rates("--kernel=two_loops --n=1000 --iters=50", 3.0 * 50000, 40.0 * 50000);
	check_rates("--kernel=fused --n=1000 --iters=50", 3.0 * 50000, 24.0 * 50000);
}

static void
check_of(const char *args, char *check, size_t size)
{
	struct run r;

	run(args, &r);
	assert_int_equal(r.status, 0);
	assert_non_null(find_line(r.out, "CHECK", check, size));
}

static void
test_variants_agree(void **state)
{
	static const int sizes[] = {1, 2, 7, 8, 9, 63, 1000, 100003};
	char args[128], two_loops[64], fused[64], before[64] = "";

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		snprintf(args, sizeof args, "--kernel=two_loops --n=%d", sizes[i]);
		check_of(args, two_loops, sizeof two_loops);
		snprintf(args, sizeof args, "--kernel=fused --n=%d --samples=1", sizes[i]);
		check_of(args, fused, sizeof fused);
		assert_string_equal(two_loops, fused);
		assert_string_not_equal(fused, before);
		strcpy(before, fused);
	}
}

static double
input(uint64_t i)
{
	uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)((z ^ z >> 31) >> 33);
}

/* CHECK as docs/protocol.md defines it, over outputs computed here. */
static void
test_check_is_the_documented_hash(void **state)
{
	const uint64_t n = 5;
	uint64_t hash = n * 8;
	char expected[64], check[64];

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		double out = 3 * input(2 * i) + 2 * input(2 * i + 1);
		uint64_t word;
		memcpy(&word, &out, sizeof word);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	snprintf(expected, sizeof expected, "0x%016" PRIx64, hash);
	check_of("--kernel=fused --n=5", check, sizeof check);
	assert_string_equal(check, expected);
}

/* Refused: status 2, one line on stderr that says this, nothing on stdout. */
static void
assert_refused(const char *args, const char *says)
{
	struct run r;

	run(args, &r);
	if (r.status != 2 || !strstr(r.err, says))
		fail_msg("%s: status %d, stderr: %s", args, r.status, r.err);
	assert_one_line(r.err);
	assert_string_equal(r.out, "");
}

static void
test_unknown_kernel_is_refused(void **state)
{
	(void)state;
	assert_refused("--kernel=wrong",
		"no kernel is called \"wrong\"; there is: two_loops fused");
	assert_refused("--kernel=", "there is: two_loops fused");
	assert_refused("--kernel=fuse", "there is: two_loops fused");
	assert_refused("--n=10", "--kernel=NAME");
}

static void
test_bad_numbers_are_refused_with_the_bound(void **state)
{
	static const char *const sizes[] = {"0", "100000001", "-1", "+1", "1e6", "0x10", "1.0",
		"", "abc", "18446744073709551617", "99999999999999999999999999"};
	char args[128];

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		snprintf(args, sizeof args, "--kernel=fused --n=%s", sizes[i]);
		assert_refused(args, "from 1 to 100000000\n");
	}
	assert_refused("--kernel=fused --samples=0",
		"--samples=0: must be a whole number from 1 to 1000000\n");
	assert_refused("--kernel=fused --samples=1000001", "from 1 to 1000000\n");
	assert_refused("--kernel=fused --warmup-samples=x", "from 0 to 1000000\n");
	assert_refused("--kernel=fused --iters=0", "from 1 to 1000000000000\n");
	assert_refused("--kernel=fused --cpu=first", "last, none or a CPU from 0 to 65535\n");
	assert_refused("--kernel=fused --cpu=65536", "last, none or a CPU from 0 to 65535\n");
}

static void
test_unknown_options_are_refused(void **state)
{
	(void)state;
	assert_refused("--kernel=fused --size=3", "unknown option \"--size=3\"");
	assert_refused("--kernel=fused --n", "--name=value");
	assert_refused("--kernel=fused 1000", "unknown option \"1000\"");
	assert_refused("--kernel=fused --samplesx=3", "unknown option");
}

static void
test_parents_pinning_is_reported(void **state)
{
	cpu_set_t allowed;
	struct run r;
	char expected[32];

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET((size_t)cpu, &allowed))
			continue;
		snprintf(expected, sizeof expected, "%d", cpu);
		run_on("--kernel=fused --n=1000", cpu, &r);
		assert_line(r.out, "AFFINITY", expected);
		run_on("--kernel=fused --n=1000 --cpu=none", cpu, &r);
		assert_line(r.out, "AFFINITY", expected);
	}
}

static void
test_pinning_by_hand(void **state)
{
	cpu_set_t allowed;
	struct run r;
	char args[128], expected[32];
	int first = -1, last = -1;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET((size_t)cpu, &allowed)) {
			first = first < 0 ? cpu : first;
			last = cpu;
		}
	}
	snprintf(args, sizeof args, "--kernel=fused --n=1000 --cpu=%d", first);
	snprintf(expected, sizeof expected, "%d", first);
	run(args, &r);
	assert_line(r.out, "AFFINITY", expected);
	snprintf(expected, sizeof expected, "%d", last);
	run("--kernel=fused --n=1000 --cpu=last", &r);
	assert_line(r.out, "AFFINITY", expected);
	run("--kernel=fused --n=1000", &r);
	assert_line(r.out, "AFFINITY", expected);
	if (first != last) { /* all that it may run on */
		char all[4096] = "";

		for (int cpu = first; cpu <= last; cpu++)
			if (CPU_ISSET((size_t)cpu, &allowed))
				snprintf(all + strlen(all), sizeof all - strlen(all), "%s%d", all[0] != '\0' ? "," : "", cpu);
		run("--kernel=fused --n=1000 --cpu=none", &r);
		assert_line(r.out, "AFFINITY", all);
	}
}

static void
test_failed_pinning_is_told_and_not_fatal(void **state)
{
	struct run r;

	(void)state;
	run("--kernel=fused --n=100000 --cpu=65535", &r);
	assert_int_equal(r.status, 0);
	assert_line(r.out, "AFFINITY", "-1");
	assert_non_null(strstr(r.err, "not pinned to CPU 65535"));
}

static void
test_tsc_on_request(void **state)
{
	struct run r;
	char rest[64];

	(void)state;
	run("--kernel=fused --n=1000", &r);
	assert_int_equal(count_lines(r.out, "TSC"), 0);
	run("--kernel=fused --n=1000 --tsc --no-tsc", &r);
	assert_int_equal(count_lines(r.out, "TSC"), 0);
	run("--kernel=fused --n=100000 --tsc", &r);
	assert_non_null(find_line(r.out, "TSC", rest, sizeof rest));
	if (strcmp(rest, "0") == 0)
		assert_non_null(strstr(r.err, "time stamp counter"));
	else
		assert_true(strtod(rest, NULL) > 1e6);
}

static void
test_short_samples_are_told(void **state)
{
	struct run r;

	(void)state;
	run("--kernel=fused --n=1 --iters=1", &r);
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.err, "raise --iters"));
}

static double
self_test_value(const char *text, const char *name, const char *unit)
{
	char keyword[64], rest[128], seen[32];
	double value;

	snprintf(keyword, sizeof keyword, "SELFTEST %s", name);
	if (!find_line(text, keyword, rest, sizeof rest))
		fail_msg("no line %s", keyword);
	assert_int_equal(sscanf(rest, "%lf %31s", &value, seen), 2);
	assert_string_equal(seen, unit);
	return value;
}

static void
test_self_test_prints_positive_numbers(void **state)
{
	static const char *const names[] = {"wall_clock_cost", "wall_clock_step",
		"cpu_clock_cost", "cpu_clock_step", "empty_sample_cpu", "pass_cost"};
	struct run r;
	double hz;

	(void)state;
	run("--self-test", &r);
	assert_int_equal(r.status, 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_true(self_test_value(r.out, names[i], "ns") > 0);
	assert_true(self_test_value(r.out, "shortest_sample", "us") > 0);
	hz = self_test_value(r.out, "tsc_rate", "Hz");
	assert_true(hz >= 0);
	if (hz > 0)
		assert_true(self_test_value(r.out, "tsc_cost", "ns") > 0);
	assert_int_equal(count_lines(r.out, "RESULT"), 0);
}

static void
test_list_and_help(void **state)
{
	struct run r;

	(void)state;
	run("--list", &r);
	assert_int_equal(r.status, 0);
	assert_true(strncmp(r.out, "two_loops\t", 10) == 0);
	assert_non_null(strstr(r.out, "\nfused\t"));
	run("--help", &r);
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.out, "--n=N"));
	assert_non_null(strstr(r.out, "1 to 100000000 (default 1000000)"));
	assert_string_equal(r.err, "");
}

/* Runs with a stdout that cannot be written and returns the status. */
static int
status_with_stdout(int out)
{
	int err = open_new("err");
	int status = start("--kernel=fused --n=1000 --iters=500", out, err, -1);

	close(err);
	close(out);
	return status;
}

static int
closed_pipe(void)
{
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	close(ends[0]);
	return ends[1];
}

static void
test_lost_output_is_a_failure(void **state)
{
	char err[MAX_TEXT];

	(void)state;
	signal(SIGPIPE, SIG_DFL);
	assert_int_equal(status_with_stdout(closed_pipe()), 128 + SIGPIPE);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(status_with_stdout(closed_pipe()), 1);
	signal(SIGPIPE, SIG_DFL);
	read_back("err", err);
	assert_non_null(strstr(err, "cannot write the results"));
	assert_one_line(err);
	assert_int_equal(status_with_stdout(open("/dev/full", O_WRONLY | O_CLOEXEC)), 1);
}

/* Each event that a spec may name is counted or told with a reason, in a few samples that are not
 * timed; the others stay as many as were asked for. */
static void
test_counters(void **state)
{
	char args[512] = "--kernel=fused --n=1000 --iters=1000 --samples=3 --counters=", line[256];
	struct run r;
	int events = 0;

	(void)state;
	for (; counter_names[events] != NULL; events++) {
		strcat(args, events > 0 ? "," : "");
		strcat(args, counter_names[events]);
	}
	assert_true(strlen(args) < sizeof args - 1);
	run(args, &r);
	assert_int_equal(r.status, 0);
	assert_int_equal(count_lines(r.out, "RESULT"), 3);
	if (count_lines(r.out, "COUNTED") > 0) {
		assert_int_equal(count_lines(r.out, "COUNTED"), 3);
		assert_int_equal(count_lines(r.out, "COUNTER") / 3 + count_lines(r.out, "NOCOUNTER"), events);
	} else {
		assert_int_equal(count_lines(r.out, "NOCOUNTER"), events);
		find_line(r.out, "NOCOUNTER", line, sizeof line);
		assert_non_null(strchr(line, ' '));
	}
	run("--kernel=fused --counters=cycles,cycles", &r);
	assert_int_equal(r.status, 2);
	run("--kernel=fused --counters=cycle", &r);
	assert_int_equal(r.status, 2);
	assert_one_line(r.err);
}

static void
write_file(const char *folder, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Started by a tracer, as strace does it. */
static void
run_traced(const char *args, struct run *result)
{
	int out = open_new("out"), err = open_new("err"), status;
	char text[512], *argv[MAX_ARGS];
	pid_t pid;

	strcpy(text, args);
	split(text, argv);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(argv[0], argv);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
		ptrace(PTRACE_CONT, pid, NULL, NULL);
	result->status = WEXITSTATUS(status);
	close(out);
	close(err);
	read_back("out", result->out);
}

static void
test_a_tracer_is_told(void **state)
{
	struct run r;

	(void)state;
	run_traced("--kernel=fused --n=1000 --samples=1", &r);
	assert_int_equal(r.status, 0);
	assert_line(r.out, "TRACED", "test_harness");
	run("--kernel=fused --n=1000 --samples=1", &r);
	assert_int_equal(count_lines(r.out, "TRACED"), 0);
}

/* A meter that stands still: what a machine without one cannot show is that it is found and read. */
static void
test_energy_of_a_recorded_machine(void **state)
{
	static const char *const parts[] = {"/sys", "/class", "/powercap", "/intel-rapl:0"};
	static const char *const files[] = {"name", "energy_uj", "max_energy_range_uj"};
	char folder[400], path[512];
	struct run r;
	size_t i;

	(void)state;
	snprintf(folder, sizeof folder, "%s", directory);
	for (i = 0; i < 4; i++) {
		strcat(folder, parts[i]);
		assert_int_equal(mkdir(folder, 0700), 0);
	}
	write_file(folder, "name", "package-0\n");
	write_file(folder, "energy_uj", "123456\n");
	write_file(folder, "max_energy_range_uj", "262143328850\n");
	setenv("ASSAY_SYSROOT", directory, 1);
	run("--kernel=fused --n=1000 --samples=1 --iters=100 --counters=energy_package_uj,energy_dram_uj", &r);
	unsetenv("ASSAY_SYSROOT");
	assert_line(r.out, "COUNTER", "energy_package_uj 0 1");
	assert_int_equal(count_lines(r.out, "NOCOUNTER"), 1);
	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, files[i]);
		unlink(path);
	}
	for (i = 0; i < 4; i++) {
		rmdir(folder);
		*strrchr(folder, '/') = '\0';
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers_what_was_asked),
		cmocka_unit_test(test_order_of_lines),
		cmocka_unit_test(test_rates_come_from_the_work_done),
		cmocka_unit_test(test_variants_agree),
		cmocka_unit_test(test_check_is_the_documented_hash),
		cmocka_unit_test(test_unknown_kernel_is_refused),
		cmocka_unit_test(test_bad_numbers_are_refused_with_the_bound),
		cmocka_unit_test(test_unknown_options_are_refused),
		cmocka_unit_test(test_parents_pinning_is_reported),
		cmocka_unit_test(test_pinning_by_hand),
		cmocka_unit_test(test_failed_pinning_is_told_and_not_fatal),
		cmocka_unit_test(test_tsc_on_request),
		cmocka_unit_test(test_short_samples_are_told),
		cmocka_unit_test(test_self_test_prints_positive_numbers),
		cmocka_unit_test(test_list_and_help),
		cmocka_unit_test(test_lost_output_is_a_failure),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_a_tracer_is_told),
		cmocka_unit_test(test_energy_of_a_recorded_machine),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
