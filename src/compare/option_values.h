#ifndef ASSAY_COMPARE_OPTION_VALUES_H
#define ASSAY_COMPARE_OPTION_VALUES_H

#include "compare/options.h"

/* The values of the options, as texts. Each returns 0, or -1 with *error, EXIT_USAGE, naming the option. */

/* Always -1: "--OPTION 'VALUE': " and what is wanted. */
int option_refuse(const char *option, const char *value, const char *wanted, struct error *error);
int option_count(const char *option, const char *text, int least, int most, int *value,
		 struct error *error);
/* Above 0 and at most `most_s`. */
int option_duration(const char *option, const char *text, double most_s, double *seconds,
		    struct error *error);
/* "2%" -> 0.02; from 0 to 1. */
int option_share(const char *option, const char *text, double *share, struct error *error);

/* These add to the options. */
int option_cpus(struct compare_options *options, const char *text, struct error *error);
/* NAME=VALUE, or NAME alone: as it is here, since commands see nothing else of our environment. */
int option_env(struct compare_options *options, const char *text, struct error *error);
/* NAME=VALUE,VALUE… */
int option_sweep(struct compare_options *options, const char *text, struct error *error);

#endif
