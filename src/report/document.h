#ifndef ASSAY_REPORT_DOCUMENT_H
#define ASSAY_REPORT_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * What every form of the report walks over: the experiments of study.json with the case
 * documents of stats.json, and how its numbers are written. Nothing is computed here.
 */

struct report {
	json_t *study, *stats;
	json_t *diagnoses; /* { experiment: its build/diagnose/E.json, where it asks for one and has it } */
	bool has_pages; /* each experiment has a page beside it, EXPERIMENT.html; false unless set */
};

/* Of study.json and stats.json in the folder: "build", or that of a form (graph/graph.h). */
int report_read(struct report *report, const char *folder, struct error *error);
void report_free(struct report *report);

/* The primary metric of a case document; borrowed. */
const json_t *document_primary(const json_t *case_document);
/* The case document of an entry of an experiment's "cases"; borrowed. */
const json_t *document_case(const struct report *report, const json_t *case_entry);
/* The treatment entry of an item; borrowed, NULL when there is none. */
const json_t *document_treatment(const json_t *item, long long index);

/* How many samples of the primary metric a process gave; 0: none, or not everywhere the same. */
long long document_samples(const struct report *report, const json_t *experiment);

/* How many of the study's cases have results that were recorded on another machine than the one
 * where they were analysed; *cases: of how many. */
size_t document_recorded(const struct report *report, size_t *cases);

/* Has a case of it several items of its primary metric? */
bool document_has_items(const struct report *report, const json_t *experiment);

/* "1.42 [1.40, 1.44]", or "unavailable" with no number. */
void document_put_ratio(const json_t *comparison, struct buffer *out);
/* A value with its unit, scaled where the unit allows: 5231.4 us -> "5.231 ms". */
void document_put_value(double value, const char *unit, struct buffer *out);
/* The file-system part of a figure: "<experiment>-<label>". Appends. */
void document_put_figure_stem(const json_t *experiment, const char *label, struct buffer *out);

/* Calls visit for every comparison of every metric and item, in the author's order; what a search
 * confirmed comes behind its item's. */
struct comparison_place {
	const json_t *experiment, *case_document, *metric, *item, *comparison;
	bool primary;
};
typedef void comparison_visit(const struct comparison_place *place, void *context);
void document_each_comparison(const struct report *report, const json_t *experiment,
			      comparison_visit *visit, void *context);

/* The variants of the experiment that are skipped in any of its cases, each once: an object name =
 * reason. A new reference. */
json_t *document_skipped(const struct report *report, const json_t *experiment);

#endif
