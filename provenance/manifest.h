#ifndef ASSAY_MANIFEST_H
#define ASSAY_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

/* The two manifests of a bag: lines "<128 hex digits of SHA-512>  <name>", as sha512sum -c reads
 * them. manifest-sha512.txt lists what is below data/, the other one all else but itself. */

#define MANIFEST "manifest-sha512.txt"
#define TAG_MANIFEST "tagmanifest-sha512.txt"
#define MANIFEST_LINE_BYTES 8192 /* at most */

enum manifest_line {
	MANIFEST_LINE_GOOD,
	MANIFEST_LINE_NONE,      /* it does not look like a line of one */
	MANIFEST_LINE_MISPLACED, /* an unsafe name, or one that belongs to the other manifest */
};

/* `line` ends with a NUL at `length`; its name begins at MANIFEST_NAME. Pure. */
#define MANIFEST_NAME 130
enum manifest_line manifest_line_look(const char *line, size_t length, bool payload);

#endif
