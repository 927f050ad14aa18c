#ifndef ASSAY_FILE_H
#define ASSAY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/error.h"

/* Whole-file reading and writing. All return 0, or -1 with *error filled. */

/*
 * For reading, close-on-exec; -1 with errno. What is no file is refused with EINVAL instead of waited
 * for: a pipe in a place of ours would hold a session, and with it the machine, until somebody
 * writes. /dev/null is taken as the empty file that it stands for.
 */
int file_open(const char *path);

/* Appends the file's bytes. Files over `limit` bytes are refused; 0 means 1 GiB. */
int file_read(const char *path, size_t limit, struct buffer *out, struct error *error);

enum file_write_flags {
	FILE_IF_CHANGED = 1, /* equal content: leave the file and its mtime alone */
	FILE_SYNC = 2,       /* a record: fsync the file and its folder */
	FILE_NO_REPLACE = 4, /* an existing file is an error: records are never overwritten */
	FILE_EXECUTABLE = 8,
};

/* Writes through a temporary file beside `path` and a rename; makes missing folders. Replaces what
 * a link leads to, not the link; writes into what is special (below). */
int file_write(const char *path, const void *bytes, size_t length, unsigned flags,
	       struct error *error);

/* Whether something is there, a device, a pipe or the like, that must not be replaced by a file. */
bool file_is_special(const char *path);
/* Where a link leads to; `path` itself when it is none. The caller frees. */
char *file_behind_links(const char *path);

/* mkdir -p. */
int file_make_folder(const char *path, struct error *error);
/* mkdir -p of the folder `path` is in. */
int file_make_parent(const char *path, struct error *error);
/* Copies content and mode bits; replaces `to`. */
int file_copy(const char *from, const char *to, struct error *error);
/* Removes a file or a whole tree; a missing one is fine. Does not follow links. */
int file_remove_tree(const char *path, struct error *error);
bool file_exists(const char *path);

/*
 * What stat says of a file, enough to notice any change of its content: a replaced file has
 * another inode, a rewritten one another ctime, which no program can set back.
 */
struct file_signature {
	uint64_t device, inode, size;
	int64_t mtime_ns, ctime_ns;
};
/* 0, or -1 when there is no such file (errno tells). Follows links. */
int file_signature(const char *path, struct file_signature *signature);
bool file_signature_equal(const struct file_signature *a, const struct file_signature *b);

#endif
