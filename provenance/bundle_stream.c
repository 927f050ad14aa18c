#include "provenance/bundle_stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/memory.h"
#include "provenance/bag_table.h"
#include "provenance/contents.h"
#include "provenance/manifest.h"
#include "provenance/pack.h"

#define CHUNK ((size_t)1 << 16)
#define DEFAULT_ENTRIES 1000000
#define ENTRY_BYTES 4096 /* of a tar, around an entry's content: headers and padding */
#define GIB ((uint64_t)1 << 30)
/* Text packs to a fiftieth; a file of zeros to a ten-thousandth. */
#define LARGEST_RATIO 1000

struct stream {
	const char *path;
	struct bundle_limits limits;
	const struct bundle_sink *sink;
	struct archive *plain, *archive; /* the file without its compression; the tar in that */
	char chunk[CHUNK];
	uint64_t read;       /* of `plain` */
	struct bag_table *table;
	struct bundle_facts *facts;
	uint64_t declared, entries;
	char *at;            /* the entry being read, for messages; NULL: none */
	struct buffer line;  /* of a manifest, not whole yet */
	struct error *error;
};

static int
refuse(struct stream *stream, const char *what, const char *name)
{
	return error_set(stream->error, EXIT_BAD_INPUT, "%s: '%s'", what, name);
}

static int
damaged(struct stream *stream, struct archive *archive)
{
	const char *reason = archive_error_string(archive);

	return error_set(stream->error, EXIT_BAD_INPUT, "it is damaged, cut off or no .tar.zst%s%s: %s",
			 stream->at != NULL ? ", at " : "", stream->at != NULL ? stream->at : "",
			 reason != NULL ? reason : "unreadable");
}

/* ---- manifests ---- */

static bool
is_manifest(const char *name)
{
	return strcmp(name, MANIFEST) == 0 || strcmp(name, TAG_MANIFEST) == 0;
}

/* "<128 hex digits>  <name>" of the manifest being read. */
static int
take_line(struct stream *stream, const char *line, size_t length)
{
	switch (manifest_line_look(line, length, strcmp(stream->at, MANIFEST) == 0)) {
	case MANIFEST_LINE_NONE:
		return refuse(stream, "a line that is none of a manifest is in", stream->at);
	case MANIFEST_LINE_MISPLACED:
		return refuse(stream, "a name that has no place there is listed in", stream->at);
	case MANIFEST_LINE_GOOD:
		break;
	}
	return bag_table_add_listed(stream->table, line + MANIFEST_NAME, line, stream->error);
}

static int
take_manifest(struct stream *stream, const char *bytes, size_t length)
{
	int result = 0;

	while (result == 0 && length > 0) {
		const char *end = memchr(bytes, '\n', length);
		size_t part = end != NULL ? (size_t)(end - bytes) : length;

		if (stream->line.length + part > MANIFEST_LINE_BYTES || memchr(bytes, '\0', part) != NULL)
			return refuse(stream, "a line that is none of a manifest is in", stream->at);
		buffer_append(&stream->line, bytes, part);
		if (end != NULL) {
			result = take_line(stream, buffer_text(&stream->line), stream->line.length);
			buffer_clear(&stream->line);
			part++;
		}
		bytes += part;
		length -= part;
	}
	return result;
}

static int
end_manifest(struct stream *stream)
{
	if (stream->line.length > 0)
		return refuse(stream, "the last line is not whole in", stream->at);
	return 0;
}

/* ---- entries ---- */

/* The name below the top folder; NULL with an error, "" for the top folder itself. */
static const char *
inner_name(struct stream *stream, const char *name)
{
	size_t top = strcspn(name, "/");

	if (stream->facts->name == NULL)
		stream->facts->name = memory_copy_span(name, top);
	if (strncmp(stream->facts->name, name, top) != 0 || stream->facts->name[top] != '\0') {
		refuse(stream, "a file lies outside of its one top folder", name);
		return NULL;
	}
	return name[top] == '/' ? name + top + 1 : "";
}

/* Copies the name without a folder's last slash. The caller frees; NULL with an error. */
static char *
read_name(struct stream *stream, struct archive_entry *entry)
{
	const char *raw = archive_entry_pathname(entry);
	size_t length = raw != NULL ? strlen(raw) : 0;
	char *name;

	if (archive_entry_filetype(entry) == AE_IFDIR && length > 1 && raw[length - 1] == '/')
		length--;
	name = memory_copy_span(raw != NULL ? raw : "", length);
	if (contents_name_is_safe(name, length))
		return name;
	refuse(stream, "a name that is absolute, leads elsewhere or is no plain UTF-8 is in it", name);
	free(name);
	return NULL;
}

