#ifndef ASSAY_DESIGN_H
#define ASSAY_DESIGN_H

#include "spec/fields.h"

/* Reads the tables of an experiment that say how it is measured; missing keys get defaults. */
void design_read(const struct fields *experiment, size_t treatments, struct design *design);
/* group_report = { … }: left alone when it is missing. */
void group_report_read(const struct fields *experiment, const struct metric *metrics, size_t count,
		       struct group_report *report);
/* "30s", "5m", "2h" or seconds. */
double design_duration(const struct fields *fields, const char *key, double otherwise,
		       double most);
void group_check_read(const struct fields *experiment, struct group_check *check);
/* How the output of a group becomes samples, by its place in the choices of `reader`. */
enum spec_reader { SPEC_PROTOCOL, SPEC_PROCESS, SPEC_GOOGLE_BENCHMARK, SPEC_PATTERNS };

/* metric = { … } or metrics = { { … }, … }: which there can be depends on the reader. */
void metrics_read(const struct fields *experiment, enum spec_reader reader,
		  struct experiment *out);

#endif
