#include "session_fixture.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>

/* Whatever ends a session or changes beneath it: nothing complete is lost or counted twice. */

/* Fails where a process of the killed session still runs. The number says which run of this
 * test it belongs to: several may go on at once on one machine. */
#define NO_SLEEPER "grep -qs '98732[.]%d' /proc/[0-9]*/cmdline && exit 9\n"

/* Sessions are slow under the sanitizers: so many times fewer of them. */
#if defined __has_feature
#if __has_feature(address_sanitizer)
#define FEWER 3
#endif
#endif
#ifndef FEWER
#define FEWER 1
#endif

/* The program kills its parent, the session, at a launch; the next session goes on. Each launch
 * of the first session in turn. */
static void
killed_at_each_launch_nothing_is_lost(void **state)
{
	struct plan plan;
	int at, groups = 2 + 4 + 6;

	(void)state;
	for (at = 1; at <= groups; at += FEWER) {
		char *script = text(COUNT_LAUNCHES "test $launches = %d && kill -9 $PPID && sleep 98732.%d\n"
				    NO_SLEEPER GOOD, at, (int)getpid(), (int)getpid());
		char *before, *after;

		assert_int_equal(file_remove_tree("results", NULL), 0);
		unlink("launches");
		begin_case(&plan, 3, script, script);
		assert_int_equal(finish(start(&(struct call){0})), 1000 + SIGKILL);
		assert_int_equal(count_records(NULL), at - 1);
		before = snapshot("results", true);
		measure(EXIT_DONE);
		assert_int_equal(count_processes(text("98732.%d", (int)getpid())), 0);
		assert_int_equal(count_records("ok"), count_records(NULL));
		after = snapshot("results", true);
		assert_memory_equal(after, before, strlen(before));
		assert_each_block_once(&plan);
		plan_free(&plan);
	}
}

static unsigned
next_random(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 8;
}

/* Kills at random moments: between a launch and its log, while a log is written, at the start and
 * the end of a session. */
static void
killed_at_any_moment_nothing_is_lost(void **state)
{
	unsigned seed = 2026;
	struct plan plan;
	int round, kills;

	(void)state;
	for (round = 0; round < 6 / FEWER; round++) {
		assert_int_equal(file_remove_tree("results", NULL), 0);
		begin_case(&plan, 4, GOOD, GOOD);
		for (kills = 0; kills < 5; kills++) {
			char *before = snapshot("results", true), *after;
			pid_t pid = start(&(struct call){0});
			int code;

			usleep(next_random(&seed) % 120000);
			kill(pid, SIGKILL);
			code = finish(pid);
			assert_true(code == EXIT_DONE || code == 1000 + SIGKILL);
			after = snapshot("results", true);
			assert_memory_equal(after, before, strlen(before));
		}
		measure(EXIT_DONE);
		assert_each_block_once(&plan);
		plan_free(&plan);
	}
}

static void
a_signal_ends_the_session_cleanly(void **state)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct plan plan;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		char *script = text(COUNT_LAUNCHES "test $launches = 6 && kill -%d $PPID && sleep 98733.5\n"
				    GOOD, signals[i]);
		struct store_case store;

		assert_int_equal(file_remove_tree("results", NULL), 0);
		assert_int_equal(file_remove_tree("build", NULL), 0);
		unlink("launches");
		begin_case(&plan, 3, script, script);
		measure(EXIT_INTERRUPTED);
		/* Launches 1, 2 warm up, 3, 4 are block 1, 5 is the half of block 2. */
		assert_non_null(strstr(read_file("message"), "goes on from block 2 of 5"));
		assert_int_equal(count_processes("98733.5"), 0);
		assert_ended("interrupted", false);
		load(&store);
		assert_int_equal(store.sessions[0].record_count, 5);
		store_free(&store);
		assert_false(file_exists("build/session/" FIXTURE_CASE));
		measure(EXIT_DONE);
		assert_each_block_once(&plan);
		plan_free(&plan);
	}
}

/* A killed Ninja does not tell its children. The grandparent of a session where the parent is a
 * `sh -c`, as Ninja starts commands. */
