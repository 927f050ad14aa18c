/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "pin.h"

/* The kernel refuses a set shorter than its own, so there is one size, the largest. */
static cpu_set_t *
allowed_cpus(size_t *bytes, struct assay_error *error)
{
	cpu_set_t *set = CPU_ALLOC(ASSAY_CPU_MAX + 1);

	*bytes = CPU_ALLOC_SIZE(ASSAY_CPU_MAX + 1);
	if (!set) {
		assay_fail(error, "not pinned: no memory");
		return NULL;
	}
	CPU_ZERO_S(*bytes, set);
	if (sched_getaffinity(0, *bytes, set) != 0) {
		assay_fail(error, "not pinned: sched_getaffinity: %s", strerror(errno));
		CPU_FREE(set);
		return NULL;
	}
	return set;
}

static int
last_cpu(size_t bytes, const cpu_set_t *set)
{
	for (int cpu = ASSAY_CPU_MAX; cpu >= 0; cpu--)
		if (CPU_ISSET_S((size_t)cpu, bytes, set))
			return cpu;
	return -1;
}

static int
set_cpu(int cpu, size_t bytes, cpu_set_t *set, struct assay_error *error)
{
	CPU_ZERO_S(bytes, set);
	CPU_SET_S((size_t)cpu, bytes, set);
	if (sched_setaffinity(0, bytes, set) != 0)
		return assay_fail(error, "not pinned to CPU %d: %s; AFFINITY is -1", cpu,
			strerror(errno));
	return cpu;
}

int
assay_pin(int cpu, struct assay_error *error)
{
	size_t bytes;
	cpu_set_t *set = allowed_cpus(&bytes, error);
	int pinned;

	if (!set)
		return -1;
	if (cpu >= 0)
		pinned = set_cpu(cpu, bytes, set, error);
	else if (CPU_COUNT_S(bytes, set) == 1)
		pinned = last_cpu(bytes, set);
	else if (cpu == ASSAY_CPU_NONE)
		pinned = -1;
	else
		pinned = set_cpu(last_cpu(bytes, set), bytes, set, error);
	CPU_FREE(set);
	return pinned;
}

void
assay_pin_list(char *text, size_t room)
{
	size_t bytes, length = 0;
	struct assay_error error;
	cpu_set_t *set = allowed_cpus(&bytes, &error);

	for (int cpu = 0; set && cpu <= ASSAY_CPU_MAX && length < room; cpu++)
		if (CPU_ISSET_S((size_t)cpu, bytes, set))
			length += (size_t)snprintf(text + length, room - length, "%s%d",
				length > 0 ? "," : "", cpu);
	if (length == 0 || length >= room)
		snprintf(text, room, "-1");
	if (set)
		CPU_FREE(set);
}
