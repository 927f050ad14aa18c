#include "report/diagnosis_section.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/markdown.h"

#define FUNCTIONS 8 /* of each run; all of them are in build/diagnose */
#define LEAST_SHARE 0.005

static const char *
point_of(const struct report *report, const json_t *run)
{
	return json_get_text(json_object_get(json_object_get(report->stats, "cases"), json_get_text(run, "case_id")),
			     "point_text");
}

static void
put_subject(const struct report *report, const json_t *run, struct buffer *out)
{
	const char *point = point_of(report, run);

	markdown_put_text(json_get_text(run, "tool"), out);
	buffer_puts(out, " | ");
	markdown_put_text(json_get_text(run, "name"), out);
	if (point[0] != '\0') {
		buffer_puts(out, " at ");
		markdown_put_text(point, out);
	}
	buffer_puts(out, " | ");
}

static void
put_run(const struct report *report, const json_t *run, struct buffer *out)
{
	bool done = strcmp(json_get_text(run, "state"), "done") == 0;

	buffer_puts(out, "| ");
	put_subject(report, run, out);
	markdown_put_text(done ? json_get_text(json_object_get(run, "result"), "summary") : "", out);
	if (!done) {
		buffer_printf(out, "**%s:** ", json_get_text(run, "state"));
		markdown_put_text(json_get_text(run, "reason"), out);
	}
	buffer_puts(out, " | ");
	markdown_put_text(json_get_text(run, "version"), out);
	buffer_puts(out, " |\n");
}

static void
put_function(const struct report *report, const json_t *run, const json_t *function, struct buffer *out)
{
	double margin = json_get_number(function, "margin"), samples = json_get_number(function, "samples");

	buffer_puts(out, "| ");
	put_subject(report, run, out);
	markdown_put_text(json_get_text(function, "name"), out);
	buffer_printf(out, " | %.1f %%", 100 * json_get_number(function, "share"));
	if (isfinite(margin))
		buffer_printf(out, " ± %.1f | %.0f (± %.0f %%) |\n", 100 * margin, samples,
			      100 * json_get_number(function, "relative"));
	else
		buffer_puts(out, " | counted |\n");
}

/* Of a sampled one also whether it can be told from nothing. */
static bool
is_told(const json_t *function)
{
	double share = json_get_number(function, "share"), margin = json_get_number(function, "margin");

	return share >= LEAST_SHARE && !(share <= margin);
}

static void
put_functions(const struct report *report, const json_t *runs, struct buffer *out)
{
	const json_t *run, *function;
	bool any = false;
	size_t r, f;

	json_array_foreach((json_t *)runs, r, run)
		json_array_foreach(json_object_get(json_object_get(run, "result"), "functions"), f, function) {
			if (f >= FUNCTIONS || !is_told(function))
				break;
			if (!any)
				buffer_puts(out, "\n| tool | variant | function | share | samples |\n"
						 "|---|---|---|---|---|\n");
			any = true;
			put_function(report, run, function, out);
		}
	if (any)
		buffer_puts(out, "\nShares are of the whole process, set-up and checks too: of instructions (callgrind), of "
				 "samples (perf record) or of time on the device (nsys). Behind a sampled share stands its "
				 "binomial margin at 95 % in points, behind its samples the relative error of so few events; functions "
				 "whose margin reaches 0 are left out.\n");
}

void
diagnosis_section_put(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *document, *run, *runs;
	size_t r;

	if (json_object_get(experiment, "diagnose") == NULL)
		return;
	buffer_puts(out, "### Diagnosis, not timing\n\n");
	document = json_object_get(report->diagnoses, json_get_text(experiment, "name"));
	runs = json_object_get(document, "runs");
	if (runs == NULL) {
		buffer_puts(out, "It was not made here yet; `ninja report` makes it.\n\n");
		return;
	}
	buffer_puts(out, "Each variant ran once more under each tool. A tool changes what it looks at, so no time of such "
			 "a run is in any number above.\n\n| tool | variant | what it told | version |\n|---|---|---|---|\n");
	json_array_foreach((json_t *)runs, r, run)
		put_run(report, run, out);
	put_functions(report, runs, out);
	buffer_puts(out, "\n");
}
