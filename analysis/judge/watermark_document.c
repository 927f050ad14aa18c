#include "analysis/judge/watermark_document.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/rates.h"
#include "analysis/watermark.h"
#include "base/buffer.h"
#include "base/json.h"

/* A kernel as it is, in one case. */
struct kernel {
	const json_t *experiment, *document;
	const json_t *treatment; /* of study.json */
	long long index;
};

/* ---- effects ---- */

static bool
is_perturbed_by(const struct kernel *kernel, const json_t *other, const char *perturbation)
{
	const json_t *blocked = json_object_get(kernel->treatment, "blocked");
	const json_t *own = json_object_get(other, "blocked");

	return strcmp(json_get_text(other, "perturbs"), json_get_text(kernel->treatment, "variant")) == 0 &&
	       strcmp(json_get_text(other, "perturbation"), perturbation) == 0 &&
	       (blocked == own || json_equal(blocked, own));
}

static const json_t *
find_perturbed(const struct kernel *kernel, const char *perturbation)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(kernel->experiment, "treatments"), i, one)
		if (is_perturbed_by(kernel, one, perturbation))
			return one;
	return NULL;
}

/* By the primary metric, of the only item. */
static const json_t *
find_comparison(const struct kernel *kernel, long long b)
{
	const json_t *metric = json_array_get(json_object_get(kernel->document, "metrics"), 0), *comparison;
	const json_t *items = json_object_get(metric, "items");
	size_t i;

	if (json_array_size(items) != 1)
		return NULL;
	json_array_foreach(json_object_get(json_array_get(items, 0), "comparisons"), i, comparison)
		if (json_get_integer(comparison, "a", -1) == kernel->index &&
		    json_get_integer(comparison, "b", -1) == b)
			return comparison;
	return NULL;
}

/* Of times: a gain is the speedup, a loss its inverse. */
static struct watermark_effect
effect_of(const json_t *comparison, bool added)
{
	struct watermark_effect effect = {json_get_number(comparison, "speedup"),
					  json_get_number(comparison, "speedup_lo"),
					  json_get_number(comparison, "speedup_hi")};
	double lo = effect.lo;

	if (!added)
		return effect;
	effect.factor = 1 / effect.factor;
	effect.lo = 1 / effect.hi;
	effect.hi = 1 / lo;
	return effect;
}

static const char *
effect_word(const struct watermark_effect *effect)
{
	static const char *const words[] = {"unclear", "sensitive", "insensitive"};

	return isfinite(effect->factor) ? words[watermark_effect_is(effect)] : "unavailable";
}

/* Appends it to the list where the experiment has it; NaN where not. */
static struct watermark_effect
put_effect(const struct kernel *kernel, const char *perturbation, bool added, json_t *list)
{
	struct watermark_effect effect = {NAN, NAN, NAN};
	const json_t *other = find_perturbed(kernel, perturbation);
	json_t *one;

	if (other == NULL)
		return effect;
	effect = effect_of(find_comparison(kernel, json_get_integer(other, "index", -1)), added);
	one = json_pack("{s:s, s:s, s:s, s:s}", "perturbation", perturbation, "name", json_get_text(other, "name"),
			"direction", added ? "loses" : "gains", "effect", effect_word(&effect));
	json_object_set_new(one, "factor", json_number_or_null(effect.factor));
	json_object_set_new(one, "factor_lo", json_number_or_null(effect.lo));
	json_object_set_new(one, "factor_hi", json_number_or_null(effect.hi));
	json_array_append_new(list, one);
	return effect;
}

/* ---- what the roofline says ---- */

static const json_t *
find_point(const struct kernel *kernel)
{
	const json_t *point;
	size_t i;

	json_array_foreach(json_object_get(kernel->document, "roofline"), i, point)
		if (json_get_integer(point, "treatment", -1) == kernel->index &&
		    json_get_text(point, "reason")[0] == '\0')
			return point;
	return NULL;
}

static double
bandwidth_share(const struct kernel *kernel, const json_t *point)
{
	double rate = rates_get(rates_find(kernel->document, kernel->index), "byte_rate").value;

	return point != NULL ? rate / json_get_number(point, "bandwidth") : NAN;
}

