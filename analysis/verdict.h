#ifndef ASSAY_VERDICT_H
#define ASSAY_VERDICT_H

#include <stdbool.h>

/*
 * The verdict of a comparison, as a function of intervals of log(b/a) where less is better:
 * times. For a metric where more is better hand over verdict_flip of the intervals. An interval
 * that does not exist has NaN bounds.
 */

struct verdict_interval {
	double lo, hi;
};

bool verdict_interval_exists(struct verdict_interval interval);

/* Closed regions; false where one of the two does not exist. Bounds within 1e-12 are equal. */
bool verdict_inside(struct verdict_interval interval, struct verdict_interval region);

bool verdict_disjoint(struct verdict_interval interval, struct verdict_interval region);

/* The interval of log(a/b). */
struct verdict_interval verdict_flip(struct verdict_interval interval);

enum verdict {
	VERDICT_INVALID,
	VERDICT_INCONCLUSIVE,
	VERDICT_FASTER,
	VERDICT_SLOWER,
	VERDICT_SAME,
};

struct verdict_evidence {
	struct verdict_interval primary; /* 95 %, or the level that the stop rule reports */
	struct verdict_interval inner;   /* 90 %, for sameness */
	double margin;                   /* declared, relative: 0.01 is 1 %; 0 or NaN for none */
	double p_adjusted; /* Holm or Benjamini-Hochberg over several comparisons; NaN for one */
	double alpha;      /* that p_adjusted is held against, such as 0.05 */
	bool invalid;      /* outputs disagree, wrong program, too few valid pairs, regime mix */
	bool label_bias;   /* noise_label_bias: nothing but inconclusive can be said */
};

struct verdict_result {
	enum verdict verdict;
	bool within_margin; /* faster or slower, but the primary interval is inside the margin */
	const char *reason; /* why invalid or inconclusive, in words; else "". Static. */
};

/*
 * The rule of STATISTICS.md: faster or slower when the primary interval excludes 0 (and
 * p_adjusted, where there is one, is at most alpha); same when the inner interval lies inside
 * +-log(1 + margin); else inconclusive. Touching 0 does not exclude it.
 */
void verdict_decide(const struct verdict_evidence *evidence, struct verdict_result *out);

/* "faster", "slower", "same", "inconclusive", "invalid". */
const char *verdict_name(enum verdict verdict);

#endif
