#ifndef ASSAY_TEXT_H
#define ASSAY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buffer.h"

/* Texts and numbers as specs need them. All pure. */

/* The offset of the first byte that is no UTF-8 (RFC 3629), or -1. */
ssize_t text_bad_utf8(const char *bytes, size_t length);
/* The line, from 1, on which the byte at `offset` stands. */
int text_line(const char *bytes, size_t offset);

#define TEXT_NUMBER 32
/* Integral values without point or exponent, others as the shortest text that reads back as the
 * same double. */
void text_number(double value, char text[TEXT_NUMBER]);

/*
 * Appends the path with "//", "." and ".." resolved and no "/" at the end. False when it is
 * empty or a relative path leads out of the study's root. "." stays ".".
 */
bool text_path(const char *path, struct buffer *out);

/* Appends one shell word that stands for `text`, then escaped for a Ninja variable. */
void text_shell_word(struct buffer *out, const char *text);

#endif
