#include "analysis/judge/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/claims.h"
#include "analysis/judge/labels.h"
#include "analysis/judge/origins.h"
#include "analysis/judge/rates.h"
#include "analysis/judge/roofline_document.h"
#include "analysis/judge/scaling_document.h"
#include "analysis/judge/sentence.h"
#include "analysis/judge/watermark_document.h"
#include "analysis/judge/work_done.h"
#include "base/json.h"
#include "base/memory.h"

/* ---- reading ---- */

static int
read_cases(const json_t *study, const char *folder, json_t *cases, struct error *error)
{
	const json_t *experiment, *one;
	size_t e, c;

	json_array_foreach(json_object_get(study, "experiments"), e, experiment) {
		json_array_foreach(json_object_get(experiment, "cases"), c, one) {
			const char *case_id = json_get_text(one, "case_id");
			char *path = memory_format("%s/%s.json", folder, case_id);
			json_t *document = json_read_file(path, error);

			free(path);
			if (document == NULL)
				return -1;
			json_object_set_new(cases, case_id, document);
		}
	}
	return 0;
}

/* Units and scopes live in the spec only: renaming a unit analyses nothing again. */
static void
add_units(const json_t *experiment, json_t *document)
{
	json_t *metric, *declared;
	size_t m, d;

	json_array_foreach(json_object_get(document, "metrics"), m, metric)
		json_array_foreach(json_object_get(experiment, "metrics"), d, declared)
			if (strcmp(json_get_text(metric, "name"), json_get_text(declared, "name")) == 0) {
				json_object_set(metric, "unit", json_object_get(declared, "unit"));
				json_object_set(metric, "scope", json_object_get(declared, "scope"));
			}
}

/* ---- problems: why the study's last edge fails ---- */

static void
add_problem(json_t *problems, const json_t *document, const char *kind, const char *text)
{
	json_array_append_new(problems, json_pack("{s:s, s:s, s:s, s:s}", "experiment",
						  json_get_text(document, "experiment"), "case_id",
						  json_get_text(document, "case_id"), "kind", kind, "text",
						  text));
}

static const json_t *
first_standing(const json_t *failures)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)failures, i, one)
		if (json_is_true(json_object_get(one, "standing")))
			return one;
	return NULL;
}

static void
case_problems(const json_t *document, json_t *problems)
{
	const json_t *groups = json_object_get(document, "groups");
	const json_t *pairs = json_object_get(document, "pairs");
	const json_t *first = first_standing(json_object_get(document, "failures"));
	long long failed = json_get_integer(groups, "standing", 0);

	if (json_get_integer(groups, "planned", -1) == 0)
		return; /* each treatment is skipped, which is no failure */
	if (json_get_integer(pairs, "valid", 0) == 0)
		add_problem(problems, document, "nothing", "no pair was measured validly");
	else if (json_is_true(json_object_get(document, "invalid")))
		add_problem(problems, document, "invalid", json_get_text(document, "invalid_reason"));
	if (failed > 0) {
		char *text = memory_format("%lld of %lld groups failed; the first: %s of %s: %s", failed,
					   json_get_integer(groups, "complete", 0),
					   json_get_text(first, "phase"), json_get_text(first, "name"),
					   json_get_text(first, "reason"));

		add_problem(problems, document, "failed", text);
		free(text);
	}
}

/* Items that failed in groups that went well: data as well, and to be told as long as they stand. */
static void
item_problems(const json_t *document, json_t *problems)
{
	const json_t *item, *first = NULL, *failed;
	size_t i, count = 0;
	char *text;

	json_array_foreach(json_object_get(document, "items"), i, item) {
		if (json_array_size(json_object_get(item, "failed")) == 0)
			continue;
		first = count++ == 0 ? item : first;
	}
	if (count == 0)
		return;
	failed = json_array_get(json_object_get(first, "failed"), 0);
	text = memory_format("%zu item%s failed; the first: %s in %lld groups of %s: %s", count,
			     count == 1 ? "" : "s", json_get_text(first, "item"),
			     json_get_integer(failed, "groups", 0), json_get_text(failed, "name"),
			     json_get_text(failed, "reason"));
	add_problem(problems, document, "failed", text);
	free(text);
}

static void
claim_problems(const json_t *claims, json_t *problems)
{
	const json_t *claim;
	size_t i;

	json_array_foreach((json_t *)claims, i, claim) {
		const char *verdict = json_get_text(claim, "verdict");

		if (strcmp(verdict, "refuted") == 0 || strcmp(verdict, "invalid") == 0) {
			char *text = memory_format("claim %s is %s: %s", json_get_text(claim, "id"), verdict,
						   json_get_text(claim, "text"));

			add_problem(problems, claim, "claim", text);
			free(text);
		}
	}
}

/* What does not hold outranks what was not measured, and that what merely failed. */
static int
exit_code_of(const json_t *problems)
{
	int code = EXIT_DONE;
	const json_t *problem;
	size_t i;

	json_array_foreach((json_t *)problems, i, problem) {
		const char *kind = json_get_text(problem, "kind");

		if (strcmp(kind, "claim") == 0 || strcmp(kind, "invalid") == 0)
			return EXIT_NOT_HELD;
		if (strcmp(kind, "nothing") == 0)
			code = EXIT_NOTHING;
		else if (code == EXIT_DONE)
			code = EXIT_FAILED;
	}
	return code;
}

