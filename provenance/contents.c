#include "provenance/contents.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "provenance/secrets.h"

#define WINDOW ((size_t)1 << 20)
#define NAME_LIMIT 3000 /* of a path; one part of it has 255 at most */

void
contents_note(struct content_notes *notes, const char *name, const char *text)
{
	notes->items = memory_grow(notes->items, notes->count, &notes->capacity,
				   sizeof *notes->items);
	notes->items[notes->count++] =
		(struct content_note){memory_copy_text(name), memory_copy_text(text)};
}

/* ---- names ---- */

static bool
is_utf8(const char *text, size_t length)
{
	json_t *probe = json_stringn(text, length);
	bool valid = probe != NULL;

	json_decref(probe);
	return valid;
}

static bool
is_part_safe(const char *part, size_t length)
{
	return length > 0 && length <= NAME_MAX && !(length == 1 && part[0] == '.') &&
	       !(length == 2 && part[0] == '.' && part[1] == '.');
}

static bool
is_byte_safe(const char *at)
{
	return (unsigned char)*at >= 0x20 && *at != 0x7f &&
	       !(*at == '%' && (strncmp(at, "%25", 3) == 0 || strncasecmp(at, "%0A", 3) == 0 ||
				strncasecmp(at, "%0D", 3) == 0));
}

bool
contents_name_is_safe(const char *name, size_t length)
{
	const char *part = name, *end = name + length;

	if (length == 0 || length > NAME_LIMIT || strlen(name) != length || !is_utf8(name, length))
		return false;
	while (part <= end) {
		size_t size = strcspn(part, "/"), i;

		if (!is_part_safe(part, size))
			return false;
		for (i = 0; i < size; i++)
			if (!is_byte_safe(part + i))
				return false;
		part += size + 1;
	}
	return true;
}

/* A name that cannot be written as it is, for the list of what was left out. */
static char *
plain_name(const char *name)
{
	struct buffer out = BUFFER_EMPTY;
	bool utf8 = is_utf8(name, strlen(name));

	for (; *name != '\0'; name++)
		if ((unsigned char)*name < 0x20 || *name == 0x7f || *name == '%' ||
		    (!utf8 && (unsigned char)*name >= 0x80))
			buffer_printf(&out, "%%%02X", (unsigned char)*name);
		else
			buffer_putc(&out, *name);
	return buffer_detach(&out);
}

static void
leave_out(struct contents *contents, const char *name, const char *reason)
{
	char *plain = plain_name(name);

	contents_note(&contents->left_out, plain, reason);
	free(plain);
}

/* ---- adding ---- */

static struct content *
add(struct contents *contents, const char *name)
{
	struct content *content;

	contents->items = memory_grow(contents->items, contents->count, &contents->capacity,
				      sizeof *contents->items);
	content = &contents->items[contents->count++];
	memset(content, 0, sizeof *content);
	content->name = memory_copy_text(name);
	return content;
}

/* Whether a link leads to a regular file of this folder or below. */
static bool
leads_inside(const char *path)
{
	char *target = realpath(path, NULL), *here = realpath(".", NULL);
	size_t length = here != NULL ? strlen(here) : 0;
	struct stat status;
	bool inside = target != NULL && here != NULL && strncmp(target, here, length) == 0 &&
		      target[length] == '/' && stat(target, &status) == 0 &&
		      S_ISREG(status.st_mode);

	free(target);
	free(here);
	return inside;
}

void
contents_add_file(struct contents *contents, const char *name, const char *path)
{
	struct stat status;
	struct content *content;

	if (lstat(path, &status) != 0)
		return;
	if (!contents_name_is_safe(name, strlen(name))) {
		leave_out(contents, name, "a name that no manifest can hold: control characters, no "
					  "UTF-8, or too long");
		return;
	}
	if (S_ISLNK(status.st_mode)) {
		if (!leads_inside(path) || stat(path, &status) != 0) {
			leave_out(contents, name, "a link to no file of the study");
			return;
		}
		leave_out(contents, name, "a link; what it leads to is here in its place");
	}
	if (!S_ISREG(status.st_mode)) {
		leave_out(contents, name, S_ISDIR(status.st_mode) ? "a folder that git does not look "
								    "into"
								  : "no regular file");
		return;
	}
	content = add(contents, name);
	content->path = memory_copy_text(path);
	content->executable = (status.st_mode & S_IXUSR) != 0;
}

void
contents_add_bytes(struct contents *contents, const char *name, struct buffer *bytes)
{
	struct content *content = add(contents, name);

	content->size = bytes->length;
	content->bytes = *bytes;
	*bytes = (struct buffer)BUFFER_EMPTY;
}

void
contents_add_tree(struct contents *contents, const char *name, const char *path,
		  contents_skip *skips, void *context)
{
	struct dirent *entry;
	DIR *folder = opendir(path);

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		char *below, *name_below;
		struct stat status;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		below = strcmp(path, ".") == 0 ? memory_copy_text(entry->d_name)
					       : memory_format("%s/%s", path, entry->d_name);
		name_below = memory_format("%s/%s", name, entry->d_name);
		if (skips != NULL && skips(below, entry->d_name, context))
			;
		else if (lstat(below, &status) == 0 && S_ISDIR(status.st_mode))
			contents_add_tree(contents, name_below, below, skips, context);
		else
			contents_add_file(contents, name_below, below);
		free(below);
		free(name_below);
	}
	if (folder != NULL)
		closedir(folder);
}

/* ---- reading ---- */

/* What must not be in a bundle but is this machine's alone: words to look for. */
struct private_words {
	char *home, *host;
};

