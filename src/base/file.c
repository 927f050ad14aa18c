#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/memory.h"

#define DEFAULT_LIMIT ((size_t)1 << 30)

static bool
is_file(const struct stat *status)
{
	return S_ISREG(status->st_mode) || S_ISDIR(status->st_mode) || /* reading says EISDIR */
	       (S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3));
}

int
file_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat status;

	if (fd >= 0 && (fstat(fd, &status) != 0 || !is_file(&status))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

int
file_read(const char *path, size_t limit, struct buffer *out, struct error *error)
{
	char chunk[65536];
	size_t total = 0;
	ssize_t got;
	int fd = file_open(path);

	if (fd < 0)
		return error_set_errno(error, "cannot read %s", path);
	if (limit == 0)
		limit = DEFAULT_LIMIT;
	while ((got = read(fd, chunk, sizeof chunk)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			error_set_errno(error, "cannot read %s", path);
			close(fd);
			return -1;
		}
		total += (size_t)got;
		if (total > limit) {
			close(fd);
			return error_set(error, EXIT_BAD_INPUT, "%s is larger than the limit of %zu bytes",
					 path, limit);
		}
		buffer_append(out, chunk, (size_t)got);
	}
	close(fd);
	return 0;
}

static bool
same_content(const char *path, const void *bytes, size_t length)
{
	struct buffer old = BUFFER_EMPTY;
	struct stat status;
	bool same = false;

	if (stat(path, &status) != 0 || (size_t)status.st_size != length)
		return false;
	if (file_read(path, length, &old, NULL) == 0)
		same = old.length == length && (length == 0 || memcmp(old.bytes, bytes, length) == 0);
	buffer_free(&old);
	return same;
}

static int
write_all(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t done = write(fd, bytes, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		bytes += done;
		length -= (size_t)done;
	}
	return 0;
}

static int
sync_parent(const char *path)
{
	char *copy = memory_copy_text(path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result = -1;

	if (fd >= 0) {
		result = fsync(fd);
		close(fd);
	}
	free(copy);
	return result;
}

bool
file_is_special(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

char *
file_behind_links(const char *path)
{
	struct stat status;
	char *found = NULL;

	if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode))
		found = realpath(path, NULL);
	return found != NULL ? found : memory_copy_text(path);
}

static int
write_into(const char *path, const void *bytes, size_t length, struct error *error)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0 || write_all(fd, bytes, length) != 0) {
		error_set_errno(error, "cannot write %s", path);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return close(fd) == 0 ? 0 : error_set_errno(error, "cannot write %s", path);
}

static int
publish(const char *temporary, const char *path, unsigned flags)
{
	if (flags & FILE_NO_REPLACE)
		return renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE);
	return rename(temporary, path);
}

/* A temporary file in the folder of path, which is made where it lacks: as a rule it is there. */
static int
open_beside(const char *path, char **temporary, struct error *error)
{
	int fd, tries;

	for (tries = 0; tries < 2; tries++) {
		*temporary = memory_format("%s.tmp.XXXXXX", path);
		fd = mkostemp(*temporary, O_CLOEXEC);
		if (fd >= 0)
			return fd;
		free(*temporary);
		if (errno != ENOENT && errno != ENOTDIR)
			break;
		if (file_make_parent(path, error) != 0)
			return -1;
	}
	return error_set_errno(error, "cannot create a temporary file beside %s", path);
}

static int
replace(const char *path, const void *bytes, size_t length, unsigned flags, struct error *error)
{
	mode_t mask = umask(0);
	char *temporary;
	int fd, result = -1;

	umask(mask);
	if ((flags & FILE_IF_CHANGED) && same_content(path, bytes, length))
		return 0;
	fd = open_beside(path, &temporary, error);
	if (fd < 0)
		return -1;
	if (fchmod(fd, (flags & FILE_EXECUTABLE ? 0777 : 0666) & ~mask) != 0 ||
	    write_all(fd, bytes, length) != 0 || ((flags & FILE_SYNC) && fsync(fd) != 0)) {
		error_set_errno(error, "cannot write %s", path);
		close(fd);
	} else if (close(fd) != 0 || publish(temporary, path, flags) != 0) {
		error_set_errno(error, "cannot write %s", path);
	} else if ((flags & FILE_SYNC) && sync_parent(path) != 0) {
		free(temporary);
		return error_set_errno(error, "cannot sync the folder of %s", path);
	} else {
		result = 0;
	}
	if (result != 0)
		unlink(temporary);
	free(temporary);
	return result;
}

