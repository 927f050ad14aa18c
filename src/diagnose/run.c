#include "diagnose/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "session/interrupt.h"
#include "session/launch.h"

#define OUTPUT_LIMIT_BYTES ((int64_t)1 << 30) /* of each file: profiles are large */
#define REASON_BYTES 300
#define CPUS 1024

/* A list of words for a launch; ends with NULL. */
struct words {
	char **items;
	size_t count, capacity;
};

static void
add_word(struct words *words, char *word)
{
	words->items = memory_grow(words->items, words->count + 1, &words->capacity, sizeof *words->items);
	words->items[words->count++] = word;
	words->items[words->count] = NULL;
}

static void
free_words(struct words *words)
{
	while (words->count > 0)
		free(words->items[--words->count]);
	free(words->items);
}

static char *
absolute(const char *path)
{
	char *root = path[0] != '/' ? get_current_dir_name() : NULL;
	char *whole = root != NULL ? memory_format("%s/%s", root, path) : memory_copy_text(path);

	free(root);
	return whole;
}

/* ---- what is run ---- */

/* "{}" becomes the folder. */
static char *
fill(const char *word, const char *folder)
{
	const char *at = strstr(word, "{}");

	if (at == NULL)
		return memory_copy_text(word);
	return memory_format("%.*s%s%s", (int)(at - word), word, folder, at + 2);
}

static void
add_filled(struct words *words, const char *const *list, const char *folder)
{
	for (; *list != NULL; list++)
		add_word(words, fill(*list, folder));
}

static bool
starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* A runner with the harness is told both by the design. */
static bool
speaks_harness(const struct texts *args)
{
	size_t i, found = 0;

	for (i = 0; i < args->count; i++)
		found += starts(args->items[i], "--samples=") || starts(args->items[i], "--warmup-samples=");
	return found == 2;
}

/* The arguments of the treatment. Counters would only compete with the tool; where a tool slows the
 * program down, one sample shows what it does as well as ten. */
static void
add_arguments(struct words *words, const struct diagnose_run *run)
{
	const struct texts *args = &run->plan->treatments[run->treatment].args;
	bool harness = speaks_harness(args);
	size_t i;

	for (i = 0; i < args->count; i++) {
		const char *arg = args->items[i];

		if (harness && starts(arg, "--counters="))
			continue;
		if (harness && run->tool->slows && starts(arg, "--samples="))
			arg = "--samples=1";
		else if (harness && run->tool->slows && starts(arg, "--warmup-samples="))
			arg = "--warmup-samples=0";
		add_word(words, memory_copy_text(arg));
	}
}

static struct words
environment_of(const struct plan_treatment *treatment)
{
	static const char *const kept[] = {"PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR", NULL};
	struct words words = {0};
	size_t i;

	for (i = 0; kept[i] != NULL; i++)
		if (getenv(kept[i]) != NULL)
			add_word(&words, memory_format("%s=%s", kept[i], getenv(kept[i])));
	add_word(&words, memory_copy_text("LC_ALL=C"));
	add_word(&words, memory_copy_text("TZ=UTC"));
	add_word(&words, memory_copy_text("PERF_CONFIG=/dev/null"));
	for (i = 0; i < treatment->env.count; i++)
		add_word(&words, memory_format("%s=%s", treatment->env.items[i].name, treatment->env.items[i].value));
	return words;
}

/* ---- one launch ---- */

/* Paths of this machine are of no use to a reader. */
static json_t *
command_document(const struct words *words)
{
	char *root = get_current_dir_name(), *at;
	json_t *list = json_array();
	size_t length = strlen(root), i;

	for (i = 0; i < words->count; i++) {
		const char *word = words->items[i];

		at = strstr(word, root);
		if (at != NULL && at[length] == '/') {
			char *shown = memory_format("%.*s%s", (int)(at - word), word, at + length + 1);

			json_array_append_new(list, json_string(shown));
			free(shown);
		} else {
			json_array_append_new(list, json_string(word));
		}
	}
	free(root);
	return list;
}

