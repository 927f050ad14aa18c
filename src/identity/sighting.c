#include "identity/sighting.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool
sighting_settled(const struct file_signature *signature, int64_t looked_ns)
{
	return signature->ctime_ns <= looked_ns - SIGHTING_SETTLED_NS;
}

void
sightings_add_seen(struct sightings *seen, const char *path, const struct file_signature *signature)
{
	seen->items = memory_grow(seen->items, seen->count, &seen->capacity,
				   sizeof *seen->items);
	seen->items[seen->count].path = memory_copy_text(path);
	seen->items[seen->count++].signature = *signature;
}

void
sightings_add(struct sightings *seen, const char *path)
{
	struct file_signature signature;

	if (file_signature(path, &signature) != 0)
		memset(&signature, 0, sizeof signature);
	sightings_add_seen(seen, path, &signature);
}

void
sightings_free(struct sightings *seen)
{
	size_t i;

	for (i = 0; i < seen->count; i++)
		free(seen->items[i].path);
	free(seen->items);
	*seen = (struct sightings)SIGHTINGS_EMPTY;
}

/* One item after the other: the signature, the path, a NUL. */
void
sightings_encode(const struct sightings *seen, struct buffer *out)
{
	size_t i;

	for (i = 0; i < seen->count; i++) {
		buffer_append(out, &seen->items[i].signature, sizeof seen->items[i].signature);
		buffer_append(out, seen->items[i].path, strlen(seen->items[i].path) + 1);
	}
}

bool
sightings_hold(const char *bytes, size_t length, int64_t looked_ns)
{
	struct file_signature then, now;

	while (length > 0) {
		const char *path = bytes + sizeof then, *end;

		if (length <= sizeof then)
			return false;
		end = memchr(path, '\0', length - sizeof then);
		if (end == NULL)
			return false;
		memcpy(&then, bytes, sizeof then);
		if (file_signature(path, &now) != 0)
			memset(&now, 0, sizeof now);
		if (!sighting_settled(&then, looked_ns) || !file_signature_equal(&then, &now))
			return false;
		length -= (size_t)(end + 1 - bytes);
		bytes = end + 1;
	}
	return true;
}
