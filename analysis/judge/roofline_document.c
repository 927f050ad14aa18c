#include "analysis/judge/roofline_document.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/rates.h"
#include "analysis/judge/warning.h"
#include "analysis/roofline.h"
#include "base/json.h"
#include "base/memory.h"

#define ABOVE 1.05 /* of its roof: more than noise */

/* A ceiling as it was measured: its rate, or why there is none. */
struct ceiling {
	struct estimate rate;
	bool itself;  /* of the very treatment that is held against it */
	char *reason; /* NULL: there is one */
};

static const char *
machine_of(const json_t *document)
{
	return json_get_text(json_object_get(document, "surroundings"), "machine");
}

/* `declared` is a treatment's entry of study.json, `kind` "peak" or "bandwidth". */
static struct ceiling
ceiling_of(const json_t *cases, const json_t *document, const json_t *declared, const char *kind)
{
	const json_t *roof = json_object_get(declared, kind);
	const char *name = json_get_text(roof, "name");
	const json_t *there = json_object_get(cases, json_get_text(roof, "case_id"));
	const json_t *entry = rates_find(there, json_get_integer(roof, "treatment", -1));
	struct ceiling ceiling = {
		rates_get(entry, strcmp(kind, "peak") == 0 ? "flop_rate" : "byte_rate"),
		there == document && json_equal(json_object_get(roof, "treatment"),
						json_object_get(declared, "treatment")), NULL};

	if (there == NULL)
		ceiling.reason = memory_format("%s is not a part of this report", name);
	else if (json_is_true(json_object_get(there, "invalid")))
		ceiling.reason = memory_format("%s is invalid", name);
	else if (!isfinite(ceiling.rate.value))
		ceiling.reason = memory_format("%s was not measured", name);
	else if (strcmp(machine_of(there), machine_of(document)) != 0)
		ceiling.reason = memory_format("%s was measured on another machine", name);
	return ceiling;
}

static struct estimate
scaled(struct estimate one, double factor)
{
	return (struct estimate){one.value * factor, one.lo * factor, one.hi * factor};
}

/* Done from ROOFLINE_DONE on; null where the interval does not decide. */
static json_t *
done_document(double share, const struct estimate *range)
{
	double lo = isfinite(range->lo) ? range->lo : share, hi = isfinite(range->hi) ? range->hi : share;

	return lo >= ROOFLINE_DONE ? json_true() : hi < ROOFLINE_DONE ? json_false() : json_null();
}

static void
put_estimate(json_t *document, const char *name, const struct estimate *one)
{
	char *lo = memory_format("%s_lo", name), *hi = memory_format("%s_hi", name);

	json_object_set_new(document, name, json_number_or_null(one->value));
	json_object_set_new(document, lo, json_number_or_null(one->lo));
	json_object_set_new(document, hi, json_number_or_null(one->hi));
	free(lo);
	free(hi);
}

/* Adds the numbers; the reason why there are none, or NULL. */
static const char *
put_numbers(json_t *document, const json_t *entry, const struct ceiling *peak,
	    const struct ceiling *bandwidth)
{
	struct estimate achieved = rates_get(entry, "flop_rate"), roof, share;
	const struct ceiling *lower;
	struct roofline_kernel kernel;
	enum stat_status status =
		roofline_kernel(peak->rate.value, bandwidth->rate.value, json_get_number(entry, "flops"),
				json_get_number(entry, "bytes"), json_get_number(entry, "seconds"), &kernel);

	if (status)
		return stat_reason(status);
	lower = kernel.point.memory_bound ? bandwidth : peak;
	roof = scaled(lower->rate, kernel.point.memory_bound ? kernel.point.intensity : 1);
	mover_quotient(&achieved, &roof, &share);
	share.value = kernel.efficiency;
	if (lower->itself)
		share.lo = share.hi = share.value;
	json_object_update_new(document,
			       json_pack("{s:f, s:f, s:f, s:s, s:o}", "intensity", kernel.point.intensity,
					 "ridge", kernel.point.ridge, "attainable", kernel.point.attainable,
					 "bound", kernel.point.memory_bound ? "memory" : "compute", "done",
					 done_document(kernel.efficiency, &share)));
	put_estimate(document, "peak", &peak->rate);
	put_estimate(document, "bandwidth", &bandwidth->rate);
	put_estimate(document, "achieved", &achieved);
	put_estimate(document, "share", &share);
	return NULL;
}

static void
put_nothing(json_t *document)
{
	static const char *const names[] = {"intensity", "ridge", "attainable", "bound", "done", "peak",
					    "peak_lo", "peak_hi", "bandwidth", "bandwidth_lo", "bandwidth_hi",
					    "achieved", "achieved_lo", "achieved_hi", "share", "share_lo",
					    "share_hi"};
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		json_object_set_new(document, names[i], json_null());
}

static void
warn_above(json_t *document, const json_t *point)
{
	double share = json_get_number(point, "share");

	if (!(share > ABOVE))
		return;
	warning_add(json_object_get(document, "warnings"), "above_roof", 0.6, share,
		    "count what the kernel moves again: what stays in a cache is no traffic of memory; or measure "
		    "the ceiling with more threads or by another way of moving, it is too low",
		    "%s reaches %.0f %% of its roof, which should be the most: its traffic is less than declared, or "
		    "the ceiling was measured too low",
		    json_get_text(point, "name"), 100 * share);
}

static void
judge_treatment(const json_t *experiment, const json_t *cases, json_t *document, const json_t *declared)
{
	const json_t *peak_name = json_object_get(json_object_get(declared, "peak"), "name");
	const json_t *bandwidth_name = json_object_get(json_object_get(declared, "bandwidth"), "name");
	long long treatment = json_get_integer(declared, "treatment", -1);
	const json_t *entry = rates_find(document, treatment);
	struct ceiling peak = ceiling_of(cases, document, declared, "peak");
	struct ceiling bandwidth = ceiling_of(cases, document, declared, "bandwidth");
	json_t *point = json_pack("{s:I, s:s, s:O, s:O}", "treatment", (json_int_t)treatment, "name",
				  json_get_text(json_array_get(json_object_get(experiment, "treatments"),
							       (size_t)treatment), "name"),
				  "peak_name", peak_name, "bandwidth_name", bandwidth_name);
	const char *reason = peak.reason != NULL ? peak.reason : bandwidth.reason;

	if (reason == NULL && !isfinite(rates_get(entry, "flop_rate").value))
		reason = "it was not measured validly";
	put_nothing(point);
	if (reason == NULL)
		reason = put_numbers(point, entry, &peak, &bandwidth);
	json_object_set_new(point, "reason", json_string(reason != NULL ? reason : ""));
	warn_above(document, point);
	json_array_append_new(json_object_get(document, "roofline"), point);
	free(peak.reason);
	free(bandwidth.reason);
}

void
roofline_judge(const json_t *study, json_t *cases)
{
	const json_t *experiment, *one, *declared;
	size_t e, c, w;

	json_array_foreach(json_object_get(study, "experiments"), e, experiment) {
		if (json_object_get(experiment, "roofline") == NULL)
			continue;
		json_array_foreach(json_object_get(experiment, "cases"), c, one) {
			json_t *document = json_object_get(cases, json_get_text(one, "case_id"));

			json_object_set_new(document, "roofline", json_array());
			json_array_foreach(json_object_get(one, "work"), w, declared)
				if (!json_is_null(json_object_get(declared, "peak")))
					judge_treatment(experiment, cases, document, declared);
		}
	}
}
