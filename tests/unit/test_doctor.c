/* assay doctor: machines made of files below a fresh folder, and what is found there. */
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "doctor/counters.h"
#include "doctor/finding.h"
#include "doctor/look.h"
#include "doctor/show.h"
#include "doctor/trial.h"
#include "provenance/capture_parts.h"
#include "run_command.h"

#define CPU "/sys/devices/system/cpu"
#define THERMAL "/sys/class/thermal"

static char *root; /* the machine's files */
static struct findings findings;
static struct counters before, after;

static int
make_machine(void **state)
{
	static char folder[64];

	(void)state;
	strcpy(folder, "/tmp/assay-doctor-test-XXXXXX");
	root = mkdtemp(folder);
	return root == NULL || setenv("ASSAY_SYSROOT", root, 1) != 0;
}

static int
remove_machine(void **state)
{
	(void)state;
	findings_free(&findings);
	counters_free(&before);
	counters_free(&after);
	unsetenv("ASSAY_SYSROOT");
	run_free();
	return file_remove_tree(root, NULL);
}

static void
put(const char *path, const char *text)
{
	char *full = memory_format("%s%s", root, path);

	assert_int_equal(file_write(full, text, strlen(text), 0, NULL), 0);
	free(full);
}

/* A server that somebody prepared. CPUs 0 and 1 are threads of one core. */
static void
put_good(void)
{
	put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu tsc \n");
	put("/proc/stat", "cpu  1000 0 0 99000 0 0 0 0 0 0\ncpu0 500 0 0 49500 0 0 0 0 0 0\n"
			  "cpu1 500 0 0 49500 0 0 0 0 0 0\nintr 5\n");
	put("/proc/loadavg", "0.02 0.01 0.00 1/200 999\n");
	put("/proc/meminfo", "MemTotal: 8000000 kB\nSwapTotal: 2097152 kB\nSwapFree: 2097152 kB\n");
	put("/proc/vmstat", "nr_free_pages 1\npswpin 5\npswpout 7\n");
	put("/proc/sys/kernel/randomize_va_space", "2\n");
	put("/proc/sys/kernel/perf_event_paranoid", "2\n");
	put(CPU "/cpufreq/policy0/scaling_governor", "performance\n");
	put(CPU "/cpufreq/boost", "0\n");
	put(CPU "/smt/control", "off\n");
	put(CPU "/cpu0/thermal_throttle/core_throttle_count", "0\n");
	put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
	put("/sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm \n");
	put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	put(THERMAL "/thermal_zone0/type", "x86_pkg_temp\n");
	put(THERMAL "/thermal_zone0/temp", "45000\n");
	put(THERMAL "/thermal_zone0/trip_point_0_type", "active\n");
	put(THERMAL "/thermal_zone0/trip_point_0_temp", "40000\n");
	put(THERMAL "/thermal_zone0/trip_point_1_type", "passive\n");
	put(THERMAL "/thermal_zone0/trip_point_1_temp", "90000\n");
}

