#ifndef ASSAY_DIGEST_H
#define ASSAY_DIGEST_H

#include <stddef.h>

#include "base/error.h"

/* SHA-256 and SHA-512 through libcrypto. Hex is lower case and NUL-terminated. */

enum digest_kind { DIGEST_SHA256, DIGEST_SHA512 };

#define DIGEST_SHA256_HEX 65
#define DIGEST_SHA512_HEX 129

struct digest; /* one running computation */

struct digest *digest_begin(enum digest_kind kind);
void digest_update(struct digest *digest, const void *bytes, size_t length);
/* Writes the hex (DIGEST_*_HEX bytes) and frees the computation. */
void digest_end(struct digest *digest, char *hex);

void digest_bytes(enum digest_kind kind, const void *bytes, size_t length, char *hex);
/* The whole file, in constant memory; -1 with *error when it cannot be read. */
int digest_file(enum digest_kind kind, const char *path, char *hex, struct error *error);

#endif