static int
check_kind(struct stream *stream, struct archive_entry *entry, const char *name)
{
	if (archive_entry_hardlink(entry) != NULL || archive_entry_symlink(entry) != NULL)
		return refuse(stream, "a link is in it", name);
	if (archive_entry_filetype(entry) != AE_IFREG && archive_entry_filetype(entry) != AE_IFDIR)
		return refuse(stream, "something that is no regular file is in it", name);
	if (archive_entry_sparse_reset(entry) > 0)
		return refuse(stream, "a file with holes is in it", name);
	return 0;
}

static int
check_size(struct stream *stream, struct archive_entry *entry, const char *name)
{
	uint64_t size = (uint64_t)archive_entry_size(entry);

	if (!archive_entry_size_is_set(entry) || archive_entry_size(entry) < 0)
		return refuse(stream, "a file of unknown size is in it", name);
	if (size > stream->limits.bytes || stream->declared > stream->limits.bytes - size)
		return error_set(stream->error, EXIT_BAD_INPUT,
				 "its files have more than %llu bytes, at %s; if you trust it, allow more "
				 "with --max-size",
				 (unsigned long long)stream->limits.bytes, name);
	stream->declared += size;
	return 0;
}

/* ---- content ---- */

static int
take_data(struct stream *stream, const char *bytes, size_t length, struct digest *digest)
{
	const struct bundle_sink *sink = stream->sink;

	digest_update(digest, bytes, length);
	stream->facts->bytes += length;
	if (is_manifest(stream->at) && take_manifest(stream, bytes, length) != 0)
		return -1;
	return sink != NULL ? sink->data(sink->context, bytes, length, stream->error) : 0;
}

static int
read_data(struct stream *stream, struct digest *digest)
{
	char chunk[CHUNK];
	la_ssize_t got;
	int result = 0;

	while (result == 0 && (got = archive_read_data(stream->archive, chunk, sizeof chunk)) != 0) {
		if (got < 0)
			return damaged(stream, stream->archive);
		result = take_data(stream, chunk, (size_t)got, digest);
	}
	return result;
}

/* Before anything is written: no file twice, none below another file. */
static int
check_free(struct stream *stream)
{
	char *name = memory_copy_text(stream->at), *slash;
	int result = 0;

	if (bag_table_has_found(stream->table, name))
		result = refuse(stream, "a file is in it twice", name);
	while (result == 0 && (slash = strrchr(name, '/')) != NULL) {
		*slash = '\0';
		if (bag_table_has_found(stream->table, name))
			result = refuse(stream, "a name is both a file and a folder", name);
	}
	free(name);
	return result;
}

static int
read_file(struct stream *stream, bool executable)
{
	const struct bundle_sink *sink = stream->sink;
	char hex[DIGEST_SHA512_HEX];
	struct digest *digest;
	int result;

	if (check_free(stream) != 0)
		return -1;
	if (sink != NULL && sink->begin(sink->context, stream->at, executable, stream->error) != 0)
		return -1;
	digest = digest_begin(DIGEST_SHA512);
	result = read_data(stream, digest);
	digest_end(digest, hex);
	if (result == 0 && is_manifest(stream->at))
		result = end_manifest(stream);
	if (result == 0 && sink != NULL)
		result = sink->end(sink->context, stream->error);
	if (result == 0)
		result = bag_table_add_found(stream->table, stream->at, hex, stream->error);
	bundle_facts_add(stream->facts, stream->at);
	return result;
}

static int
read_entry(struct stream *stream, struct archive_entry *entry)
{
	char *name = read_name(stream, entry);
	const char *inner;
	int result = -1;

	if (name == NULL)
		return -1;
	inner = inner_name(stream, name);
	if (++stream->entries > stream->limits.entries) {
		error_set(stream->error, EXIT_BAD_INPUT, "it has more than %llu entries",
			  (unsigned long long)stream->limits.entries);
	} else if (inner != NULL && check_kind(stream, entry, name) == 0 &&
		   check_size(stream, entry, name) == 0) {
		if (archive_entry_filetype(entry) == AE_IFDIR) {
			result = 0; /* made where they are needed */
		} else if (inner[0] == '\0') {
			result = refuse(stream, "a file lies outside of its one top folder", name);
		} else {
			stream->at = memory_copy_text(inner);
			result = read_file(stream, (archive_entry_perm(entry) & 0100) != 0);
			free(stream->at);
			stream->at = NULL;
		}
	}
	free(name);
	return result;
}

static int
read_entries(struct stream *stream)
{
	struct archive_entry *entry;
	int result = 0, code = ARCHIVE_OK;

	while (result == 0 &&
	       (code = archive_read_next_header(stream->archive, &entry)) == ARCHIVE_OK)
		result = read_entry(stream, entry);
	if (result == 0 && code != ARCHIVE_EOF)
		result = damaged(stream, stream->archive);
	return result;
}

/* ---- the whole ---- */

