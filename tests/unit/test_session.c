#include "case_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/json.h"
#include "identity/identity.h"
#include "session/measure.h"
#include "session/progress.h"
#include "session/stamp.h"
#include "store/store.h"

/*
 * Sessions on real processes: shell scripts as the measured programs. Each session runs in a
 * process of its own, as it does in life.
 */

#define GOOD "echo 'RESULT 10 9 1e9'; echo 'CHECK 42'\n"
/* $launches is the number of this launch, counted over all programs in the study's folder. */
#define COUNT_LAUNCHES "echo x >> launches; launches=$(wc -l < launches)\n"

static void
write_program(const char *path, const char *script)
{
	char *whole = text("#!/bin/sh\n%s", script);

	assert_int_equal(file_write(path, whole, strlen(whole), FILE_EXECUTABLE, NULL), 0);
}

/* Writes build/plan and build/identity as generate and check would. */
static void
write_case(const struct plan *plan)
{
	struct identity identity;
	struct error error = {0};
	char *content;

	assert_int_equal(plan_write("build/plan/" FIXTURE_CASE ".json", plan, 0, &error), 0);
	if (identity_compute(plan, &identity, &error) != 0)
		fail_msg("%s", error.message);
	content = text("%s\n%s", identity.hex, identity.text);
	assert_int_equal(file_write("build/identity/" FIXTURE_CASE, content, strlen(content), 0,
				    &error), 0);
	identity_free(&identity);
}

static void
begin_case(struct plan *plan, int pairs, const char *a, const char *b)
{
	fixture_plan(plan, "protocol", pairs);
	write_program("program_a", a);
	write_program("program_b", b);
	write_case(plan);
}

/* ---- running sessions ---- */

struct call {
	bool retry;
	const char *why;
};

/* In the child: measures, leaves the message in a file, ends with the exit code. */
static void
child_measures(const struct call *call)
{
	FILE *out = fopen("progress", "w");
	struct measure_options options = {.case_id = FIXTURE_CASE, .retry = call->retry,
					  .why = call->why, .out = out};
	struct error error = {0};
	int code = EXIT_DONE;

	if (measure_case(&options, &error) != 0)
		code = error.code;
	fclose(out);
	file_write("message", error.message, strlen(error.message), 0, NULL);
	_exit(code);
}

static pid_t
start(const struct call *call)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		child_measures(call);
	return pid;
}

