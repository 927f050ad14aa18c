#ifndef ASSAY_GOOGLE_BENCHMARK_H
#define ASSAY_GOOGLE_BENCHMARK_H

#include "store/reader.h"

/*
 * What a Google Benchmark binary prints with --benchmark_format=json: an item a benchmark, a
 * sample a repetition, wall_us and cpu_us of one iteration. Aggregates (mean, median, BigO, …) are
 * left out, the analysis makes its own. Of the user counters those are read that the plan names as
 * metrics. Pure.
 *
 * One difference to JSON is allowed, since the library writes them: NaN and Infinity as values.
 */

#define GOOGLE_BENCHMARK_NAME 1000   /* bytes of a benchmark's name */
#define GOOGLE_BENCHMARK_ROWS 100000 /* rows of one output */

void google_benchmark_read(const struct plan *plan, const struct record *record,
			   struct reading *reading);

#endif
