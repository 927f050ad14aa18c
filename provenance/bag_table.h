#ifndef ASSAY_BAG_TABLE_H
#define ASSAY_BAG_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * The files of a bag as found and as listed in its manifests, in any order. Made for what others
 * send: a fixed number of bytes an entry (the first 128 bits of each digest), bounded names, no
 * slow case that can be brought about.
 */
struct bag_table;

#define BAG_NAMES_BYTES ((size_t)48 << 20)

struct bag_table *bag_table_new(uint64_t max_entries);
void bag_table_free(struct bag_table *table);

/* A file of the archive; `sha512` is its hex. -1 with *error: there twice, or too many. */
int bag_table_add_found(struct bag_table *table, const char *name, const char *sha512,
			struct error *error);
/* A line of a manifest. -1 with *error: listed twice, or too many. */
int bag_table_add_listed(struct bag_table *table, const char *name, const char *sha512,
			 struct error *error);
bool bag_table_has_found(const struct bag_table *table, const char *name);

/*
 * Appends a line for each file that is missing, not listed, or not what its manifest says, ten at
 * most; returns how many there are. `exempt` need not be listed.
 */
size_t bag_table_differences(const struct bag_table *table, const char *exempt,
			     struct buffer *out);
/* A name that is both a file and the folder of another one; NULL: none. Owned by the caller. */
char *bag_table_conflict(const struct bag_table *table);

#endif
