#include "analysis/judge/work_done.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe.h"
#include "analysis/judge/clocks.h"
#include "analysis/judge/group_work.h"
#include "analysis/judge/warning.h"
#include "base/json.h"
#include "base/memory.h"

/*
 * Of one CPU. 128 bytes a cycle through two loads of 64 at 6 GHz are 7.7e11 a second; matrix units do
 * some 2000 operations a cycle.
 */
#define MOST_ELEMENTS 1e12
#define MOST_FLOPS 2e13

/* A pass that does something for each element, however little, does not do 20 in a nanosecond and as many more
 * in no more time. */
#define LEAST_GROWTH 4.0
#define FLAT 1.5
#define FASTEST_ELEMENT_NS 0.05
#define LOOKS_NS 100 /* at the clock, which a sample of few passes has in them */

static double
cell(const struct observations *all, size_t row, const char *name)
{
	return observations_number(all, row, csv_table_column(&all->table, name));
}

/* The largest rate among a treatment's samples of what `of` says of a row. */
static double
most_of(const struct observations *all, size_t treatment, double (*of)(const struct observations *, size_t))
{
	double most = 0;
	size_t i, r;

	for (i = 0; i < all->count; i++) {
		const struct observation *one = &all->items[i];

		if (!one->used || !one->ok || one->phase != OBSERVED_AB || (size_t)one->treatment != treatment)
			continue;
		for (r = 0; r < one->rows; r++)
			most = fmax(most, of(all, one->first_row + r));
	}
	return most;
}

/* The rows of a treatment's samples that count; the caller frees. */
static size_t *
sample_rows(const struct observations *all, size_t treatment, size_t *count)
{
	size_t *rows = NULL, capacity = 0, i, r;

	*count = 0;
	for (i = 0; i < all->count; i++) {
		const struct observation *one = &all->items[i];

		if (!one->used || !one->ok || one->phase != OBSERVED_AB || (size_t)one->treatment != treatment)
			continue;
		for (r = 0; r < one->rows; r++) {
			rows = memory_grow(rows, *count, &capacity, sizeof *rows);
			rows[(*count)++] = one->first_row + r;
		}
	}
	return rows;
}

static double
elements_per_s(const struct observations *all, size_t row)
{
	return cell(all, row, "cfg_len") * cell(all, row, "cfg_iters") / (1e-6 * cell(all, row, "wall_us"));
}

static double
flops_per_s(const struct observations *all, size_t row)
{
	return cell(all, row, "flops");
}

/* ---- of one case ---- */

static json_t *
one_document(const struct case_input *input, size_t treatment)
{
	const struct observations *all = input->observations;
	double *x = memory_zeroed(all->count, sizeof *x), len = NAN, iters = NAN, us, median = NAN;
	const struct collapse how = {COLLAPSE_MEDIAN, 0};
	int column = csv_table_column(&all->table, "wall_us");
	const char *check = "";
	size_t i, n = 0;

	for (i = 0; i < all->count; i++) {
		const struct observation *one = &all->items[i];

		if (!one->used || !one->ok || one->phase != OBSERVED_AB || (size_t)one->treatment != treatment ||
		    observation_value(all, i, column, how, &us, NULL) != STAT_OK)
			continue;
		len = cell(all, one->first_row, "cfg_len");
		iters = cell(all, one->first_row, "cfg_iters");
		check = one->check;
		x[n++] = us;
	}
	describe_median(x, n, &median);
	free(x);
	if (!(len > 0) || !(iters > 0) || !(median > 0))
		return NULL;
	return json_pack("{s:s, s:f, s:f, s:f, s:s}", "name", input->plan->treatments[treatment].name, "len", len,
			 "iters", iters, "pass_ns", 1e3 * median / iters, "check", check);
}

json_t *
work_done_document(const struct case_input *input)
{
	json_t *list = json_array(), *one;
	size_t t;

	for (t = 0; t < input->plan->treatment_count; t++)
		if ((one = one_document(input, t)) != NULL)
			json_array_append_new(list, one);
	return list;
}