static void
start_below_ninja(const char *shell_command)
{
	char *pid = text("%d", (int)getpid());
	pid_t child;

	file_write("ninja", pid, strlen(pid), 0, NULL);
	child = shell_command == NULL ? start(&(struct call){0}) : fork();
	if (child == 0)
		execl("/bin/sh", "sh", "-c", shell_command, (char *)NULL);
	waitpid(child, NULL, 0);
	_exit(0);
}

static void
assert_ends_with_ninja(const char *shell_command)
{
	static const char script[] = COUNT_LAUNCHES "test $launches = 6 && kill -9 $(cat ninja) && "
				     "sleep 98734.5\n" GOOD;
	struct plan plan;
	int alive[2], status;
	pid_t ninja;
	char byte;

	assert_int_equal(file_remove_tree("results", NULL), 0);
	unlink("launches");
	begin_case(&plan, 3, script, script);
	assert_int_equal(pipe(alive), 0);
	ninja = fork();
	if (ninja == 0)
		start_below_ninja(shell_command);
	close(alive[1]);
	assert_int_equal(waitpid(ninja, &status, 0), ninja);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(read(alive[0], &byte, 1), 0); /* until the session has ended as well */
	close(alive[0]);
	assert_ended("interrupted", false);
	assert_int_equal(count_processes("98734.5"), 0);
	unlink("launches");
	measure(EXIT_DONE);
	assert_each_block_once(&plan);
	plan_free(&plan);
}

static char *self; /* this test program; with an argument it is a session */

static void
the_parents_death_ends_the_session(void **state)
{
	(void)state;
	assert_ends_with_ninja(NULL);
	assert_ends_with_ninja(text("'%s' session; true", self));
}

static void
wait_for_file(const char *path)
{
	while (!file_exists(path))
		usleep(1000);
}

static bool
says(const char *path, const char *message)
{
	struct buffer said = BUFFER_EMPTY;
	bool does = file_read(path, 0, &said, NULL) == 0 && strstr(buffer_text(&said), message) != NULL;

	buffer_free(&said);
	return does;
}

/* A second session, once it waits for the first. */
static pid_t
start_waiting(pid_t first)
{
	char *message = text("is being measured by process %d; waiting for it", (int)first);
	pid_t second = fork();

	if (second == 0 && dup2(open("waiting", O_WRONLY | O_CREAT | O_TRUNC, 0666), 2) == 2)
		child_measures(&(struct call){0});
	while (!says("waiting", message))
		usleep(1000);
	return second;
}

static void
a_second_session_waits_for_the_first(void **state)
{
	static const char script[] = "touch here; while test ! -e go; do sleep 0.01; done\n" GOOD;
	struct store_case store;
	struct plan plan;
	pid_t first, second;

	(void)state;
	begin_case(&plan, 2, script, script);
	first = start(&(struct call){0});
	wait_for_file("here");
	second = start_waiting(first);
	assert_int_equal(file_write("go", "", 0, 0, NULL), 0);
	assert_int_equal(finish(first), EXIT_DONE);
	assert_int_equal(finish(second), EXIT_DONE);
	assert_each_block_once(&plan);
	load(&store);
	assert_int_equal(store.session_count, 1);
	store_free(&store);
	plan_free(&plan);
}

static void
a_signal_ends_the_waiting(void **state)
{
	static const char script[] = "touch here; while test ! -e go; do sleep 0.01; done\n" GOOD;
	struct plan plan;
	pid_t first, second;

	(void)state;
	begin_case(&plan, 2, script, script);
	first = start(&(struct call){0});
	wait_for_file("here");
	second = start_waiting(first);
	kill(second, SIGINT);
	assert_int_equal(finish(second), EXIT_INTERRUPTED);
	assert_int_equal(file_write("go", "", 0, 0, NULL), 0);
	assert_int_equal(finish(first), EXIT_DONE);
	assert_each_block_once(&plan);
	plan_free(&plan);
}

/* ---- what changes meanwhile ---- */

