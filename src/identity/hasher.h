#ifndef ASSAY_HASHER_H
#define ASSAY_HASHER_H

#include <stdbool.h>

#include "base/digest.h"
#include "base/error.h"
#include "identity/libraries.h"
#include "identity/sighting.h"

/*
 * Digests of files, each hashed once: within one hasher a path is looked at once, and over runs
 * a digest is taken from the cache file as long as stat says the same of the path. A digest made
 * when the file was younger than two seconds is not trusted later (sighting.h).
 *
 * The cache file is text, one digest a line:
 *	<kind> <sha256> <hashed_ns> <device> <inode> <size> <mtime_ns> <ctime_ns> <path, escaped>
 */

enum hash_kind {
	HASH_ALL,    /* every byte */
	HASH_LOADED, /* what a program or library brings into memory (elf_content.h) */
};

struct hasher;

/* NULL for `cache_path`: no cache, everything is hashed afresh. A missing or damaged cache file
 * is an empty one. */
struct hasher *hasher_open(const char *cache_path);
/* Writes the cache file, when something new was learnt. Failing to is no error: the next run
 * hashes again. */
void hasher_close(struct hasher *hasher);

int hasher_digest(struct hasher *hasher, enum hash_kind kind, const char *path,
		  char hex[DIGEST_SHA256_HEX], struct error *error);

/* How the kernel starts a file: all NULL for a static program. */
struct start {
	char *loader;      /* a dynamic ELF program's PT_INTERP */
	char *interpreter; /* a script's "#!" program, */
	char *argument;    /* and the one argument after it, or NULL */
};
/* Borrowed until the next call. */
const struct start *hasher_start(struct hasher *hasher, const char *path);

/*
 * The libraries of a dynamic program; the loader is asked once for each program, folder and LD_*
 * environment. Borrowed until the next call. All that the answer rests on is looked at: the
 * program, its libraries, the loader and its cache, the folders it searches.
 */
const struct libraries *hasher_libraries(struct hasher *hasher, const char *loader,
					 const char *program, const char *cwd,
					 const struct settings *env);

/* Everything looked at so far. Borrowed; callers may add their own. */
struct sightings *hasher_sightings(struct hasher *hasher);

#endif
