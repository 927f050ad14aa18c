#ifndef ASSAY_ELF_BUILD_H
#define ASSAY_ELF_BUILD_H

#include <jansson.h>

/*
 * How an ELF file was built, by what it says of itself: a new object
 *
 *	"instrumented": ["AddressSanitizer", "gprof (-pg)", …]	by the symbols that such builds call
 *	"optimise": ["-O0", "-O2"]				each level that gcc's debug information names
 *
 * Both lists are empty where it does not say; clang writes no flags there. NULL for what is no ELF file.
 */
json_t *elf_build(const char *path);

#endif
