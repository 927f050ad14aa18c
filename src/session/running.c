#include "session/running.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "session/leftovers.h"

#define TEXT_LIMIT 4096

struct running {
	char *path;
	int fd;
};

/* The value of a line `key=value`; "" when there is none. The caller frees. */
static char *
value_of(const char *text, const char *key)
{
	size_t length = strlen(key);

	while (*text != '\0') {
		size_t line = strcspn(text, "\n");

		if (line > length && strncmp(text, key, length) == 0 && text[length] == '=')
			return memory_copy_span(text + length + 1, line - length - 1);
		text += line + (text[line] == '\n');
	}
	return memory_copy_text("");
}

static int
set_lock(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return fcntl(fd, F_SETLK, &whole);
}

static pid_t
holder_of(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return fcntl(fd, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK ? whole.l_pid : 0;
}

pid_t
running_holder(const char *store_folder)
{
	char *path = memory_format("%s/running", store_folder);
	int fd = file_open(path);
	pid_t holder = fd >= 0 ? holder_of(fd) : 0;

	if (fd >= 0)
		close(fd);
	free(path);
	return holder;
}

/* False: the holder removed the file between our open and our lock. */
static bool
is_still_there(int fd, const char *path)
{
	struct stat ours, theirs;

	return fstat(fd, &ours) == 0 && stat(path, &theirs) == 0 && ours.st_ino == theirs.st_ino &&
	       ours.st_dev == theirs.st_dev;
}

/* Until it has ended, or we are to. */
static int
wait_for_process(pid_t pid, const volatile int *interrupted, struct error *error)
{
	struct pollfd death = {.fd = pidfd_open(pid, 0), .events = POLLIN};
	sigset_t all, callers;

	if (death.fd < 0)
		return errno == ESRCH ? 0 : error_set_errno(error, "cannot watch process %d", (int)pid);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &callers); /* no signal between the look and the sleep */
	while (!*interrupted && ppoll(&death, 1, NULL, &callers) < 0)
		;
	sigprocmask(SIG_SETMASK, &callers, NULL);
	close(death.fd);
	return 0;
}

int
running_wait(const char *case_id, const char *store_folder, const volatile int *interrupted,
	     struct error *error)
{
	char *path = memory_format("%s/running", store_folder);
	int fd = file_open(path), result = 0;
	pid_t told = 0, holder;

	while (result == 0 && fd >= 0 && (holder = holder_of(fd)) != 0) {
		if (holder == told) {
			result = error_set(error, EXIT_FAILED, "case %s is being measured by process %d, which "
					   "cannot be seen from here; wait for it or end it", case_id, (int)holder);
			break;
		}
		fprintf(stderr, "assay: case %s is being measured by process %d; waiting for it\n",
			case_id, (int)holder);
		told = holder;
		result = wait_for_process(holder, interrupted, error);
		if (result == 0 && *interrupted)
			result = error_set(error, EXIT_INTERRUPTED, "case %s: interrupted while process %d "
					   "measures it", case_id, (int)holder);
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return result;
}

/* -1 with *busy: another session holds it, and that is no error. */
static int
open_locked(const char *path, bool *busy, struct error *error)
{
	for (;;) {
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

		if (fd < 0)
			return error_set_errno(error, "cannot open %s", path);
		if (set_lock(fd) != 0) {
			*busy = errno == EACCES || errno == EAGAIN;
			if (!*busy)
				error_set_errno(error, "cannot lock %s", path);
			close(fd);
			return -1;
		}
		if (is_still_there(fd, path))
			return fd;
		close(fd);
	}
}

/* The file is left by a session that was killed: no process of it may run beside ours. */
static int
end_orphans(int fd, struct error *error)
{
	char text[TEXT_LIMIT + 1];
	ssize_t length = pread(fd, text, TEXT_LIMIT, 0);
	char *token;
	int result = 0;

	text[length > 0 ? length : 0] = '\0';
	token = value_of(text, "token");
	if (token[0] != '\0')
		result = leftovers_end(token, error);
	free(token);
	return result < 0 ? -1 : 0;
}

static int
write_own(const struct running *running, const char *token, struct error *error)
{
	struct buffer text = BUFFER_EMPTY;
	char now[CLOCK_TEXT];
	int result = 0;

	clock_text(clock_realtime_ns(), now);
	buffer_printf(&text, "pid=%d\nstarted=%s\ntoken=%s\n", (int)getpid(), now, token);
	if (ftruncate(running->fd, 0) != 0 ||
	    pwrite(running->fd, text.bytes, text.length, 0) != (ssize_t)text.length)
		result = error_set_errno(error, "cannot write %s", running->path);
	buffer_free(&text);
	return result;
}

struct running *
running_take(const char *store_folder, const char *token, bool *busy, struct error *error)
{
	struct running *running;
	int fd;
	char *path;

	*busy = false;
	if (file_make_folder(store_folder, error) != 0)
		return NULL;
	path = memory_format("%s/running", store_folder);
	fd = open_locked(path, busy, error);
	if (fd < 0) {
		free(path);
		return NULL;
	}
	running = memory_zeroed(1, sizeof *running);
	running->path = path;
	running->fd = fd;
	if (end_orphans(fd, error) == 0 && write_own(running, token, error) == 0)
		return running;
	/* The file stays: it may still name orphans that could not be ended. */
	close(fd);
	free(path);
	free(running);
	return NULL;
}

void
running_drop(struct running *running)
{
	if (running == NULL)
		return;
	unlink(running->path);
	close(running->fd);
	free(running->path);
	free(running);
}
