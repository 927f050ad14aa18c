#ifndef ASSAY_ESCAPE_H
#define ASSAY_ESCAPE_H

#include "base/buffer.h"

/* Appends `text` with control characters, '%', and any byte of `also` as %XX, so that it stays
 * one line, or one word with " " in `also`. */
void escape_put(struct buffer *out, const char *text, const char *also);
/* Undoes escape_put in place. */
void escape_undo(char *text);

#endif