/* The line of what a failed tool said that says why: not its name, no heading. */
static char *
complaint(const char *folder)
{
	char *path = memory_format("%s/stderr", folder), *reason = NULL, *at, *line;
	struct buffer text = BUFFER_EMPTY;

	if (file_read(path, 0, &text, NULL) == 0) {
		at = text.bytes;
		while (at != NULL && *at != '\0') {
			line = at;
			at += strcspn(at, "\n");
			if (*at == '\n')
				*at++ = '\0';
			line += strspn(line, " \t");
			if (*line == '\0' || starts(line, "==") || strcmp(line, "Error:") == 0)
				continue;
			reason = memory_format("%.*s", REASON_BYTES, line);
			break;
		}
	}
	buffer_free(&text);
	free(path);
	return reason != NULL ? reason : memory_copy_text("it said nothing");
}

/* Why the launch is no success; NULL: it is one. */
static char *
why_failed(const struct launch_result *result, int expected, const char *folder)
{
	char *said, *reason;

	switch (result->end) {
	case LAUNCH_EXITED:
		if (result->exit_code == expected)
			return NULL;
		said = complaint(folder);
		reason = memory_format("it exited with %d: %s", result->exit_code, said);
		free(said);
		return reason;
	case LAUNCH_SIGNALLED:
		return memory_format("it was ended by signal %d", result->signal_number);
	case LAUNCH_TIMED_OUT:
		return memory_copy_text("it took longer than its timeout");
	case LAUNCH_OUTPUT_LIMIT:
		return memory_copy_text("it printed too much");
	default:
		return memory_format("it did not start: %s", strerror(result->start_error));
	}
}

/* One program to its end; *reason is NULL when it went well. */
static int
launch(const struct diagnose_run *run, const struct words *words, const struct words *environment,
       const char *output, int expected, json_t *record, char **reason, struct error *error)
{
	const struct plan_treatment *treatment = &run->plan->treatments[run->treatment];
	char *folder = absolute(run->folder), *out = memory_format("%s/%s", folder, output);
	char *err = memory_format("%s/stderr", folder);
	char *cwd = treatment->cwd != NULL ? absolute(treatment->cwd) : NULL;
	char *in = treatment->stdin_path != NULL ? absolute(treatment->stdin_path) : NULL;
	struct launch_result result = {0};
	int cpus[CPUS], count = launch_cpus(plan_cpus(run->plan, (int)run->treatment), cpus, CPUS, error), launched = -1;
	struct launch_request request = {
		.program = words->items[0], .argv = words->items, .envp = environment->items, .cwd = cwd,
		.stdin_path = in, .stdout_path = out, .stderr_path = err, .cpus = cpus, .cpu_count = count,
		.timeout_s = run->timeout_s, .output_limit_bytes = OUTPUT_LIMIT_BYTES,
	};

	if (count >= 0)
		launched = launch_run(&request, interrupt_flag(), &result, error);
	if (launched == 0 && result.end == LAUNCH_INTERRUPTED)
		launched = error_set(error, EXIT_INTERRUPTED, "interrupted");
	if (launched == 0) {
		*reason = why_failed(&result, expected, folder);
		json_object_set_new(record, "exit_code", result.end == LAUNCH_EXITED ? json_integer(result.exit_code)
										      : json_null());
	}
	launch_result_free(&result);
	free(folder);
	free(out);
	free(err);
	free(cwd);
	free(in);
	return launched;
}

/* ---- the run ---- */

static json_t *
version_of(const struct tool *tool, const char *program)
{
	const char *const argv[] = {program, tool->version, NULL};
	json_t *version;
	struct child child;
	char *text;

	child_run(argv, 1 << 16, &child);
	text = memory_copy_span(buffer_text(&child.out), strcspn(buffer_text(&child.out), "\n"));
	version = json_string(text);
	free(text);
	child_free(&child);
	return version != NULL ? version : json_string("");
}

