/*
 * Any bytes through the splitter of literate specs. It must not crash, and what it gives must
 * stand in the source, in order, with the line that it says.
 *
 *	clang -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -Isrc -I. tests/fuzz/fuzz_literate.c \
 *		src/spec/literate.c src/base/buffer.c src/base/memory.c src/base/error.c -o fuzz_literate
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "spec/literate.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void
require(int condition)
{
	if (!condition)
		abort();
}

static void
check(const char *source, size_t size, const struct literate *literate)
{
	const char *at = source;
	int line = 1;
	size_t i;

	for (i = 0; i < literate->count; i++) {
		const struct literate_segment *segment = &literate->segments[i];

		require(segment->text >= at && segment->length <= (size_t)(source + size - segment->text));
		if (segment->kind == LITERATE_MARKDOWN || segment->kind == LITERATE_LUA) {
			for (; at < segment->text; at++)
				line += *at == '\n';
			require(segment->line == line);
		}
		for (; at < segment->text + segment->length; at++)
			line += *at == '\n';
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *source = (const char *)bytes;
	struct literate literate;
	struct error error = {0};
	size_t length;

	if (literate_split(source, size, "fuzz", &literate, &error) == 0) {
		check(source, size, &literate);
		free(literate_lua(&literate, &length));
	} else {
		require(error.line > 0 && error.message[0] != '\0');
	}
	literate_free(&literate);
	return 0;
}
