#include <stdlib.h>
#include <string.h>

#include "session/counting.h"

void
protocol_output_free(struct protocol_output *output)
{
	size_t i, k;

	for (i = 0; i < output->sample_count; i++) {
		for (k = 0; k < output->samples[i].metric_count; k++) {
			free(output->samples[i].metrics[k].name);
			free(output->samples[i].metrics[k].unit);
		}
		free(output->samples[i].metrics);
		free(output->samples[i].item);
	}
	free(output->samples);
	counting_free(output);
	free(output->mode);
	free(output->tracer);
	free(output->cpus);
	free(output->check);
	free(output->problem);
	memset(output, 0, sizeof *output);
}
