#include "session/group.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "session/judge.h"
#include "store/store.h"

/* Kept of an output that went over its limit: enough to see what it was. */
#define KEPT_OF_FLOOD ((size_t)64 << 10)
/* Fewer free bytes than this, and a failing program may have failed for want of disk. */
#define FREE_BYTES_MIN ((unsigned long long)256 << 10)

/* ---- what to launch ---- */

/* The launch may change folders first, so paths of the plan must not depend on it. */
static char *
absolute(const char *path)
{
	char *root, *result;

	if (path == NULL)
		return NULL;
	root = path[0] != '/' ? get_current_dir_name() : NULL;
	result = root != NULL ? memory_format("%s/%s", root, path) : memory_copy_text(path);
	free(root);
	return result;
}

/* A prepare command is found as a shell would find it; NULL: not there. */
static char *
find_program(const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/') != NULL)
		return absolute(name);
	if (path == NULL)
		path = "/usr/local/bin:/usr/bin:/bin";
	while (*path != '\0') {
		size_t length = strcspn(path, ":");
		char *candidate = memory_format("%.*s/%s", (int)length, path, name);

		if (access(candidate, X_OK) == 0)
			return candidate;
		free(candidate);
		path += length + (path[length] == ':');
	}
	return NULL;
}

static struct launch_request
common_request(const struct group_setting *setting, char **environment)
{
	const struct design *design = &setting->plan->design;

	return (struct launch_request){
		.envp = environment,
		.stdout_path = setting->staging->stdout_path,
		.stderr_path = setting->staging->stderr_path,
		.cpus = setting->cpus,
		.cpu_count = setting->cpu_count,
		.timeout_s = design->timeout_s,
		.output_limit_bytes = design->output_limit_bytes,
	};
}

/* ---- the untimed command before a group ---- */

static void
say_not_prepared(struct record *record, const char *program, const struct launch_result *result)
{
	record->status = memory_copy_text("failed");
	if (result->end == LAUNCH_EXITED)
		record->reason = memory_format("'prepare' (%s) exited with %d", program,
					       result->exit_code);
	else
		record->reason = memory_format("'prepare' (%s) did not end by itself", program);
}

/* 0 and record->status set: it went wrong and the group is not launched. */
static int
prepare(const struct group_setting *setting, const struct plan_treatment *treatment,
	char **environment, const char *cwd, struct record *record, struct error *error)
{
	struct launch_request request = common_request(setting, environment);
	struct launch_result result = {0};
	char **argv;
	char *program;
	int launched;

	if (treatment->prepare.count == 0)
		return 0;
	program = find_program(treatment->prepare.items[0]);
	if (program == NULL)
		return error_set(error, EXIT_BAD_INPUT, "case %s: no program '%s' for 'prepare'",
				 setting->plan->case_id, treatment->prepare.items[0]);
	argv = memory_zeroed(treatment->prepare.count + 1, sizeof *argv);
	memcpy(argv, treatment->prepare.items, treatment->prepare.count * sizeof *argv);
	request.program = program;
	request.argv = argv;
	request.cwd = cwd;
	launched = launch_run(&request, setting->interrupted, &result, error);
	if (launched == 0 && (result.end != LAUNCH_EXITED || result.exit_code != 0)) {
		say_not_prepared(record, treatment->prepare.items[0], &result);
		record->result.end = LAUNCH_NOT_STARTED;
	}
	if (launched == 0 && result.end == LAUNCH_INTERRUPTED)
		record->result.end = LAUNCH_INTERRUPTED;
	if (record->status != NULL)
		record->result.started_realtime_ns = result.started_realtime_ns;
	launch_result_free(&result);
	free(argv);
	free(program);
	return launched;
}

/* ---- its output ---- */

static int
read_output(const char *path, size_t most, char **bytes, size_t *length, struct error *error)
{
	int fd = file_open(path);
	struct buffer out = BUFFER_EMPTY;
	char chunk[65536];
	ssize_t got = 0;

	if (fd < 0)
		return error_set_errno(error, "cannot read a group's output %s", path);
	while (out.length < most) {
		size_t want = most - out.length < sizeof chunk ? most - out.length : sizeof chunk;

		got = read(fd, chunk, want);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		buffer_append(&out, chunk, (size_t)got);
	}
	if (got < 0)
		error_set_errno(error, "cannot read a group's output %s", path);
	close(fd);
	*length = out.length;
	*bytes = buffer_detach(&out);
	return got < 0 ? -1 : 0;
}

