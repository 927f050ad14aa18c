#include "store/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/protocol.h"

static struct reading_sample *
add_sample(struct reading *reading, size_t *capacity, const char *item)
{
	struct reading_sample *sample;

	reading->samples = memory_grow(reading->samples, reading->count, capacity,
				       sizeof *reading->samples);
	sample = &reading->samples[reading->count++];
	memset(sample, 0, sizeof *sample);
	sample->item = memory_copy_text(item != NULL ? item : "");
	return sample;
}

static void
copy_metrics(const struct protocol_sample *from, struct reading_sample *to)
{
	size_t i;

	to->values = memory_zeroed(from->metric_count, sizeof *to->values);
	for (i = 0; i < from->metric_count; i++) {
		to->values[i].name = memory_copy_text(from->metrics[i].name);
		to->values[i].value = from->metrics[i].value;
	}
	to->value_count = from->metric_count;
}

static void
parse(const struct record *record, struct protocol_output *output)
{
	struct protocol *parser = protocol_begin();

	protocol_feed(parser, record->stdout_bytes, record->stdout_length);
	protocol_finish(parser, output);
}

static char *
copy_or_null(const char *text)
{
	return text != NULL ? memory_copy_text(text) : NULL;
}

static void
copy_samples(const struct protocol_output *from, struct reading *reading)
{
	size_t i, capacity = 0;

	for (i = 0; i < from->sample_count; i++) {
		struct reading_sample *to = add_sample(reading, &capacity, from->samples[i].item);

		to->wall_us = from->samples[i].wall_us;
		to->cpu_us = from->samples[i].cpu_us;
		to->flops = from->samples[i].flops;
		copy_metrics(&from->samples[i], to);
	}
}

/* The lines of a runner (docs/protocol.md). Samples beside a line that is wrong are no samples. */
static void
read_protocol(const struct plan *plan, const struct record *record, struct reading *reading)
{
	struct protocol_output output;

	(void)plan;
	parse(record, &output);
	if (output.problem == NULL)
		copy_samples(&output, reading);
	reading->check = copy_or_null(output.check);
	reading->mode = copy_or_null(output.mode);
	reading->problem = copy_or_null(output.problem);
	reading->len = output.len;
	reading->iters = output.iters;
	reading->cpu = output.has_affinity ? output.affinity_cpu : -1;
	protocol_output_free(&output);
}

/* Any program: the whole process is the one sample, provided it ended by itself. */
static void
read_process(const struct plan *plan, const struct record *record, struct reading *reading)
{
	struct reading_sample *sample;
	size_t capacity = 0;

	(void)plan;
	if (record->result.end != LAUNCH_EXITED)
		return;
	sample = add_sample(reading, &capacity, "");
	sample->wall_us = record->result.wall_us;
	sample->cpu_us = record->result.user_us + record->result.sys_us;
	sample->flops = NAN;
}

static const struct reader readers[] = {
	{"protocol", read_protocol},
	{"process", read_process},
};

const struct reader *
reader_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof readers / sizeof *readers; i++)
		if (strcmp(readers[i].name, name) == 0)
			return &readers[i];
	return NULL;
}

void
reading_free(struct reading *reading)
{
	size_t i, v;

	for (i = 0; i < reading->count; i++) {
		for (v = 0; v < reading->samples[i].value_count; v++)
			free(reading->samples[i].values[v].name);
		free(reading->samples[i].values);
		free(reading->samples[i].item);
	}
	free(reading->samples);
	free(reading->check);
	free(reading->mode);
	free(reading->problem);
	memset(reading, 0, sizeof *reading);
}