static void
put_bad(void)
{
	put_good();
	put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU\nflags\t\t: fpu hypervisor tsc \n");
	put("/sys/class/dmi/id/sys_vendor", "QEMU\n");
	put("/sys/class/dmi/id/product_name", "Standard PC\n");
	put("/proc/stat", "cpu  1000 0 0 9000 0 0 0 500 0 0\ncpu0 500 0 0 4500 0 0 0 250 0 0\n"
			  "cpu1 500 0 0 4500 0 0 0 250 0 0\n");
	put("/proc/loadavg", "640.02 0.01 0.00 1/200 999\n");
	put("/proc/meminfo", "SwapTotal: 2097152 kB\nSwapFree: 1048576 kB\n");
	put("/proc/sys/kernel/randomize_va_space", "0\n");
	put("/proc/sys/kernel/perf_event_paranoid", "4\n");
	put("/proc/self/cgroup", "0::/system.slice/job\n");
	put("/sys/fs/cgroup/system.slice/cpu.max", "50000 100000\n");
	put("/sys/fs/cgroup/system.slice/job/cpu.max", "max 100000\n");
	put(CPU "/cpufreq/policy0/scaling_governor", "schedutil\n");
	put(CPU "/cpufreq/boost", "1\n");
	put(CPU "/smt/control", "on\n");
	put(CPU "/cpu0/topology/thread_siblings_list", "0-1\n");
	put(CPU "/cpu0/thermal_throttle/core_throttle_count", "3\n");
	put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
	put("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
	put(THERMAL "/thermal_zone0/temp", "85000\n");
}

/* Looks at the files; `seconds` passed between `before` and `after`, both read by the caller
 * unless it is 0. */
static void
look_for(double seconds, const char *lock_status)
{
	json_t *facts = json_object();
	struct scene scene = {.facts = facts, .lock_status = lock_status, .before = &before,
			      .after = seconds > 0 ? &after : &before, .seconds = seconds,
			      .clock_read_ns = NAN, .cpu = 0, .root = false};

	if (seconds <= 0) {
		counters_free(&before);
		counters_read(&before);
	}
	capture_hardware(facts);
	capture_system(facts);
	findings_free(&findings);
	look_system(&scene, &findings);
	look_cpu(&scene, &findings);
	json_decref(facts);
}

static void
look(void)
{
	look_for(0, "nobody holds the lock in /run/lock/assay\n");
}

/* That the finding is so bad, that it was seen so, and what command changes it (NULL: none). */
static void
assert_found(const char *name, enum finding_level level, const char *seen, const char *command)
{
	const struct finding *finding = findings_get(&findings, name);

	if (finding == NULL)
		fail_msg("nothing is said of %s", name);
	if (finding->level != level || strstr(finding->seen, seen) == NULL)
		fail_msg("%s: %s, \"%s\"", name, finding_level_name(finding->level), finding->seen);
	if (command == NULL)
		assert_null(finding->command);
	else
		assert_string_equal(finding->command, command);
}

static void
a_prepared_server_is_well(void **state)
{
	size_t i;

	(void)state;
	put_good();
	look();
	assert_int_equal(findings.count, 14);
	for (i = 0; i < findings.count; i++) {
		if (findings.items[i].level != FINDING_OK)
			fail_msg("%s: %s", findings.items[i].name, findings.items[i].seen);
		assert_null(findings.items[i].command);
		assert_null(findings.items[i].advice);
	}
	assert_found("governor", FINDING_OK, "performance", NULL);
	assert_found("swap", FINDING_OK, "not in use", NULL);
	assert_found("heat", FINDING_OK, "x86_pkg_temp at 45 C, its limit is 90 C", NULL);
	assert_found("virtual machine", FINDING_OK, "no", NULL);
	assert_found("lock", FINDING_OK, "nobody else", NULL);
}

static void
a_bad_machine_is_told_with_the_commands(void **state)
{
	(void)state;
	put_bad();
	look_for(0, "holds shared    process 12, user 0, ninja\n");
	assert_found("governor", FINDING_SERIOUS, "schedutil",
		     "echo performance | sudo tee " CPU "/cpufreq/policy*/scaling_governor");
	assert_found("boost", FINDING_MINOR, "on", "echo 0 | sudo tee " CPU "/cpufreq/boost");
	assert_found("smt", FINDING_MINOR, "on", "echo off | sudo tee " CPU "/smt/control");
	assert_found("heat", FINDING_MINOR, "at 85 C", NULL);
	assert_found("clock source", FINDING_SERIOUS, "hpet",
		     "echo tsc | sudo tee "
		     "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	assert_found("load", FINDING_SERIOUS, "640.02",
		     "ps -eo pid,user,pcpu,etimes,comm --sort=-pcpu | head");
	assert_found("lock", FINDING_MINOR, "process 12", "assay lock --status");
	assert_found("swap", FINDING_MINOR, "1024 of 2048 MiB", "sudo swapoff -a && sudo swapon -a");
	assert_found("huge pages", FINDING_MINOR, "always",
		     "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
	assert_found("aslr", FINDING_MINOR, "off", "sudo sysctl -w kernel.randomize_va_space=2");
	assert_found("virtual machine", FINDING_MINOR, "yes, QEMU Standard PC", NULL);
	assert_found("steal", FINDING_SERIOUS, "4.8 %", NULL);
	assert_found("cpu quota", FINDING_SERIOUS, "0.5 CPUs", NULL);
	assert_found("perf", FINDING_MINOR, "perf_event_paranoid 4",
		     "sudo sysctl -w kernel.perf_event_paranoid=2");
}

static void
what_cannot_be_seen_is_said_with_the_reason(void **state)
{
	static const char *const names[] = {"governor", "boost", "smt", "heat", "clock source", "load",
					    "swap", "huge pages", "aslr", "virtual machine", "steal",
					    "perf"};
	size_t i;

	(void)state;
	look_for(0, NULL);
	for (i = 0; i < sizeof names / sizeof *names; i++) {
		const struct finding *finding = findings_get(&findings, names[i]);

		assert_int_equal(finding->level, FINDING_UNKNOWN);
		if (strstr(finding->seen, "/proc") == NULL && strstr(finding->seen, "/sys") == NULL)
			fail_msg("%s: %s", names[i], finding->seen);
		assert_null(finding->command);
	}
	assert_found("lock", FINDING_UNKNOWN, "", NULL);
	assert_found("cpu quota", FINDING_OK, "none", NULL);
}

/* Ten seconds of which CPU 1, the sibling of the measured one, was busy for six. */
static void
what_happened_meanwhile_counts_more_than_what_is_set(void **state)
{
	(void)state;
	put_bad();
	put("/proc/77/stat", "77 (cc1) R 1 1 1 0 -1 0 0 0 0 0 100 0 0 0 20 0 1 0 5 1 1\n");
	put("/proc/78/stat", "78 (idle) S 1 1 1 0 -1 0 0 0 0 0 9000 0 0 0 20 0 1 0 5 1 1\n");
	counters_read(&before);
	put("/proc/77/stat", "77 (cc1) R 1 1 1 0 -1 0 0 0 0 0 600 80 0 0 20 0 1 0 5 1 1\n");
	put("/proc/stat", "cpu  1600 0 0 10396 0 0 0 504 0 0\ncpu0 500 0 0 5496 0 0 0 254 0 0\n"
			  "cpu1 1100 0 0 4900 0 0 0 250 0 0\n");
	put(CPU "/cpu0/thermal_throttle/core_throttle_count", "5\n");
	put("/proc/vmstat", "nr_free_pages 1\npswpin 6\npswpout 17\n");
	counters_read(&after);
	look_for(10, "");
	assert_found("smt", FINDING_SERIOUS, "the other thread of CPU 0's core ran 60 % of the time",
		     "echo off | sudo tee " CPU "/smt/control");
	assert_found("load", FINDING_SERIOUS, "others used 0.60 CPUs, 'cc1' (process 77) 0.58 of it",
		     "ps -eo pid,user,pcpu,etimes,comm --sort=-pcpu | head");
	assert_found("heat", FINDING_SERIOUS, "slowed for heat 2 times in these 10 s", NULL);
	assert_found("swap", FINDING_SERIOUS, "11 pages", "sudo swapoff -a && sudo swapon -a");
	assert_found("steal", FINDING_MINOR, "0.2 %", NULL);
}

static void
a_machine_at_rest_meanwhile_is_well(void **state)
{
	(void)state;
	put_good();
	put(CPU "/smt/control", "on\n");
	put(CPU "/cpu0/topology/thread_siblings_list", "0\n");
	put("/proc/loadavg", "640.02 0.01 0.00 1/200 999\n"); /* of what ended before */
	counters_read(&before);
	put("/proc/stat", "cpu  1005 0 0 99995 0 0 0 0 0 0\ncpu0 505 0 0 50495 0 0 0 0 0 0\n"
			  "cpu1 500 0 0 49500 0 0 0 0 0 0\n");
	counters_read(&after);
	look_for(10, "");
	assert_found("load", FINDING_OK, "others used 0.01 CPUs", NULL);
	assert_found("smt", FINDING_OK, "has its core alone", NULL);
	assert_found("steal", FINDING_OK, "0 %", NULL);
}

static void
turbo_of_an_intel_cpu_has_its_own_switch(void **state)
{
	char *boost = memory_format("%s" CPU "/cpufreq/boost", root);

	(void)state;
	put_bad();
	unlink(boost);
	free(boost);
	put(CPU "/intel_pstate/no_turbo", "0\n");
	look();
	assert_found("boost", FINDING_MINOR, "on", "echo 1 | sudo tee " CPU "/intel_pstate/no_turbo");
}

static void
heat_counts_by_what_is_left_to_a_limit(void **state)
{
	(void)state;
	put_good();
	put(THERMAL "/thermal_zone1/type", "fan\n"); /* hotter, but far from its limit */
	put(THERMAL "/thermal_zone1/temp", "88000\n");
	put(THERMAL "/thermal_zone1/trip_point_0_type", "critical\n");
	put(THERMAL "/thermal_zone1/trip_point_0_temp", "120000\n");
	put(THERMAL "/thermal_zone0/temp", "81000\n");
	look();
	assert_found("heat", FINDING_MINOR, "x86_pkg_temp at 81 C, its limit is 90 C", NULL);
	put(THERMAL "/thermal_zone0/temp", "90000\n");
	look();
	assert_found("heat", FINDING_SERIOUS, "x86_pkg_temp at 90 C", NULL);
	put(THERMAL "/thermal_zone0/temp", "45000\n");
	put(CPU "/cpu0/thermal_throttle/core_throttle_count", "3\n");
	look();
	assert_found("heat", FINDING_MINOR, "slowed for heat 3 times since it was started", NULL);
}

static void
a_process_name_cannot_talk_to_the_terminal(void **state)
{
	(void)state;
	put_good();
	counters_read(&before);
	put("/proc/9/stat", "9 (a) \033[2J\n(b) R 1 1 1 0 -1 0 0 0 0 0 900 0 0 0 20 0 1 0 5 1 1\n");
	counters_read(&after);
	after.all.total += 2000;
	after.all.busy += 900;
	look_for(10, "");
	assert_found("load", FINDING_SERIOUS, "'a) ?[2J?(b' (process 9) 0.90 of it",
		     "ps -eo pid,user,pcpu,etimes,comm --sort=-pcpu | head");
}

/* ---- what people and programs get ---- */

static void
assert_fits(const char *text, size_t columns)
{
	while (*text != '\0') {
		size_t length = strcspn(text, "\n"), i;

		if (length > columns)
			fail_msg("%zu columns: %.*s", length, (int)length, text);
		for (i = 0; i < length; i++)
			assert_in_range(text[i], ' ', '~');
		text += length + (text[length] == '\n');
	}
}

static void
the_text_fits_80_columns_of_ascii(void **state)
{
	struct screen screen = {.columns = 80};
	struct buffer out = BUFFER_EMPTY;

	(void)state;
	put_bad();
	look();
	show_findings(&screen, &findings, true, &out);
	assert_fits(out.bytes, 80);
	assert_non_null(strstr(out.bytes, "echo performance |\n"
					  "             sudo tee " CPU "/cpufreq/policy*/scaling_governor\n"));
	assert_true(strncmp(out.bytes, "serious", 7) == 0);
	assert_non_null(strstr(out.bytes, "5 serious, 8 minor, 1 ok, 0 cannot be seen here."));
	buffer_free(&out);
}

static void
another_machine_s_files_are_looked_at_by_the_command(void **state)
{
	char *words;
	json_t *answer;

	(void)state;
	put_bad();
	unsetenv("ASSAY_SYSROOT");
	words = memory_format("--json --root %s", root);
	assert_int_equal(run_command(&command_doctor, words), EXIT_DONE);
	answer = json_loads(run_output, 0, NULL);
	assert_non_null(answer);
	assert_int_equal(json_array_size(json_object_get(answer, "findings")), 15);
	assert_non_null(strstr(json_get_text(json_object_get(answer, "measured"), "unavailable"),
			       "another machine"));
	assert_non_null(strstr(run_output, "schedutil"));
	assert_non_null(strstr(run_output, "not allowed (perf_event_paranoid 4)")); /* root is so here */
	json_decref(answer);
	free(words);
	words = memory_format("--root %s/nothing", root);
	assert_int_equal(run_command(&command_doctor, words), EXIT_DONE);
	assert_fits(run_output, 80);
	free(words);
}

static void
wrong_words_are_refused(void **state)
{
	static const char *const words[] = {"--seconds 0", "--seconds x", "--what", "here", "--seconds 1e9"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof words / sizeof *words; i++)
		assert_int_equal(run_command(&command_doctor, words[i]), EXIT_USAGE);
}

/* ---- the A/A ---- */

static size_t
leftovers(void)
{
	char *pattern = memory_format("%s/assay-doctor-*", root);
	glob_t found;
	size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;

	globfree(&found);
	free(pattern);
	return count;
}

static void
real_processes_tell_what_can_be_seen_here(void **state)
{
	json_t *answer, *measured;

	(void)state;
	unsetenv("ASSAY_SYSROOT");
	setenv("TMPDIR", root, 1);
	setenv("ASSAY_LOCK_DIR", root, 0);
	assert_int_equal(run_command(&command_doctor, "--seconds 0.1 --json"), EXIT_DONE);
	answer = json_loads(run_output, 0, NULL);
	measured = json_object_get(answer, "measured");
	if (json_get_integer(measured, "pairs", 0) < TRIAL_PAIRS)
		fail_msg("%s", run_output);
	assert_true(json_get_number(measured, "smallest_effect_percent") > 0);
	assert_true(json_get_number(measured, "noise_floor_percent") > 0);
	assert_true(json_get_number(measured, "run_ms") > 0);
	assert_int_equal(leftovers(), 0);
	json_decref(answer);
	unsetenv("TMPDIR");
}

static void
few_and_many_pairs_are_judged_by_the_effect_they_show(void **state)
{
	struct trial trial = {.pairs = 16, .runs = 32, .run_ms = 20, .sd = 0.01, .effect_percent = 0.7,
			      .bias_percent = 0.1};

	(void)state;
	trial_judge(&trial, &findings);
	assert_found(TRIAL_FINDING, FINDING_OK, "0.7 % or more, 80 times of 100, with 16 pairs", NULL);
	assert_found("interruptions", FINDING_OK, "in 0 of 32 runs", NULL);
	assert_found("bias", FINDING_OK, "the copy took 0.1 % more than the program itself, within the noise", NULL);
	findings_free(&findings);
	trial.effect_percent = 7;
	trial.interrupted_runs = 2;
	trial.biased = true;
	trial.bias_percent = -2.5;
	trial_judge(&trial, &findings);
	assert_found(TRIAL_FINDING, FINDING_SERIOUS, "7 % or more", "assay power --cv 1% --effect 1%");
	assert_found("interruptions", FINDING_SERIOUS, "in 2 of 32 runs", NULL);
	assert_found("bias", FINDING_SERIOUS, "2.5 % less than the program itself, and that is no accident", NULL);
	findings_free(&findings);
	trial.effect_percent = NAN;
	trial_judge(&trial, &findings);
	assert_found(TRIAL_FINDING, FINDING_UNKNOWN, "too coarse", NULL);
}

#define ON_A_MACHINE(test) cmocka_unit_test_setup_teardown(test, make_machine, remove_machine)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		ON_A_MACHINE(a_prepared_server_is_well),
		ON_A_MACHINE(a_bad_machine_is_told_with_the_commands),
		ON_A_MACHINE(what_cannot_be_seen_is_said_with_the_reason),
		ON_A_MACHINE(what_happened_meanwhile_counts_more_than_what_is_set),
		ON_A_MACHINE(a_machine_at_rest_meanwhile_is_well),
		ON_A_MACHINE(turbo_of_an_intel_cpu_has_its_own_switch),
		ON_A_MACHINE(heat_counts_by_what_is_left_to_a_limit),
		ON_A_MACHINE(a_process_name_cannot_talk_to_the_terminal),
		ON_A_MACHINE(the_text_fits_80_columns_of_ascii),
		ON_A_MACHINE(another_machine_s_files_are_looked_at_by_the_command),
		ON_A_MACHINE(wrong_words_are_refused),
		ON_A_MACHINE(real_processes_tell_what_can_be_seen_here),
		ON_A_MACHINE(few_and_many_pairs_are_judged_by_the_effect_they_show),
	};

	/* The doctor measures the running program, which is this one. */
	if (argc > 2 && strcmp(argv[1], "doctor") == 0)
		return command_doctor.run(argc - 1, argv + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