/* A group report has this check anyway; times per flop rest on it. */
static void
warn_declared(const struct case_input *input, json_t *warnings)
{
	size_t t;

	if (input->plan->divided.count == 0 || input->plan->group_report.metric != NULL)
		return;
	for (t = 0; t < input->plan->treatment_count; t++) {
		size_t count, *rows = sample_rows(input->observations, t, &count);
		json_t *work = group_work(&input->plan->treatments[t], input->observations, rows, count);

		if (strcmp(json_get_text(work, "check"), "FAIL") == 0)
			warning_add(warnings, "work_disagrees", 0.95, 1,
			    "mend what the program prints in CFG or RESULT, or the flops that the variant declares; until then "
			    "times per flop tell nothing",
			    "the work by which the times of %s are divided is in doubt: %s",
			    input->plan->treatments[t].name, json_get_text(work, "reason"));
		json_decref(work);
		free(rows);
	}
}

void
work_done_warn(const struct case_input *input, json_t *warnings)
{
	const struct observations *all = input->observations;
	size_t t;

	warn_declared(input, warnings);
	for (t = 0; t < input->plan->treatment_count; t++) {
		double busy = clocks_busy_cpus(all, t), cpus = busy > 1 ? busy : 1;
		double elements = most_of(all, t, elements_per_s), flops = most_of(all, t, flops_per_s);
		bool of_flops = flops > MOST_FLOPS * cpus;

		if (!of_flops && !(elements > MOST_ELEMENTS * cpus))
			continue;
		warning_add(warnings, "impossible_rate", 0.95, of_flops ? flops : elements,
		    "the work was not done: look at the disassembly for what the compiler deleted, and let something read "
		    "the result (assay_keep, a checksum)",
		    "%s would do %.2g %s a second, which no CPU can", input->plan->treatments[t].name,
		    of_flops ? flops : elements, of_flops ? "floating point operations" : "elements");
		return;
	}
}

/* ---- over the cases of an experiment ---- */

struct end {
	const json_t *entry;
	json_t *document; /* of its case */
	double len, pass_ns;
};

static const json_t *
entry_of(const json_t *document, const char *name)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(document, "work_done"), i, one)
		if (strcmp(json_get_text(one, "name"), name) == 0)
			return one;
	return NULL;
}

/* The case with the fewest and that with the most elements. */
static void
find_ends(const json_t *experiment, json_t *cases, const char *name, struct end *least, struct end *most)
{
	const json_t *one;
	size_t i;

	*least = *most = (struct end){NULL, NULL, NAN, NAN};
	json_array_foreach(json_object_get(experiment, "cases"), i, one) {
		json_t *document = json_object_get(cases, json_get_text(one, "case_id"));
		const json_t *entry = entry_of(document, name);
		struct end end = {entry, document, json_get_number(entry, "len"), json_get_number(entry, "pass_ns")};

		if (entry == NULL)
			continue;
		if (least->entry == NULL || end.len < least->len)
			*least = end;
		if (most->entry == NULL || end.len > most->len)
			*most = end;
	}
}

static void
judge_one(const json_t *experiment, json_t *cases, const char *name)
{
	struct end least, most;
	bool same_check;
	double iters;

	find_ends(experiment, cases, name, &least, &most);
	iters = json_get_number(most.entry, "iters");
	if (!(most.len >= LEAST_GROWTH * least.len) || most.pass_ns > FASTEST_ELEMENT_NS * most.len ||
	    most.pass_ns - LOOKS_NS / iters > FLAT * least.pass_ns)
		return;
	same_check = strcmp(json_get_text(least.entry, "check"), json_get_text(most.entry, "check")) == 0;
	warning_add(json_object_get(most.document, "warnings"), "work_without_time", same_check ? 0.95 : 0.8,
	    most.pass_ns / least.pass_ns,
	    "look at the disassembly for what the compiler deleted, and let something read the result (assay_keep, a "
	    "checksum); where a pass is not meant to do more for more elements, CFG should not say so",
	    "%s takes %.3g ns a pass over %.0f elements and %.3g ns over %.0f%s: it does not do the work that it "
	    "tells of",
	    name, least.pass_ns, least.len, most.pass_ns, most.len, same_check ? ", with the same CHECK" : "");
}

void
work_done_judge(const json_t *study, json_t *cases)
{
	const json_t *experiment, *first, *one;
	size_t e, i;

	json_array_foreach(json_object_get(study, "experiments"), e, experiment) {
		first = json_array_get(json_object_get(experiment, "cases"), 0);
		first = json_object_get(cases, json_get_text(first, "case_id"));
		json_array_foreach(json_object_get(first, "work_done"), i, one)
			judge_one(experiment, cases, json_get_text(one, "name"));
	}
}
