#ifndef ASSAY_BUILD_FACTS_H
#define ASSAY_BUILD_FACTS_H

#include <jansson.h>
#include <stdbool.h>

/*
 * What of a program's build makes its times another program's, "build" in provenance.json: elf_build's
 * lists, and
 *
 *	"volatile_loops": [{"file","line","function","name"}]	of the sources that the graph compiles for it
 *
 * `commands` are the lines of `ninja -t commands PROGRAM`; NULL for what the graph does not build. Where the
 * file does not say how it was optimised, they do. A new reference; NULL when nothing is known.
 */
json_t *build_facts(const char *path, const char *commands);

/* The lines for a program, or NULL; the caller frees. Reads build.ninja, runs nothing. */
char *build_commands(const char *path);

#endif
