#include "report/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/sentence.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

static json_t *
read_beside(const char *folder, const char *name, struct error *error)
{
	char *path = memory_format("%s/%s", folder, name);
	json_t *document = json_read_file(path, error);

	free(path);
	return document;
}

/* Where they were not made yet there are none. */
static json_t *
read_diagnoses(const json_t *study)
{
	json_t *diagnoses = json_object(), *document;
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(study, "experiments"), i, one) {
		const char *name = json_get_text(one, "name");
		char *path = memory_format("build/diagnose/%s.json", name);

		if (json_object_get(one, "diagnose") != NULL && file_exists(path) &&
		    (document = json_read_file(path, NULL)) != NULL)
			json_object_set_new(diagnoses, name, document);
		free(path);
	}
	return diagnoses;
}

int
report_read(struct report *report, const char *folder, struct error *error)
{
	report->stats = report->diagnoses = NULL;
	report->has_pages = false;
	report->study = read_beside(folder, "study.json", error);
	if (report->study != NULL)
		report->stats = read_beside(folder, "stats.json", error);
	if (report->stats != NULL) {
		report->diagnoses = read_diagnoses(report->study);
		return 0;
	}
	report_free(report);
	return -1;
}

void
report_free(struct report *report)
{
	json_decref(report->study);
	json_decref(report->stats);
	json_decref(report->diagnoses);
	report->study = report->stats = report->diagnoses = NULL;
}

const json_t *
document_primary(const json_t *case_document)
{
	return json_array_get(json_object_get(case_document, "metrics"), 0);
}

const json_t *
document_case(const struct report *report, const json_t *case_entry)
{
	return json_object_get(json_object_get(report->stats, "cases"),
			       json_get_text(case_entry, "case_id"));
}

const json_t *
document_treatment(const json_t *item, long long index)
{
	return json_find_integer(json_object_get(item, "treatments"), "treatment", index);
}

/* Goes on from *each; false where it is not the same everywhere. */
static bool
same_samples(const json_t *item, long long *each)
{
	const json_t *treatment;
	size_t t;

	json_array_foreach(json_object_get(item, "treatments"), t, treatment) {
		long long groups = json_get_integer(treatment, "groups", 0);
		long long samples = json_get_integer(treatment, "samples", 0);

		if (groups == 0)
			continue;
		if (samples % groups != 0 || (*each > 0 && samples != *each * groups))
			return false;
		*each = samples / groups;
	}
	return true;
}

long long
document_samples(const struct report *report, const json_t *experiment)
{
	const json_t *entry, *item;
	long long each = 0;
	size_t c, i;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry)
		json_array_foreach(
			json_object_get(document_primary(document_case(report, entry)), "items"), i, item)
			if (!same_samples(item, &each))
				return 0;
	return each;
}

size_t
document_recorded(const struct report *report, size_t *cases)
{
	json_t *documents = json_object_get(report->stats, "cases"), *one;
	size_t recorded = 0;
	const char *case_id;

	*cases = json_object_size(documents);
	json_object_foreach(documents, case_id, one)
		recorded += json_is_true(json_object_get(one, "recorded"));
	return recorded;
}

bool
document_has_items(const struct report *report, const json_t *experiment)
{
	const json_t *entry;
	size_t c;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry)
		if (json_array_size(json_object_get(document_primary(document_case(report, entry)),
						    "items")) > 1)
			return true;
	return false;
}

json_t *
document_skipped(const struct report *report, const json_t *experiment)
{
	json_t *skipped = json_object();
	const json_t *entry, *one;
	size_t c, i;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry)
		json_array_foreach(json_object_get(document_case(report, entry), "skipped"), i, one)
			json_object_set(skipped, json_get_text(one, "name"), json_object_get(one, "reason"));
	return skipped;
}

void
document_put_ratio(const json_t *comparison, struct buffer *out)
{
	double value = json_get_number(comparison, "speedup");
	double lo = json_get_number(comparison, "speedup_lo");
	double hi = json_get_number(comparison, "speedup_hi");
	int decimals = sentence_decimals(lo, hi);

	if (!isfinite(value))
		buffer_puts(out, "unavailable");
	else if (!isfinite(lo) || !isfinite(hi))
		buffer_printf(out, "%.*f (no interval)", decimals, value);
	else
		buffer_printf(out, "%.*f [%.*f, %.*f]", decimals, value, decimals, lo, decimals, hi);
}

void
document_put_value(double value, const char *unit, struct buffer *out)
{
	static const struct {
		const char *unit, *scaled;
		double factor, least;
	} scales[] = {
		{"us", "s", 1e6, 1e6}, {"us", "ms", 1e3, 1e3}, {"us", "µs", 1, 1},
		{"us", "ns", 1e-3, 1e-3},
		{"us/flop", "µs/flop", 1, 1}, {"us/flop", "ns/flop", 1e-3, 1e-3}, {"us/flop", "ps/flop", 1e-6, 0},
		{"kib", "GiB", 1048576, 1048576},
		{"kib", "MiB", 1024, 1024}, {"kib", "KiB", 1, 0},
		{"flop/s", "Gflop/s", 1e9, 1e9}, {"flop/s", "Mflop/s", 1e6, 1e6},
		{"B/s", "GB/s", 1e9, 1e9}, {"B/s", "MB/s", 1e6, 1e6},
	};
	size_t i;

	if (!isfinite(value)) {
		buffer_puts(out, "unavailable");
		return;
	}
	for (i = 0; i < sizeof scales / sizeof *scales; i++)
		if (strcmp(scales[i].unit, unit) == 0 && fabs(value) >= scales[i].least) {
			buffer_printf(out, "%.4g %s", value / scales[i].factor, scales[i].scaled);
			return;
		}
	buffer_printf(out, "%.4g%s%s", value, strcmp(unit, "1") == 0 ? "" : " ",
		      strcmp(unit, "1") == 0 ? "" : unit);
}

void
document_put_figure_stem(const json_t *experiment, const char *label, struct buffer *out)
{
	buffer_printf(out, "%s-%s", json_get_text(experiment, "name"), label);
}

void
document_each_comparison(const struct report *report, const json_t *experiment,
			 comparison_visit *visit, void *context)
{
	struct comparison_place place = {.experiment = experiment};
	const json_t *entry;
	size_t c, m, i, k;

	json_array_foreach(json_object_get(experiment, "cases"), c, entry) {
		place.case_document = document_case(report, entry);
		json_array_foreach(json_object_get(place.case_document, "metrics"), m, place.metric) {
			place.primary = m == 0;
			json_array_foreach(json_object_get(place.metric, "items"), i, place.item) {
				json_array_foreach(json_object_get(place.item, "comparisons"), k,
						   place.comparison)
					visit(&place, context);
				place.comparison =
					json_object_get(json_object_get(place.item, "search"), "confirmed");
				if (json_is_object(place.comparison))
					visit(&place, context);
			}
		}
	}
}
