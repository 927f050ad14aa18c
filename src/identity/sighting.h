#ifndef ASSAY_SIGHTING_H
#define ASSAY_SIGHTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/file.h"

/*
 * Files and folders looked at, with what stat said of each before it was read. While all of them
 * still say the same, what was found out from them still holds. A missing one has a signature of
 * zeros; its coming is noticed too.
 */

struct sighting {
	char *path;
	struct file_signature signature;
};

struct sightings {
	struct sighting *items;
	size_t count, capacity;
	bool never_holds; /* it rests on something that cannot be watched */
};

#define SIGHTINGS_EMPTY {NULL, 0, 0, false}

/*
 * A file may change again within the grain of its times, so a signature says something only when
 * it was old enough at the time of the look.
 */
#define SIGHTING_SETTLED_NS ((int64_t)2000000000)
bool sighting_settled(const struct file_signature *signature, int64_t looked_ns);

/* Looks at the path now. */
void sightings_add(struct sightings *seen, const char *path);
void sightings_add_seen(struct sightings *seen, const char *path,
		    const struct file_signature *signature);
void sightings_free(struct sightings *seen);

/* As bytes, for sightings_hold: a private cache of this machine, in its byte order. */
void sightings_encode(const struct sightings *seen, struct buffer *out);
/* Whether everything in the encoded bytes is still as it was and was settled at looked_ns. False
 * for anything that is not encoded sightings. */
bool sightings_hold(const char *bytes, size_t length, int64_t looked_ns);

#endif
