#include "session/regime.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/memory.h"
#include "identity/identity.h"
#include "identity/machine.h"

void
regime_begin(struct regime *regime)
{
	memset(regime, 0, sizeof *regime);
	machine_regime(&regime->machine);
}

void
regime_end(struct regime *regime)
{
	size_t i;

	for (i = 0; i < regime->library_count; i++)
		free(regime->libraries[i]);
	free(regime->libraries);
	buffer_free(&regime->machine);
	buffer_free(&regime->text);
	memset(regime, 0, sizeof *regime);
}

/* "libm.so.6", "libz.so"; mapped data and temporary files would make each session unlike. */
static bool
is_library(const char *path, size_t length)
{
	char *copy = memory_copy_span(path, length);
	const char *slash = strrchr(copy, '/');
	const char *so = slash != NULL ? strstr(slash, ".so") : NULL;
	bool is = so != NULL && (so[3] == '\0' || so[3] == '.') &&
		  strstr(slash, " (deleted)") == NULL;

	free(copy);
	return is;
}

/* Below the study's root a path is told from there: a clone elsewhere is the same regime, and
 * no home folder gets into the records. */
static const char *
inside_study(const char *path)
{
	char *root = get_current_dir_name();
	size_t length = root != NULL ? strlen(root) : 0;

	if (length > 0 && strncmp(path, root, length) == 0 && path[length] == '/')
		path += length + 1;
	free(root);
	return path;
}

/* Keeps the list sorted, each path once. */
static void
add_library(struct regime *regime, const char *path, size_t length)
{
	char *whole = memory_copy_span(path, length);
	char *copy = memory_copy_text(inside_study(whole));
	size_t at = 0;

	free(whole);
	while (at < regime->library_count && strcmp(regime->libraries[at], copy) < 0)
		at++;
	if (at < regime->library_count && strcmp(regime->libraries[at], copy) == 0) {
		free(copy);
		return;
	}
	regime->libraries = memory_resize(regime->libraries, regime->library_count + 1,
					  sizeof *regime->libraries);
	memmove(regime->libraries + at + 1, regime->libraries + at,
		(regime->library_count - at) * sizeof *regime->libraries);
	regime->libraries[at] = copy;
	regime->library_count++;
}

void
regime_add_libraries(struct regime *regime, const char *paths)
{
	while (*paths != '\0') {
		size_t length = strcspn(paths, "\n");

		if (is_library(paths, length))
			add_library(regime, paths, length);
		paths += length + (paths[length] == '\n');
	}
}

const char *
regime_text(struct regime *regime)
{
	size_t i;

	buffer_clear(&regime->text);
	buffer_puts(&regime->text, buffer_text(&regime->machine));
	for (i = 0; i < regime->library_count; i++) {
		char hex[DIGEST_SHA256_HEX];

		if (digest_file(DIGEST_SHA256, regime->libraries[i], hex, NULL) != 0)
			memcpy(hex, "unavailable", sizeof "unavailable");
		buffer_printf(&regime->text, "library %s = %s\n", regime->libraries[i], hex);
	}
	return buffer_text(&regime->text);
}

json_t *
regime_libraries(const struct regime *regime)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < regime->library_count; i++)
		json_array_append_new(list, json_string(regime->libraries[i]));
	return list;
}

bool
regime_changed(const struct regime *regime, struct buffer *changes)
{
	struct buffer now = BUFFER_EMPTY;
	bool changed;

	machine_regime(&now);
	changed = strcmp(buffer_text(&now), buffer_text(&regime->machine)) != 0;
	if (changed)
		identity_diff(buffer_text(&regime->machine), buffer_text(&now), changes);
	buffer_free(&now);
	return changed;
}
