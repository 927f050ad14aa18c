#ifndef ASSAY_REVIEW_FACTS_H
#define ASSAY_REVIEW_FACTS_H

#include <jansson.h>

/*
 * Facts about a machine, a program or a regime as flat objects of texts, name to value, so that two
 * of them can be held against each other. All pure; objects and arrays are new references.
 */

/* Lines "name = value" (identity.txt, regime.txt). */
json_t *facts_of_lines(const char *text);
/* What a session's provenance says of the machine and the toolchain, as "cpu.model": without what is
 * different at each moment (load, temperature), without git and programs, and without what the
 * regime says too. */
json_t *facts_of_provenance(const json_t *provenance);

/*
 * An array of {name, there, here, same}: first the facts named in `main` (NULL-terminated) that
 * either has, then those of the others that differ. Where only one has a fact the other's is null.
 * Long lists of words are cut down to those that only one has.
 */
json_t *facts_compare(const json_t *there, const json_t *here, const char *const *main);

#endif
