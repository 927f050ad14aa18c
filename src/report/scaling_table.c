#include "report/scaling_table.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "report/markdown.h"

/* "1.93 [1.91, 1.95]" of KEY, KEY_lo, KEY_hi, times the factor; "-" without a number. */
static void
put_range(const json_t *point, const char *key, double factor, struct buffer *out)
{
	char lo_key[64], hi_key[64];
	double value = json_get_number(point, key) * factor, lo, hi;

	snprintf(lo_key, sizeof lo_key, "%s_lo", key);
	snprintf(hi_key, sizeof hi_key, "%s_hi", key);
	lo = json_get_number(point, lo_key) * factor;
	hi = json_get_number(point, hi_key) * factor;
	if (!isfinite(value))
		buffer_puts(out, "-");
	else if (isfinite(lo) && isfinite(hi))
		buffer_printf(out, "%.3g [%.3g, %.3g]", value, lo, hi);
	else
		buffer_printf(out, "%.3g", value);
}

static bool
has_rates(const json_t *series)
{
	const json_t *point;
	size_t i;

	json_array_foreach(json_object_get(series, "points"), i, point)
		if (isfinite(json_get_number(point, "bytes_per_s")))
			return true;
	return false;
}

static void
put_point(const json_t *point, const char *unit, bool rates, struct buffer *out)
{
	buffer_printf(out, "| %g | ", json_get_number(point, "processors"));
	document_put_value(json_get_number(point, "time"), unit, out);
	buffer_puts(out, " | ");
	put_range(point, "speedup", 1, out);
	buffer_puts(out, json_is_true(json_object_get(point, "superlinear")) ? " **> p** | " : " | ");
	put_range(point, "efficiency", 100, out);
	buffer_puts(out, " | ");
	put_range(point, "karp_flatt", 1, out);
	buffer_puts(out, " | ");
	put_range(point, "own_speedup", 1, out);
	if (rates) {
		buffer_puts(out, " | ");
		put_range(point, "bytes_per_s", 1e-9, out);
	}
	buffer_puts(out, " |\n");
}

static void
put_points(const json_t *scaling, const json_t *series, struct buffer *out)
{
	bool rates = has_rates(series), weak = strcmp(json_get_text(series, "kind"), "weak") == 0;
	const json_t *point;
	size_t i;

	buffer_puts(out, "| ");
	markdown_put_text(json_get_text(scaling, "over"), out);
	buffer_printf(out, " | time | %s | efficiency, %% | Karp-Flatt | over itself on one%s |\n",
		      weak ? "scaled speedup" : "speedup", rates ? " | GB/s" : "");
	buffer_printf(out, "|---|---|---|---|---|---|%s\n", rates ? "---|" : "");
	json_array_foreach(json_object_get(series, "points"), i, point)
		put_point(point, json_get_text(scaling, "unit"), rates, out);
	buffer_putc(out, '\n');
}

/* "0.05 [0.04, 0.06]" */
static void
put_estimate(const json_t *estimate, struct buffer *out)
{
	double lo = json_get_number(estimate, "lo"), hi = json_get_number(estimate, "hi");

	buffer_printf(out, "%.3g", json_get_number(estimate, "value"));
	if (isfinite(lo) && isfinite(hi))
		buffer_printf(out, " \\[%.3g, %.3g\\]", lo, hi);
}

static void
put_note(const json_t *fit, struct buffer *out)
{
	const char *note = json_get_text(fit, "note");

	if (note[0] != '\0') {
		buffer_puts(out, " (");
		markdown_put_text(note, out);
		buffer_putc(out, ')');
	}
	buffer_puts(out, ".\n");
}

static bool
is_there(const json_t *fit, const char *key)
{
	return isfinite(json_get_number(json_object_get(fit, key), "value"));
}

