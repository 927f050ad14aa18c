#include "base/scratch.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/memory.h"

static bool
may_run_programs(const char *folder)
{
	struct statvfs status;

	if (access(folder, W_OK | X_OK) != 0 || statvfs(folder, &status) != 0)
		return false;
	if ((status.f_flag & ST_NOEXEC) == 0)
		return true;
	errno = EACCES;
	return false;
}

char *
scratch_folder(const char *purpose, struct error *error)
{
	const char *const places[] = {getenv("TMPDIR"), "/tmp", "/var/tmp"};
	size_t i;

	for (i = 0; i < sizeof places / sizeof *places; i++) {
		char *folder;

		if (places[i] == NULL || places[i][0] != '/' || !may_run_programs(places[i]))
			continue;
		folder = memory_format("%s/assay-%s-XXXXXX", places[i], purpose);
		if (mkdtemp(folder) != NULL)
			return folder;
		free(folder);
	}
	error_set_errno(error, "no temporary folder that programs may run from; set TMPDIR to the absolute "
			"path of one");
	return NULL;
}