int
file_write(const char *path, const void *bytes, size_t length, unsigned flags,
	   struct error *error)
{
	char *target;
	int result;

	/* A rename would put a file in the place of /dev/null, or of the link /dev/stdout. */
	if (!(flags & FILE_NO_REPLACE) && file_is_special(path))
		return write_into(path, bytes, length, error);
	target = file_behind_links(path);
	result = replace(target, bytes, length, flags, error);
	free(target);
	return result;
}

int
file_make_folder(const char *path, struct error *error)
{
	char *copy = memory_copy_text(path);
	struct stat status;
	char *at = copy;
	int result = 0;

	while (result == 0 && *at != '\0') {
		char saved;

		at += strspn(at, "/");
		at += strcspn(at, "/");
		saved = *at;
		*at = '\0';
		if (copy[0] != '\0' && mkdir(copy, 0777) != 0 && errno != EEXIST)
			result = error_set_errno(error, "cannot make folder %s", copy);
		*at = saved;
	}
	if (result == 0 && path[0] != '\0' && (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)))
		result = error_set(error, EXIT_FAILED, "%s is not a folder", path);
	free(copy);
	return result;
}

int
file_make_parent(const char *path, struct error *error)
{
	char *copy = memory_copy_text(path);
	char *slash = strrchr(copy, '/');
	int result = 0;

	if (slash != NULL && slash != copy) {
		*slash = '\0';
		result = file_make_folder(copy, error);
	}
	free(copy);
	return result;
}

int
file_copy(const char *from, const char *to, struct error *error)
{
	struct stat status;
	int in = file_open(from), out = -1;
	off_t left = 0;

	if (in < 0 || fstat(in, &status) != 0) {
		error_set_errno(error, "cannot read %s", from);
		goto fail;
	}
	if (file_make_parent(to, error) != 0)
		goto fail;
	unlink(to);
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0777);
	if (out < 0) {
		error_set_errno(error, "cannot create %s", to);
		goto fail;
	}
	for (left = status.st_size; left > 0;) {
		ssize_t done = sendfile(out, in, NULL, (size_t)left);

		if (done <= 0) {
			error_set_errno(error, "cannot copy %s to %s", from, to);
			goto fail;
		}
		left -= done;
	}
	close(in);
	if (close(out) != 0)
		return error_set_errno(error, "cannot write %s", to);
	return 0;
fail:
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return -1;
}

static int
remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

int
file_remove_tree(const char *path, struct error *error)
{
	struct stat status;

	if (lstat(path, &status) != 0)
		return errno == ENOENT ? 0 : error_set_errno(error, "cannot remove %s", path);
	if (nftw(path, remove_one, 32, FTW_DEPTH | FTW_PHYS) != 0)
		return error_set_errno(error, "cannot remove %s", path);
	return 0;
}

bool
file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

int
file_signature(const char *path, struct file_signature *signature)
{
	struct stat status;

	memset(signature, 0, sizeof *signature);
	if (stat(path, &status) != 0)
		return -1;
	signature->device = (uint64_t)status.st_dev;
	signature->inode = (uint64_t)status.st_ino;
	signature->size = (uint64_t)status.st_size;
	signature->mtime_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
	signature->ctime_ns = (int64_t)status.st_ctim.tv_sec * 1000000000 + status.st_ctim.tv_nsec;
	return 0;
}

bool
file_signature_equal(const struct file_signature *a, const struct file_signature *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns;
}
