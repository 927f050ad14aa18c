#include "session/stamp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

#define TEXT_LIMIT 4096

int
stamp_write(const char *case_id, const struct stamp *stamp, struct error *error)
{
	char *path = memory_format("build/session/%s", case_id);
	char *text = memory_format("identity=%s\nfingerprint=%s\nblocks=%d\ncomplete=%d\nfailed=%d\n"
				   "sessions=%d\nhow=%s\n", stamp->identity, stamp->fingerprint,
				   stamp->blocks, stamp->complete, stamp->failed, stamp->sessions,
				   stamp->how);
	/* The edge has `restat`, so an unchanged stamp spares what comes after it. */
	int result = file_write(path, text, strlen(text), FILE_IF_CHANGED, error);

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
