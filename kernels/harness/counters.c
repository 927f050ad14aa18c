/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "counters.h"
#include "events.h"

/* ---- which events ---- */

static int
add_event(const char *name, struct assay_counters *counters, struct assay_error *error)
{
	const struct assay_event *event = assay_event_find(name);

	if (!event)
		return assay_fail(error, "--counters: there is no event \"%.64s\"; --help lists "
			"them", name);
	for (int i = 0; i < counters->count; i++)
		if (counters->items[i].event == event)
			return assay_fail(error, "--counters: \"%.64s\" is there twice", name);
	if (counters->count == ASSAY_COUNTERS)
		return assay_fail(error, "--counters: at most %d events", ASSAY_COUNTERS);
	counters->items[counters->count++].event = event;
	return 0;
}

int
assay_counters_parse(const char *list, struct assay_counters *counters,
	struct assay_error *error)
{
	char name[65];

	memset(counters, 0, sizeof *counters);
	for (;;) {
		size_t length = strcspn(list, ",");

		snprintf(name, sizeof name, "%.*s", (int)(length < 64 ? length : 64), list);
		if (add_event(name, counters, error) != 0)
			return -1;
		if (list[length] == '\0')
			return 0;
		list += length + 1;
	}
}

void
assay_counters_list(FILE *out)
{
	for (const struct assay_event *event = assay_events; event->name; event++)
		fprintf(out, "%s%s", event == assay_events ? "" : " ", event->name);
}

/* ---- opening ---- */

static void
close_sources(struct assay_counter *counter)
{
	while (counter->source_count > 0)
		close(counter->sources[--counter->source_count].fd);
}

void
assay_counters_open(struct assay_counters *counters)
{
	for (int i = 0; i < counters->count; i++) {
		struct assay_counter *counter = &counters->items[i];

		if (counter->event->kind == ASSAY_OF_THREAD)
			assay_event_open(counters, counter);
		else if (counter->event->kind == ASSAY_OF_MEMORY)
			assay_memory_open(counter);
		else
			assay_energy_open(counter);
		if (counter->reason[0]) /* a part of it would pass for all */
			close_sources(counter);
	}
}

bool
assay_counters_any(const struct assay_counters *counters)
{
	for (int i = 0; i < counters->count; i++)
		if (counters->items[i].source_count > 0)
			return true;
	return false;
}

void
assay_counters_close(struct assay_counters *counters)
{
	for (int i = 0; i < counters->count; i++)
		close_sources(&counters->items[i]);
}

/* ---- counting ---- */

/* An energy meter is a file of digits, and always on. */
static void
read_meter(const struct assay_source *source, double *count)
{
	char text[64];
	ssize_t length = pread(source->fd, text, sizeof text - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	*count = strtod(text, NULL);
}

static void
read_source(const struct assay_counter *counter, const struct assay_source *source,
	double now[3])
{
	uint64_t values[3] = {0};

	now[0] = now[1] = now[2] = 0;
	if (counter->event->kind == ASSAY_OF_ENERGY) {
		read_meter(source, &now[0]);
	} else if (read(source->fd, values, sizeof values) == (ssize_t)sizeof values) {
		for (int i = 0; i < 3; i++)
			now[i] = (double)values[i];
	}
}

static void
each_source(struct assay_counters *counters, unsigned long request)
{
	for (int i = 0; i < counters->count; i++)
		for (int k = 0; k < counters->items[i].source_count; k++)
			if (counters->items[i].event->kind != ASSAY_OF_ENERGY)
				ioctl(counters->items[i].sources[k].fd, request, 0);
}

void
assay_counters_start(struct assay_counters *counters)
{
	double now[3];

	for (int i = 0; i < counters->count; i++)
		for (int k = 0; k < counters->items[i].source_count; k++) {
			struct assay_source *source = &counters->items[i].sources[k];

			read_source(&counters->items[i], source, now);
			source->count = now[0];
			source->enabled = now[1];
			source->running = now[2];
		}
	each_source(counters, PERF_EVENT_IOC_ENABLE);
}

/* The event's share of the time is that of the place where it had least. */
static struct assay_count
count_of(const struct assay_counter *counter)
{
	struct assay_count sum = {0, 1};

	for (int k = 0; k < counter->source_count; k++) {
		const struct assay_source *source = &counter->sources[k];
		double now[3], more, fraction = 1;

		read_source(counter, source, now);
		more = now[0] - source->count;
		if (more < 0 && source->wraps_at > 0)
			more += source->wraps_at;
		if (counter->event->kind != ASSAY_OF_ENERGY)
			fraction = now[1] > source->enabled
				? (now[2] - source->running) / (now[1] - source->enabled) : 0;
		sum.count += more > 0 ? more * source->scale : 0;
		sum.fraction = fraction < sum.fraction ? fraction : sum.fraction;
	}
	return sum;
}

void
assay_counters_stop(struct assay_counters *counters, struct assay_counted *counted)
{
	each_source(counters, PERF_EVENT_IOC_DISABLE);
	for (int i = 0; i < counters->count; i++)
		counted->counts[i] = count_of(&counters->items[i]);
}

/* ---- lines ---- */

void
assay_counters_write(const struct assay_counters *counters,
	const struct assay_counted *counted, FILE *out)
{
	fprintf(out, "COUNTED %.17g %.17g\n", counted->wall_us, counted->cpu_us);
	for (int i = 0; i < counters->count; i++)
		if (counters->items[i].source_count > 0)
			fprintf(out, "COUNTER %s %.17g %.17g\n", counters->items[i].event->name,
				counted->counts[i].count, counted->counts[i].fraction);
}

void
assay_counters_write_missing(const struct assay_counters *counters, FILE *out)
{
	for (int i = 0; i < counters->count; i++)
		if (counters->items[i].source_count == 0)
			fprintf(out, "NOCOUNTER %s %s\n", counters->items[i].event->name,
				counters->items[i].reason);
}