static int
take_outputs(const struct group_setting *setting, struct record *record, struct error *error)
{
	size_t most = (size_t)setting->plan->design.output_limit_bytes;

	if (record->result.end == LAUNCH_OUTPUT_LIMIT && most > KEPT_OF_FLOOD)
		most = KEPT_OF_FLOOD;
	if (read_output(setting->staging->stdout_path, most, &record->stdout_bytes,
			&record->stdout_length, error) != 0)
		return -1;
	return read_output(setting->staging->stderr_path, most, &record->stderr_bytes,
			   &record->stderr_length, error);
}

/*
 * A program that wrote into a full disk failed through no fault of its own; its group must not
 * become data.
 */
static int
check_disk(const struct group_setting *setting, struct error *error)
{
	const char *folders[] = {setting->staging->folder, setting->session_folder};
	size_t i;

	for (i = 0; i < 2; i++) {
		struct statvfs disk;
		unsigned long long left;

		if (statvfs(folders[i], &disk) != 0)
			return error_set_errno(error, "cannot look at the disk of %s", folders[i]);
		left = (unsigned long long)(geteuid() == 0 ? disk.f_bfree : disk.f_bavail) *
		       disk.f_frsize;
		if (disk.f_blocks > 0 && left < FREE_BYTES_MIN)
			return error_set(error, EXIT_FAILED, "the disk of %s is full (%llu bytes left) and "
					 "a group failed; nothing of it is kept: make room and go on with "
					 "'ninja report'", folders[i], left);
	}
	return 0;
}

/* ---- the group ---- */

static void
fill_place(const struct group_setting *setting, const struct group_place *place,
	   struct record *record)
{
	memset(record, 0, sizeof *record);
	record->run_id = memory_format("%s-%04d", setting->token, place->order);
	record->case_id = memory_copy_text(setting->plan->case_id);
	record->session = setting->session;
	record->order = place->order;
	record->phase = place->phase;
	record->chunk = place->chunk;
	record->block = place->block;
	record->pair = place->pair;
	record->slot = place->slot;
	record->attempt = place->attempt;
	record->treatment = place->treatment;
	record->cpu_count = setting->cpu_count;
	record->cpus = memory_zeroed((size_t)setting->cpu_count, sizeof *record->cpus);
	if (setting->cpu_count > 0)
		memcpy(record->cpus, setting->cpus, (size_t)setting->cpu_count * sizeof *record->cpus);
	if (getloadavg(&record->load_1min, 1) != 1)
		record->load_1min = 0;
	record->program_sha256 =
		memory_copy_text(setting->staging->programs[place->treatment].sha256);
}

static int
launch(const struct group_setting *setting, const struct group_place *place,
       struct record *record, struct error *error)
{
	const struct plan_treatment *treatment = plan_treatment(setting->plan, place->treatment);
	char **environment = staging_environment(setting->staging, setting->plan, place->treatment);
	char **argv = staging_arguments(setting->staging, setting->plan, place->treatment);
	char *input = absolute(treatment->stdin_path), *cwd = absolute(treatment->cwd);
	struct launch_request request = common_request(setting, environment);
	int result = prepare(setting, treatment, environment, cwd, record, error);

	if (result == 0 && record->status == NULL && record->result.end != LAUNCH_INTERRUPTED) {
		request.program = setting->staging->programs[place->treatment].path;
		request.argv = argv;
		request.cwd = cwd;
		request.stdin_path = input;
		request.watch_libraries = place->phase == PHASE_WARMUP;
		result = launch_run(&request, setting->interrupted, &record->result, error);
	}
	staging_free_list(environment);
	staging_free_list(argv);
	free(input);
	free(cwd);
	return result;
}

/* 0 when the group is known to be as *fate says and, unless interrupted, is in the store. */
static int
judge_and_publish(const struct group_setting *setting, enum group_fate *fate,
		  struct record *record, struct error *error)
{
	if (record->result.end == LAUNCH_INTERRUPTED) {
		*fate = GROUP_INTERRUPTED;
		return 0;
	}
	if (take_outputs(setting, record, error) != 0)
		return -1;
	if (record->status == NULL) /* else its 'prepare' failed */
		judge_group(setting->plan, record);
	*fate = strcmp(record->status, "ok") == 0 ? GROUP_OK : GROUP_BAD;
	if (*fate == GROUP_BAD && *setting->interrupted) {
		*fate = GROUP_INTERRUPTED; /* a Ctrl-C reaches the program as well */
		return 0;
	}
	if (*fate == GROUP_BAD && check_disk(setting, error) != 0)
		return -1;
	return store_publish(setting->session_folder, record, error);
}

int
group_run(const struct group_setting *setting, const struct group_place *place,
	  enum group_fate *fate, struct record *record, struct error *error)
{
	int result;

	fill_place(setting, place, record);
	result = launch(setting, place, record, error);
	if (result == 0)
		result = judge_and_publish(setting, fate, record, error);
	if (result != 0)
		record_free(record);
	return result;
}
