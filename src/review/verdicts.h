#ifndef ASSAY_REVIEW_VERDICTS_H
#define ASSAY_REVIEW_VERDICTS_H

#include <jansson.h>

/*
 * Effects and verdicts of two measurements of a study, both build/stats.json: the bundle's (there)
 * and ours (here). Ratios are compared, never times. Pure; new references.
 */

/*
 * Each comparison of the primary metrics that was measured here: an array of {experiment, case_id,
 * point, metric, item, a, b, there: {speedup, speedup_lo, speedup_hi, verdict, pairs} or null, here: the same,
 * relation}: "agree" (the intervals overlap), "same direction", "differ", "unknown".
 */
json_t *verdicts_effects(const json_t *there, const json_t *here);

/*
 * The bundle's claims: an array of {id, experiment, text, there, here: verdict or null, outcome,
 * reason}. Outcomes: "holds" (it is settled here as it was there), "flips" (settled otherwise, or
 * invalid here), "undecided" (settled there, open here), "settled here" (open there), "open" (on
 * both), "not measured", "not asked for", "invalid there". `missing`: [{case_id, reason}] not measured here;
 * `study` is build/study.json.
 */
json_t *verdicts_claims(const json_t *study, const json_t *there, const json_t *here,
			const json_t *missing);

/*
 * "reproduced": what was settled there is so here, all of it; "partly reproduced": some of it;
 * "not reproduced": none, and something flips or differs; "undecided": nothing of it is settled here. Rests
 * on the claims, where there are none on the effects.
 */
const char *verdicts_summary(const json_t *claims, const json_t *effects);

#endif
