#include "session/stamp.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"

#define TEXT_LIMIT 4096

static bool
is_there(const char *path, const char *text)
{
	struct buffer old = BUFFER_EMPTY;
	bool same = file_read(path, TEXT_LIMIT, &old, NULL) == 0 && strcmp(buffer_text(&old), text) == 0;

	buffer_free(&old);
	return same;
}

static int
write_dated(const char *path, const char *text, int64_t time_ns, struct error *error)
{
	const struct timespec time = {.tv_sec = time_ns / 1000000000, .tv_nsec = time_ns % 1000000000};
	const struct timespec times[] = {time, time};

	if (file_write(path, text, strlen(text), 0, error) != 0)
		return -1;
	if (utimensat(AT_FDCWD, path, times, 0) != 0)
		return error_set_errno(error, "cannot set the time of %s", path);
	return 0;
}

int
stamp_write(const char *case_id, const struct stamp *stamp, struct error *error)
{
	char *path = memory_format("build/session/%s", case_id);
	char *text = memory_format("identity=%s\nfingerprint=%s\nblocks=%d\ncomplete=%d\nfailed=%d\n"
				   "sessions=%d\nhow=%s\n", stamp->identity, stamp->fingerprint,
				   stamp->blocks, stamp->complete, stamp->failed, stamp->sessions,
				   stamp->how);
	int result = 0;

	/* The edge has `restat`, so an unchanged stamp spares what comes after it. */
	if (!is_there(path, text))
		result = write_dated(path, text, stamp->read_ns, error);
	free(text);
	free(path);
	return result;
}

int
stamp_read(const char *case_id, struct stamp *stamp, struct error *error)
{
	char *path = memory_format("build/session/%s", case_id);
	struct buffer text = BUFFER_EMPTY;
	int result = file_read(path, TEXT_LIMIT, &text, error);

	memset(stamp, 0, sizeof *stamp);
	stamp->how = "";
	if (result == 0 &&
	    sscanf(buffer_text(&text), "identity=%64s fingerprint=%64s blocks=%d complete=%d failed=%d "
		   "sessions=%d", stamp->identity, stamp->fingerprint, &stamp->blocks,
		   &stamp->complete, &stamp->failed, &stamp->sessions) != 6)
		result = error_set_at(error, EXIT_BAD_INPUT, path, 1, "not a session's stamp");
	buffer_free(&text);
	free(path);
	return result;
}
