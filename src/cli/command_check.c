#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/home.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "identity/check_index.h"
#include "identity/check_state.h"
#include "identity/identity.h"
#include "identity/machine.h"
#include "identity/recorded.h"
#include "session/lock.h"
#include "session/stamp.h"
#include "store/store.h"
#include "store/whole.h"

/*
 * Ninja runs this each time, so a check that finds nothing new must cost next to nothing: then
 * only the files that the last one looked at are asked for their times (check_state.h). For the
 * stamps and the identity files that is their folders, since both are only ever replaced whole;
 * the records are looked at one by one, since nothing of ours would replace them.
 *
 * It also guards the store, which Ninja does not know. Ninja takes a case for measured as long as
 * the stamp build/session/<case> is there. When the case's records are no longer those that the
 * stamp speaks of (removed, damaged, or others fetched), a note "# disturbed …" goes into the
 * identity file, so that Ninja has the session look again and the analysis after it. The note
 * stays until the identity changes: taking it out would be a change too.
 */

struct checking {
	const char *machine;       /* machine_identity's text */
	const char *other_machine; /* "" : measure here */
	struct hasher *hasher;
	struct sightings *seen;
	struct error *error;
};

/* ---- what the next check asks for again ---- */

static void
see(const struct checking *checking, const char *folder, const char *name)
{
	char *path = memory_format("%s/%s", folder, name);

	sightings_add(checking->seen, path);
	free(path);
}

static void
see_record(void *context, const char *path)
{
	sightings_add(context, path);
}

/* ---- notes ---- */

/* The note in the identity file as it is, "" when there is none or the identity was another; the
 * caller frees. */
static char *
noted_before(const char *path, const char *text)
{
	struct buffer old = BUFFER_EMPTY;
	const char *at = NULL;
	char *noted;

	if (file_read(path, 0, &old, NULL) == 0 && old.length >= strlen(text) &&
	    memcmp(old.bytes, text, strlen(text)) == 0)
		at = strstr(old.bytes + strlen(text), "# disturbed ");
	noted = at != NULL ? memory_copy_text(at) : memory_copy_text("");
	buffer_free(&old);
	return noted;
}

/*
 * The note, when the records are not those that the case's stamp speaks of; the caller frees. It
 * names both, so that records lost twice are two different notes.
 */
static char *
note_disturbed(const struct checking *checking, const char *case_id,
	       const struct identity *identity)
{
	char now[DIGEST_SHA256_HEX];
	struct stamp stamp;

	if (stamp_read(case_id, &stamp, NULL) != 0 || strcmp(stamp.identity, identity->hex) != 0)
		return NULL; /* Ninja runs the session anyway */
	store_walk(case_id, identity->hex, see_record, checking->seen);
	store_fingerprint(case_id, identity->hex, now);
	if (strcmp(stamp.fingerprint, now) == 0)
		return NULL;
	return memory_format("# disturbed %.16s %.16s\n", stamp.fingerprint, now);
}

static void
put_notes(const struct checking *checking, const char *path, const char *case_id,
	  const struct identity *identity, struct buffer *out)
{
	char *noted = noted_before(path, buffer_text(out));
	char *note = note_disturbed(checking, case_id, identity);

	if (identity->recorded)
		buffer_puts(out, "# recorded\n");
	if (identity->whole)
		buffer_puts(out, "# whole\n");
	buffer_puts(out, note != NULL ? note : noted);
	free(noted);
	free(note);
}

/* ---- one case ---- */

/* Of a case with skipped treatments what is stored decides which results are its own. */
static int
choose_whole(const struct checking *checking, struct plan *plan, struct identity *identity)
{
	int result;

	if (plan_measured(plan, NULL) == plan->treatment_count)
		return 0;
	see(checking, "results", plan->case_id);
	store_walk(plan->case_id, identity->hex, see_record, checking->seen);
	result = whole_choose(plan, identity, checking->error);
	store_walk(plan->case_id, identity->hex, see_record, checking->seen);
	if (result != 0)
		identity_free(identity);
	return result;
}

static int
compute(const struct checking *checking, struct plan *plan, struct identity *identity)
{
	int result = identity_compute_with(checking->hasher, checking->machine, plan, identity,
					   checking->error);
	struct identity present;

	if (checking->other_machine[0] == '\0')
		return result == 0 ? choose_whole(checking, plan, identity) : result;
	/* Programs that cannot be built here are no obstacle to using what was measured there. */
	present = *identity;
	if (result != 0)
		identity_from_text("", &present);
	result = recorded_choose(plan->case_id, checking->other_machine, &present, identity,
				 checking->error);
	identity_free(&present);
	see(checking, "results", plan->case_id);
	return result;
}

static int
write_identity(const struct checking *checking, const char *case_id,
	       const struct identity *identity)
{
	char *path = memory_format("build/identity/%s", case_id);
	struct buffer content = BUFFER_EMPTY;
	int result;

	buffer_printf(&content, "%s\n%s", identity->hex, identity->text);
	put_notes(checking, path, case_id, identity, &content);
	result = file_write(path, content.bytes, content.length, FILE_IF_CHANGED, checking->error);
	buffer_free(&content);
	free(path);
	return result;
}