static void
a_program_changed_meanwhile_makes_the_session_invalid(void **state)
{
	static const char b[] = "test -e done || echo exit 0 >> program_b; touch done\n" GOOD;
	struct plan plan;

	(void)state;
	begin_case(&plan, 2, GOOD, b);
	measure(EXIT_FAILED);
	assert_non_null(strstr(read_file("message"), "does not count"));
	assert_ended("complete", true);
	assert_false(file_exists("build/session/" FIXTURE_CASE));
	write_program("program_b", b);
	measure(EXIT_DONE);
	assert_ended("complete", false);
	assert_each_block_once(&plan);
	plan_free(&plan);
}

static void
set_kernel(const char *release)
{
	static const char *const paths[] = {"proc/sys/kernel/osrelease", "proc/version", "proc/cmdline"};
	size_t i;

	for (i = 0; i < 3; i++)
		assert_int_equal(file_write(text("root/%s", paths[i]), release, strlen(release), 0,
					    NULL), 0);
	setenv("ASSAY_SYSROOT", text("%s/root", fixture_folder), 1);
}

/* The state of the machine too: none of that session counts, and what changed is told. */
static void
a_regime_changed_meanwhile_makes_the_session_invalid(void **state)
{
	static const char b[] = "test -e done || echo 6.2 >root/proc/sys/kernel/osrelease; touch done\n" GOOD;
	struct store_case store;
	struct plan plan;

	(void)state;
	set_kernel("6.1\n");
	begin_case(&plan, 2, GOOD, b);
	measure(EXIT_FAILED);
	assert_ended("complete", true);
	load(&store);
	assert_non_null(strstr(store.sessions[0].reason, "state changed while it was measured: "
							 "kernel: 6.1 -> 6.2"));
	store_free(&store);
	measure(EXIT_DONE);
	assert_ended("complete", false);
	assert_each_block_once(&plan);
	unsetenv("ASSAY_SYSROOT");
	plan_free(&plan);
}

/* A complete case stays; one that is gone on with is measured whole in the new regime. */
static void
regimes_are_never_mixed(void **state)
{
	struct store_case store;
	struct plan plan;
	char *before;

	(void)state;
	set_kernel("6.1\n");
	begin_case(&plan, 2, GOOD, GOOD);
	measure(EXIT_DONE);
	before = snapshot("results", false);
	set_kernel("6.2\n");
	measure(EXIT_DONE);
	assert_string_equal(snapshot("results", false), before);
	plan.design.pairs = 4;
	write_case(&plan);
	measure(EXIT_DONE);
	assert_non_null(strstr(read_file("progress"), "4 blocks are measured again"));
	load(&store);
	assert_int_equal(store.session_count, 2);
	assert_int_equal(store_next_attempt(&store, 1), 3);
	assert_true(store_is_complete(&store, &plan));
	store_free(&store);
	unsetenv("ASSAY_SYSROOT");
	plan_free(&plan);
}

/* ASSAY_MACHINE=recorded: the results of another machine are used and nothing is added. */
static void
recorded_results_are_left_alone(void **state)
{
	struct plan plan;
	char *identity;

	(void)state;
	begin_case(&plan, 2, GOOD, GOOD);
	identity = read_file("build/identity/" FIXTURE_CASE);
	identity = text("%s# recorded\n", identity);
	assert_int_equal(file_write("build/identity/" FIXTURE_CASE, identity, strlen(identity), 0,
				    NULL), 0);
	measure(EXIT_DONE);
	assert_non_null(strstr(read_file("progress"), "recorded on another machine"));
	assert_false(file_exists("results"));
	assert_true(file_exists("build/session/" FIXTURE_CASE));
	assert_int_equal(finish(start(&(struct call){.retry = true})), EXIT_USAGE);
	plan_free(&plan);
}

