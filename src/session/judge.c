#include "session/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "store/reader.h"
#include "store/samples.h"

/* NULL when the process ran as it should. */
static char *
why_failed(const struct plan *plan, const struct record *record)
{
	const struct launch_result *result = &record->result;
	const char *name;

	switch (result->end) {
	case LAUNCH_NOT_STARTED:
		return memory_format("the program could not be started: %s",
				     strerror(result->start_error));
	case LAUNCH_TIMED_OUT:
		return memory_format("no end within the timeout of %g s", plan->design.timeout_s);
	case LAUNCH_OUTPUT_LIMIT:
		return memory_format("wrote more than the output limit of %lld bytes",
				     plan->design.output_limit_bytes);
	case LAUNCH_SIGNALLED:
		name = sigdescr_np(result->signal_number);
		return memory_format("ended by signal %d (%s)", result->signal_number,
				     name != NULL ? name : "unknown");
	case LAUNCH_INTERRUPTED:
		return memory_copy_text("interrupted");
	case LAUNCH_EXITED:
		break;
	}
	if (result->exit_code != plan->check.exit_code &&
	    !plan_treatment(plan, record->treatment)->ignore_exit)
		return memory_format("exited with %d instead of %d", result->exit_code,
				     plan->check.exit_code);
	return NULL;
}

/* CHECK is asked of those whose results must agree with somebody's. */
static bool
needs_check(const struct plan *plan, const struct plan_treatment *treatment)
{
	size_t i;

	if (!plan->check.equal && !(plan->check.relative > 0))
		return false;
	for (i = 0; i < plan->check.among.count; i++)
		if (texts_have(&plan->check.among.sets[i], treatment->variant) ||
		    texts_have(&plan->check.among.sets[i], treatment->name))
			return true;
	return plan->check.among.count == 0;
}

static char *
wrong_mode(const struct plan_treatment *treatment, const struct reading *reading)
{
	if (treatment->expect_mode == NULL)
		return NULL;
	if (reading->mode == NULL)
		return memory_format("no MODE line; '%s' was asked for", treatment->expect_mode);
	if (strcmp(reading->mode, treatment->expect_mode) == 0)
		return NULL;
	return memory_format("MODE %s answered; '%s' was asked for", reading->mode,
			     treatment->expect_mode);
}

/* Whoever lowers its scale says by how much, and does not raise it. */
static bool
is_wrong(const struct plan_treatment *treatment, long long said, long long expected)
{
	if (expected < 0)
		return false;
	return treatment->lowers_scale ? said < 0 || said > expected : said != expected;
}

static char *
wrong_cfg(const struct plan_treatment *treatment, const struct reading *reading)
{
	bool len = is_wrong(treatment, reading->len, treatment->expect_len);
	bool iters = is_wrong(treatment, reading->iters, treatment->expect_iters);

	if (!len && !iters)
		return NULL;
	if (reading->len < 0)
		return memory_copy_text("no CFG line, but a size was asked for");
	if (len)
		return memory_format("CFG says %lld elements; %lld were asked for", reading->len,
				     treatment->expect_len);
	return memory_format("CFG says %lld iterations; %lld were asked for", reading->iters,
			     treatment->expect_iters);
}

static char *
lacks_metric(const struct plan *plan, const struct reading *reading)
{
	bool has_primary = samples_has_column(plan->primary);
	size_t i, v;

	for (i = 0; i < reading->count; i++)
		for (v = 0; v < reading->samples[i].value_count; v++)
			has_primary |= strcmp(reading->samples[i].values[v].name, plan->primary) == 0;
	if (has_primary || plan->primary[0] == '\0')
		return NULL;
	if (strcmp(plan->reader, "google-benchmark") == 0)
		return memory_format("no counter %s in the output, which is the metric to compare",
				     plan->primary);
	return memory_format("no METRIC %s, which is the metric to compare", plan->primary);
}

static char *
why_empty(const struct plan *plan, const struct reading *reading)
{
	if (reading->failure_count > 0)
		return memory_format("%s: %s%s", reading->failures[0].item, reading->failures[0].reason,
				     reading->failure_count > 1 ? "; no other item went well" : "");
	if (plan->items != NULL)
		return memory_format("no item matches \"%s\" (the whole name must)", plan->items);
	return memory_format("no result in the output (reader '%s')", plan->reader);
}

