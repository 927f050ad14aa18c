/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device that is none, for saxpy_cuda (kernels/saxpy/device.h): it computes on the host and makes its times up,
 * so that what is told of a device can be tested without one. A nanosecond and a half an element by a
 * thread an element, one by four. STAND_IN_FAILS=launch or =fetch has that step fail.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saxpy/device.h"

struct device {
	size_t n;
	const float *x;
	float *y;
	unsigned samples;
};

static int
step(const char *name, struct assay_error *error)
{
	const char *fails = getenv("STAND_IN_FAILS");

	if (fails && strcmp(fails, name) == 0)
		return assay_fail(error, "%s: out of luck", name);
	return 0;
}

struct device *
device_open(size_t n, const float *x, const float *y, struct device_facts *facts, struct assay_error *error)
{
	struct device *device = assay_alloc(1, sizeof *device, error);

	if (!device || step("open", error) != 0)
		return NULL;
	device->n = n;
	device->x = x;
	device->y = assay_alloc(n, sizeof *y, error);
	if (!device->y)
		return NULL;
	memcpy(device->y, y, n * sizeof *y);
	snprintf(facts->name, sizeof facts->name, "Stand-in 1");
	snprintf(facts->uuid, sizeof facts->uuid, "GPU-01234567-89ab-cdef-0123-456789abcdef");
	snprintf(facts->driver, sizeof facts->driver, "12.8");
	snprintf(facts->toolkit, sizeof facts->toolkit, "13.0");
	return device;
}

void
device_close(struct device *device)
{
	if (device)
		free(device->y);
	free(device);
}

int
device_saxpy(struct device *device, enum device_form form, float a, uint64_t passes, double *ms,
	struct assay_error *error)
{
	double each_ns = form == DEVICE_SCALAR ? 1.5 : 1;

	if (step("launch", error) != 0)
		return -1;
	for (uint64_t k = 0; k < passes; k++)
		for (size_t i = 0; i < device->n; i++)
			device->y[i] += (k % 2 == 0 ? a : -a) * device->x[i];
	*ms = (double)device->n * (double)passes * each_ns / 1e6 * (1 + 1e-3 * (device->samples++ % 3));
	return 0;
}

int
device_fetch(const struct device *device, float *y, struct assay_error *error)
{
	memcpy(y, device->y, device->n * sizeof *y);
	return step("fetch", error);
}