static int
check_bag(struct stream *stream)
{
	static const char *const needed[] = {"bagit.txt", MANIFEST, TAG_MANIFEST};
	struct buffer text = BUFFER_EMPTY;
	char *conflict;
	size_t i, count;

	for (i = 0; i < sizeof needed / sizeof *needed; i++)
		if (!bag_table_has_found(stream->table, needed[i]))
			return error_set(stream->error, EXIT_BAD_INPUT,
					 "it is no bundle of Assay's: %s is missing", needed[i]);
	conflict = bag_table_conflict(stream->table);
	if (conflict != NULL) {
		refuse(stream, "a name is both a file and a folder", conflict);
		free(conflict);
		return -1;
	}
	count = bag_table_differences(stream->table, TAG_MANIFEST, &text);
	if (count > 0)
		error_set(stream->error, EXIT_NOT_HELD, "%zu file%s wrong:\n%s", count,
			  count == 1 ? " is" : "s are", buffer_text(&text));
	buffer_free(&text);
	return count > 0 ? -1 : 0;
}

static uint64_t
default_bytes(const char *path)
{
	struct stat status;
	uint64_t bytes = GIB;

	if (stat(path, &status) == 0 && status.st_size > 0 &&
	    (uint64_t)status.st_size > GIB / LARGEST_RATIO)
		bytes = (uint64_t)status.st_size * LARGEST_RATIO;
	return bytes < 16 * GIB ? bytes : 16 * GIB;
}

/* ---- two readers: one takes the compression away and counts, the other reads the tar ---- */

/* Even a stream of nothing but zeros, which is no entry of the tar, must come to an end. */
static la_ssize_t
give(struct archive *tar, void *context, const void **bytes)
{
	struct stream *stream = context;
	la_ssize_t got = archive_read_data(stream->plain, stream->chunk, sizeof stream->chunk);
	uint64_t most = stream->limits.bytes + (stream->entries + 4096) * ENTRY_BYTES;

	*bytes = stream->chunk;
	if (got < 0) {
		archive_set_error(tar, archive_errno(stream->plain), "%s",
				  archive_error_string(stream->plain));
		return ARCHIVE_FATAL;
	}
	stream->read += (uint64_t)got;
	if (stream->read <= most)
		return got;
	archive_set_error(tar, EFBIG, "it goes on after %llu bytes", (unsigned long long)most);
	return ARCHIVE_FATAL;
}

static int
open_plain(struct stream *stream)
{
	struct archive_entry *entry;
	struct stat status;

	if (stat(stream->path, &status) == 0 && !S_ISREG(status.st_mode))
		return error_set(stream->error, EXIT_BAD_INPUT, "it is no file");
	if (archive_read_support_filter_zstd(stream->plain) != ARCHIVE_OK ||
	    archive_read_support_format_raw(stream->plain) != ARCHIVE_OK ||
	    archive_read_open_filename(stream->plain, stream->path, CHUNK) != ARCHIVE_OK ||
	    archive_read_next_header(stream->plain, &entry) != ARCHIVE_OK)
		return damaged(stream, stream->plain);
	return 0;
}

/* What follows the archive's end mark is read too: nothing may hide there. */
static int
open_tar(struct stream *stream)
{
	struct archive *archive = stream->archive;

	if (archive_read_support_format_tar(archive) != ARCHIVE_OK ||
	    archive_read_set_format_option(archive, "tar", "read_concatenated_archives", "1") !=
		    ARCHIVE_OK ||
	    archive_read_open(archive, stream, NULL, give, NULL) != ARCHIVE_OK)
		return damaged(stream, archive);
	return 0;
}

int
bundle_stream_read(const char *path, const struct bundle_limits *limits,
		   const struct bundle_sink *sink, struct bundle_facts *facts,
		   struct error *error)
{
	struct stream stream = {.path = path, .sink = sink, .facts = facts, .error = error};
	int result;

	memset(facts, 0, sizeof *facts);
	stream.limits = limits != NULL ? *limits : (struct bundle_limits){0, 0};
	if (stream.limits.bytes == 0)
		stream.limits.bytes = default_bytes(path);
	if (stream.limits.entries == 0)
		stream.limits.entries = DEFAULT_ENTRIES;
	if (pack_begin_utf8(error) != 0)
		return -1;
	stream.plain = archive_read_new();
	stream.archive = archive_read_new();
	stream.table = bag_table_new(stream.limits.entries);
	result = open_plain(&stream);
	if (result == 0)
		result = open_tar(&stream);
	if (result == 0)
		result = read_entries(&stream);
	if (result == 0)
		result = check_bag(&stream);
	archive_read_free(stream.archive);
	archive_read_free(stream.plain);
	bag_table_free(stream.table);
	buffer_free(&stream.line);
	pack_end_utf8();
	if (result != 0)
		error_prefix(error, "%s", path);
	return result;
}
