#ifndef ASSAY_SHELL_H
#define ASSAY_SHELL_H

#include <stdbool.h>

#include "base/buffer.h"

/* The little that the graph must know about sh, which runs Ninja's commands. */

/* Appends the text as one word of a command line. */
void shell_put_word(struct buffer *out, const char *text);

/*
 * May `wrapper` stand in front of the command and mean `wrapper` around all of it? So for one
 * plain command; not for lists, pipes, substitutions, assignments, builtins. In doubt: false.
 */
bool shell_is_simple(const char *command);

#endif