static void
put_fraction(const char *law, const json_t *fit, struct buffer *out)
{
	double limit = json_get_number(fit, "limit");
	double value = json_get_number(json_object_get(fit, "serial_fraction"), "value");

	if (fit == NULL)
		return;
	buffer_printf(out, "- %s:", law);
	if (is_there(fit, "serial_fraction")) {
		buffer_puts(out, " serial fraction ");
		put_estimate(json_object_get(fit, "serial_fraction"), out);
		if (isfinite(limit))
			buffer_printf(out, ", so at most %.3g times as fast on any number", limit);
		else if (value < 0 || value > 1)
			buffer_puts(out, ", outside 0 to 1: the law does not hold here");
	}
	put_note(fit, out);
}

static void
put_usl(const json_t *fit, struct buffer *out)
{
	double peak = json_get_number(fit, "peak_processors");

	buffer_puts(out, "- Universal scalability law:");
	if (is_there(fit, "alpha")) {
		buffer_puts(out, " contention ");
		put_estimate(json_object_get(fit, "alpha"), out);
		buffer_puts(out, ", coherence ");
		put_estimate(json_object_get(fit, "beta"), out);
		buffer_puts(out, ", one alone at ");
		put_estimate(json_object_get(fit, "gamma"), out);
		buffer_puts(out, " of the serial program's speed");
		if (isfinite(peak))
			buffer_printf(out, ", fastest on %.3g", peak);
	}
	put_note(fit, out);
}

static void
put_causes(const json_t *series, struct buffer *out)
{
	const json_t *point;
	size_t i;

	json_array_foreach(json_object_get(series, "points"), i, point)
		if (json_is_true(json_object_get(point, "superlinear"))) {
			buffer_printf(out, "- **More than %g times as fast on %g**: ",
				      json_get_number(point, "processors"), json_get_number(point, "processors"));
			markdown_put_text(json_get_text(point, "cause"), out);
			buffer_puts(out, ".\n");
		}
}

static void
put_series(const json_t *document, const json_t *scaling, const json_t *series, struct buffer *out)
{
	const json_t *fits = json_object_get(series, "fits");
	const char *point = json_get_text(document, "point_text"), *lacks = json_get_text(series, "unavailable");

	buffer_puts(out, "**Scaling of ");
	markdown_put_text(json_get_text(series, "name"), out);
	buffer_printf(out, "** (%s)", json_get_text(series, "kind"));
	if (point[0] != '\0') {
		buffer_puts(out, " at ");
		markdown_put_text(point, out);
	}
	if (lacks[0] != '\0') {
		buffer_printf(out, ": unavailable, %s.\n\n", lacks);
		return;
	}
	buffer_printf(out, ", against %s", json_get_integer(scaling, "serial_programs", 1) > 1
						   ? "the fastest serial program, " : "the serial program ");
	markdown_put_text(json_get_text(scaling, "serial"), out);
	buffer_puts(out, " (");
	document_put_value(json_get_number(scaling, "serial_time"), json_get_text(scaling, "unit"), out);
	buffer_puts(out, "). The last speedup is the tempting wrong one, over the parallel program itself on one.\n\n");
	put_points(scaling, series, out);
	put_fraction("Amdahl", json_object_get(fits, "amdahl"), out);
	put_fraction("Gustafson", json_object_get(fits, "gustafson"), out);
	put_usl(json_object_get(fits, "usl"), out);
	put_causes(series, out);
	buffer_putc(out, '\n');
}

void
scaling_table_put(const struct report *report, const json_t *experiment, struct buffer *out)
{
	const json_t *entry, *series;
	size_t c, i;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry) {
		const json_t *document = document_case(report, entry);
		const json_t *scaling = json_object_get(document, "scaling");
		const char *lacks = json_get_text(scaling, "unavailable");

		if (lacks[0] != '\0')
			buffer_printf(out, "**Scaling** of %s: unavailable, %s.\n\n",
				      json_get_text(entry, "case_id"), lacks);
		json_array_foreach(json_object_get(scaling, "series"), i, series)
			put_series(document, scaling, series, out);
	}
}
