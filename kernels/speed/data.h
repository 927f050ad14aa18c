/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SPEED_DATA_H
#define ASSAY_SPEED_DATA_H

/*
 * What all implementations of the speed benchmark share: lengths, inputs, output, reference.
 * Doubles from the minimal-standard generator (Park and Miller 1988, with the multiplier 48271),
 * seed 12345, a[i], b[i], c[i] drawn one after the other: the same bits in every language.
 */
#include <stddef.h>
#include <stdint.h>

#include "harness/assay_harness.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SPEED_WORK = 1 << 30 }; /* elements of a sample: length * iters */

struct speed_data {
	size_t n;
	double *a, *b, *c, *out;
};

/* The operations: out = a*b + c, a + b, a * b, sqrt(a). */
enum speed_operation { SPEED_FMA, SPEED_ADD, SPEED_MUL, SPEED_SQRT };

/* Elements of a vector, an option of each program: divides 2^30, a multiple of 4. */
extern uint64_t speed_length;
#define SPEED_LENGTH_OPTION \
	{"n", &speed_length, 4, SPEED_WORK, "elements of a vector: divides 2^30, a multiple of 4"}

/* -1 with the error filled when speed_length is no length that the benchmark takes. */
int speed_length_check(struct assay_error *error);
/* Allocates and fills; -1 with the error filled. What was allocated is in *data. */
int speed_data_make(struct speed_data *data, struct assay_error *error);
void speed_data_free(struct speed_data *data);

/* Each element against the operation done once more, with one rounding; where two_roundings, a
 * product that was rounded before the sum is right, too. */
int speed_data_check(const struct speed_data *data, enum speed_operation operation, int two_roundings,
		     struct assay_error *error);
void speed_data_work(const struct speed_data *data, enum speed_operation operation,
		     struct assay_work *work);

#ifdef __cplusplus
}
#endif

#endif
