#include "provenance/pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

#define CHUNK ((size_t)1 << 16)
/* Part of the format: another level gives other bytes. */
#define LEVEL "9"

/* ---- locale ---- */

static __thread locale_t utf8, before;

int
pack_begin_utf8(struct error *error)
{
	static const char *const names[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8"};
	size_t i;

	utf8 = (locale_t)0;
	for (i = 0; utf8 == (locale_t)0 && i < sizeof names / sizeof *names; i++)
		utf8 = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
	if (utf8 == (locale_t)0)
		return error_set(error, EXIT_FAILED,
				 "this machine has no UTF-8 locale, which file names in a bundle need; "
				 "install C.UTF-8");
	before = uselocale(utf8);
	return 0;
}

void
pack_end_utf8(void)
{
	uselocale(before);
	freelocale(utf8);
}

/* ---- writing ---- */

struct packing {
	struct archive *archive;
	struct archive_entry *entry;
	const char *top;
	int64_t epoch_s;
	struct error *error;
};

static int
archive_failed(const struct packing *packing, const char *name)
{
	return error_set(packing->error, EXIT_FAILED, "cannot pack %s: %s", name,
			 archive_error_string(packing->archive));
}

static int
put_header(const struct packing *packing, const struct content *content)
{
	struct archive_entry *entry = packing->entry;
	char *name = memory_format("%s/%s", packing->top, content->name);
	int result = 0;

	archive_entry_clear(entry);
	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, content->executable ? 0755 : 0644);
	archive_entry_set_size(entry, (la_int64_t)content->size);
	archive_entry_set_mtime(entry, packing->epoch_s, 0);
	archive_entry_set_uid(entry, 0);
	archive_entry_set_gid(entry, 0);
	if (archive_write_header(packing->archive, entry) != ARCHIVE_OK)
		result = archive_failed(packing, name);
	free(name);
	return result;
}

static int
put_data(const struct packing *packing, const struct content *content, const char *bytes,
	 size_t length, struct digest *digest)
{
	digest_update(digest, bytes, length);
	if (length > 0 &&
	    archive_write_data(packing->archive, bytes, length) != (la_ssize_t)length)
		return archive_failed(packing, content->name);
	return 0;
}

/* Always the same pieces, however read() cuts them: the compressor's output depends on them. */
static ssize_t
read_whole(int fd, char *chunk, size_t size)
{
	size_t length = 0;
	ssize_t got = 1;

	while (length < size && got != 0) {
		got = read(fd, chunk + length, size - length);
		if (got < 0 && errno != EINTR)
			return -1;
		length += got > 0 ? (size_t)got : 0;
	}
	return (ssize_t)length;
}

static int
put_file(const struct packing *packing, const struct content *content, struct digest *digest)
{
	int fd = file_open(content->path), result = 0;
	char chunk[CHUNK];
	uint64_t left = content->size;
	ssize_t got = -1;

	while (fd >= 0 && result == 0 && (got = read_whole(fd, chunk, sizeof chunk)) > 0) {
		size_t length = (uint64_t)got < left ? (size_t)got : (size_t)left;

		left -= length;
		result = put_data(packing, content, chunk, length, digest);
	}
	if (fd < 0 || got < 0)
		result = error_set_errno(packing->error, "cannot read %s", content->path);
	if (fd >= 0)
		close(fd);
	return result;
}

static int
put_content(const struct packing *packing, const struct content *content)
{
	struct digest *digest = digest_begin(DIGEST_SHA512);
	char hex[DIGEST_SHA512_HEX];
	int result = put_header(packing, content);

	if (result == 0 && content->path == NULL)
		result = put_data(packing, content, buffer_text(&content->bytes),
				  content->bytes.length, digest);
	else if (result == 0)
		result = put_file(packing, content, digest);
	digest_end(digest, hex);
	if (result == 0 && strcmp(hex, content->sha512) != 0)
		result = error_set(packing->error, EXIT_FAILED,
				   "%s changed while it was packed; run 'assay bundle' again",
				   content->path);
	return result;
}