/* Not those that are common words. */
static void
find_private_words(struct private_words *words)
{
	const struct passwd *user = getpwuid(getuid());
	const char *home = getenv("HOME");
	char host[256] = "";

	if (home == NULL && user != NULL)
		home = user->pw_dir;
	gethostname(host, sizeof host - 1);
	words->home = home != NULL && strlen(home) > 6 ? memory_format("%s/", home) : NULL;
	words->host = strlen(host) > 6 && strcmp(host, "localhost") != 0 ? memory_copy_text(host)
									 : NULL;
}

/* The running look at one file. */
struct look {
	struct digest *digest;
	uint64_t size;
	unsigned secrets;
	bool home, host;
};

static void
look_at(struct look *look, const struct private_words *words, const char *bytes, size_t length)
{
	look->secrets |= secrets_find(bytes, length);
	if (words->home != NULL && memmem(bytes, length, words->home, strlen(words->home)) != NULL)
		look->home = true;
	if (words->host != NULL && memmem(bytes, length, words->host, strlen(words->host)) != NULL)
		look->host = true;
}

/* Windows overlap, so that nothing is missed where one ends. */
static int
read_file(const char *path, struct look *look, const struct private_words *words,
	  struct error *error)
{
	char *window = memory_alloc(WINDOW + SECRETS_OVERLAP);
	int fd = file_open(path), result = 0;
	size_t carried = 0;
	ssize_t got = -1;

	while (fd >= 0 && (got = read(fd, window + carried, WINDOW)) != 0) {
		size_t length = carried + (size_t)(got > 0 ? got : 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		digest_update(look->digest, window + carried, (size_t)got);
		look->size += (uint64_t)got;
		look_at(look, words, window, length);
		carried = length < SECRETS_OVERLAP ? length : SECRETS_OVERLAP;
		memmove(window, window + length - carried, carried);
	}
	if (fd < 0 || got < 0)
		result = error_set_errno(error, "cannot read %s", path);
	if (fd >= 0)
		close(fd);
	free(window);
	return result;
}

static void
note_findings(struct contents *contents, const struct content *content, const struct look *look)
{
	const char *by_name = secrets_in_name(content->name);
	unsigned bit;

	if (by_name != NULL)
		contents_note(&contents->warnings, content->name, by_name);
	for (bit = 1; bit != 0; bit <<= 1)
		if (look->secrets & bit) {
			char *text = memory_format("holds what looks like %s", secrets_kind(bit));

			contents_note(&contents->warnings, content->name, text);
			free(text);
		}
	if (look->home)
		contents_note(&contents->aside, content->name, "holds the path of your home folder");
	if (look->host)
		contents_note(&contents->aside, content->name, "holds the name of this machine");
}

static int
read_content(struct contents *contents, struct content *content,
	     const struct private_words *words, struct error *error)
{
	struct look look = {.digest = digest_begin(DIGEST_SHA512)};
	int result = 0;

	if (content->path != NULL) {
		result = read_file(content->path, &look, words, error);
		content->size = look.size;
	} else {
		digest_update(look.digest, buffer_text(&content->bytes), content->bytes.length);
	}
	digest_end(look.digest, content->sha512);
	if (result == 0)
		note_findings(contents, content, &look);
	return result;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct content *)a)->name, ((const struct content *)b)->name);
}

static void
free_content(struct content *content)
{
	free(content->name);
	free(content->path);
	buffer_free(&content->bytes);
}

static void
sort(struct contents *contents)
{
	size_t i, kept = 0;

	if (contents->count > 0)
		qsort(contents->items, contents->count, sizeof *contents->items, by_name);
	for (i = 0; i < contents->count; i++)
		if (kept > 0 && by_name(&contents->items[kept - 1], &contents->items[i]) == 0)
			free_content(&contents->items[i]);
		else
			contents->items[kept++] = contents->items[i];
	contents->count = kept;
}

static int
by_note(const void *a, const void *b)
{
	const struct content_note *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	return order != 0 ? order : strcmp(left->text, right->text);
}

static void
sort_notes(struct content_notes *notes)
{
	if (notes->count > 0)
		qsort(notes->items, notes->count, sizeof *notes->items, by_note);
}

int
contents_read(struct contents *contents, struct error *error)
{
	struct private_words words;
	int result = 0;
	size_t i;

	find_private_words(&words);
	sort(contents);
	for (i = 0; result == 0 && i < contents->count; i++)
		if (contents->items[i].sha512[0] == '\0')
			result = read_content(contents, &contents->items[i], &words, error);
	sort_notes(&contents->left_out);
	sort_notes(&contents->warnings);
	sort_notes(&contents->aside);
	free(words.home);
	free(words.host);
	return result;
}

const struct content *
contents_find(const struct contents *contents, const char *name)
{
	struct content key = {.name = (char *)name};

	if (contents->count == 0)
		return NULL;
	return bsearch(&key, contents->items, contents->count, sizeof key, by_name);
}

static void
free_notes(struct content_notes *notes)
{
	size_t i;

	for (i = 0; i < notes->count; i++) {
		free(notes->items[i].name);
		free(notes->items[i].text);
	}
	free(notes->items);
}

void
contents_free(struct contents *contents)
{
	size_t i;

	for (i = 0; i < contents->count; i++)
		free_content(&contents->items[i]);
	free(contents->items);
	free_notes(&contents->left_out);
	free_notes(&contents->warnings);
	free_notes(&contents->aside);
	memset(contents, 0, sizeof *contents);
}
