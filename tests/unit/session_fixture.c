#include "session_fixture.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "identity/identity.h"
#include "session/measure.h"

void
write_program(const char *path, const char *script)
{
	char *whole = text("#!/bin/sh\n%s", script);

	assert_int_equal(file_write(path, whole, strlen(whole), FILE_EXECUTABLE, NULL), 0);
}

/* Writes build/plan and build/identity as generate and check would. */
void
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

void
begin_case(struct plan *plan, int pairs, const char *a, const char *b)
{
	fixture_plan(plan, "protocol", pairs);
	write_program("program_a", a);
	write_program("program_b", b);
	write_case(plan);
}

/* ---- running sessions ---- */

void
child_measures(const struct call *call)
{
	FILE *out = fopen("progress", "w");
	struct measure_options options = {.case_id = FIXTURE_CASE, .retry = call->retry,
					  .why = call->why, .rule = call->rule, .out = out};
	struct error error = {0};
	int code = EXIT_DONE;

	if (measure_case(&options, &error) != 0)
		code = error.code;
	fclose(out);
	file_write("message", error.message, strlen(error.message), 0, NULL);
	_exit(code);
}

pid_t
start(const struct call *call)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		child_measures(call);
	return pid;
}

int
finish(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

char *
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

void
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

void
load(struct store_case *store)
{
	struct error error = {0};

	if (store_load(FIXTURE_CASE, hex_of_case(), store, &error) != 0)
		fail_msg("%s", error.message);
}

void
lay_out(const struct plan *plan, const struct store_case *store, struct schedule *schedule)
{
	size_t count;
	const struct chunk *chunks = store_chunks(store, &count);

	schedule_build(plan, chunks, count, schedule);
}

void
assert_each_block_once(const struct plan *plan)
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
		assert_int_equal(whole, 1);
	}
	assert_true(store_is_complete(&store, plan));
	schedule_free(&schedule);
	store_free(&store);
}

int
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

char *
snapshot(const char *folder, bool logs_only)
{
	struct buffer out = BUFFER_EMPTY;
	char *copy;

	add_folder(&out, folder, logs_only);
	copy = text("%s", buffer_text(&out));
	buffer_free(&out);
	return copy;
}

int
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

void
assert_ended(const char *how, bool invalid)
{
	struct store_case store;

	load(&store);
	assert_string_equal(last_session(&store)->how, how);
	assert_int_equal(last_session(&store)->invalid, invalid);
	store_free(&store);
}
