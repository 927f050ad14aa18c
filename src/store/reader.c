#include "store/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/protocol.h"
#include "store/google_benchmark.h"
#include "store/output_patterns.h"
#include "store/work.h"

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
	size_t i;

	for (i = 0; i < from->sample_count; i++) {
		struct reading_sample *to = reading_add(reading, from->samples[i].item);

		to->wall_us = from->samples[i].wall_us;
		to->cpu_us = from->samples[i].cpu_us;
		to->flops = from->samples[i].flops;
		copy_metrics(&from->samples[i], to);
	}
}

static void
add_count(struct reading *reading, struct reading_count count)
{
	reading->counts = memory_grow(reading->counts, reading->count_count, &reading->count_capacity,
				      sizeof count);
	reading->counts[reading->count_count++] = count;
}

static void
copy_counts(const struct protocol_output *from, struct reading *reading)
{
	size_t i, k;

	for (i = 0; i < from->counted_count; i++) {
		const struct protocol_counted *one = &from->counted[i];

		for (k = 0; k < one->count; k++)
			add_count(reading, (struct reading_count){
				memory_copy_text(one->item), memory_copy_text(one->counts[k].event), i + 1,
				one->timed, one->wall_us, one->cpu_us, one->counts[k].count,
				one->counts[k].fraction, memory_copy_text("")});
	}
	for (i = 0; i < from->missing_count; i++)
		add_count(reading, (struct reading_count){
			memory_copy_text(""), memory_copy_text(from->missing[i].event), 0, false, NAN, NAN, NAN,
			NAN, memory_copy_text(from->missing[i].reason)});
}

/* The lines of a runner (docs/protocol.md). Samples beside a line that is wrong are no samples. */
static void
read_protocol(const struct plan *plan, const struct record *record, struct reading *reading)
{
	struct protocol_output output;

	parse(record, &output);
	if (output.problem == NULL) {
		copy_samples(&output, reading);
		copy_counts(&output, reading);
	}
	reading->check = copy_or_null(output.check);
	reading->mode = copy_or_null(output.mode);
	reading->tracer = copy_or_null(output.tracer);
	reading->problem = copy_or_null(output.problem);
	reading->len = output.len;
	reading->iters = output.iters;
	reading->cpus = copy_or_null(output.cpus);
	protocol_output_free(&output);
	reading_gather(reading);
	work_divide(plan, record, reading);
}

/* Any program: the whole process is the one sample, provided it ended by itself. */
static void
read_process(const struct plan *plan, const struct record *record, struct reading *reading)
{
	struct reading_sample *sample;

	(void)plan;
	reading->len = reading->iters = -1;
	if (record->result.end != LAUNCH_EXITED)
		return;
	sample = reading_add(reading, "");
	sample->wall_us = record->result.wall_us;
	sample->cpu_us = record->result.user_us + record->result.sys_us;
}

static const struct reader readers[] = {
	{"protocol", read_protocol},
	{"process", read_process},
	{"google-benchmark", google_benchmark_read},
	{"patterns", output_patterns_read},
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
