#ifndef ASSAY_ELF_NOTES_H
#define ASSAY_ELF_NOTES_H

/*
 * What an ELF file says of itself beside what it loads. Owned by the caller; NULL when the file
 * does not say it, or is no ELF file.
 */

/* The build id in hex (NT_GNU_BUILD_ID). */
char *elf_notes_build_id(const char *path);
/* What the compilers left in .comment, each once, joined by "; ": "GCC: (Debian 12.2.0-14) 12.2.0". */
char *elf_notes_compiler(const char *path);

#endif
