#include "store/seals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"

static char *
path_in(const char *store_folder)
{
	return memory_format("%s/seals.txt", store_folder);
}

int
seals_read(const char *store_folder, struct buffer *seals, struct error *error)
{
	char *path = path_in(store_folder);
	int result = file_exists(path) ? file_read(path, 0, seals, error) : 0;

	free(path);
	return result;
}

/* One write: two processes that append mix no lines, and a kill leaves none of it or all. */
static int
append(int fd, const char *line)
{
	char *text = memory_format("%s\n", line);
	size_t length = strlen(text);
	bool whole = write(fd, text, length) == (ssize_t)length;

	free(text);
	return whole && fsync(fd) == 0 ? 0 : -1;
}

int
seals_add(const char *store_folder, const char *line, struct error *error)
{
	char *path = path_in(store_folder);
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
	int result = 0;

	if (fd < 0 || append(fd, line) != 0)
		result = error_set_errno(error, "cannot write %s", path);
	if (fd >= 0)
		close(fd);
	free(path);
	return result;
}

static const char *
number_of(const char *session_folder)
{
	const char *slash = strrchr(session_folder, '/');

	return slash != NULL ? slash + 1 : session_folder;
}

char *
seals_line_of_end(const char *session_folder, struct error *error)
{
	char *path = memory_format("%s/end.json", session_folder), *line = NULL;
	char hex[DIGEST_SHA256_HEX];

	if (digest_file(DIGEST_SHA256, path, hex, error) == 0)
		line = memory_format("end %s %s", number_of(session_folder), hex);
	free(path);
	return line;
}

int
seals_compare_end(const char *seals, const char *session_folder, const char *line)
{
	char *begin = memory_format("end %s ", number_of(session_folder));
	const char *at, *last = NULL;
	int result = 0;

	for (at = seals; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
		if (strncmp(at, begin, strlen(begin)) == 0)
			last = at;
	if (last != NULL)
		result = line != NULL && strncmp(last, line, strlen(line)) == 0 ? 1 : -1;
	free(begin);
	return result;
}

int
seals_next_look(const char **at)
{
	int pairs = -1;

	while (pairs < 0 && **at != '\0') {
		if (sscanf(*at, "look %d", &pairs) != 1)
			pairs = -1;
		*at += strcspn(*at, "\n");
		*at += **at == '\n';
	}
	return pairs;
}
