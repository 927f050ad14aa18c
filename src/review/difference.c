#include "review/difference.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"

#define SHOWN_BEFORE 30 /* bytes of a line around its first difference */
#define SHOWN 100

/* ---- two texts ---- */

/* The part of the line around `at`, from `start`. */
static char *
cut_line(const struct buffer *text, size_t start, size_t at)
{
	struct buffer out = BUFFER_EMPTY;
	size_t from = at > start + SHOWN_BEFORE ? at - SHOWN_BEFORE : start, i;

	if (start >= text->length)
		return memory_copy_text("(the file ends here)");
	if (from > start)
		buffer_puts(&out, "…");
	for (i = from; i < text->length && text->bytes[i] != '\n' && i - from < SHOWN; i++)
		buffer_putc(&out, (unsigned char)text->bytes[i] < 0x20 ? ' ' : text->bytes[i]);
	if (i < text->length && text->bytes[i] != '\n')
		buffer_puts(&out, "…");
	return buffer_detach(&out);
}

bool
difference_first(const struct buffer *a, const struct buffer *b, size_t *line, char **line_a,
		 char **line_b)
{
	size_t shorter = a->length < b->length ? a->length : b->length, at = 0, start = 0;

	*line = 1;
	for (; at < shorter && a->bytes[at] == b->bytes[at]; at++)
		if (a->bytes[at] == '\n') {
			++*line;
			start = at + 1;
		}
	if (at == a->length && at == b->length)
		return false;
	*line_a = cut_line(a, start, at);
	*line_b = cut_line(b, start, at);
	return true;
}

/* ---- two folders ---- */

static void
collect(const char *folder, const char *below, struct differences *all)
{
	char *place = memory_format("%s/%s", folder, below);
	DIR *listing = opendir(place);
	struct dirent *entry;

	while (listing != NULL && (entry = readdir(listing)) != NULL) {
		char *name, *path;
		struct stat status;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		name = memory_format("%s%s%s", below, below[0] != '\0' ? "/" : "", entry->d_name);
		path = memory_format("%s/%s", folder, name);
		if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
			collect(folder, name, all);
			free(name);
		} else {
			all->items = memory_grow(all->items, all->count, &all->capacity,
						 sizeof *all->items);
			memset(&all->items[all->count], 0, sizeof *all->items);
			all->items[all->count++].name = name;
		}
		free(path);
	}
	if (listing != NULL)
		closedir(listing);
	free(place);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct difference *)a)->name, ((const struct difference *)b)->name);
}

static void
make_unique(struct differences *all)
{
	size_t i, kept = 0;

	if (all->count > 0)
		qsort(all->items, all->count, sizeof *all->items, by_name);
	for (i = 0; i < all->count; i++)
		if (kept > 0 && by_name(&all->items[kept - 1], &all->items[i]) == 0)
			free(all->items[i].name);
		else
			all->items[kept++] = all->items[i];
	all->count = kept;
}

static void
hold_against(const char *shipped, const char *made, struct difference *one)
{
	char *left = memory_format("%s/%s", shipped, one->name);
	char *right = memory_format("%s/%s", made, one->name);
	struct buffer a = BUFFER_EMPTY, b = BUFFER_EMPTY;

	if (!file_exists(left))
		one->kind = DIFFERENCE_NOT_SHIPPED;
	else if (!file_exists(right))
		one->kind = DIFFERENCE_NOT_MADE;
	else if (file_read(left, 0, &a, NULL) != 0 || file_read(right, 0, &b, NULL) != 0 ||
		 difference_first(&a, &b, &one->line, &one->shipped, &one->made))
		one->kind = DIFFERENCE_CONTENT;
	buffer_free(&a);
	buffer_free(&b);
	free(left);
	free(right);
}

void
differences_find(const char *shipped, const char *made, struct differences *all)
{
	size_t i;

	memset(all, 0, sizeof *all);
	collect(shipped, "", all);
	collect(made, "", all);
	make_unique(all);
	for (i = 0; i < all->count; i++)
		hold_against(shipped, made, &all->items[i]);
}

void
differences_free(struct differences *all)
{
	size_t i;

	for (i = 0; i < all->count; i++) {
		free(all->items[i].name);
		free(all->items[i].shipped);
		free(all->items[i].made);
	}
	free(all->items);
	memset(all, 0, sizeof *all);
}
