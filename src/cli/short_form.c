#include "cli/short_form.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "analysis/judge/correct.h"
#include "analysis/judge/group_document.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/stored_case.h"
#include "identity/identity.h"
#include "report/document.h"
#include "session/measure.h"
#include "spec/host.h"
#include "spec/study_json.h"

#define ENTRY "build.ninja.lua"
#define FOLDER "build/short"
#define LOCK "build/short.lock"

/* ---- a plan that stands elsewhere ---- */

static void
make_absolute(const char *root, char **path)
{
	char *whole;

	if (*path == NULL || (*path)[0] == '/')
		return;
	whole = memory_format("%s/%s", root, *path);
	free(*path);
	*path = whole;
}

static void
make_all_absolute(const char *root, struct texts *paths)
{
	size_t i;

	for (i = 0; i < paths->count; i++)
		make_absolute(root, &paths->items[i]);
}

/* All paths of a plan start at the study's root, where the short form does not run. */
static void
move_treatment(const char *root, struct plan_treatment *treatment)
{
	make_absolute(root, &treatment->program.path);
	make_absolute(root, &treatment->program.source);
	make_all_absolute(root, &treatment->program.scripts);
	make_all_absolute(root, &treatment->program.identity_inputs);
	make_absolute(root, &treatment->stdin_path);
	make_all_absolute(root, &treatment->inputs);
	if (treatment->cwd == NULL)
		treatment->cwd = memory_copy_text(root);
	make_absolute(root, &treatment->cwd);
}

/*
 * The chosen treatments come first, and the plan ends after them; plan_free needs the old count.
 * Nothing is compared, so that the records' numbers may be others than the study's.
 */
static void
leave_chosen(struct plan *plan, const bool *only)
{
	struct plan_treatment swap;
	size_t kept = 0, i;

	plan->comparison_count = 0;
	for (i = 0; only != NULL && i < plan->treatment_count; i++)
		if (only[i]) {
			swap = plan->treatments[kept];
			plan->treatments[kept++] = plan->treatments[i];
			plan->treatments[i] = swap;
		}
	if (only != NULL)
		plan->treatment_count = kept;
}

static int
write_identity(const struct plan *plan, struct error *error)
{
	char *path = memory_format("build/identity/%s", plan->case_id), *content;
	struct identity identity;
	int result = identity_compute(plan, &identity, error);

	if (result == 0) {
		content = memory_format("%s\n%s", identity.hex, identity.text);
		result = file_write(path, content, strlen(content), 0, error);
		identity_free(&identity);
		free(content);
	}
	free(path);
	return result;
}

/* In build/short: what `assay generate` and `assay check` would write. */
static int
write_case(const struct short_form *how, const char *root, struct plan *plan, struct error *error)
{
	char *path = memory_format("build/plan/%s.json", plan->case_id);
	size_t all = plan->treatment_count, i;
	bool *only;
	int result = selection_variants(how->selection, plan, &only, error);

	if (result == 0) {
		for (i = 0; i < all; i++)
			move_treatment(root, &plan->treatments[i]);
		leave_chosen(plan, only);
		result = plan_write(path, plan, 0, error);
		if (result == 0)
			result = write_identity(plan, error);
		plan->treatment_count = all;
	}
	free(only);
	free(path);
	return result;
}

/* ---- what came of it ---- */

static const char *
first_failure(const struct observations *all, size_t treatment)
{
	size_t i;

	for (i = 0; i < all->count; i++)
		if (!all->items[i].ok && (size_t)all->items[i].treatment == treatment)
			return all->items[i].reason;
	return "";
}

/* `table` NULL: no group ran well. Returns whether all did. */
static bool
tell_table(const struct short_form *how, const struct stored_case *one, size_t treatment,
	   const json_t *table)
{
	const json_t *overall = json_object_get(table, "overall");
	size_t groups = json_array_size(json_object_get(table, "groups"));
	const char *work = json_get_text(json_object_get(table, "work"), "reason");
	const char *failure = first_failure(&one->observations, treatment);
	struct buffer value = BUFFER_EMPTY;

	document_put_value(json_get_number(overall, "median"), "us", &value);
	fprintf(how->out, "  %s%s%s: %zu of %d groups ran well", one->plan.treatments[treatment].name,
		json_get_text(table, "item")[0] != '\0' ? ", " : "", json_get_text(table, "item"), groups,
		one->plan.design.pairs);
	if (groups > 0)
		fprintf(how->out, ", a sample takes %s", buffer_text(&value));
	if (failure[0] != '\0')
		fprintf(how->out, "; %s", failure);
	fprintf(how->out, "%s%s\n", work[0] != '\0' ? "; flops: " : "", work);
	buffer_free(&value);
	return failure[0] == '\0' && groups == (size_t)one->plan.design.pairs;
}

static bool
tell_treatment(const struct short_form *how, const struct stored_case *one, size_t treatment,
	       const json_t *tables)
{
	const json_t *table;
	const char *skipped = one->plan.treatments[treatment].skipped;
	bool well = true, any = false;
	size_t i;

	if (skipped != NULL) {
		fprintf(how->out, "  %s: skipped: %s\n", one->plan.treatments[treatment].name, skipped);
		return true;
	}

	json_array_foreach((json_t *)tables, i, table)
		if (json_get_integer(table, "treatment", -1) == (long long)treatment) {
			well = tell_table(how, one, treatment, table) && well;
			any = true;
		}
	return any ? well : tell_table(how, one, treatment, NULL);
}

