/* SPDX-License-Identifier: MIT */
/*
 * Events of the whole machine that the kernel offers as files: the memory controllers' counters
 * and the energy meters (RAPL). Layout as in Linux's Documentation/ABI/testing:
 * sysfs-bus-event_source-devices-{events,format} and sysfs-class-powercap.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

#define DEVICES "/sys/bus/event_source/devices"
#define ZONES "/sys/class/powercap"

static struct assay_source *
add_source(struct assay_counter *counter, int fd, double scale)
{
	struct assay_source *source = &counter->sources[counter->source_count];

	if (counter->source_count == ASSAY_SOURCES)
		return NULL;
	*source = (struct assay_source){.fd = fd, .scale = scale};
	counter->source_count++;
	return source;
}

static DIR *
open_folder(const char *path)
{
	char full[512];

	assay_sys_path(path, full, sizeof full);
	return opendir(full);
}

static void
say_why(struct assay_counter *counter, const char *what)
{
	snprintf(counter->reason, sizeof counter->reason, "%.120s: %.60s", what, strerror(errno));
}

/* ---- the memory controllers ---- */

/* Puts the value of a term where format/TERM says, as in "config:8-15". */
static int
place_term(const char *device, const char *term, unsigned long long value,
	unsigned long long *config)
{
	char path[320], format[64];
	unsigned low;

	snprintf(path, sizeof path, DEVICES "/%.64s/format/%.64s", device, term);
	if (assay_sys_read(path, format, sizeof format) != 0)
		return -1;
	if (sscanf(format, "config:%u", &low) != 1 || low > 63) {
		errno = EINVAL;
		return -1;
	}
	*config |= value << low;
	return 0;
}

/* "event=0x04,umask=0x03" */
static int
read_config(const char *device, const char *event, unsigned long long *config)
{
	char path[320], terms[128], *rest, *term;

	*config = 0;
	snprintf(path, sizeof path, DEVICES "/%.64s/events/%.64s", device, event);
	if (assay_sys_read(path, terms, sizeof terms) != 0)
		return -1;
	for (term = strtok_r(terms, ",", &rest); term; term = strtok_r(NULL, ",", &rest)) {
		char *value = strchr(term, '=');

		if (value)
			*value++ = '\0';
		if (place_term(device, term, value ? strtoull(value, NULL, 0) : 1, config) != 0)
			return -1;
	}
	return 0;
}

/* Bytes of one count: "6.103515625e-5" and "MiB" are 64. */
static double
read_scale(const char *device, const char *event)
{
	char path[320], text[64];
	double scale = 1;

	snprintf(path, sizeof path, DEVICES "/%.64s/events/%.64s.scale", device, event);
	if (assay_sys_read(path, text, sizeof text) == 0)
		scale = strtod(text, NULL);
	snprintf(path, sizeof path, DEVICES "/%.64s/events/%.64s.unit", device, event);
	if (assay_sys_read(path, text, sizeof text) == 0 && strcmp(text, "MiB") == 0)
		scale *= 1048576;
	return scale;
}

/* A controller is read on one CPU of each package: "0,24". */
static int
open_controller(struct assay_counter *counter, const char *device)
{
	const char *event = counter->event->source;
	char path[320], type[32], cpus[128], *rest, *cpu;
	unsigned long long config;

	snprintf(path, sizeof path, DEVICES "/%.64s/type", device);
	if (read_config(device, event, &config) != 0
		|| assay_sys_read(path, type, sizeof type) != 0)
		return -1;
	snprintf(path, sizeof path, DEVICES "/%.64s/cpumask", device);
	if (assay_sys_read(path, cpus, sizeof cpus) != 0)
		return -1;
	for (cpu = strtok_r(cpus, ",", &rest); cpu; cpu = strtok_r(NULL, ",", &rest)) {
		int fd = assay_perf_open((unsigned)strtoul(type, NULL, 10), config,
			(int)strtol(cpu, NULL, 10), -1);

		if (fd < 0 || !add_source(counter, fd, read_scale(device, event)))
			return -1;
	}
	return 0;
}

/* All controllers or none: bytes of some of them would pass for all. */
void
assay_memory_open(struct assay_counter *counter)
{
	DIR *folder = open_folder(DEVICES);
	struct dirent *entry;
	bool found = false, failed = false;

	while (folder && !failed && (entry = readdir(folder))) {
		if (strncmp(entry->d_name, "uncore_imc", 10) != 0
			|| strstr(entry->d_name, "free_running"))
			continue;
		found = true;
		failed = open_controller(counter, entry->d_name) != 0;
		if (failed)
			say_why(counter, entry->d_name);
	}
	if (folder)
		closedir(folder);
	if (!found)
		snprintf(counter->reason, sizeof counter->reason, "the kernel shows no "
			"memory controller (" DEVICES "/uncore_imc*)");
}

/* ---- energy ---- */

static void
add_zone(struct assay_counter *counter, const char *zone)
{
	char path[320], text[64];
	struct assay_source *source;
	int fd;

	snprintf(path, sizeof path, ZONES "/%.64s/energy_uj", zone);
	fd = assay_sys_open(path);
	if (fd < 0) {
		say_why(counter, path);
		return;
	}
	source = add_source(counter, fd, 1);
	snprintf(path, sizeof path, ZONES "/%.64s/max_energy_range_uj", zone);
	if (source && assay_sys_read(path, text, sizeof text) == 0)
		source->wraps_at = strtod(text, NULL);
}

/* Zones are called "package-0", "package-1", …; "dram" is below each. */
void
assay_energy_open(struct assay_counter *counter)
{
	DIR *folder = open_folder(ZONES);
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		char path[320], name[64];

		snprintf(path, sizeof path, ZONES "/%.64s/name", entry->d_name);
		/* intel-rapl-mmio shows the same meters again */
		if (strncmp(entry->d_name, "intel-rapl:", 11) == 0
			&& assay_sys_read(path, name, sizeof name) == 0
			&& strncmp(name, counter->event->source,
				strlen(counter->event->source)) == 0)
			add_zone(counter, entry->d_name);
	}
	if (folder)
		closedir(folder);
	if (counter->source_count == 0 && !counter->reason[0])
		snprintf(counter->reason, sizeof counter->reason,
			"the kernel shows no energy meter (" ZONES "/intel-rapl*)");
}
