#ifndef ASSAY_DIAGNOSE_READING_H
#define ASSAY_DIAGNOSE_READING_H

#include <jansson.h>

#include "base/error.h"

/*
 * What a tool wrote, as a result (docs/formats.md, "diagnoses"): values by the names of
 * spec/diagnosis.c, the hottest function, a table of functions, one sentence. Each reads the
 * files that its tool left in the folder (tool.c). A new object, or NULL with *error where they are
 * not what the tool writes.
 */
typedef json_t *diagnose_reader(const char *folder, struct error *error);

diagnose_reader read_perf_stat;         /* perf.json: JSON lines of perf stat -j */
diagnose_reader read_perf_record;       /* after.txt: perf report, '|' between overhead, samples, symbol, object */
diagnose_reader read_perf_c2c;          /* after.txt: perf c2c report */
diagnose_reader read_callgrind;         /* callgrind.out */
diagnose_reader read_gnu_time;          /* time.txt: time -v */
diagnose_reader read_compute_sanitizer; /* stdout, with the program's own lines in it */
diagnose_reader read_nsys;              /* after.txt: nsys stats, CSV */
diagnose_reader read_ncu;               /* ncu.csv: ncu --csv, lines of its own before the header */

/* How much less time at the most when the traffic that keeps a resource busy for `share` (0 to 1) of
 * the time is halved and all else stays: 1 / (1 - share + share / 2). */
double ncu_ceiling(double share);

#endif
