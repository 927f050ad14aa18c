/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "tracer.h"

/* The number behind "TracerPid:"; 0: nobody. */
static long
tracer_pid(void)
{
	char line[256];
	FILE *status = fopen("/proc/self/status", "re");
	long pid = 0;

	while (status && fgets(line, sizeof line, status))
		if (sscanf(line, "TracerPid: %ld", &pid) == 1)
			break;
	if (status)
		fclose(status);
	return pid;
}

void
assay_tracer(char *name, size_t size)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_.:/+-";
	char path[64];
	long pid = tracer_pid();
	FILE *comm;

	name[0] = '\0';
	if (pid == 0)
		return;
	snprintf(name, size, "unknown");
	snprintf(path, sizeof path, "/proc/%ld/comm", pid);
	comm = fopen(path, "re");
	if (comm && fgets(name, (int)size, comm))
		name[strcspn(name, "\n")] = '\0';
	if (comm)
		fclose(comm);
	for (char *at = name; *at; at++)
		if (!strchr(allowed, *at))
			*at = '_';
}
