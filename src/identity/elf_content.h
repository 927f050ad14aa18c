#ifndef ASSAY_ELF_CONTENT_H
#define ASSAY_ELF_CONTENT_H

#include "base/digest.h"
#include "base/error.h"
#include "spec/study.h"

/*
 * What a program or library brings into memory, so that debug information, line numbers, symbol
 * tables and the build id do not count, and everything that runs does:
 *
 *	the file's class, byte order, machine, type, flags, entry point;
 *	of each program header type, flags, address, memory size, alignment (no file offsets);
 *	of each allocated section, in the file's order, name, type, flags, address, size,
 *	alignment and bytes, but for .note.gnu.build-id and .note.go.buildid;
 *	what was appended behind the ELF file (self-extracting programs read that).
 *
 * A file that is no ELF, or has no section headers, counts with all its bytes.
 */
int elf_content_digest(const char *path, char hex[DIGEST_SHA256_HEX], struct error *error);

/* The dynamic loader (PT_INTERP), owned by the caller; NULL for a static program or no ELF. */
char *elf_content_loader(const char *path);

/* Appends the folders in which the object's DT_RPATH and DT_RUNPATH have the loader search,
 * $ORIGIN filled in. -1 when one has a part that only the loader can fill in ($LIB). */
int elf_content_search(const char *path, struct texts *folders);

#endif
