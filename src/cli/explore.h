#ifndef ASSAY_EXPLORE_H
#define ASSAY_EXPLORE_H

#include <stdbool.h>

#include "analysis/judge/collapse.h"
#include "base/error.h"
#include "cli/selection.h"

/*
 * Stored data of a case, looked at otherwise than the study declares. Measures nothing, writes
 * nothing into the study, and is no look: nothing of it goes into the ledger.
 */
struct exploration {
	const char *name;        /* a case, or an experiment: all its cases */
	const struct selection *selection;
	const char *metric;      /* a column of samples.csv; NULL: the case's primary metric */
	bool kind_given;
	enum collapse_kind kind; /* else as declared */
	double trim_factor;      /* 0: as declared, or 1.2 */
	bool no_trim;            /* of the group report: all samples are kept */
	double confidence;       /* 0: as declared */
	double tolerance;        /* of the group report: 0.05 is 5 %; below 0: as declared, or 5 % */
	bool include_first;
	bool groups;             /* the group report instead of the comparison */
	bool json;
};

/* Prints to stdout, case by case. 0; 1 when a check of the group report fails; -1 with *error. */
int explore(const struct exploration *how, struct error *error);

#endif
