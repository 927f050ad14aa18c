#include "compare/find.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

static bool
is_program(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *
find_absolute(const char *path, struct error *error)
{
	char *folder, *absolute;

	if (path[0] == '/')
		return memory_copy_text(path);
	folder = getcwd(NULL, 0);
	if (folder == NULL) {
		error_set_errno(error, "cannot tell the current folder");
		return NULL;
	}
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	absolute = memory_format("%s/%s", folder, path);
	free(folder);
	return absolute;
}

static char *
search(const char *word, struct error *error)
{
	const char *at = getenv("PATH");

	for (at = at != NULL ? at : DEFAULT_PATH; *at != '\0'; at += *at == ':') {
		size_t length = strcspn(at, ":");
		char *path = memory_format("%.*s/%s", (int)(length > 0 ? length : 1),
					   length > 0 ? at : ".", word);

		if (is_program(path)) {
			char *absolute = find_absolute(path, error);

			free(path);
			return absolute;
		}
		free(path);
		at += length;
	}
	error_set(error, EXIT_BAD_INPUT, "no program '%.200s' in PATH; for one in this folder write "
		  "./%.200s", word, word);
	return NULL;
}

char *
find_program_of(const char *word, struct error *error)
{
	struct stat status;

	if (strchr(word, '/') == NULL)
		return search(word, error);
	if (is_program(word))
		return find_absolute(word, error);
	if (stat(word, &status) != 0)
		error_set(error, EXIT_BAD_INPUT, "there is no program %.300s: %s", word, strerror(errno));
	else if (!S_ISREG(status.st_mode))
		error_set(error, EXIT_BAD_INPUT, "%.300s is no program", word);
	else
		error_set(error, EXIT_BAD_INPUT, "%.300s may not be run; 'chmod +x' would allow it", word);
	return NULL;
}
