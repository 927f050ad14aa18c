#ifndef ASSAY_SCALING_DOCUMENT_H
#define ASSAY_SCALING_DOCUMENT_H

#include <jansson.h>

/*
 * How the variants of a case get faster with more processors: times, speedups against the fastest
 * serial program, efficiency, Karp and Flatt's fraction, the laws fitted. A new object, layout
 * "scaling" in docs/formats.md. `experiment` and `entry` (of one of its cases) are study.json's,
 * the case document has its units; the caches are those of the case's first session.
 * More than p times as fast on p processors is told in the document's warnings too.
 */
json_t *scaling_document(const json_t *experiment, const json_t *entry, json_t *case_document);

#endif