/* NULL when the output can be used. */
static char *
why_invalid(const struct plan *plan, const struct record *record, const struct reading *reading)
{
	const struct plan_treatment *treatment = plan_treatment(plan, record->treatment);
	char *reason;

	if (reading->problem != NULL)
		return memory_copy_text(reading->problem);
	if ((reason = wrong_mode(treatment, reading)) != NULL)
		return reason;
	if ((reason = wrong_cfg(treatment, reading)) != NULL)
		return reason;
	if (reading->count == 0)
		return why_empty(plan, reading);
	if (reading->check == NULL && needs_check(plan, treatment))
		return memory_copy_text("no CHECK line, but the plan compares checks");
	return lacks_metric(plan, reading);
}

static int
compare_shares(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The middle sample's share of wall time in which the process did not run; 0 when not known. */
static double
preempted_share(const struct reading *reading)
{
	double *shares = memory_zeroed(reading->count, sizeof *shares), middle;
	size_t i, n = 0;

	for (i = 0; i < reading->count; i++)
		if (reading->samples[i].wall_us > 0 && reading->samples[i].cpu_us >= 0)
			shares[n++] = 1 - reading->samples[i].cpu_us / reading->samples[i].wall_us;
	qsort(shares, n, sizeof *shares, compare_shares);
	middle = n > 0 ? shares[n / 2] : 0;
	free(shares);
	return middle;
}

/* The author's rules, fixed before anything was measured. */
static char *
why_disturbed(const struct plan *plan, const struct record *record, const struct reading *reading)
{
	double share = plan->preempted_above > 0 ? preempted_share(reading) : 0;

	if (plan->load_above > 0 && record->load_1min > plan->load_above)
		return memory_format("the load average was %.2f (rule: load_above = %g)",
				     record->load_1min, plan->load_above);
	if (plan->preempted_above > 0 && share > plan->preempted_above)
		return memory_format("the process did not run for %.1f %% of its wall time (rule: "
				     "preempted_above = %g)", 100 * share, plan->preempted_above);
	return NULL;
}

/* Harmless, but to be known. */
static char *
remark(const struct record *record, const struct reading *reading)
{
	struct buffer text = BUFFER_EMPTY;
	const struct reading_failure *first = reading->failures;

	if (record->result.leftovers > 0)
		buffer_printf(&text, "left %d process%s behind, which %s ended",
			      record->result.leftovers, record->result.leftovers > 1 ? "es" : "",
			      record->result.leftovers > 1 ? "were" : "was");
	if (record->cpu_count > 0 && !record->result.pinned)
		buffer_printf(&text, "%spinning failed", text.length > 0 ? "; " : "");
	/* the last warm-up of a session we trace ourselves, to see its libraries */
	if (reading->tracer != NULL && record->phase != PHASE_WARMUP)
		buffer_printf(&text, "%straced by %s", text.length > 0 ? "; " : "", reading->tracer);
	if (reading->failure_count > 0)
		buffer_printf(&text, "%sitem %s failed: %s", text.length > 0 ? "; " : "", first->item,
			      first->reason);
	if (reading->failure_count > 1)
		buffer_printf(&text, " (and %zu more items)", reading->failure_count - 1);
	return buffer_detach(&text);
}

static void
set(struct record *record, const char *status, char *reason)
{
	free(record->status);
	free(record->reason);
	record->status = memory_copy_text(status);
	record->reason = reason;
}

void
judge_group(const struct plan *plan, struct record *record)
{
	const struct reader *reader = reader_find(plan->reader);
	struct reading reading = {0};
	char *reason = why_failed(plan, record);

	if (reason != NULL) {
		set(record, "failed", reason);
		return;
	}
	if (reader == NULL) {
		set(record, "invalid", memory_format("no reader '%s'", plan->reader));
		return;
	}
	reader->read(plan, record, &reading);
	reason = why_invalid(plan, record, &reading);
	if (reason == NULL)
		reason = why_disturbed(plan, record, &reading);
	if (reason != NULL)
		set(record, "invalid", reason);
	else
		set(record, "ok", remark(record, &reading));
	reading_free(&reading);
}