static int
finish(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static char *
read_file(const char *path)
{
	struct buffer bytes = BUFFER_EMPTY;
	char *copy;

	if (file_read(path, 0, &bytes, NULL) != 0)
		return text("%s", "");
	copy = text("%s", buffer_text(&bytes));
	buffer_free(&bytes);
	return copy;
}

static void
measure(int expected)
{
	int code = finish(start(&(struct call){0}));

	if (code != expected)
		fail_msg("exit code %d: %s", code, read_file("message"));
}

/* ---- looking at the store ---- */

static char *
hex_of_case(void)
{
	char *hex = read_file("build/identity/" FIXTURE_CASE);

	hex[64] = '\0';
	return hex;
}

static void
load(struct store_case *store)
{
	struct error error = {0};

	if (store_load(FIXTURE_CASE, hex_of_case(), store, &error) != 0)
		fail_msg("%s", error.message);
}

static void
lay_out(const struct plan *plan, const struct store_case *store, struct schedule *schedule)
{
	size_t count;
	const struct chunk *chunks = store_chunks(store, &count);

	schedule_build(plan, chunks, count, schedule);
}

/* Every planned block is there once, whole and adjacent, all ok; the rest are warm-ups, orphans
 * and, where `attempts` > 1, earlier attempts. */
static void
assert_each_block_once(const struct plan *plan, int attempts)
{
	struct store_case store;
	struct schedule schedule;
	size_t b, s, first;

	load(&store);
	assert_int_equal(store.problem_count, 0);
	lay_out(plan, &store, &schedule);
	assert_true(schedule.count > 0);
	for (b = 0; b < schedule.count; b++) {
		int whole = 0;

		for (s = 0; s < store.session_count; s++) {
			struct store_case one = store;

			one.sessions = &store.sessions[s];
			one.session_count = 1;
			whole += store_find_block(&one, &schedule.blocks[b], &first) != NULL;
		}
		assert_int_equal(whole, attempts);
	}
	assert_true(store_is_complete(&store, plan));
	schedule_free(&schedule);
	store_free(&store);
}

static int
count_records(const char *status)
{
	struct store_case store;
	size_t s, r;
	int count = 0;

	load(&store);
	for (s = 0; s < store.session_count; s++)
		for (r = 0; r < store.sessions[s].record_count; r++)
			count += status == NULL ||
				 strcmp(store.sessions[s].records[r].status, status) == 0;
	store_free(&store);
	return count;
}

static int
is_name(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void
add_file(struct buffer *out, const char *path, const struct stat *status)
{
	buffer_printf(out, "%s %lld.%09ld\n", path, (long long)status->st_mtim.tv_sec,
		      status->st_mtim.tv_nsec);
	file_read(path, 0, out, NULL);
	buffer_putc(out, '\n');
}

static void
add_folder(struct buffer *out, const char *folder, bool logs_only)
{
	struct dirent **names;
	int count = scandir(folder, &names, is_name, alphasort), i;

	for (i = 0; i < count; i++) {
		char *path = memory_format("%s/%s", folder, names[i]->d_name);
		struct stat status;

		assert_int_equal(lstat(path, &status), 0);
		if (S_ISDIR(status.st_mode))
			add_folder(out, path, logs_only);
		else if (!logs_only || strcmp(path + strlen(path) - 4, ".log") == 0)
			add_file(out, path, &status);
		free(path);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
}

/* All files below a folder, sorted: path, time and content. What a later session adds comes after
 * what earlier ones left. */
static char *
snapshot(const char *folder, bool logs_only)
{
	struct buffer out = BUFFER_EMPTY;
	char *copy;

	add_folder(&out, folder, logs_only);
	copy = text("%s", buffer_text(&out));
	buffer_free(&out);
	return copy;
}

/* How many processes have `mark` among their arguments. */
static int
count_processes(const char *mark)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	while ((entry = readdir(proc)) != NULL) {
		struct buffer line = BUFFER_EMPTY;
		size_t i;

		if (atoi(entry->d_name) <= 0)
			continue;
		file_read(text("/proc/%s/cmdline", entry->d_name), 0, &line, NULL);
		for (i = 0; i < line.length; i += strlen(line.bytes + i) + 1)
			count += strcmp(line.bytes + i, mark) == 0;
		buffer_free(&line);
	}
	closedir(proc);
	return count;
}

static const struct store_session *
last_session(const struct store_case *store)
{
	assert_true(store->session_count > 0);
	return &store->sessions[store->session_count - 1];
}

static void
assert_ended(const char *how, bool invalid)
{
	struct store_case store;

	load(&store);
	assert_string_equal(last_session(&store)->how, how);
	assert_int_equal(last_session(&store)->invalid, invalid);
	store_free(&store);
}

/* ---- a session that goes well ---- */

/* The plan of the source article: 2 warm-ups of each, 4 A/A pairs, 10 pairs: 4 + 8 + 20 = 32. */
static void
the_article_plan_is_32_groups(void **state)
{
	struct store_case store;
	struct schedule schedule;
	struct stamp stamp;
	struct plan plan;
	size_t r, b = 0;
	int phases[3] = {0};

	(void)state;
	begin_case(&plan, 10, GOOD, GOOD);
	plan.design.aa_pairs = 4;
	plan.design.warmups = 2;
	write_case(&plan);
	measure(EXIT_DONE);
	assert_each_block_once(&plan, 1);
	load(&store);
	lay_out(&plan, &store, &schedule);
	assert_int_equal(store.session_count, 1);
	assert_int_equal(store.sessions[0].record_count, 32);
	for (r = 0; r < 32; r++) {
		const struct record *record = &store.sessions[0].records[r];

		phases[record->phase]++;
		assert_string_equal(record->status, "ok");
		assert_int_equal(record->order, (int)r + 1);
		assert_true(r == 0 || record->result.started_monotonic_ns >
					      record[-1].result.started_monotonic_ns);
		if (record->phase == PHASE_WARMUP)
			continue;
		assert_int_equal(record->block, schedule.blocks[b].number);
		assert_int_equal(record->pair, schedule.blocks[b].pair);
		assert_int_equal(record->treatment, schedule.blocks[b].treatments[record->slot - 1]);
		b += record->slot == schedule.blocks[b].size;
	}
	assert_int_equal(phases[PHASE_WARMUP], 4);
	assert_int_equal(phases[PHASE_AA], 8);
	assert_int_equal(phases[PHASE_AB], 20);
	assert_non_null(store.sessions[0].provenance);
	assert_non_null(store.sessions[0].regime);
	assert_string_equal(store.sessions[0].how, "complete");
	assert_int_equal(stamp_read(FIXTURE_CASE, &stamp, NULL), 0);
	assert_int_equal(stamp.complete, 14);
	assert_int_equal(stamp.failed, 0);
	assert_false(file_exists(text("%s/running", store.folder)));
	schedule_free(&schedule);
	store_free(&store);
	plan_free(&plan);
}

static void
a_complete_case_is_left_alone(void **state)
{
	struct plan plan;
	char *before;

	(void)state;
	begin_case(&plan, 2, GOOD COUNT_LAUNCHES, GOOD COUNT_LAUNCHES);
	measure(EXIT_DONE);
	before = snapshot("results", false);
	assert_true(strlen(before) > 1000);
	assert_int_equal(unlink("build/session/" FIXTURE_CASE), 0);
	measure(EXIT_DONE);
	assert_string_equal(snapshot("results", false), before);
	assert_true(file_exists("build/session/" FIXTURE_CASE));
	assert_string_equal(read_file("progress"), "");
	plan_free(&plan);
}

/* Path and environment length move a process's memory, so they are equal; nothing leaks in. */
static void
treatments_get_equal_surroundings(void **state)
{
	static const char look[] =
		"tr -dc '\\000' < /proc/$$/environ | wc -c; wc -c < /proc/$$/environ; printf %s \"$0\" | wc -c\n"
		"tr '\\000' '\\n' < /proc/$$/environ | grep -E '^(LC_ALL|TZ|SECRET)='\n" GOOD;
	struct setting settings[2];
	struct store_case store;
	struct plan plan;
	size_t r;

	(void)state;
	begin_case(&plan, 2, look, look);
	write_program("a_much_longer_program_name", look);
	free(plan.treatments[1].program.path);
	plan.treatments[1].program.path = memory_copy_text("a_much_longer_program_name");
	settings[0] = (struct setting){memory_copy_text("THREADS"), memory_copy_text("2")};
	settings[1] = (struct setting){memory_copy_text("X"), memory_copy_text(text("%0500d", 7))};
	plan.treatments[1].env.items = memory_zeroed(2, sizeof settings[0]);
	memcpy(plan.treatments[1].env.items, settings, sizeof settings);
	plan.treatments[1].env.count = 2;
	write_case(&plan);
	setenv("SECRET", "1", 1);
	measure(EXIT_DONE);
	unsetenv("SECRET");
	load(&store);
	assert_int_equal(store.sessions[0].record_count, 10);
	for (r = 0; r < 10; r++) {
		const struct record *record = &store.sessions[0].records[r];

		assert_int_equal(record->stdout_length, store.sessions[0].records[0].stdout_length);
		assert_memory_equal(record->stdout_bytes, store.sessions[0].records[0].stdout_bytes,
				    record->stdout_length);
	}
	assert_non_null(memmem(store.sessions[0].records[0].stdout_bytes,
			       store.sessions[0].records[0].stdout_length, "\nLC_ALL=C\nTZ=UTC\nRESULT", 23));
	store_free(&store);
	plan_free(&plan);
}

/* ---- programs that misbehave ---- */

/* B misbehaves: its groups are recorded so, A's go on, the session succeeds. */
static void
assert_b_is(const char *script, const char *status, const char *reason, void (*change)(struct plan *))
{
	struct store_case store;
	struct plan plan;
	size_t r;

	assert_int_equal(file_remove_tree("results", NULL), 0);
	begin_case(&plan, 2, GOOD, script);
	plan.check.equal = true;
	plan.design.aa_pairs = 1;
	plan.design.timeout_s = 5;
	if (change != NULL)
		change(&plan);
	write_case(&plan);
	measure(EXIT_DONE);
	load(&store);
	assert_int_equal(store.sessions[0].record_count, 2 + 2 + 4);
	for (r = 0; r < 8; r++) {
		const struct record *record = &store.sessions[0].records[r];
		bool is_b = record->treatment == 1;

		assert_string_equal(record->status, is_b ? status : "ok");
		if (is_b && strstr(record->reason, reason) == NULL)
			fail_msg("'%s' does not say '%s'", record->reason, reason);
		assert_true(record->stdout_length <= 1 << 20);
	}
	assert_true(store_is_complete(&store, &plan));
	store_free(&store);
	plan_free(&plan);
}

static void
short_timeout(struct plan *plan)
{
	plan->design.timeout_s = 0.3;
}

static void
asks_mode_and_size(struct plan *plan)
{
	plan->treatments[1].expect_mode = memory_copy_text("fused");
	plan->treatments[1].expect_len = 16;
	plan->treatments[1].expect_iters = 8;
}

static void
lowers_scale(struct plan *plan)
{
	asks_mode_and_size(plan);
	plan->treatments[1].lowers_scale = true;
}

static void
ignores_exit(struct plan *plan)
{
	plan->treatments[1].ignore_exit = true;
}

static void
wants_cycles(struct plan *plan)
{
	plan->treatments[0].ignore_exit = false;
	free(plan->primary);
	plan->primary = memory_copy_text("cycles");
	write_program("program_a", "echo 'RESULT 1 1 1'; echo 'METRIC cycles 5'; echo 'CHECK 42'\n");
}

static void
bad_programs_are_recorded_with_the_reason(void **state)
{
	(void)state;
	assert_b_is("kill -SEGV $$\n", "failed", "signal 11", NULL);
	assert_b_is("exit 3\n", "failed", "exited with 3 instead of 0", NULL);
	assert_b_is(GOOD "echo exit_code=0; echo status=ok; echo complete=1; exit 3\n", "failed",
		    "exited with 3", NULL);
	assert_b_is(GOOD "sleep 1000\n", "failed", "timeout of 0.3 s", short_timeout);
	assert_b_is("head -c 1073741824 /dev/zero\n", "failed", "output limit of 1048576", NULL);
	assert_b_is("echo 'CHECK 42'; printf 'RESULT 1 2'\n", "invalid", "RESULT", NULL);
	assert_b_is("echo 'RESULT nan 1 1'; echo 'CHECK 42'\n", "invalid", "RESULT", NULL);
	assert_b_is("echo 'RESULT -1 1 1'; echo 'CHECK 42'\n", "invalid", "RESULT", NULL);
	assert_b_is("echo hello\n", "invalid", "no result in the output", NULL);
	assert_b_is("echo 'RESULT 1 1 1'\n", "invalid", "no CHECK line", NULL);
	assert_b_is("echo 'RESULT 1 1 1'; echo 'METRIC wall_us 1'; echo 'CHECK 42'\n", "invalid",
		    "'wall_us' is taken", NULL);
	assert_b_is(GOOD, "invalid", "no METRIC cycles", wants_cycles);
}

static void
the_wrong_mode_or_size_is_invalid(void **state)
{
	(void)state;
	assert_b_is("echo 'CFG 16 8'\n" GOOD, "invalid", "no MODE line; 'fused'", asks_mode_and_size);
	assert_b_is("echo 'MODE plain'; echo 'CFG 16 8'\n" GOOD, "invalid",
		    "MODE plain answered; 'fused' was asked for", asks_mode_and_size);
	assert_b_is("echo 'MODE fused'; echo 'CFG 8 8'\n" GOOD, "invalid",
		    "CFG says 8 elements; 16 were asked for", asks_mode_and_size);
	assert_b_is("echo 'MODE fused'; echo 'CFG 16 4'\n" GOOD, "invalid",
		    "CFG says 4 iterations; 8 were asked for", asks_mode_and_size);
	assert_b_is("echo 'MODE fused'\n" GOOD, "invalid", "no CFG line", asks_mode_and_size);
	assert_b_is("echo 'MODE fused'; echo 'CFG 16 8'\n" GOOD, "ok", "", asks_mode_and_size);
	assert_b_is("echo 'MODE fused'; echo 'CFG 8 8'\n" GOOD, "ok", "", lowers_scale);
	assert_b_is(GOOD "exit 3\n", "ok", "", ignores_exit);
}

static void
nothing_a_group_starts_survives_it(void **state)
{
	(void)state;
	/* Harmless, and said so. */
	assert_b_is("setsid sleep 98731.25 &\n" GOOD, "ok", "left 1 process behind", NULL);
	assert_int_equal(count_processes("98731.25"), 0);
}

static void
a_missing_program_fails_the_edge(void **state)
{
	struct store_case store;
	struct plan plan;

	(void)state;
	begin_case(&plan, 2, GOOD, GOOD);
	assert_int_equal(unlink("program_b"), 0);
	measure(EXIT_FAILED);
	assert_non_null(strstr(read_file("message"), "program_b"));
	load(&store);
	assert_int_equal(store.session_count, 0);
	store_free(&store);
	plan_free(&plan);
}

static void
prepare_runs_before_each_group(void **state)
{
	struct store_case store;
	struct plan plan;

	(void)state;
	begin_case(&plan, 2, "cat fresh; rm fresh\n" GOOD, GOOD);
	plan.treatments[0].prepare.items = memory_zeroed(3, sizeof(char *));
	plan.treatments[0].prepare.items[0] = memory_copy_text("sh");
	plan.treatments[0].prepare.items[1] = memory_copy_text("-c");
	plan.treatments[0].prepare.items[2] = memory_copy_text("echo fresh > fresh");
	plan.treatments[0].prepare.count = 3;
	plan.treatments[1].prepare.items = memory_zeroed(1, sizeof(char *));
	plan.treatments[1].prepare.items[0] = memory_copy_text("false");
	plan.treatments[1].prepare.count = 1;
	write_case(&plan);
	measure(EXIT_DONE);
	load(&store);
	assert_memory_equal(store.sessions[0].records[0].stdout_bytes, "fresh\n", 6);
	assert_string_equal(store.sessions[0].records[0].status, "ok");
	assert_string_equal(store.sessions[0].records[1].status, "failed");
	assert_string_equal(store.sessions[0].records[1].reason, "'prepare' (false) exited with 1");
	store_free(&store);
	plan_free(&plan);
}

/* ---- failures, retries ---- */

static void
too_many_failures_in_a_row_end_the_case(void **state)
{
	struct plan plan;
	char *before;

	(void)state;
	begin_case(&plan, 4, "exit 1\n", "exit 1\n");
	plan.design.max_failures = 5;
	write_case(&plan);
	measure(EXIT_DONE);
	assert_int_equal(count_records(NULL), 5);
	assert_ended("max_failures", false);
	assert_non_null(strstr(read_file("build/session/" FIXTURE_CASE), "how=max_failures"));
	before = snapshot("results", false);
	measure(EXIT_DONE); /* not again and again */
	assert_string_equal(snapshot("results", false), before);
	assert_non_null(strstr(read_file("progress"), "assay retry"));
	plan_free(&plan);
}

/* B fails at first and is mended by something its identity does not hold. */
static void
retry_runs_failed_blocks_again(void **state)
{
	struct store_case store;
	struct schedule schedule;
	struct plan plan;
	size_t b, first;
	char *before;

	(void)state;
	begin_case(&plan, 3, GOOD, "test -e mended || exit 1\n" GOOD);
	measure(EXIT_DONE);
	assert_int_equal(count_records("failed"), 4);
	before = snapshot("results", true);
	assert_int_equal(file_write("mended", "", 0, 0, NULL), 0);
	measure(EXIT_DONE); /* failed is data: not run again unasked */
	assert_string_equal(snapshot("results", true), before);
	assert_int_equal(finish(start(&(struct call){.retry = true})), EXIT_DONE);
	load(&store);
	lay_out(&plan, &store, &schedule);
	assert_int_equal(store.session_count, 2);
	for (b = 0; b < schedule.count; b++) {
		const struct store_session *session =
			store_find_block(&store, &schedule.blocks[b], &first);
		bool ab = schedule.blocks[b].phase == PHASE_AB;

		assert_int_equal(session->number, ab ? 2 : 1);
		assert_int_equal(session->records[first].attempt, ab ? 2 : 1);
		assert_string_equal(session->records[first].status, "ok");
	}
	schedule_free(&schedule);
	store_free(&store);
	assert_int_equal(finish(start(&(struct call){.retry = true})), EXIT_DONE);
	assert_non_null(strstr(read_file("progress"), "no failed block"));
	plan_free(&plan);
}

/* ---- growing ---- */

static void
more_pairs_add_a_chunk(void **state)
{
	struct store_case store;
	struct schedule schedule;
	struct plan plan;
	char *before, *after;

	(void)state;
	begin_case(&plan, 10, GOOD, GOOD);
	plan.design.aa_pairs = 4;
	plan.design.warmups = 2;
	write_case(&plan);
	measure(EXIT_DONE);
	before = snapshot("results", true);
	plan.design.pairs = 14;
	write_case(&plan);
	measure(EXIT_DONE);
	after = snapshot("results", true);
	assert_memory_equal(after, before, strlen(before)); /* session 001 sorts first */
	assert_each_block_once(&plan, 1);
	load(&store);
	lay_out(&plan, &store, &schedule);
	assert_int_equal(store.session_count, 2);
	assert_int_equal(store.sessions[1].chunk_count, 2);
	assert_int_equal(store.sessions[1].chunks[1].pairs, 4);
	assert_true(store.sessions[1].chunks[1].aa_pairs > 0);
	assert_int_equal(store.sessions[1].record_count,
			 4 + 8 + 2 * store.sessions[1].chunks[1].aa_pairs);
	assert_int_equal(store.sessions[1].records[0].phase, PHASE_WARMUP);
	assert_int_equal(store.sessions[1].records[4].chunk, 2);
	schedule_free(&schedule);
	store_free(&store);
	plan_free(&plan);
}

static void
again_measures_as_much_once_more(void **state)
{
	struct store_case store;
	struct schedule schedule;
	struct plan plan;
	char *before;

	(void)state;
	begin_case(&plan, 4, GOOD, GOOD);
	measure(EXIT_DONE);
	assert_int_equal(finish(start(&(struct call){.why = "the fan was off"})), EXIT_DONE);
	assert_each_block_once(&plan, 1);
	load(&store);
	lay_out(&plan, &store, &schedule);
	assert_int_equal(store.session_count, 2);
	assert_string_equal(store.sessions[1].why, "the fan was off");
	assert_int_equal(schedule.count, 12);
	assert_int_equal(store.sessions[1].record_count, store.sessions[0].record_count);
	schedule_free(&schedule);
	store_free(&store);
	before = snapshot("results", false);
	measure(EXIT_DONE);
	assert_string_equal(snapshot("results", false), before);
	plan_free(&plan);
}

/* ---- interruptions ---- */

/* Fails where a process of the killed session still runs. */
#define NO_SLEEPER "grep -qs '98732[.]5' /proc/[0-9]*/cmdline && exit 9\n"

/* The program kills its parent, the session, at a launch; the next session goes on. Each launch
 * of the first session in turn. */
static void
killed_at_each_launch_nothing_is_lost(void **state)
{
	struct plan plan;
	int at, groups = 2 + 4 + 6;

	(void)state;
	for (at = 1; at <= groups; at++) {
		char *script = text(COUNT_LAUNCHES "test $launches = %d && kill -9 $PPID && sleep 98732.5\n"
				    NO_SLEEPER GOOD, at);
		char *before, *after;

		assert_int_equal(file_remove_tree("results", NULL), 0);
		unlink("launches");
		begin_case(&plan, 3, script, script);
		assert_int_equal(finish(start(&(struct call){0})), 1000 + SIGKILL);
		assert_int_equal(count_records(NULL), at - 1);
		before = snapshot("results", true);
		measure(EXIT_DONE);
		assert_int_equal(count_processes("98732.5"), 0);
		assert_int_equal(count_records("ok"), count_records(NULL));
		after = snapshot("results", true);
		assert_memory_equal(after, before, strlen(before));
		assert_each_block_once(&plan, 1);
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
	for (round = 0; round < 6; round++) {
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
		assert_each_block_once(&plan, 1);
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
		assert_each_block_once(&plan, 1);
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
	assert_each_block_once(&plan, 1);
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

static void
a_second_session_is_refused(void **state)
{
	static const char script[] = "touch here; while test ! -e go; do sleep 0.01; done\n" GOOD;
	struct plan plan;
	pid_t first;

	(void)state;
	begin_case(&plan, 2, script, script);
	first = start(&(struct call){0});
	wait_for_file("here");
	measure(EXIT_FAILED);
	assert_non_null(strstr(read_file("message"),
			       text("is being measured by process %d already", (int)first)));
	assert_int_equal(file_write("go", "", 0, 0, NULL), 0);
	assert_int_equal(finish(first), EXIT_DONE);
	assert_each_block_once(&plan, 1);
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
	assert_each_block_once(&plan, 1 + 0);
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
	assert_each_block_once(&plan, 1);
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

/* ---- progress ---- */

static void
assert_text(const char *label, int done, int blocks, double left, size_t columns, const char *expected)
{
	char *got = progress_text(label, done, blocks, left, columns);

	assert_string_equal(got, expected);
	assert_true(strlen(got) <= columns);
	free(got);
}

static void
progress_fits_its_line(void **state)
{
	(void)state;
	assert_text("vector/fused", 0, 32, -1, 80, "vector/fused: block 1 of 32");
	assert_text("vector/fused", 2, 32, 65, 80, "vector/fused: block 3 of 32, about 1 min 5 s left");
	assert_text("vector/fused", 2, 32, 4000, 80, "vector/fused: block 3 of 32, about 1 h 6 min left");
	assert_text("vector/fused", 32, 32, 0, 80, "vector/fused: 32 of 32 blocks");
	assert_text("a-study-with-a-long-name/and-a-long-case", 9, 32, 5, 40,
		    "a-stud..: block 10 of 32, about 5 s left");
}

int
main(int argc, char **argv __attribute__((unused)))
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_begin, fixture_end)
	const struct CMUnitTest tests[] = {
		TEST(the_article_plan_is_32_groups),
		TEST(a_complete_case_is_left_alone),
		TEST(treatments_get_equal_surroundings),
		TEST(bad_programs_are_recorded_with_the_reason),
		TEST(the_wrong_mode_or_size_is_invalid),
		TEST(nothing_a_group_starts_survives_it),
		TEST(a_missing_program_fails_the_edge),
		TEST(prepare_runs_before_each_group),
		TEST(too_many_failures_in_a_row_end_the_case),
		TEST(retry_runs_failed_blocks_again),
		TEST(more_pairs_add_a_chunk),
		TEST(again_measures_as_much_once_more),
		TEST(killed_at_each_launch_nothing_is_lost),
		TEST(killed_at_any_moment_nothing_is_lost),
		TEST(a_signal_ends_the_session_cleanly),
		TEST(the_parents_death_ends_the_session),
		TEST(a_second_session_is_refused),
		TEST(a_program_changed_meanwhile_makes_the_session_invalid),
		TEST(regimes_are_never_mixed),
		TEST(recorded_results_are_left_alone),
		TEST(a_removed_or_damaged_log_is_measured_again),
		cmocka_unit_test_setup_teardown(a_full_store_fails_the_edge, fixture_begin,
						unmount_and_end),
		cmocka_unit_test_setup_teardown(a_full_scratch_disk_fails_the_edge, fixture_begin,
						unmount_and_end),
		TEST(progress_fits_its_line),
	};

	int result;

	if (argc > 1)
		child_measures(&(struct call){0});
	self = realpath("/proc/self/exe", NULL);
	result = cmocka_run_group_tests(tests, NULL, NULL);
	free(self);
	return result;
}