/* ---- warnings: all cases', worst first, numbered ---- */

static int
by_severity(const void *x, const void *y)
{
	const json_t *a = *(json_t *const *)x, *b = *(json_t *const *)y;
	double difference = json_get_number(b, "severity") - json_get_number(a, "severity");

	if (difference != 0)
		return difference > 0 ? 1 : -1;
	return strcmp(json_get_text(a, "case_id"), json_get_text(b, "case_id"));
}

static json_t *
collect_warnings(json_t *cases)
{
	json_t *list = json_array(), *document, *warning, **sorted;
	const char *case_id;
	size_t i, n;

	json_object_foreach(cases, case_id, document)
		json_array_foreach(json_object_get(document, "warnings"), i, warning) {
			json_t *copy = json_copy(warning);

			json_object_set_new(copy, "case_id", json_string(case_id));
			json_array_append_new(list, copy);
		}
	n = json_array_size(list);
	sorted = memory_zeroed(n, sizeof *sorted);
	for (i = 0; i < n; i++)
		sorted[i] = json_incref(json_array_get(list, i));
	qsort(sorted, n, sizeof *sorted, by_severity);
	json_array_clear(list);
	for (i = 0; i < n; i++) {
		json_object_set_new(sorted[i], "number", json_integer((json_int_t)i + 1));
		json_array_append_new(list, sorted[i]);
	}
	free(sorted);
	return list;
}

/* ---- where and when ---- */

static void
note_provenance(const json_t *cases, json_t *document)
{
	const char *first = "", *last = "", *commit = "", *machine = "", *case_id;
	const json_t *one, *session;
	json_t *caches = NULL;
	bool dirty = false, mixed = false;
	size_t i;

	json_object_foreach((json_t *)cases, case_id, one)
		json_array_foreach(json_object_get(one, "sessions"), i, session) {
			const char *started = json_get_text(session, "started");
			const char *at = json_get_text(session, "commit");

			if (first[0] == '\0' || strcmp(started, first) < 0)
				first = started;
			if (strcmp(started, last) > 0)
				last = started;
			mixed = mixed || (commit[0] != '\0' && strcmp(commit, at) != 0);
			commit = at;
			machine = json_get_text(session, "machine");
			caches = json_object_get(session, "caches");
			dirty = dirty || json_is_true(json_object_get(session, "dirty"));
		}
	json_object_set_new(document, "measured_at", json_pack("[s, s]", first, last));
	json_object_set_new(document, "commit", json_string(mixed ? "several" : commit));
	json_object_set_new(document, "dirty", json_boolean(dirty));
	json_object_set_new(document, "machine", json_pack("{s:s, s:o}", "model", machine, "caches",
							   caches != NULL ? json_incref(caches) : json_array()));
}

/* ---- the whole ---- */

/* Models over the cases of an experiment; they may add warnings. */
static void
add_models(const json_t *experiment, const json_t *entry, json_t *document)
{
	if (json_object_get(experiment, "scaling") != NULL)
		json_object_set_new(document, "scaling", scaling_document(experiment, entry, document));
}

json_t *
study_document(const json_t *study, const char *stats_folder, struct error *error)
{
	json_t *cases = json_object(), *problems = json_array(), *document, *claims, *one;
	const json_t *experiment;
	const char *case_id;
	size_t e, c;

	if (read_cases(study, stats_folder, cases, error) != 0) {
		json_decref(cases);
		json_decref(problems);
		return NULL;
	}
	json_array_foreach(json_object_get(study, "experiments"), e, experiment)
		json_array_foreach(json_object_get(experiment, "cases"), c, one) {
			json_t *of_case = json_object_get(cases, json_get_text(one, "case_id"));

			add_units(experiment, of_case);
			add_models(experiment, one, of_case);
		}
	document = json_object();
	json_object_set_new(document, "format", json_string("assay-study-stats-1"));
	json_object_set_new(document, "label_bias", labels_judge(study, cases));
	claims = claims_judge(study, cases);
	json_object_set_new(document, "claims", claims);
	json_object_foreach(cases, case_id, one) {
		case_problems(one, problems);
		item_problems(one, problems);
	}
	claim_problems(claims, problems);
	rates_judge(study, cases);
	roofline_judge(study, cases);
	watermark_judge(study, cases);
	json_object_set_new(document, "exit_code", json_integer(exit_code_of(problems)));
	json_object_set_new(document, "holds", json_boolean(json_array_size(problems) == 0));
	json_object_set_new(document, "problems", problems);
	note_provenance(cases, document);
	json_object_set_new(document, "origins", origins_judge(cases));
	work_done_judge(study, cases);
	json_object_set_new(document, "warnings", collect_warnings(cases));
	json_object_set_new(document, "cases", cases);
	return document;
}

void
study_print_case(const json_t *case_document, FILE *out)
{
	const json_t *metric, *item, *comparison;
	size_t m, i, c;

	json_array_foreach(json_object_get(case_document, "metrics"), m, metric)
		json_array_foreach(json_object_get(metric, "items"), i, item)
			json_array_foreach(json_object_get(item, "comparisons"), c, comparison)
				fprintf(out, "%s\n", json_get_text(comparison, "sentence"));
}
