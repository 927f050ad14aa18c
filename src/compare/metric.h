#ifndef ASSAY_COMPARE_METRIC_H
#define ASSAY_COMPARE_METRIC_H

#include "compare/options.h"

/*
 * What is compared, from --metric, --better, --reader and --items together: fills the options'
 * metric. A metric with a '(' is a Lua pattern over what the commands print, which is then named
 * after the words before the '('.
 */
int compare_metric_resolve(struct compare_options *options, struct error *error);
void compare_metric_free(struct compare_options *options);

/* Do the commands give named items? */
bool compare_metric_has_items(const struct compare_options *options);
/* The column of the whole process's time, whatever wall_us is. */
const char *compare_metric_process_wall(const struct compare_options *options);

#endif
