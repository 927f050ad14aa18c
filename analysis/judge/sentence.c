#include "analysis/judge/sentence.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "spec/study.h"

int
sentence_decimals(double lo, double hi)
{
	double half = (hi - lo) / 2;
	int decimals = half > 0 && isfinite(half) ? (int)ceil(-log10(half)) : 2;

	return decimals < 2 ? 2 : decimals > 5 ? 5 : decimals;
}

static bool
ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), of_end = strlen(end);

	return length > of_end && strcmp(text + length - of_end, end) == 0;
}

static bool
is_time(const char *metric)
{
	return ends_in(metric, "_us") || ends_in(metric, "_us" METRIC_PER_FLOP);
}

static const char *
per_what(const char *metric)
{
	return ends_in(metric, METRIC_PER_FLOP) ? " per flop" : "";
}

static void
put_place(struct buffer *out, const char *item, const char *point_text)
{
	if (item[0] != '\0')
		buffer_printf(out, " in %s", item);
	if (point_text[0] != '\0')
		buffer_printf(out, " at %s", point_text);
}

static void
put_basis(const json_t *comparison, struct buffer *out)
{
	double floor_percent = json_get_number(comparison, "noise_floor_percent");
	double confidence = json_get_number(comparison, "confidence");

	buffer_puts(out, " (");
	if (isfinite(json_get_number(comparison, "log_lo")) && fabs(confidence - 0.95) > 1e-9)
		buffer_printf(out, "%.3g %% interval, ", 100 * confidence);
	if (isfinite(floor_percent))
		buffer_printf(out, "noise floor %.2g %%, ", floor_percent);
	buffer_printf(out, "%lld pairs, one build)", json_get_integer(comparison, "pairs", 0));
}

/* The interval as time ratio B / A turned round where B is the worse one. */
static void
put_ratio(const json_t *comparison, bool inverse, const char *words, struct buffer *out)
{
	double value = json_get_number(comparison, "speedup");
	double lo = json_get_number(comparison, "speedup_lo");
	double hi = json_get_number(comparison, "speedup_hi");
	int decimals;

	if (inverse) {
		double low = 1 / hi;

		value = 1 / value;
		hi = 1 / lo;
		lo = low;
	}
	decimals = sentence_decimals(lo, hi);
	buffer_printf(out, "%.*f %s [%.*f, %.*f]", decimals, value, words, decimals, lo, decimals, hi);
}

static void
put_better(const json_t *comparison, const char *metric, struct buffer *out)
{
	const char *a = json_get_text(comparison, "a_name"), *b = json_get_text(comparison, "b_name");
	struct buffer words = BUFFER_EMPTY;

	if (is_time(metric)) {
		buffer_printf(out, "%s is ", b);
		buffer_printf(&words, "times as fast as %s%s", a, per_what(metric));
		put_ratio(comparison, false, buffer_text(&words), out);
	} else {
		buffer_printf(out, "%s of %s is better by a factor of ", metric, b);
		buffer_printf(&words, "than that of %s", a);
		put_ratio(comparison, false, buffer_text(&words), out);
	}
	buffer_free(&words);
}

static void
put_worse(const json_t *comparison, const char *metric, struct buffer *out)
{
	const char *a = json_get_text(comparison, "a_name"), *b = json_get_text(comparison, "b_name");
	struct buffer words = BUFFER_EMPTY;

	if (is_time(metric)) {
		buffer_printf(out, "%s takes ", b);
		buffer_printf(&words, "times as long as %s%s", a, per_what(metric));
	} else {
		buffer_printf(out, "%s of %s is worse by a factor of ", metric, b);
		buffer_printf(&words, "than that of %s", a);
	}
	put_ratio(comparison, true, buffer_text(&words), out);
	buffer_free(&words);
}

static void
put_open(const json_t *comparison, const char *metric, const char *verdict, struct buffer *out)
{
	const char *a = json_get_text(comparison, "a_name"), *b = json_get_text(comparison, "b_name");
	bool has_interval = isfinite(json_get_number(comparison, "speedup_lo"));

	if (strcmp(verdict, "same") == 0)
		buffer_printf(out, "%s and %s are the same within %.3g %% in %s: ratio ", b, a,
			      100 * json_get_number(comparison, "margin"), metric);
	else if (has_interval)
		buffer_printf(out, "inconclusive: %s against %s in %s: ratio ", b, a, metric);
	else
		buffer_printf(out, "no verdict on %s against %s in %s", b, a, metric);
	if (has_interval)
		put_ratio(comparison, false, is_time(metric) ? "time A / time B" : "(above 1: better)", out);
}

void
sentence_comparison(const json_t *comparison, const char *metric, const char *item,
		    const char *point_text, struct buffer *out)
{
	const char *verdict = json_get_text(comparison, "verdict");
	const char *reason = json_get_text(comparison, "reason");

	if (strcmp(verdict, "invalid") == 0) {
		buffer_printf(out, "invalid: no comparison of %s with %s",
			      json_get_text(comparison, "b_name"), json_get_text(comparison, "a_name"));
		put_place(out, item, point_text);
		buffer_printf(out, ": %s", reason);
		return;
	}
	if (json_is_true(json_object_get(comparison, "absent"))) {
		buffer_printf(out, "no comparison of %s with %s", json_get_text(comparison, "b_name"),
			      json_get_text(comparison, "a_name"));
		put_place(out, item, point_text);
		buffer_printf(out, ": %s", reason);
		return;
	}
	if (strcmp(verdict, "faster") == 0)
		put_better(comparison, metric, out);
	else if (strcmp(verdict, "slower") == 0)
		put_worse(comparison, metric, out);
	else
		put_open(comparison, metric, verdict, out);
	put_place(out, item, point_text);
	put_basis(comparison, out);
	if (reason[0] != '\0')
		buffer_printf(out, ": %s", reason);
}

void
sentence_claim(const char *kind, const char *b, const char *a, double by, double within,
	       const char *point_text, struct buffer *out)
{
	if (strcmp(kind, "faster") == 0 && by > 1)
		buffer_printf(out, "%s is at least %g times as fast as %s", b, by, a);
	else if (strcmp(kind, "faster") == 0)
		buffer_printf(out, "%s is faster than %s", b, a);
	else if (strcmp(kind, "slower") == 0 && by > 1)
		buffer_printf(out, "%s takes at least %g times as long as %s", b, by, a);
	else if (strcmp(kind, "slower") == 0)
		buffer_printf(out, "%s is slower than %s", b, a);
	else if (strcmp(kind, "not_slower") == 0)
		buffer_printf(out, "%s is at most %g %% slower than %s", b, 100 * within, a);
	else if (strcmp(kind, "equivalent") == 0)
		buffer_printf(out, "%s and %s are the same within %g %%", b, a, 100 * within);
	else
		buffer_printf(out, "%s differs from %s", b, a);
	put_place(out, "", point_text);
}
