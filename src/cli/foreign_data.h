#ifndef ASSAY_FOREIGN_DATA_H
#define ASSAY_FOREIGN_DATA_H

#include <stdbool.h>

#include "base/error.h"

/*
 * Two columns of a CSV file that was measured elsewhere. What is not known of how it was
 * measured is not guessed: tests that need the order inside the pairs, the order of the runs or
 * the pairing itself are listed as refused, with the reason, beside those that need none.
 */
struct foreign_data {
	const char *path, *a, *b; /* the file; its columns of times of A and of B */
	const char *order;        /* a column that says AB or BA; NULL: not known */
	bool unpaired;            /* the rows are no pairs; a shorter column ends in empty cells */
	bool run_order;           /* the rows are in the order in which they were measured */
	double confidence;
	bool json;
};

/* Prints to stdout. -1 with *error for a file, a column or a cell that is none. */
int foreign_data_analyse(const struct foreign_data *data, struct error *error);

#endif
