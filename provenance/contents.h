#ifndef ASSAY_CONTENTS_H
#define ASSAY_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/error.h"

/*
 * What goes into a bundle: files of the disk and texts made for it, by the name they have below
 * the bundle's top folder; what was left out, and what looks like a secret.
 */

struct content {
	char *name;         /* "data/study/kernels/k.c" */
	char *path;         /* on disk; NULL: `bytes` */
	struct buffer bytes;
	bool executable;
	uint64_t size;
	char sha512[DIGEST_SHA512_HEX]; /* "" until contents_read */
};

/* A remark about one name. */
struct content_note {
	char *name, *text;
};
struct content_notes {
	struct content_note *items;
	size_t count, capacity;
};

struct contents {
	struct content *items;
	size_t count, capacity;
	struct content_notes left_out; /* with the reason */
	struct content_notes warnings; /* what looks like a secret */
	struct content_notes aside;    /* told on the terminal alone, so that the bundle's bytes do
	                                  not depend on this machine: home folder, host name, what
	                                  lies about untracked */
};

/* Whether a name can be in a bundle: UTF-8, relative, no control characters, no "." or "..", and
 * none that a BagIt manifest would have to escape, since sha512sum would not find that. */
bool contents_name_is_safe(const char *name, size_t length);

/* A regular file, or a link inside the study to one (its content is put in the link's place).
 * Another kind of file, an unreadable name or a link that leads out is left out. A missing file
 * is nothing. */
void contents_add_file(struct contents *contents, const char *name, const char *path);
/* Takes the buffer's bytes. */
void contents_add_bytes(struct contents *contents, const char *name, struct buffer *bytes);
/* All files below a folder, but for those for which `skips` says so (NULL: none). */
typedef bool contents_skip(const char *path, const char *base_name, void *context);
void contents_add_tree(struct contents *contents, const char *name, const char *path,
		       contents_skip *skips, void *context);
void contents_note(struct content_notes *notes, const char *name, const char *text);

/* Sorts by name (bytes), drops what is there twice, fills size and digest of what has none yet,
 * and the warnings. */
int contents_read(struct contents *contents, struct error *error);
/* The entry, or NULL; after contents_read. */
const struct content *contents_find(const struct contents *contents, const char *name);
void contents_free(struct contents *contents);

#endif