static int
check_case(const struct checking *checking, const char *case_id)
{
	char *path = memory_format("build/plan/%s.json", case_id);
	struct identity identity;
	struct plan plan;
	int result;

	result = plan_read(path, &plan, checking->error);
	if (result == 0) {
		result = compute(checking, &plan, &identity);
		if (result == 0) {
			result = write_identity(checking, case_id, &identity);
			identity_free(&identity);
		}
		plan_free(&plan);
	}
	free(path);
	return result;
}

/* ---- an experiment ---- */

static const char *
other_machine(const struct check_index *index)
{
	const char *asked = getenv("ASSAY_MACHINE");

	return asked != NULL ? asked : index->machine;
}

static void
see_tool(struct sightings *seen)
{
	char *tool = home_tool(NULL);

	if (tool != NULL)
		sightings_add(seen, tool);
	free(tool);
}

static void
see_machine(struct sightings *seen)
{
	char *path = machine_id_path();

	sightings_add(seen, path);
	free(path);
}

static int
check_cases(struct checking *checking, const char *index_path)
{
	struct check_index index;
	int result;
	size_t i;

	if (!file_exists(index_path))
		return error_set(checking->error, EXIT_BAD_INPUT,
				 "no experiment of that name: %s is not there; 'assay generate' writes "
				 "one for each experiment of the study", index_path);
	result = check_index_read(index_path, &index, checking->error);
	if (result == 0)
		checking->other_machine = other_machine(&index);
	for (i = 0; result == 0 && i < index.count; i++)
		result = check_case(checking, index.cases[i].case_id);
	check_index_free(&index);
	return result;
}

static int
check_all(const char *index_path, const char *state_path, const char *surroundings,
	  struct error *error)
{
	int64_t looked_ns = clock_realtime_ns();
	struct hasher *hasher = hasher_open(IDENTITY_CACHE);
	struct buffer machine = BUFFER_EMPTY;
	struct checking checking = {.hasher = hasher, .error = error};
	int result;

	checking.seen = hasher_sightings(hasher);
	see_tool(checking.seen);
	see_machine(checking.seen);
	sightings_add(checking.seen, index_path);
	sightings_add(checking.seen, "build/session");
	machine_identity(&machine);
	checking.machine = buffer_text(&machine);
	result = check_cases(&checking, index_path);
	sightings_add(checking.seen, "build/identity");
	if (result == 0)
		check_state_write(state_path, surroundings, checking.seen, looked_ns);
	buffer_free(&machine);
	hasher_close(hasher);
	return result;
}

static void
put_variable(struct buffer *out, const char *name)
{
	const char *value = getenv(name);

	buffer_printf(out, "%s=%s\n", name, value != NULL ? value : "");
}

static int
check_experiment(const char *experiment, struct error *error)
{
	char *index_path = memory_format("build/check/%s.json", experiment);
	char *state_path = memory_format("build/check/%s.state", experiment);
	struct buffer surroundings = BUFFER_EMPTY;
	int result = 0;

	machine_surroundings(&surroundings);
	put_variable(&surroundings, "PATH");
	put_variable(&surroundings, "ASSAY_MACHINE");
	put_variable(&surroundings, "ASSAY_SYSROOT");
	if (!check_state_holds(state_path, buffer_text(&surroundings)))
		result = check_all(index_path, state_path, buffer_text(&surroundings), error);
	buffer_free(&surroundings);
	free(index_path);
	free(state_path);
	return result;
}

static int
check_locked(const char *experiment, struct error *error)
{
	char *who = memory_format("check %s", experiment);
	struct lock *lock = lock_open(who, error);
	int result = -1;

	free(who);
	if (lock == NULL)
		return -1;
	if (lock_acquire(lock, LOCK_SHARED, error) == 0) {
		result = check_experiment(experiment, error);
		lock_release(lock);
	}
	lock_close(lock);
	return result;
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {{NULL, 0, NULL, 0}};
	struct error error = {0};

	if (getopt_long(argc, argv, "", options, NULL) != -1)
		return EXIT_USAGE;
	if (optind + 1 != argc)
		return command_misuse(&command_check, "needs the name of one experiment");
	if (strchr(argv[optind], '/') != NULL)
		return command_misuse(&command_check, "'%s' is no name of an experiment",
				      argv[optind]);
	return check_locked(argv[optind], &error) == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_check = {
	.name = "check",
	.about = "look whether programs, inputs or the machine changed",
	.usage = "usage: assay check EXPERIMENT\n\n"
		 "Looks at everything that decides whether the stored results of the experiment's\n"
		 "cases are still its results: programs, shared libraries, scripts, inputs, the\n"
		 "machine. Rewrites build/identity/CASE for each case where that changed. Ninja runs\n"
		 "it each time; only what stat says has changed is read again.",
	.run = run,
};