static int
open_archive(struct packing *packing, int fd)
{
	struct archive *archive = packing->archive;

	if (archive_write_set_format_pax_restricted(archive) != ARCHIVE_OK ||
	    archive_write_set_options(archive, "hdrcharset=UTF-8") != ARCHIVE_OK ||
	    archive_write_add_filter_zstd(archive) != ARCHIVE_OK ||
	    archive_write_set_filter_option(archive, "zstd", "compression-level", LEVEL) !=
		    ARCHIVE_OK ||
	    archive_write_set_bytes_per_block(archive, 10240) != ARCHIVE_OK ||
	    archive_write_open_fd(archive, fd) != ARCHIVE_OK)
		return archive_failed(packing, "the bundle");
	return 0;
}

static int
write_archive(struct packing *packing, const struct contents *contents, int fd)
{
	int result;
	size_t i;

	packing->archive = archive_write_new();
	packing->entry = archive_entry_new();
	result = open_archive(packing, fd);
	for (i = 0; result == 0 && i < contents->count; i++)
		result = put_content(packing, &contents->items[i]);
	if (result == 0 && archive_write_close(packing->archive) != ARCHIVE_OK)
		result = archive_failed(packing, "the bundle");
	archive_entry_free(packing->entry);
	archive_write_free(packing->archive);
	return result;
}

/* ---- publishing ---- */

static bool
same_bytes(int fd, const char *path)
{
	int other = file_open(path);
	char here[CHUNK], there[CHUNK];
	bool same = other >= 0 && lseek(fd, 0, SEEK_SET) == 0;

	while (same) {
		ssize_t got = read_whole(fd, here, sizeof here);

		same = got >= 0 && read_whole(other, there, sizeof there) == got &&
		       memcmp(here, there, (size_t)got) == 0;
		if (got <= 0)
			break;
	}
	if (other >= 0)
		close(other);
	return same;
}

static int
publish(int fd, const char *temporary, const char *output, bool *changed, struct error *error)
{
	mode_t mask = umask(0);

	umask(mask);
	*changed = !same_bytes(fd, output);
	if (!*changed)
		return unlink(temporary) != 0 ? error_set_errno(error, "cannot remove %s", temporary) : 0;
	if (fchmod(fd, 0666 & ~mask) != 0 || fsync(fd) != 0 || rename(temporary, output) != 0)
		return error_set_errno(error, "cannot write %s", output);
	return 0;
}

static int
pack_file(const struct contents *contents, const char *top, int64_t epoch_s, const char *output,
	  bool *changed, struct error *error)
{
	struct packing packing = {.top = top, .epoch_s = epoch_s, .error = error};
	char *temporary = memory_format("%s.tmp.XXXXXX", output);
	int fd, result;

	if (file_make_parent(output, error) != 0) {
		free(temporary);
		return -1;
	}
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0) {
		result = error_set_errno(error, "cannot create a temporary file beside %s", output);
		free(temporary);
		return result;
	}
	result = pack_begin_utf8(error);
	if (result == 0) {
		result = write_archive(&packing, contents, fd);
		pack_end_utf8();
	}
	if (result == 0)
		result = publish(fd, temporary, output, changed, error);
	close(fd);
	if (result != 0)
		unlink(temporary);
	free(temporary);
	return result;
}

int
pack_write(const struct contents *contents, const char *top, int64_t epoch_s, const char *output,
	   bool *changed, struct error *error)
{
	char *target;
	int result;

	if (file_is_special(output))
		return error_set(error, EXIT_BAD_INPUT, "%s is no file; name one for the bundle", output);
	target = file_behind_links(output);
	result = pack_file(contents, top, epoch_s, target, changed, error);
	free(target);
	return result;
}
