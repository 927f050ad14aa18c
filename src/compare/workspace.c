#include "compare/workspace.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/scratch.h"

static bool
is_empty(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	bool empty = folder != NULL;

	while (empty && (entry = readdir(folder)) != NULL)
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	if (folder != NULL)
		closedir(folder);
	return empty;
}

static int
make_kept(const char *keep, struct workspace *workspace, struct error *error)
{
	if (file_exists(keep) && !is_empty(keep))
		return error_set(error, EXIT_BAD_INPUT, "--keep %s: it is there and not an empty folder; name "
				 "a new one", keep);
	if (file_make_folder(keep, error) != 0)
		return -1;
	workspace->folder = memory_copy_text(keep);
	workspace->kept = true;
	return 0;
}

int
workspace_open(const char *purpose, const char *keep, struct workspace *workspace,
	       struct error *error)
{
	memset(workspace, 0, sizeof *workspace);
	workspace->origin = getcwd(NULL, 0);
	if (workspace->origin == NULL)
		return error_set_errno(error, "cannot tell the current folder");
	if (keep == NULL)
		workspace->folder = scratch_folder(purpose, error);
	else if (make_kept(keep, workspace, error) != 0)
		return -1;
	if (workspace->folder == NULL)
		return -1;
	if (chdir(workspace->folder) != 0)
		return error_set_errno(error, "cannot go to %s", workspace->folder);
	return 0;
}

void
workspace_close(struct workspace *workspace)
{
	if (workspace->origin != NULL && chdir(workspace->origin) != 0 && chdir("/") != 0)
		workspace->kept = true; /* nowhere to stand while it goes */
	if (workspace->folder != NULL && !workspace->kept)
		file_remove_tree(workspace->folder, NULL);
	free(workspace->origin);
	free(workspace->folder);
	memset(workspace, 0, sizeof *workspace);
}
