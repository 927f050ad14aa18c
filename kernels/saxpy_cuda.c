/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * y = a*x + y on a device, timed by the device's own events: a sample holds neither the copies nor what
 * the host takes to hand a pass over, as long as the device has work waiting.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/assay_harness.h"
#include "saxpy/device.h"
#include "saxpy/problem.h"

struct scene {
	struct saxpy saxpy;
	struct device *device;
	enum device_form form;
	struct assay_error error; /* of the first thing that went wrong on the device */
};

static void
tear_down(void *state)
{
	struct scene *scene = state;

	if (!scene)
		return;
	device_close(scene->device);
	saxpy_free(&scene->saxpy);
	free(scene);
}

/* No keyword of the protocol: they stay in the log, for who reads it. */
static void
print_facts(const struct device_facts *facts)
{
	printf("# device %s\n# uuid %s\n# driver CUDA %s\n# toolkit CUDA %s\n", facts->name, facts->uuid,
	       facts->driver, facts->toolkit);
}

static int
set_up(void **state, enum device_form form, struct assay_error *error)
{
	struct scene *scene = assay_alloc(1, sizeof *scene, error);
	struct device_facts facts;

	*state = scene;
	if (!scene || saxpy_make(&scene->saxpy, error) != 0)
		return -1;
	scene->form = form;
	scene->device = device_open(scene->saxpy.n, scene->saxpy.x, scene->saxpy.y, &facts, error);
	if (!scene->device)
		return -1;
	print_facts(&facts);
	return 0;
}

static int
set_up_scalar(void **state, struct assay_error *error)
{
	return set_up(state, DEVICE_SCALAR, error);
}

static int
set_up_float4(void **state, struct assay_error *error)
{
	return set_up(state, DEVICE_FLOAT4, error);
}

static int
run(struct scene *scene, uint64_t passes, double *ms)
{
	float a = saxpy_next_factor(&scene->saxpy);

	scene->saxpy.passes += passes - 1;
	if (device_saxpy(scene->device, scene->form, a, passes, ms, &scene->error) == 0 &&
	    device_fetch(scene->device, scene->saxpy.y, &scene->error) == 0)
		return 0;
	fprintf(stderr, "saxpy_cuda: %s\n", scene->error.message);
	return -1;
}

/* The fetch is behind the events and in no time. */
static uint64_t
sample_ns(void *state, uint64_t passes)
{
	double ms;

	return run(state, passes, &ms) == 0 ? (uint64_t)(ms * 1e6 + 0.5) : 0;
}

static void
pass(void *state)
{
	double ms;

	run(state, 1, &ms);
}

static int
check(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;

	if (scene->error.message[0])
		return assay_fail(error, "%.400s", scene->error.message);
	return saxpy_check(&scene->saxpy, error);
}

static void
work(const void *state, struct assay_work *done)
{
	saxpy_work(&((const struct scene *)state)->saxpy, done);
}

#define KERNEL(NAME, SUMMARY)                                                            \
	{.name = "cuda_" #NAME, .summary = SUMMARY, .set_up = set_up_##NAME, .pass = pass, \
	 .check = check, .work = work, .tear_down = tear_down, .sample_ns = sample_ns}

static const struct assay_kernel kernels[] = {
	KERNEL(scalar, "a thread an element"),
	KERNEL(float4, "a fixed grid, four elements at a time"),
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "saxpy_cuda",
	.summary = "y = a*x + y over floats on a CUDA device",
	.options = saxpy_options,
	.kernels = kernels,
};
