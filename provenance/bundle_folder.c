#include "provenance/bundle_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"
#include "provenance/manifest.h"

#define CHUNK ((size_t)1 << 16)
#define DEFAULT_BYTES ((uint64_t)16 << 30)
#define DEFAULT_ENTRIES 1000000
#define SHOWN 10

struct walk {
	const char *folder;
	struct bundle_limits limits;
	const struct bundle_sink *sink; /* NULL: nobody wants the bytes */
	struct bundle_facts *facts;
	struct buffer kept;             /* the bytes of manifest-sha512.txt as they were digested */
	struct buffer wrong;            /* a line for each file that is, SHOWN at most */
	size_t wrong_count;
	struct error *error;
};

/* ---- one file ---- */

static void
note_wrong(struct walk *walk, const char *name, const char *how)
{
	if (walk->wrong_count++ < SHOWN)
		buffer_printf(&walk->wrong, "%s  %s: %s", walk->wrong_count > 1 ? "\n" : "", name, how);
}

static int
take(struct walk *walk, const char *name, const char *bytes, size_t length, struct digest *digest)
{
	digest_update(digest, bytes, length);
	walk->facts->bytes += length;
	if (walk->facts->bytes > walk->limits.bytes)
		return error_set(walk->error, EXIT_BAD_INPUT, "its files have more than %llu bytes, at %s",
				 (unsigned long long)walk->limits.bytes, name);
	if (strcmp(name, MANIFEST) == 0)
		buffer_append(&walk->kept, bytes, length);
	return walk->sink != NULL ? walk->sink->data(walk->sink->context, bytes, length, walk->error) : 0;
}

static int
read_through(struct walk *walk, const char *name, int fd, struct digest *digest)
{
	char chunk[CHUNK];
	ssize_t got;
	int result = 0;

	while (result == 0 && (got = read(fd, chunk, sizeof chunk)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		result = got < 0 ? error_set_errno(walk->error, "cannot read %s", name)
				 : take(walk, name, chunk, (size_t)got, digest);
	}
	return result;
}

static int
read_opened(struct walk *walk, const char *name, int fd, bool executable, char hex[DIGEST_SHA512_HEX])
{
	const struct bundle_sink *sink = walk->sink;
	struct digest *digest;
	int result;

	if (sink != NULL && sink->begin(sink->context, name, executable, walk->error) != 0)
		return -1;
	digest = digest_begin(DIGEST_SHA512);
	result = read_through(walk, name, fd, digest);
	digest_end(digest, hex);
	if (result == 0 && sink != NULL)
		result = sink->end(sink->context, walk->error);
	return result;
}

/* `expected` NULL: the file that lists the others. */
static int
read_file(struct walk *walk, const char *name, const char *expected)
{
	char *path = memory_format("%s/%s", walk->folder, name), hex[DIGEST_SHA512_HEX];
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), result = 0;
	struct stat status;

	free(path);
	bundle_facts_add(walk->facts, name);
	if (walk->facts->files > walk->limits.entries)
		result = error_set(walk->error, EXIT_BAD_INPUT, "it has more than %llu entries",
				   (unsigned long long)walk->limits.entries);
	else if (fd < 0 && errno == ELOOP)
		result = error_set(walk->error, EXIT_BAD_INPUT, "a link is in it: '%s'", name);
	else if (fd < 0)
		note_wrong(walk, name, errno == ENOENT ? "missing" : strerror(errno));
	else if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
		result = error_set(walk->error, EXIT_BAD_INPUT, "something that is no regular file is in it: "
				   "'%s'", name);
	else if (read_opened(walk, name, fd, (status.st_mode & S_IXUSR) != 0, hex) != 0)
		result = -1;
	else if (expected != NULL && strncasecmp(hex, expected, DIGEST_SHA512_HEX - 1) != 0)
		note_wrong(walk, name, "not what the manifest says");
	if (fd >= 0)
		close(fd);
	return result;
}

/* ---- the manifests ---- */

static int
read_listed(struct walk *walk, char *text, const char *manifest)
{
	bool payload = strcmp(manifest, MANIFEST) == 0;
	int result = 0;
	char *line;

	while (result == 0 && (line = strsep(&text, "\n")) != NULL) {
		size_t length = strlen(line);

		if (line[0] == '\0' && text == NULL)
			break;
		if (length > MANIFEST_LINE_BYTES ||
		    manifest_line_look(line, length, payload) != MANIFEST_LINE_GOOD)
			return error_set(walk->error, EXIT_BAD_INPUT, "a line that has no place there is in '%s'",
					 manifest);
		result = read_file(walk, line + MANIFEST_NAME, line);
	}
	return result;
}

static int
read_all(struct walk *walk)
{
	char *path = memory_format("%s/" TAG_MANIFEST, walk->folder);
	struct buffer tags = BUFFER_EMPTY;
	int result = -1;

	if (!file_exists(path))
		error_set(walk->error, EXIT_BAD_INPUT, "it is no bundle of Assay's: " TAG_MANIFEST " is missing");
	else if (file_read(path, 0, &tags, walk->error) == 0)
		result = read_file(walk, TAG_MANIFEST, NULL);
	if (result == 0 && tags.length > 0)
		result = read_listed(walk, tags.bytes, TAG_MANIFEST);
	if (result == 0 && walk->kept.length == 0 && walk->wrong_count == 0)
		result = error_set(walk->error, EXIT_BAD_INPUT, "it is no bundle of Assay's: " MANIFEST " is "
				   "not listed in " TAG_MANIFEST);
	if (result == 0 && walk->kept.length > 0)
		result = read_listed(walk, walk->kept.bytes, MANIFEST);
	if (result == 0 && walk->wrong_count > 0)
		result = error_set(walk->error, EXIT_NOT_HELD, "%zu file%s wrong:\n%s", walk->wrong_count,
				   walk->wrong_count == 1 ? " is" : "s are", buffer_text(&walk->wrong));
	buffer_free(&tags);
	free(path);
	return result;
}

int
bundle_folder_read(const char *folder, const struct bundle_limits *limits,
		   const struct bundle_sink *sink, struct bundle_facts *facts, struct error *error)
{
	struct walk walk = {.folder = folder, .sink = sink, .facts = facts, .error = error};
	char *real = realpath(folder, NULL);
	int result;

	memset(facts, 0, sizeof *facts);
	walk.limits = limits != NULL ? *limits : (struct bundle_limits){0, 0};
	if (walk.limits.bytes == 0)
		walk.limits.bytes = DEFAULT_BYTES;
	if (walk.limits.entries == 0)
		walk.limits.entries = DEFAULT_ENTRIES;
	facts->name = memory_copy_text(real != NULL ? strrchr(real, '/') + 1 : folder);
	result = read_all(&walk);
	buffer_free(&walk.kept);
	buffer_free(&walk.wrong);
	free(real);
	if (result != 0)
		error_prefix(error, "%s", folder);
	return result;
}
