#ifndef ASSAY_PACK_H
#define ASSAY_PACK_H

#include <stdint.h>

#include "base/error.h"
#include "provenance/contents.h"

/*
 * Writes the contents (after contents_read) as a .tar.zst below one top folder, all entries of
 * the time `epoch_s`. Through a temporary file, fsync and a rename; a file that has these bytes
 * already is left alone, and then *changed is false. -1 with *error, also when a file is no longer
 * what contents_read saw.
 */
int pack_write(const struct contents *contents, const char *top, int64_t epoch_s,
	       const char *output, bool *changed, struct error *error);

/*
 * libarchive turns names into UTF-8 by way of the thread's locale: with "C" it cannot. Between the
 * two calls the thread's locale is a UTF-8 one, whatever the user has. -1 with *error when this
 * machine has none.
 */
int pack_begin_utf8(struct error *error);
void pack_end_utf8(void);

#endif
