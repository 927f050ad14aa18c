#ifndef ASSAY_FACT_H
#define ASSAY_FACT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Values of provenance.json. Each returns a new reference, never NULL. A thing that cannot be
 * read is {"unavailable": reason}. Texts hold neither the study's absolute path nor a home
 * folder's: the first becomes relative, the second "~". Files of /proc, /sys and /etc are read
 * below $ASSAY_SYSROOT when that is set (a test seam, as in identity/machine.h).
 */

json_t *fact_unavailable(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Any bytes: those that are no UTF-8 become %XX. */
json_t *fact_text(const char *text);
json_t *fact_span(const char *text, size_t length);
/* What a small file says, white space at its ends cut, as text or as an integer. */
json_t *fact_file(const char *path);
json_t *fact_integer_file(const char *path);

/* The start of a file of the system (at most `limit` bytes); owned by the caller, NULL with errno. */
char *fact_read(const char *path, size_t limit);
/* The path below $ASSAY_SYSROOT; owned by the caller. */
char *fact_place(const char *path);
bool fact_exists(const char *path);
/* The text with absolute paths of the study and of homes made plain; owned by the caller. */
char *fact_redact(const char *text);

#endif
