#include "report/counter_table.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/markdown.h"

static void
put_number(const json_t *object, const char *key, struct buffer *out)
{
	buffer_printf(out, "%.4g", json_get_number(object, key));
}

static void
put_name(const json_t *one, struct buffer *out)
{
	buffer_puts(out, "| ");
	markdown_put_text(json_get_text(one, "name"), out);
	if (json_get_text(one, "item")[0] != '\0') {
		buffer_puts(out, ", ");
		markdown_put_text(json_get_text(one, "item"), out);
	}
	buffer_puts(out, " | ");
}

static void
put_range(const json_t *number, struct buffer *out)
{
	put_number(number, "min", out);
	buffer_puts(out, " to ");
	put_number(number, "max", out);
}

static bool
is_counted(const json_t *event)
{
	return isfinite(json_get_number(event, "value"));
}

static void
put_event(const json_t *one, const json_t *event, struct buffer *out)
{
	put_name(one, out);
	markdown_put_text(json_get_text(event, "event"), out);
	buffer_puts(out, " | ");
	put_number(event, "value", out);
	buffer_puts(out, " | ");
	put_range(event, out);
	buffer_printf(out, " | %.0f %% |\n", 100 * json_get_number(event, "fraction"));
}

static void
put_events(const json_t *counters, struct buffer *out)
{
	const json_t *one, *event;
	bool any = false;
	size_t t, e;

	json_array_foreach((json_t *)counters, t, one)
		json_array_foreach(json_object_get(one, "events"), e, event) {
			if (!is_counted(event))
				continue;
			if (!any)
				buffer_puts(out, "| variant | event | a sample | range over groups | counted for |\n"
						 "|---|---|---|---|---|\n");
			any = true;
			put_event(one, event, out);
		}
	buffer_puts(out, any ? "\n" : "");
}

static void
put_ratio(const json_t *one, const json_t *ratio, struct buffer *out)
{
	const char *unit = json_get_text(ratio, "unit");

	put_name(one, out);
	markdown_put_text(json_get_text(ratio, "ratio"), out);
	buffer_puts(out, " (");
	markdown_put_text(json_get_text(ratio, "of"), out);
	buffer_puts(out, ") | ");
	put_number(ratio, "value", out);
	buffer_printf(out, "%s%s | ", strcmp(unit, "1") == 0 ? "" : " ", strcmp(unit, "1") == 0 ? "" : unit);
	put_range(ratio, out);
	buffer_puts(out, " |\n");
}

static void
put_ratios(const json_t *counters, struct buffer *out)
{
	const json_t *one, *ratio;
	bool any = false;
	size_t t, r;

	json_array_foreach((json_t *)counters, t, one)
		json_array_foreach(json_object_get(one, "ratios"), r, ratio) {
			if (!any)
				buffer_puts(out, "| variant | ratio | value | range over groups |\n"
						 "|---|---|---|---|\n");
			any = true;
			put_ratio(one, ratio, out);
		}
	buffer_puts(out, any ? "\n" : "");
}

/* Reason by reason, since as a rule one holds for many events and all variants. */
static json_t *
missing_by_reason(const json_t *counters)
{
	json_t *reasons = json_object(), *events;
	const json_t *one, *event;
	size_t t, e;

	json_array_foreach((json_t *)counters, t, one)
		json_array_foreach(json_object_get(one, "events"), e, event) {
			const char *reason = json_get_text(event, "reason");

			if (is_counted(event))
				continue;
			events = json_object_get(reasons, reason);
			if (events == NULL) {
				events = json_object();
				json_object_set_new(reasons, reason, events);
			}
			json_object_set_new(events, json_get_text(event, "event"), json_true());
		}
	return reasons;
}

static void
put_missing(const json_t *counters, struct buffer *out)
{
	json_t *reasons = missing_by_reason(counters), *events, *ignored;
	const char *reason, *event, *before;

	json_object_foreach(reasons, reason, events) {
		before = "**Unavailable:** ";
		json_object_foreach(events, event, ignored) {
			buffer_puts(out, before);
			markdown_put_text(event, out);
			before = ", ";
		}
		buffer_puts(out, ": ");
		markdown_put_text(reason, out);
		buffer_puts(out, ".\n\n");
	}
	json_decref(reasons);
}

static void
put_case(const json_t *document, const json_t *counters, struct buffer *out)
{
	buffer_puts(out, "### Counters");
	if (*json_get_text(document, "point_text") != '\0') {
		buffer_puts(out, " at ");
		markdown_put_text(json_get_text(document, "point_text"), out);
	}
	buffer_puts(out, "\n\nCounted in samples of their own behind the timed ones of each process, so that no time "
			 "holds what counting costs. A number is the median over the groups. The last column says for "
			 "which share of the time an event was counted; the count is scaled up by it.\n\n");
	put_events(counters, out);
	put_ratios(counters, out);
	put_missing(counters, out);
}

void
counter_tables_put(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *entry, *document, *counters;
	size_t c;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry) {
		document = document_case(report, entry);
		counters = json_object_get(document, "counters");
		if (counters != NULL)
			put_case(document, counters, out);
	}
}