static int
tell_case(const struct short_form *how, const struct stored_case *one)
{
	struct group_document_options options = {
		.metric = "wall_us", .table = {.include_first = true, .tolerance = 0.05}};
	json_t *document = group_document(&one->plan, &one->observations, &options);
	struct correctness correctness;
	bool well = true, disagree;
	size_t i;

	fprintf(how->out, "%s: smoke test, %d block%s of %zu groups, no result\n", one->plan.case_id,
		one->plan.design.pairs, one->plan.design.pairs == 1 ? "" : "s", plan_measured(&one->plan, NULL));
	for (i = 0; i < one->plan.treatment_count; i++)
		well = tell_treatment(how, one, i, json_object_get(document, "treatments")) && well;
	correctness_check(&one->plan, &one->observations, &correctness);
	disagree = correctness.disagree;
	fprintf(how->out, "  outputs: %s%s%s\n", correctness.status, disagree ? ": " : "",
		correctness.detail);
	correctness_free(&correctness);
	json_decref(document);
	return disagree ? EXIT_NOT_HELD : well ? EXIT_DONE : EXIT_FAILED;
}

static int
run_case(const struct short_form *how, const char *case_id, struct error *error)
{
	struct measure_options options = {.case_id = case_id, .out = how->out};
	struct stored_case one;
	int result = -1;

	if (measure_case(&options, error) != 0)
		return -1;
	if (stored_case_read(case_id, NULL, &one, error) == 0)
		result = tell_case(how, &one);
	stored_case_free(&one);
	return result;
}

/* ---- all cases ---- */

static const struct study_case *
find_case(const struct study *study, const char *case_id, const struct experiment **experiment)
{
	size_t i, k;

	for (i = 0; i < study->experiment_count; i++)
		for (k = 0; k < study->experiments[i].case_count; k++)
			if (strcmp(study->experiments[i].cases[k].case_id, case_id) == 0) {
				*experiment = &study->experiments[i];
				return &study->experiments[i].cases[k];
			}
	return NULL;
}

static int
run_cases(const struct short_form *how, const struct study *study, const json_t *cases,
	  const char *root, struct error *error)
{
	int result = EXIT_DONE, code;
	const json_t *id;
	size_t i;

	json_array_foreach((json_t *)cases, i, id) {
		const struct experiment *experiment = NULL;
		const struct study_case *one = find_case(study, json_string_value(id), &experiment);
		struct plan plan;

		plan_from_case(study, experiment, one, &plan);
		code = write_case(how, root, &plan, error);
		if (code == 0)
			code = run_case(how, plan.case_id, error);
		plan_free(&plan);
		if (code < 0)
			return -1;
		result = code > result ? code : result;
	}
	return result;
}

static json_t *
all_studies(const struct study *study)
{
	json_t *studies = json_pack("[o]", study_json(study, NULL));
	size_t i;

	for (i = 0; i < study->experiment_count; i++)
		if (study->experiments[i].form != NULL)
			json_array_append_new(studies, study_json(study, study->experiments[i].name));
	return studies;
}

/* Empties the folder and goes there. The lock keeps a second short form from doing so meanwhile;
 * *lock is to be closed. */
static int
go_there(int *lock, struct error *error)
{
	if (file_make_folder("build", error) != 0)
		return -1;
	*lock = open(LOCK, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (*lock < 0)
		return error_set_errno(error, "cannot open " LOCK);
	if (flock(*lock, LOCK_EX | LOCK_NB) != 0)
		return error_set(error, EXIT_FAILED, "another short form of this study runs; try again after it");
	if (file_remove_tree(FOLDER, error) != 0 || file_make_folder(FOLDER, error) != 0)
		return -1;
	return chdir(FOLDER) == 0 ? 0 : error_set_errno(error, "cannot go to " FOLDER);
}

int
short_form_run(const struct short_form *how, struct error *error)
{
	struct host *host = host_new();
	char *root = getcwd(NULL, 0);
	json_t *studies = NULL, *cases = NULL;
	const struct study *study;
	int result = -1, lock = -1;

	host_shorten(host);
	study = host_load(host, ENTRY, error);
	if (study != NULL) {
		studies = all_studies(study);
		cases = selection_cases_of(how->selection, studies, how->name, error);
	}
	if (cases != NULL && root == NULL)
		error_set_errno(error, "cannot tell the current folder");
	else if (cases != NULL && go_there(&lock, error) == 0)
		result = run_cases(how, study, cases, root, error);
	if (result >= 0)
		fputs("records: " FOLDER "/results, until the next short form\n", how->out);
	if (root != NULL && chdir(root) != 0)
		result = error_set_errno(error, "cannot go back to %s", root);
	if (lock >= 0)
		close(lock);
	json_decref(cases);
	json_decref(studies);
	host_free(host);
	free(root);
	return result;
}
