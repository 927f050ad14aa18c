#ifndef ASSAY_BUILD_KIND_H
#define ASSAY_BUILD_KIND_H

#include <jansson.h>

/*
 * What kind of build a program is, where that makes its times another program's: an array of words,
 * empty for an ordinary one and for what is no ELF file. From its symbols:
 *
 *	"AddressSanitizer", "ThreadSanitizer", "MemorySanitizer", "UndefinedBehaviorSanitizer"
 *	"gprof"		compiled with -pg: each call counts itself
 *	"coverage"	compiled for gcov or llvm-cov
 *
 * and from what GCC wrote into the debug information (DW_AT_producer):
 *
 *	"-O0"		some of it was compiled without optimisation
 *
 * Without symbols or debug information nothing is known of that. A new reference.
 */
json_t *build_kind(const char *path);

#endif
