#ifndef ASSAY_SEQUENTIAL_H
#define ASSAY_SEQUENTIAL_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * Group-sequential bounds for planned looks by alpha spending (Lan and DeMets 1983), two-sided
 * and symmetric, by recursive numerical integration (Armitage, McPherson and Rowe 1969).
 */

enum sequential_spending {
	SEQUENTIAL_OBRIEN_FLEMING, /* 2 (2 - 2 Phi(z(1 - alpha/4) / sqrt t)) */
	SEQUENTIAL_POCOCK,         /* alpha log(1 + (e - 1) t) */
};

struct sequential_look {
	double spent;     /* alpha spent up to and with this look */
	double z;         /* stop at |Z| above this */
	double nominal_p; /* the same as a two-sided p of this look alone */
};

/*
 * information[k] is the share of the planned pairs at look k: ascending, in (0, 1], steps of
 * 0.005 or more; at most 50 looks. alpha in (0, 1). out has room for looks. STAT_BAD_ARGUMENT,
 * STAT_TOO_FEW for no looks; then out is all NaN.
 */
enum stat_status sequential_bounds(enum sequential_spending spending, const double *information,
				   size_t looks, double alpha, struct sequential_look *out);

#endif
