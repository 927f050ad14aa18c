#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "session/protocol.h"

/*
 * Any bytes: the parser neither crashes nor depends on how its input was cut. The first byte
 * says at which size it is cut; the rest is a runner's output.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
parse(const char *bytes, size_t length, size_t chunk, struct protocol_output *output)
{
	struct protocol *parser = protocol_begin();

	while (length > 0) {
		size_t part = length < chunk ? length : chunk;

		protocol_feed(parser, bytes, part);
		bytes += part;
		length -= part;
	}
	protocol_finish(parser, output);
}

static int
same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct protocol_output whole, cut;
	size_t i;

	if (size == 0)
		return 0;
	parse((const char *)data + 1, size - 1, size, &whole);
	parse((const char *)data + 1, size - 1, (size_t)data[0] + 1, &cut);
	if (whole.sample_count != cut.sample_count || whole.unknown_lines != cut.unknown_lines ||
	    !same_text(whole.problem, cut.problem) || !same_text(whole.check, cut.check) ||
	    !same_text(whole.mode, cut.mode))
		abort();
	for (i = 0; i < whole.sample_count; i++)
		if (!(whole.samples[i].wall_us > 0) ||
		    whole.samples[i].metric_count != cut.samples[i].metric_count)
			abort();
	protocol_output_free(&whole);
	protocol_output_free(&cut);
	return 0;
}
