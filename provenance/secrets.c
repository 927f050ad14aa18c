#include "provenance/secrets.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

/* A key that begins with `mark`, goes on with at least `least` letters, digits or one of `also`. */
static const struct {
	const char *mark;
	size_t least;
	const char *also, *kind;
} keys[] = {
	{"AKIA", 16, "", "an AWS access key"},
	{"ASIA", 16, "", "an AWS access key"},
	{"ghp_", 36, "", "a GitHub token"},
	{"gho_", 36, "", "a GitHub token"},
	{"ghs_", 36, "", "a GitHub token"},
	{"ghu_", 36, "", "a GitHub token"},
	{"github_pat_", 40, "_", "a GitHub token"},
	{"glpat-", 20, "-_", "a GitLab token"},
	{"xoxb-", 20, "-", "a Slack token"},
	{"xoxp-", 20, "-", "a Slack token"},
	{"AIza", 35, "-_", "a Google API key"},
	{"sk-ant-", 20, "-_", "an API key"},
	{"sk-proj-", 20, "-_", "an API key"},
	{"sk_live_", 20, "", "a Stripe key"},
	{"npm_", 36, "", "an npm token"},
	{"pypi-AgEIc", 40, "-_", "a PyPI token"},
	{"eyJhbGciOi", 40, "-_.", "a JSON web token"},
};

#define KEYS (sizeof keys / sizeof *keys)
#define PRIVATE_KEY (1u << KEYS)

static bool
is_key(const char *at, size_t left, size_t least, const char *also)
{
	size_t length = 0;

	while (length < left && length < least && at[length] != '\0' &&
	       (isalnum((unsigned char)at[length]) || strchr(also, at[length]) != NULL))
		length++;
	return length == least;
}

static bool
holds_key(const char *bytes, size_t length, size_t which)
{
	const char *mark = keys[which].mark, *at = bytes, *end = bytes + length;
	size_t size = strlen(mark);

	while ((at = memmem(at, (size_t)(end - at), mark, size)) != NULL) {
		bool begins = at == bytes || !isalnum((unsigned char)at[-1]);

		at += size;
		if (begins && is_key(at, (size_t)(end - at), keys[which].least, keys[which].also))
			return true;
	}
	return false;
}

/* BEGIN, what kind in capitals, PRIVATE KEY, all between dashes: the mark of PEM and OpenSSH. */
static bool
holds_private_key(const char *bytes, size_t length)
{
	static const char begin[] = "-----BEGIN ", rest[] = "PRIVATE KEY-----";
	const char *at = bytes, *end = bytes + length;

	while ((at = memmem(at, (size_t)(end - at), begin, strlen(begin))) != NULL) {
		const char *kind = at + strlen(begin);

		for (at = kind; at < end && at - kind < 32; at++)
			if ((size_t)(end - at) >= strlen(rest) &&
			    memcmp(at, rest, strlen(rest)) == 0)
				return true;
			else if (!isupper((unsigned char)*at) && *at != ' ')
				break;
	}
	return false;
}

unsigned
secrets_find(const char *bytes, size_t length)
{
	unsigned found = 0;
	size_t i;

	for (i = 0; i < KEYS; i++)
		if (holds_key(bytes, length, i))
			found |= 1u << i;
	if (holds_private_key(bytes, length))
		found |= PRIVATE_KEY;
	return found;
}

const char *
secrets_kind(unsigned bit)
{
	size_t i;

	for (i = 0; i < KEYS; i++)
		if (bit == 1u << i)
			return keys[i].kind;
	return "a private key";
}

const char *
secrets_in_name(const char *path)
{
	static const char *const patterns[] = {
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "*.pem", "*.key", "*.p12", "*.pfx",
		"*.keystore", ".env", ".env.*", ".netrc", ".pgpass", ".npmrc", ".pypirc",
		".git-credentials", "credentials", "*.kdbx"};
	const char *slash = strrchr(path, '/');
	size_t i;

	for (i = 0; i < sizeof patterns / sizeof *patterns; i++)
		if (fnmatch(patterns[i], slash != NULL ? slash + 1 : path, 0) == 0)
			return "its name is that of a file of keys or passwords";
	return NULL;
}
