#include "compare/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/declared_stop.h"
#include "cli/stored_case.h"
#include "compare/outputs.h"
#include "compare/screen.h"
#include "compare/verdict_text.h"

#define PROVISIONAL_PAIRS 8
#define PROVISIONAL_ITEMS 3 /* told one by one */

static void
put_duration(struct buffer *out, double seconds)
{
	if (seconds < 1)
		buffer_puts(out, "less than a second");
	else if (seconds < 90)
		buffer_printf(out, "about %.0f s", seconds);
	else if (seconds < 5400)
		buffer_printf(out, "about %.0f min", seconds / 60);
	else
		buffer_printf(out, "about %.1f h", seconds / 3600);
}

static void
note(struct live *live, const char *text)
{
	struct buffer wrapped = BUFFER_EMPTY;
	struct screen screen;

	screen_of(live->out, &screen);
	screen_wrap(&screen, text, 2, &wrapped);
	while (wrapped.length > 0 && wrapped.bytes[wrapped.length - 1] == '\n')
		wrapped.bytes[--wrapped.length] = '\0';
	progress_note(live->progress, buffer_text(&wrapped));
	buffer_free(&wrapped);
}

static void
tell_time(struct live *live, double seconds_left)
{
	const struct compare_options *options = live->options;
	struct buffer text = BUFFER_EMPTY;

	if (live->label[0] != '\0')
		buffer_printf(&text, "%s: ", live->label);
	put_duration(&text, seconds_left);
	if (options->until > 0)
		buffer_printf(&text, " at most, until the interval is within %.3g %% (from the warm-ups)",
			      100 * options->until);
	else
		buffer_printf(&text, " for %d pairs and %d A/A pairs (from the warm-ups)", options->pairs,
			      options->aa_pairs);
	if (options->budget_s > 0)
		buffer_printf(&text, "; the budget is %g s", options->budget_s);
	note(live, buffer_text(&text));
	buffer_free(&text);
}

static void
show(void *context, int done, int blocks, double seconds_left)
{
	struct live *live = context;

	if (live->out == NULL)
		return;
	if (live->progress == NULL)
		live->progress = progress_begin(live->out, live->label[0] != '\0' ? live->label : "compare",
						blocks);
	progress_resize(live->progress, blocks);
	if (!live->told_time && seconds_left >= 0) {
		live->told_time = true;
		tell_time(live, seconds_left);
	}
	progress_show(live->progress, done, seconds_left);
}

/* ---- a first interval ---- */

static void
tell_ratio(struct live *live, const json_t *metric, const char *item, const json_t *comparison,
	   int pairs)
{
	struct buffer text = BUFFER_EMPTY;

	live->told_provisional = true;
	buffer_printf(&text, "provisional, after %d of %d pairs, not used to stop: %s%s", pairs,
		      live->options->pairs, item, item[0] != '\0' ? ": " : "");
	verdict_text_ratio(comparison, metric, &text);
	note(live, buffer_text(&text));
	buffer_free(&text);
}

/* It decides nothing and is no look of the plan, which stays as it was. */
static void
tell_provisional(struct live *live, const struct stored_case *one, int pairs)
{
	struct case_options how = case_options_declared(&one->plan);
	json_t *document = stored_case_analyse(one, &how), *comparison, *item;
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0);
	size_t i, k, more = 0;

	json_array_foreach(json_object_get(metric, "items"), k, item)
		json_array_foreach(json_object_get(item, "comparisons"), i, comparison) {
			if (!isfinite(json_get_number(comparison, "speedup_lo")))
				continue;
			if (k < PROVISIONAL_ITEMS)
				tell_ratio(live, metric, json_get_text(item, "item"), comparison, pairs);
			else
				more++;
		}
	if (more > 0) {
		char *text = memory_format("(and %zu more)", more);

		note(live, text);
		free(text);
	}
	json_decref(document);
}

/* ---- what may end it ---- */

/* Early: who waits ten minutes for a wrong program has waited too long. */
static int
check_outputs(struct live *live, const struct stored_case *one, struct error *error)
{
	char *detail;
	enum outputs_finding finding = outputs_look(&one->store, &one->plan, &detail);

	live->outputs_differ = finding == OUTPUTS_DIFFER;
	if (live->outputs_differ)
		error_set(error, EXIT_NOT_HELD, "THE OUTPUTS DIFFER, so there is nothing to compare: %s. Where "
			  "that is as it should be, give --no-check-output", detail);
	free(detail);
	return live->outputs_differ ? -1 : 0;
}

static bool
is_time_to_look(const struct live *live, int pairs)
{
	bool provisional = live->out != NULL && !live->told_provisional &&
			   pairs >= PROVISIONAL_PAIRS && pairs < live->options->pairs &&
			   live->options->until <= 0;

	return provisional || (pairs <= 2 && live->options->check_output != OUTPUT_CHECK_NEVER);
}

static int
look(struct live *live, const struct plan *plan, int pairs, struct error *error)
{
	struct stored_case one;
	int result = stored_case_read(plan->case_id, NULL, &one, error);

	if (result == 0 && live->options->check_output != OUTPUT_CHECK_NEVER)
		result = check_outputs(live, &one, error);
	if (result == 0 && pairs >= PROVISIONAL_PAIRS)
		tell_provisional(live, &one, pairs);
	stored_case_free(&one);
	return result;
}

static int
has_enough(void *context, const struct plan *plan, int pairs, char **why, struct error *error)
{
	struct live *live = context;

	if (is_time_to_look(live, pairs) && look(live, plan, pairs, error) != 0)
		return -1;
	return declared_stop.has_enough(declared_stop.context, plan, pairs, why, error);
}

void
live_begin(struct live *live, const struct compare_options *options, const char *label, FILE *out)
{
	memset(live, 0, sizeof *live);
	live->options = options;
	live->label = label;
	live->out = out;
	live->watcher = (struct session_watcher){show, live};
	live->rule = (struct stop_rule){has_enough, live};
}

void
live_end(struct live *live)
{
	progress_end(live->progress, NULL);
	if (live->out != NULL)
		fflush(live->out);
	live->progress = NULL;
}