static int
prepare(const struct diagnose_run *run, const struct words *environment, json_t *record, char **reason,
	struct error *error)
{
	const struct texts *asked = &run->plan->treatments[run->treatment].prepare;
	struct words words = {0};
	char *program = asked->count > 0 ? tool_program(asked->items[0]) : NULL, *why = NULL;
	int result = 0;
	size_t i;

	if (asked->count == 0)
		return 0;
	if (program == NULL)
		program = absolute(asked->items[0]);
	add_word(&words, program);
	for (i = 1; i < asked->count; i++)
		add_word(&words, memory_copy_text(asked->items[i]));
	result = launch(run, &words, environment, "prepared.txt", 0, record, &why, error);
	if (why != NULL)
		*reason = memory_format("'prepare': %s", why);
	free(why);
	free_words(&words);
	return result;
}

/* The program under the tool, then what the tool is asked. */
static int
run_tool(const struct diagnose_run *run, const char *tool, const struct words *environment,
	 json_t *record, char **reason, struct error *error)
{
	const struct plan_treatment *treatment = &run->plan->treatments[run->treatment];
	char *folder = absolute(run->folder);
	struct words words = {0}, after = {0};
	int expected = run->plan->check.exit_code, result;

	add_word(&words, memory_copy_text(tool));
	add_filled(&words, run->tool->words, folder);
	add_word(&words, absolute(treatment->program.path));
	add_arguments(&words, run);
	json_object_set_new(record, "command", command_document(&words));
	result = launch(run, &words, environment, "stdout", expected, record, reason, error);
	if (result == 0 && *reason == NULL && run->tool->after[0] != NULL) {
		add_word(&after, memory_copy_text(tool));
		add_filled(&after, run->tool->after, folder);
		result = launch(run, &after, environment, "after.txt", 0, record, reason, error);
	}
	free_words(&words);
	free_words(&after);
	free(folder);
	return result;
}

static void
put_state(json_t *record, const char *state, const char *reason)
{
	json_object_set_new(record, "state", json_string(state));
	json_object_set_new(record, "reason", json_string(reason));
}

/* What the tool left, or why it cannot be read. */
static void
put_result(const struct diagnose_run *run, json_t *record)
{
	struct error problem = {0};
	json_t *result = run->tool->read(run->folder, &problem);

	json_object_set_new(record, "result", result != NULL ? result : json_null());
	if (result == NULL)
		put_state(record, "failed", problem.message);
	else
		put_state(record, "done", "");
}

static json_t *
new_record(void)
{
	char started[CLOCK_TEXT];

	clock_text(clock_realtime_ns(), started);
	return json_pack("{s:s, s:[], s:n, s:s, s:n}", "started", started, "command", "exit_code", "version", "",
			 "result");
}

int
diagnose_run(const struct diagnose_run *run, json_t **out, struct error *error)
{
	char *tool = tool_program(run->tool->program), *reason = NULL;
	struct words environment = environment_of(&run->plan->treatments[run->treatment]);
	json_t *record = new_record();
	int64_t before_ns = clock_monotonic_ns();
	int result = 0;

	if (file_remove_tree(run->folder, error) != 0 || file_make_folder(run->folder, error) != 0)
		result = -1;
	if (result == 0 && tool == NULL) {
		reason = memory_format("there is no '%s' in PATH", run->tool->program);
		put_state(record, "missing", reason);
	} else if (result == 0) {
		json_object_set_new(record, "version", version_of(run->tool, tool));
		result = prepare(run, &environment, record, &reason, error);
		if (result == 0 && reason == NULL)
			result = run_tool(run, tool, &environment, record, &reason, error);
		if (result == 0 && reason != NULL)
			put_state(record, "failed", reason);
		else if (result == 0)
			put_result(run, record);
	}
	json_object_set_new(record, "seconds", json_real((double)(clock_monotonic_ns() - before_ns) / 1e9));
	free_words(&environment);
	free(reason);
	free(tool);
	if (result != 0)
		json_decref(record);
	*out = result == 0 ? record : NULL;
	return result;
}
