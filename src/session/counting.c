#include "session/counting.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct protocol_counted *
counting_add(struct protocol_output *output, const char *item, bool timed, double wall_us,
	     double cpu_us)
{
	output->counted = memory_grow(output->counted, output->counted_count, &output->counted_capacity,
				      sizeof *output->counted);
	output->counted[output->counted_count] = (struct protocol_counted){
		memory_copy_text(item), timed, wall_us, cpu_us, NULL, 0};
	return &output->counted[output->counted_count++];
}

bool
counting_add_count(struct protocol_counted *counted, const char *event, double count, double fraction)
{
	size_t i;

	for (i = 0; i < counted->count; i++)
		if (strcmp(counted->counts[i].event, event) == 0)
			return false;
	if (counted->count == PROTOCOL_METRICS)
		return false;
	counted->counts = memory_resize(counted->counts, counted->count + 1, sizeof *counted->counts);
	counted->counts[counted->count++] =
		(struct protocol_count){memory_copy_text(event), count, fraction};
	return true;
}

bool
counting_add_missing(struct protocol_output *output, const char *event, const char *reason)
{
	size_t i;

	for (i = 0; i < output->missing_count; i++)
		if (strcmp(output->missing[i].event, event) == 0)
			return true;
	if (i == PROTOCOL_METRICS)
		return false;
	output->missing = memory_resize(output->missing, output->missing_count + 1,
					sizeof *output->missing);
	output->missing[output->missing_count++] =
		(struct protocol_missing){memory_copy_text(event), memory_copy_text(reason)};
	return true;
}

void
counting_free(struct protocol_output *output)
{
	size_t i, k;

	for (i = 0; i < output->counted_count; i++) {
		for (k = 0; k < output->counted[i].count; k++)
			free(output->counted[i].counts[k].event);
		free(output->counted[i].counts);
		free(output->counted[i].item);
	}
	for (i = 0; i < output->missing_count; i++) {
		free(output->missing[i].event);
		free(output->missing[i].reason);
	}
	free(output->counted);
	free(output->missing);
}
