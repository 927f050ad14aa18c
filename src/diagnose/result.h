#ifndef ASSAY_DIAGNOSE_RESULT_H
#define ASSAY_DIAGNOSE_RESULT_H

#include <jansson.h>

#include "base/buffer.h"
#include "base/error.h"

/* What the readers share: results and the text that they are read from. */

/* { values, functions, hottest, summary }, empty. */
json_t *result_new(void);
void result_put(json_t *result, const char *name, double value);
/* NaN where it was not told. */
double result_value(const json_t *result, const char *name);
void result_say(json_t *result, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Adds a function with its share (0 to 1) of what was counted. `samples` 0: counted, not sampled;
 * else the margin of the share at 95 % (binomial) is told with it, and the relative error of so few
 * events (Poisson).
 */
void result_add_function(json_t *result, const char *name, const char *object, double share,
			 double samples, double of_samples);
/* Sorts them, the hottest first, keeps the first 50 and tells of the hottest. */
void result_end_functions(json_t *result);

/* The file's bytes; its lines, one at a time: *at goes on, the line is cut in place. NULL at the end. */
int result_read(const char *folder, const char *name, struct buffer *text, struct error *error);
char *result_line(char **at);

#endif
