#include "identity/same.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

/* The lines of a treatment without their common beginning. */
static char *
lines_of(const char *text, size_t treatment)
{
	char *prefix = memory_format("treatment %zu ", treatment);
	struct buffer lines = BUFFER_EMPTY;

	while (*text != '\0') {
		size_t length = strcspn(text, "\n");

		if (strncmp(text, prefix, strlen(prefix)) == 0) {
			buffer_append(&lines, text + strlen(prefix), length - strlen(prefix));
			buffer_putc(&lines, '\n');
		}
		text += length + (text[length] == '\n');
	}
	free(prefix);
	return buffer_detach(&lines);
}

bool
same_treatments(const char *identity_text, size_t a, size_t b)
{
	char *one = lines_of(identity_text, a), *other = lines_of(identity_text, b);
	bool same = one[0] != '\0' && strcmp(one, other) == 0;

	free(one);
	free(other);
	return same;
}
