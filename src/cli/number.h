#ifndef ASSAY_CLI_NUMBER_H
#define ASSAY_CLI_NUMBER_H

#include <stdbool.h>

/* Numbers on the command line and on the terminal. */

/* A whole text as a finite number; false otherwise. */
bool number_parse(const char *text, double *value);
/* A share: "2%", "2 %" or "0.02". */
bool number_parse_share(const char *text, double *value);
/* A whole number from 1 to `most`. */
bool number_parse_count(const char *text, double most, double *value);

enum { NUMBER_TEXT = 40 };

/* `digits` significant digits; "-" for what does not exist. Returns `out`. */
const char *number_text(double value, int digits, char out[NUMBER_TEXT]);

#endif
