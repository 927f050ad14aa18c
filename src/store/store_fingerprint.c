#include "store/store.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"

static int
not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* `path` and, so many levels deep, what is in it, in the order of the names. */
static void
walk(const char *path, int levels, store_visit *visit, void *context)
{
	struct dirent **names = NULL;
	int i, count;

	visit(context, path);
	count = levels > 0 ? scandir(path, &names, not_hidden, alphasort) : 0;
	for (i = 0; i < count; i++) {
		char *inner = memory_format("%s/%s", path, names[i]->d_name);

		walk(inner, levels - 1, visit, context);
		free(inner);
		free(names[i]);
	}
	free(names);
}

void
store_walk(const char *case_id, const char *hex, store_visit *visit, void *context)
{
	char *store = store_folder(case_id, hex);
	char *sessions = memory_format("%s/sessions", store);

	walk(sessions, 2, visit, context);
	free(sessions);
	free(store);
}

struct fingerprint {
	struct digest *digest;
	int paths;
};

static void
add(void *context, const char *path)
{
	struct fingerprint *fingerprint = context;
	struct file_signature signature;
	char line[128];
	int length;

	if (fingerprint->paths++ == 0)
		return; /* the folder of all: a new session's number is made in it before there is a plan */
	if (file_signature(path, &signature) != 0)
		memset(&signature, 0, sizeof signature);
	length = snprintf(line, sizeof line, " %llu %llu %lld %lld\n",
			  (unsigned long long)signature.inode, (unsigned long long)signature.size,
			  (long long)signature.mtime_ns, (long long)signature.ctime_ns);
	digest_update(fingerprint->digest, path, strlen(path));
	digest_update(fingerprint->digest, line, (size_t)length);
}

void
store_fingerprint(const char *case_id, const char *hex, char out[DIGEST_SHA256_HEX])
{
	struct fingerprint fingerprint = {digest_begin(DIGEST_SHA256), 0};

	store_walk(case_id, hex, add, &fingerprint);
	digest_end(fingerprint.digest, out);
	if (fingerprint.paths < 2) {
		memset(out, '0', DIGEST_SHA256_HEX - 1);
		out[DIGEST_SHA256_HEX - 1] = '\0';
	}
}
