#ifndef ASSAY_COMPARE_SCREEN_H
#define ASSAY_COMPARE_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buffer.h"

/*
 * Where results are shown: how wide it is, and whether it shows more than ASCII (UTF-8 in the
 * locale's name and no TERM=dumb). There are no colours, so NO_COLOR has nothing to turn off.
 */
struct screen {
	size_t columns;
	bool utf8;
};

/* Of `out`: a terminal's width less one, $COLUMNS, else 80. */
void screen_of(FILE *out, struct screen *screen);

/* Characters that stand beside each other: bytes that do not go on a UTF-8 sequence. */
size_t screen_width(const char *text);
/* Appends the text broken at blanks, lines after the first indented; a longer word stays whole. */
void screen_wrap(const struct screen *screen, const char *text, size_t indent, struct buffer *out);
/* Replaces the few other signs that our texts hold where the screen shows only ASCII. In place. */
void screen_plain(const struct screen *screen, char *text);

#endif