/* Null where one of the two does not say. The roofline knows traffic and arithmetic, nothing else. */
static json_t *
agreement(enum watermark_resource resource, const json_t *point)
{
	bool memory = strcmp(json_get_text(point, "bound"), "memory") == 0;

	if (point == NULL)
		return json_null();
	switch (resource) {
	case WATERMARK_BANDWIDTH: return json_boolean(memory);
	case WATERMARK_ARITHMETIC: return json_boolean(!memory);
	case WATERMARK_LATENCY:
	case WATERMARK_SYNCHRONISATION: return json_false();
	default: return json_null();
	}
}

/* ---- the whole ---- */

static void
put_sentence(json_t *object)
{
	const json_t *agrees = json_object_get(object, "agrees"), *roof = json_object_get(object, "roofline");
	const char *resource = json_get_text(object, "resource"), *bound = json_get_text(roof, "bound");
	struct buffer out = BUFFER_EMPTY;

	buffer_puts(&out, json_get_text(object, "name"));
	if (strcmp(resource, "unknown") == 0)
		buffer_puts(&out, ": what it waits for is not clear");
	else if (strcmp(resource, "none") == 0)
		buffer_puts(&out, " waits for none of what was taken from it");
	else if (strcmp(resource, "several") == 0)
		buffer_puts(&out, " waits for several things alike");
	else
		buffer_printf(&out, " is bound by %s", resource);
	buffer_printf(&out, " (%s)", json_get_text(object, "why"));
	if (json_is_object(roof))
		buffer_printf(&out, "; by its traffic the roofline says %s", strcmp(bound, "memory") == 0
										     ? "memory bandwidth" : "arithmetic");
	if (json_is_boolean(agrees))
		buffer_puts(&out, json_is_true(agrees) ? ": they agree" : ": they disagree, and what was measured decides");
	json_object_set_new(object, "sentence", json_string(buffer_text(&out)));
	buffer_free(&out);
}

static json_t *
roofline_part(const json_t *point)
{
	return point == NULL ? json_null()
			     : json_pack("{s:O, s:O}", "bound", json_object_get(point, "bound"), "share",
					 json_object_get(point, "share"));
}

static json_t *
diagnosis(const struct kernel *kernel)
{
	const json_t *point = find_point(kernel);
	json_t *effects = json_array(), *object;
	struct watermark_evidence evidence = {.bandwidth_share = bandwidth_share(kernel, point)};
	struct watermark_diagnosis result;

	evidence.arithmetic_added = put_effect(kernel, "arithmetic_added", true, effects);
	evidence.arithmetic_removed = put_effect(kernel, "arithmetic_removed", false, effects);
	evidence.one_element = put_effect(kernel, "one_element", false, effects);
	evidence.sync_removed = put_effect(kernel, "sync_removed", false, effects);
	watermark_decide(&evidence, &result);
	object = json_pack("{s:I, s:s, s:o, s:s, s:s, s:o, s:o}", "treatment", (json_int_t)kernel->index, "name",
			   json_get_text(kernel->treatment, "name"), "effects", effects, "resource",
			   watermark_resource_name(result.resource), "why", result.why, "roofline",
			   roofline_part(point), "agrees", agreement(result.resource, point));
	json_object_set_new(object, "bandwidth_share", json_number_or_null(evidence.bandwidth_share));
	put_sentence(object);
	return object;
}

static bool
is_perturbed(const json_t *experiment, const json_t *treatment)
{
	const json_t *other;
	size_t i;

	json_array_foreach(json_object_get(experiment, "treatments"), i, other)
		if (strcmp(json_get_text(other, "perturbs"), json_get_text(treatment, "variant")) == 0)
			return true;
	return false;
}

static void
judge_case(const json_t *experiment, json_t *document)
{
	struct kernel kernel = {.experiment = experiment, .document = document};
	json_t *list = json_array();
	size_t i;

	json_array_foreach(json_object_get(experiment, "treatments"), i, kernel.treatment) {
		kernel.index = (long long)i;
		if (is_perturbed(experiment, kernel.treatment))
			json_array_append_new(list, diagnosis(&kernel));
	}
	if (json_array_size(list) > 0)
		json_object_set(document, "watermark", list);
	json_decref(list);
}

void
watermark_judge(const json_t *study, json_t *cases)
{
	const json_t *experiment, *one;
	size_t e, c;

	json_array_foreach(json_object_get(study, "experiments"), e, experiment)
		json_array_foreach(json_object_get(experiment, "cases"), c, one)
			judge_case(experiment, json_object_get(cases, json_get_text(one, "case_id")));
}
