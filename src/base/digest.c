#include "base/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

struct digest {
	EVP_MD_CTX *context;
};

static void
must(int ok)
{
	if (!ok) {
		fputs("assay: libcrypto cannot compute a SHA-2 digest; check its installation\n", stderr);
		exit(EXIT_FAILED);
	}
}

struct digest *
digest_begin(enum digest_kind kind)
{
	struct digest *digest = memory_alloc(sizeof *digest);

	digest->context = EVP_MD_CTX_new();
	must(digest->context != NULL);
	must(EVP_DigestInit_ex(digest->context, kind == DIGEST_SHA256 ? EVP_sha256() : EVP_sha512(),
			       NULL));
	return digest;
}

void
digest_update(struct digest *digest, const void *bytes, size_t length)
{
	must(EVP_DigestUpdate(digest->context, bytes, length));
}

void
digest_end(struct digest *digest, char *hex)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char raw[EVP_MAX_MD_SIZE];
	unsigned length, i;

	must(EVP_DigestFinal_ex(digest->context, raw, &length));
	for (i = 0; i < length; i++) {
		hex[2 * i] = digits[raw[i] >> 4];
		hex[2 * i + 1] = digits[raw[i] & 15];
	}
	hex[2 * length] = '\0';
	EVP_MD_CTX_free(digest->context);
	free(digest);
}

void
digest_bytes(enum digest_kind kind, const void *bytes, size_t length, char *hex)
{
	struct digest *digest = digest_begin(kind);

	digest_update(digest, bytes, length);
	digest_end(digest, hex);
}

int
digest_file(enum digest_kind kind, const char *path, char *hex, struct error *error)
{
	char chunk[65536];
	struct digest *digest;
	ssize_t got;
	int fd = file_open(path);

	if (fd < 0)
		return error_set_errno(error, "cannot read %s", path);
	digest = digest_begin(kind);
	while ((got = read(fd, chunk, sizeof chunk)) > 0 || (got < 0 && errno == EINTR))
		if (got > 0)
			digest_update(digest, chunk, (size_t)got);
	digest_end(digest, hex);
	if (got < 0)
		error_set_errno(error, "cannot read %s", path);
	close(fd);
	return got < 0 ? -1 : 0;
}
