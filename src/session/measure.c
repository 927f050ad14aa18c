#include "session/measure.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "identity/identity.h"
#include "session/interrupt.h"
#include "session/lock.h"
#include "session/running.h"
#include "session/session.h"
#include "session/stamp.h"

#define TOKEN_TEXT 40

struct measurement {
	const struct measure_options *options;
	struct plan plan;
	struct identity identity;
	struct work_wish wish;
	struct work work;
	struct lock *lock;
	int64_t read_ns;       /* before plan and identity were read */
	char *label;           /* study and case, for people */
	char token[TOKEN_TEXT];
	struct running *running;
	size_t measured_chunks; /* of the latest session; 0: none yet */
};

/* Of equal length in each session, since it is in the environment of what is measured. */
static int
make_token(char token[TOKEN_TEXT], struct error *error)
{
	time_t now = (time_t)(clock_realtime_ns() / 1000000000);
	unsigned random;
	struct tm parts;
	size_t length;

	if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
		return error_set_errno(error, "no random number to be had");
	gmtime_r(&now, &parts);
	length = strftime(token, TOKEN_TEXT, "%Y%m%dT%H%M%SZ", &parts);
	snprintf(token + length, TOKEN_TEXT - length, "-%08x", random);
	return 0;
}

static char *
make_label(const char *case_id)
{
	json_t *study = json_read_file("build/study.json", NULL);
	const char *name = json_get_text(study, "name");
	char *label = name[0] != '\0' ? memory_format("%s/%s", name, case_id)
				      : memory_copy_text(case_id);

	json_decref(study);
	return label;
}

static int
write_stamp(const struct measurement *one, struct error *error)
{
	const struct work *work = &one->work;
	struct stamp stamp = {
		.blocks = (int)work->schedule.count,
		.complete = (int)work->complete,
		.failed = (int)work->failed,
		.sessions = (int)work->store.session_count,
		.read_ns = one->read_ns,
		.how = work->ended_early ? "max_failures" : work->left_off ? "stopped" : "complete",
	};

	memcpy(stamp.identity, one->identity.hex, sizeof stamp.identity);
	store_fingerprint(one->plan.case_id, one->identity.hex, stamp.fingerprint);
	return stamp_write(one->plan.case_id, &stamp, error);
}

static int
find_work(struct measurement *one, struct error *error)
{
	work_free(&one->work);
	return work_find(&one->plan, one->identity.hex, &one->wish, &one->work, error);
}

static void
tell_problems(const struct measurement *one)
{
	size_t i;

	if (one->options->out == NULL || one->measured_chunks > 0)
		return;
	for (i = 0; i < one->work.store.problem_count; i++)
		fprintf(one->options->out, "%s: warning: %s: %s\n", one->label, one->work.store.problems[i].path,
			one->work.store.problems[i].reason);
}

/* Takes the case for us, and looks again: another session may just have ended. */
static int
take_case(struct measurement *one, bool *busy, struct error *error)
{
	if (make_token(one->token, error) != 0)
		return -1;
	one->running = running_take(one->work.store.folder, one->token, busy, error);
	if (*busy)
		return 0;
	return one->running != NULL ? find_work(one, error) : -1;
}

static int
run_session(struct measurement *one, struct error *error)
{
	struct session_order order = {
		.plan = &one->plan,
		.identity = &one->identity,
		.work = &one->work,
		.wish = &one->wish,
		/* Asked for by hand, and none of the rule's business. */
		.rule = one->wish.again ? NULL : one->options->rule,
		.lock = one->lock,
		.label = one->label,
		.token = one->token,
		.why = one->wish.again ? one->options->why : NULL,
		.out = one->options->out,
		.watcher = one->options->watcher,
	};

	if (one->work.chunk_count == one->measured_chunks)
		return error_set(error, EXIT_FAILED, "%s: blocks still lack after a whole session; is %s "
				 "being changed by somebody?", one->label, one->work.store.folder);
	one->measured_chunks = one->work.chunk_count;
	return session_run(&order, error);
}

/* Another machine's results are taken as they are (ASSAY_MACHINE, study{ machine }), and so are
 * those that were made with treatments that are skipped now. */
