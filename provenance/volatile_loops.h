#ifndef ASSAY_VOLATILE_LOOPS_H
#define ASSAY_VOLATILE_LOOPS_H

#include <jansson.h>
#include <stddef.h>

/*
 * Where a C source reads or writes through `volatile` in the body of a loop. It is a common guard
 * against deleted work, and forbids the compiler to keep a value in a register, to reorder and to do
 * several elements at once: what is timed then is another program.
 *
 * A scan of tokens, no compiler: names that are declared volatile in the source, and casts. Not told are
 * members of structures, macros, a sig_atomic_t, the asm keyword's volatile, and what only a loop's
 * header does. A sink that is written once after a loop, which is the right guard, is not told either.
 */

/* Adds {"file","line","function","name"} to the array, one for each name in a function; "" is the name of a
 * cast. Never fails: what it does not understand it skips. */
void volatile_loops(const char *text, size_t length, const char *file, json_t *list);

#endif
