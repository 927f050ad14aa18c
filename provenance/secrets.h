#ifndef ASSAY_SECRETS_H
#define ASSAY_SECRETS_H

#include <stddef.h>

/*
 * What looks like a key, a password or a token. A warning list, no proof: it knows the marks that
 * common services give their keys and nothing else.
 */

/* Bytes that a hit may need around it: feed windows of a file that overlap by this much. */
#define SECRETS_OVERLAP 256

/* One bit a kind of secret found in the bytes. Pure. */
unsigned secrets_find(const char *bytes, size_t length);
/* "a private key"; `bit` is one of those that secrets_find sets. */
const char *secrets_kind(unsigned bit);
/* Why the name alone tells of a secret ("id_rsa", "server.pem"), or NULL. */
const char *secrets_in_name(const char *path);

#endif