static int
use_recorded(struct measurement *one, struct error *error)
{
	const char *how = one->identity.recorded ? "recorded on another machine"
						 : "measured with treatments that are skipped now";

	if (one->options->retry || one->options->why != NULL)
		return error_set(error, EXIT_USAGE, "%s: its results were %s, so nothing can be added to them "
				 "here", one->label, how);
	if (one->work.count > 0 && one->options->out != NULL)
		fprintf(one->options->out, "%s: %s; the %zu blocks that lack are not measured here\n",
			one->label, how, one->work.count);
	one->work.count = 0;
	return 0;
}

/* Why nothing is measured, where people may have expected something. */
static void
tell_nothing(const struct measurement *one)
{
	FILE *out = one->options->out;

	if (out == NULL || one->measured_chunks > 0)
		return;
	if (one->work.ended_early && !one->options->retry)
		fprintf(out, "%s: ended early before; 'assay retry %s' goes on\n", one->label,
			one->plan.case_id);
	else if (one->options->retry)
		fprintf(out, "%s: no failed block to run again\n", one->label);
}

static int
wait_for_others(const struct measurement *one, struct error *error)
{
	char *folder = store_folder(one->plan.case_id, one->identity.hex);
	int result = running_wait(one->plan.case_id, folder, interrupt_flag(), error);

	free(folder);
	return result;
}

static int
look(struct measurement *one, bool *busy, struct error *error)
{
	int result = find_work(one, error);

	*busy = false;
	if (result == 0 && (one->identity.recorded || one->identity.whole))
		result = use_recorded(one, error);
	if (result == 0 && one->work.count > 0)
		result = take_case(one, busy, error);
	return result;
}

/* Takes the machine, shared, and the case where something lacks. */
static int
take(struct measurement *one, struct error *error)
{
	bool busy, covered = lock_is_covered(one->lock);

	do { /* under a hold that covers us, a session that we waited for would wait for us */
		lock_release(one->lock);
		if ((!covered && wait_for_others(one, error) != 0) ||
		    lock_acquire(one->lock, LOCK_SHARED, error) != 0 || look(one, &busy, error) != 0)
			return -1;
	} while (busy && !covered);
	if (busy)
		return error_set(error, EXIT_FAILED, "%s: another session measures it and waits for the "
				 "machine, which is held for us; try again after it", one->label);
	return 0;
}

/* *more: a session was run, and what it left is to be looked at. */
static int
step(struct measurement *one, bool *more, struct error *error)
{
	int result = take(one, error);

	*more = false;
	if (result == 0)
		tell_problems(one);
	if (result == 0 && one->work.count == 0) {
		tell_nothing(one);
		result = write_stamp(one, error);
	} else if (result == 0) {
		result = run_session(one, error);
		*more = result == 0;
	}
	/* Before the lock, so that who waits for it ('ninja report' again) can take the case. */
	running_drop(one->running);
	one->running = NULL;
	lock_release(one->lock);
	return result;
}

static int
read_case(struct measurement *one, struct error *error)
{
	char *plan = memory_format("build/plan/%s.json", one->options->case_id);
	char *identity = memory_format("build/identity/%s", one->options->case_id);
	int result = -1;

	if (!file_exists(plan))
		error_set(error, EXIT_BAD_INPUT, "no case '%s' in this study; 'assay status' lists them",
			  one->options->case_id);
	else if (plan_read(plan, &one->plan, error) == 0)
		result = identity_read(identity, &one->identity, error);
	if (result == 0)
		identity_settle(&one->identity, &one->plan);
	free(plan);
	free(identity);
	return result;
}

static int
open_lock(struct measurement *one, struct error *error)
{
	one->label = make_label(one->options->case_id);
	one->lock = lock_open(one->label, error);
	if (one->lock == NULL)
		return -1;
	lock_interrupted_by(one->lock, interrupt_flag());
	return 0;
}

int
measure_case(const struct measure_options *options, struct error *error)
{
	struct measurement one = {.options = options, .read_ns = clock_realtime_ns()};
	bool more = true;
	int result;

	one.wish.retry = options->retry;
	one.wish.again = options->why != NULL;
	interrupt_watch();
	result = read_case(&one, error);
	if (result == 0)
		result = open_lock(&one, error);
	while (result == 0 && more) {
		result = step(&one, &more, error);
		one.wish.retry = one.wish.again = false; /* asked for once */
	}
	work_free(&one.work);
	lock_close(one.lock);
	identity_free(&one.identity);
	plan_free(&one.plan);
	free(one.label);
	return result;
}
