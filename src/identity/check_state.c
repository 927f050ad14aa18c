#include "identity/check_state.h"

#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"

static const char magic[] = "assay-check-state 1\n";

struct head {
	char magic[sizeof magic - 1];
	int64_t looked_ns;
	uint64_t surroundings_bytes;
};

static bool
holds(const char *bytes, size_t length, const char *surroundings)
{
	size_t expected = strlen(surroundings);
	struct head head;

	if (length < sizeof head)
		return false;
	memcpy(&head, bytes, sizeof head);
	bytes += sizeof head;
	length -= sizeof head;
	if (memcmp(head.magic, magic, sizeof head.magic) != 0 ||
	    head.surroundings_bytes != expected || length < expected ||
	    memcmp(bytes, surroundings, expected) != 0)
		return false;
	return sightings_hold(bytes + expected, length - expected, head.looked_ns);
}

bool
check_state_holds(const char *path, const char *surroundings)
{
	struct buffer bytes = BUFFER_EMPTY;
	bool result = file_read(path, 0, &bytes, NULL) == 0 &&
		      holds(buffer_text(&bytes), bytes.length, surroundings);

	buffer_free(&bytes);
	return result;
}

void
check_state_write(const char *path, const char *surroundings,
		  const struct sightings *sightings, int64_t looked_ns)
{
	struct buffer bytes = BUFFER_EMPTY;
	struct head head;

	if (sightings->never_holds) {
		unlink(path);
		return;
	}
	memset(&head, 0, sizeof head);
	memcpy(head.magic, magic, sizeof head.magic);
	head.looked_ns = looked_ns;
	head.surroundings_bytes = strlen(surroundings);
	buffer_append(&bytes, &head, sizeof head);
	buffer_puts(&bytes, surroundings);
	sightings_encode(sightings, &bytes);
	file_write(path, bytes.bytes, bytes.length, 0, NULL);
	buffer_free(&bytes);
}
