#ifndef ASSAY_OVER_SAMPLES_H
#define ASSAY_OVER_SAMPLES_H

#include <jansson.h>

#include "analysis/judge/observations.h"

/*
 * The samples of several groups, each group's after its own upper trim, as one pool. No verdict
 * rests on it, since samples of one process are not independent; it is what readers know from
 * other benchmarks, and what the figures bars, pairs and sizes show.
 *
 * `groups` are places in the observations, `column` one of samples.csv. The trim keeps
 * x <= trim_factor * median of the group, 0 keeps all; only times are trimmed.
 * A new object, layout "over_samples" in docs/formats.md. Its "rate" is null unless the column is
 * a time or the rate of one sample, and each sample says how much it worked.
 */
json_t *over_samples_document(const struct observations *all, const size_t *groups, size_t count,
			      int column, double trim_factor);

#endif
