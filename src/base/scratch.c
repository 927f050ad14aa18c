#include "base/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/* A process that was killed in this time may still be seen as one that is about to lock. */
#define NEW_S 60

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

/* Until the end of this process, however it ends: the descriptor is meant to stay open. */
static void
hold(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0)
		flock(fd, LOCK_EX | LOCK_NB);
}

/* Of a process that was killed: ours, not new, and nobody holds it. */
static void
remove_if_dead(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return;
	if (fstat(fd, &status) == 0 && status.st_uid == geteuid() &&
	    status.st_mtime < time(NULL) - NEW_S && flock(fd, LOCK_EX | LOCK_NB) == 0)
		file_remove_tree(folder, NULL);
	close(fd);
}

static void
sweep(const char *place, const char *purpose)
{
	char *start = memory_format("assay-%s-", purpose);
	DIR *all = opendir(place);
	struct dirent *entry;

	while (all != NULL && (entry = readdir(all)) != NULL) {
		char *folder;

		if (strncmp(entry->d_name, start, strlen(start)) != 0 ||
		    strlen(entry->d_name) != strlen(start) + 6)
			continue;
		folder = memory_format("%s/%s", place, entry->d_name);
		remove_if_dead(folder);
		free(folder);
	}
	if (all != NULL)
		closedir(all);
	free(start);
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
		if (mkdtemp(folder) != NULL) {
			hold(folder);
			sweep(places[i], purpose);
			return folder;
		}
		free(folder);
	}
	error_set_errno(error, "no temporary folder that programs may run from; set TMPDIR to the absolute "
			"path of one");
	return NULL;
}
