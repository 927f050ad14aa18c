#include "base/home.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

static bool
is_home(const char *path)
{
	char *probe = memory_format("%s/kernels/harness", path);
	bool found = file_exists(probe);

	free(probe);
	return found;
}

char *
home_tool(struct error *error)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

	if (length < 0) {
		error_set_errno(error, "cannot tell where the running assay lies");
		return NULL;
	}
	path[length] = '\0';
	return memory_copy_text(path);
}

char *
home_path(struct error *error)
{
	const char *asked = getenv("ASSAY_HOME");
	char *path, *slash;

	if (asked != NULL && is_home(asked))
		return realpath(asked, NULL);
	path = home_tool(error);
	while (path != NULL && (slash = strrchr(path, '/')) != NULL && slash != path) {
		*slash = '\0';
		if (is_home(path))
			return path;
	}
	free(path);
	error_set(error, EXIT_FAILED,
		  "cannot find the tool's own files (kernels/harness); set ASSAY_HOME to the folder "
		  "that Assay was cloned to");
	return NULL;
}
