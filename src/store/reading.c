#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/reader.h"

/* What all readers make: samples of items. */

struct reading_sample *
reading_add(struct reading *reading, const char *item)
{
	struct reading_sample *sample;

	reading->samples = memory_grow(reading->samples, reading->count, &reading->capacity,
				       sizeof *reading->samples);
	sample = &reading->samples[reading->count++];
	memset(sample, 0, sizeof *sample);
	sample->item = memory_copy_text(item != NULL ? item : "");
	sample->wall_us = sample->cpu_us = sample->flops = NAN;
	return sample;
}

void
reading_add_value(struct reading_sample *sample, const char *name, double value)
{
	sample->values =
		memory_resize(sample->values, sample->value_count + 1, sizeof *sample->values);
	sample->values[sample->value_count++] = (struct reading_value){memory_copy_text(name), value};
}

void
reading_fail_item(struct reading *reading, const char *item, const char *reason)
{
	size_t i;

	for (i = 0; i < reading->failure_count; i++)
		if (strcmp(reading->failures[i].item, item) == 0)
			return;
	reading->failures = memory_grow(reading->failures, reading->failure_count,
					&reading->failure_capacity, sizeof *reading->failures);
	reading->failures[reading->failure_count++] =
		(struct reading_failure){memory_copy_text(item), memory_copy_text(reason)};
}

static void
free_sample(struct reading_sample *sample)
{
	size_t v;

	for (v = 0; v < sample->value_count; v++)
		free(sample->values[v].name);
	free(sample->values);
	free(sample->item);
}

static void
drop_failed(struct reading *reading)
{
	json_t *failed = json_object(); /* as a set of names */
	size_t i, kept = 0;

	for (i = 0; i < reading->failure_count; i++)
		json_object_set_new_nocheck(failed, reading->failures[i].item, json_true());
	for (i = 0; i < reading->count; i++)
		if (json_object_get(failed, reading->samples[i].item) != NULL)
			free_sample(&reading->samples[i]);
		else
			reading->samples[kept++] = reading->samples[i];
	reading->count = kept;
	json_decref(failed);
}

/* numbers[i]: which item sample i belongs to, counted from 0 as they appear. Returns how many. */
static size_t
number_items(const struct reading *reading, size_t *numbers)
{
	json_t *seen = json_object();
	size_t i, count = 0;

	for (i = 0; i < reading->count; i++) {
		const char *item = reading->samples[i].item;
		const json_t *number = json_object_get(seen, item);

		numbers[i] = number != NULL ? (size_t)json_integer_value(number) : count;
		if (number == NULL)
			json_object_set_new_nocheck(seen, item, json_integer((json_int_t)count++));
	}
	json_decref(seen);
	return count;
}

void
reading_gather(struct reading *reading)
{
	struct reading_sample *sorted;
	size_t *numbers, *next, items, i, at = 0, n;

	if (reading->failure_count > 0)
		drop_failed(reading);
	numbers = memory_zeroed(reading->count, sizeof *numbers);
	items = number_items(reading, numbers);
	next = memory_zeroed(items + 1, sizeof *next);
	sorted = memory_zeroed(reading->count, sizeof *sorted);
	for (i = 0; i < reading->count; i++)
		next[numbers[i]]++;
	for (i = 0; i < items; i++) {
		n = next[i];
		next[i] = at;
		at += n;
	}
	for (i = 0; i < reading->count; i++)
		sorted[next[numbers[i]]++] = reading->samples[i];
	if (reading->count > 0)
		memcpy(reading->samples, sorted, reading->count * sizeof *sorted);
	free(sorted);
	free(next);
	free(numbers);
}

void
reading_free(struct reading *reading)
{
	size_t i;

	for (i = 0; i < reading->count; i++)
		free_sample(&reading->samples[i]);
	for (i = 0; i < reading->failure_count; i++) {
		free(reading->failures[i].item);
		free(reading->failures[i].reason);
	}
	for (i = 0; i < reading->count_count; i++) {
		free(reading->counts[i].item);
		free(reading->counts[i].event);
		free(reading->counts[i].reason);
	}
	free(reading->samples);
	free(reading->failures);
	free(reading->counts);
	free(reading->check);
	free(reading->mode);
	free(reading->tracer);
	free(reading->cpus);
	free(reading->problem);
	memset(reading, 0, sizeof *reading);
}

void
reading_drop(struct reading *reading)
{
	char *problem = reading->problem;

	reading->problem = NULL;
	reading_free(reading);
	reading->problem = problem;
}