static void
a_removed_or_damaged_log_is_measured_again(void **state)
{
	struct store_case store;
	struct plan plan;
	char *folder;

	(void)state;
	begin_case(&plan, 2, GOOD, GOOD);
	measure(EXIT_DONE);
	load(&store);
	folder = text("%s", store.sessions[0].folder);
	assert_int_equal(unlink(text("%s/0003-%s-%d.log", folder,
				     phase_name(store.sessions[0].records[2].phase),
				     store.sessions[0].records[2].treatment)), 0);
	assert_int_equal(truncate(text("%s/0006-%s-%d.log", folder,
				       phase_name(store.sessions[0].records[5].phase),
				       store.sessions[0].records[5].treatment), 100), 0);
	store_free(&store);
	measure(EXIT_DONE);
	assert_non_null(strstr(read_file("progress"), "no complete record"));
	load(&store);
	assert_int_equal(store.session_count, 2);
	assert_int_equal(store.sessions[1].record_count, 2 + 4);
	assert_true(store_is_complete(&store, &plan));
	store_free(&store);
	plan_free(&plan);
}

/* ---- a full disk ---- */

/* A small disk below `folder`, which only this process and its children see. */
static void
mount_small(const char *folder, const char *size)
{
	assert_int_equal(file_make_folder(folder, NULL), 0);
	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("small", folder, "tmpfs", 0, text("size=%s", size)) != 0) {
		print_message("skipped: no small disk can be mounted here (needs root)\n");
		skip();
	}
}

static int
unmount_and_end(void **state)
{
	umount2("results", MNT_DETACH);
	umount2("build/stage", MNT_DETACH);
	return fixture_end(state);
}

/* Nothing half written counts. */
static void
a_full_store_fails_the_edge(void **state)
{
	static const char large[] = "head -c 40000 /dev/zero | tr '\\000' x; echo\n" GOOD;
	struct plan plan;
	char *before, *after;

	(void)state;
	begin_case(&plan, 10, large, large);
	mount_small("results", "600k");
	measure(EXIT_FAILED);
	assert_non_null(strstr(read_file("message"), "No space left"));
	assert_true(count_records(NULL) > 0);
	assert_int_equal(count_records("ok"), count_records(NULL));
	before = snapshot("results", true);
	assert_int_equal(mount(NULL, "results", "tmpfs", MS_REMOUNT, "size=20m"), 0);
	measure(EXIT_DONE);
	after = snapshot("results", true);
	assert_memory_equal(after, before, strlen(before));
	assert_each_block_once(&plan);
	plan_free(&plan);
}

/* No group is blamed for it. */
static void
a_full_scratch_disk_fails_the_edge(void **state)
{
	struct plan plan;

	(void)state;
	begin_case(&plan, 2, GOOD, "head -c 1000000 /dev/zero\n" GOOD);
	mount_small("build/stage", "1m");
	measure(EXIT_FAILED);
	if (strstr(read_file("message"), "No space left") == NULL &&
	    strstr(read_file("message"), "is full") == NULL)
		fail_msg("%s", read_file("message"));
	assert_int_equal(count_records("failed") + count_records("invalid"), 0);
	plan_free(&plan);
}

int
main(int argc, char **argv __attribute__((unused)))
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_begin, fixture_end)
	const struct CMUnitTest tests[] = {
		TEST(killed_at_each_launch_nothing_is_lost),
		TEST(killed_at_any_moment_nothing_is_lost),
		TEST(a_signal_ends_the_session_cleanly),
		TEST(the_parents_death_ends_the_session),
		TEST(a_second_session_waits_for_the_first),
		TEST(a_signal_ends_the_waiting),
		TEST(a_program_changed_meanwhile_makes_the_session_invalid),
		TEST(a_regime_changed_meanwhile_makes_the_session_invalid),
		TEST(regimes_are_never_mixed),
		TEST(recorded_results_are_left_alone),
		TEST(a_removed_or_damaged_log_is_measured_again),
		cmocka_unit_test_setup_teardown(a_full_store_fails_the_edge, fixture_begin,
						unmount_and_end),
		cmocka_unit_test_setup_teardown(a_full_scratch_disk_fails_the_edge, fixture_begin,
						unmount_and_end),
	};
	int result;

	if (argc > 1)
		child_measures(&(struct call){0});
	self = realpath("/proc/self/exe", NULL);
	result = cmocka_run_group_tests(tests, NULL, NULL);
	free(self);
	return result;
}
