/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SAXPY_DEVICE_H
#define SAXPY_DEVICE_H

/*
 * What saxpy_cuda asks of a device: memory, copies, and passes that the device's own clock times.
 * kernels/saxpy.cu answers for CUDA; the tests have one that is none. Functions that return int
 * return 0, or -1 with the error filled.
 */

#include <stddef.h>
#include <stdint.h>

#include "harness/assay_harness.h"

#ifdef __cplusplus
extern "C" {
#endif

enum device_form {
	DEVICE_SCALAR, /* a thread an element */
	DEVICE_FLOAT4, /* a fixed grid whose threads stride over elements, four at a time */
};

/* What a record must say of a device; each a text of one line. */
struct device_facts {
	char name[128];
	char uuid[64];   /* as nvidia-smi shows it: GPU-... */
	char driver[32]; /* the CUDA version that the driver supports */
	char toolkit[32]; /* the one that the program was built with */
};

struct device;

/* The first device that there is, and vectors of n floats on it, filled from x and y. NULL with the
 * error filled, which is "no CUDA device: ..." where there is none. */
struct device *device_open(size_t n, const float *x, const float *y, struct device_facts *facts,
	struct assay_error *error);
void device_close(struct device *device);

/* So many passes of y = a*x + y, a changing its sign from one to the next. *ms: from before the first to
 * behind the last, by events of the device. */
int device_saxpy(struct device *device, enum device_form form, float a, uint64_t passes, double *ms,
	struct assay_error *error);

/* y as it is on the device, n floats. */
int device_fetch(const struct device *device, float *y, struct assay_error *error);

#ifdef __cplusplus
}
#endif

#endif
