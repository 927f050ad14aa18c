#include "session/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "session/queue.h"

/*
 * The lock's folder is open to all users (mode 1777) and holds
 *     lock          flocked shared or exclusive, through a read-only descriptor: this excludes
 *     q-…           the queue (queue.h): this decides whose turn it is
 *     log-<uid>     a line an event, appended with one write:
 *                   <realtime ns> <monotonic ns> <pid> <uid> shared|exclusive acquire|release <who>
 *                   log-<uid>.1 is the one before, from when it passed LOG_LIMIT.
 * A hold without a release line was ended by a kill, before the next hold that excludes it.
 * Order: join the queue, wait for those ahead, flock; at the end un-flock, leave the queue.
 */

#define TOKEN "ASSAY_LOCK_TOKEN" /* the name of the holder's queue entry */
#define LOG_LIMIT (8 << 20)
#define PATIENCE_S 2
#define PATIENCE_MOST_S 64

struct lock {
	char *who, *outer_token; /* outer_token: what the environment held before ours */
	int folder, file;
	struct queue_entry entry;
	enum lock_mode mode;
	bool held, covered;
	const volatile int *interrupted;
};

/* A waiter's alarm, so that flock returns now and then. */
struct patience {
	bool running;
	int seconds;
	struct sigaction action;
	struct itimerval timer;
	sigset_t mask;
	char told[QUEUE_TEXT];
};

static volatile sig_atomic_t alarm_rang;

static void
on_alarm(int number)
{
	(void)number;
	alarm_rang = 1;
}

/* Must come out the same for every user: two folders would be two locks. */
const char *
lock_folder(void)
{
	const char *asked = getenv("ASSAY_LOCK_DIR");
	struct statvfs system;
	struct stat status;

	if (asked != NULL && asked[0] != '\0')
		return asked;
	if (stat("/run/lock", &status) == 0 && S_ISDIR(status.st_mode) &&
	    (status.st_mode & 01777) == 01777 && statvfs("/run/lock", &system) == 0 &&
	    !(system.f_flag & ST_RDONLY))
		return "/run/lock/assay";
	return "/tmp/assay-lock";
}

static int
open_folder(struct error *error)
{
	const char *path = lock_folder();
	mode_t mask;
	int fd;

	if (path[0] != '/')
		return error_set(error, EXIT_USAGE, "ASSAY_LOCK_DIR is '%s': give an absolute path, or each "
				 "folder that something is run from has a lock of its own", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT) {
		if (file_make_parent(path, error) != 0)
			return -1;
		mask = umask(0);
		if (mkdir(path, 01777) != 0 && errno != EEXIST) {
			umask(mask);
			return error_set_errno(error, "cannot make the lock's folder %s "
					       "(ASSAY_LOCK_DIR names another one)", path);
		}
		umask(mask);
		fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	if (fd < 0)
		return error_set_errno(error, "cannot open the lock's folder %s", path);
	return fd;
}

/* Never O_CREAT on a file that may be another user's: fs.protected_regular refuses that. */
static int
open_shared_file(int folder, const char *name, int access, struct error *error)
{
	struct stat status;
	int fd, tries;

	for (tries = 0; tries < 100; tries++) {
		mode_t mask;

		fd = openat(folder, name, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0 || errno != ENOENT)
			break;
		mask = umask(0);
		fd = openat(folder, name, access | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
		umask(mask);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	if (fd < 0)
		return error_set_errno(error, "cannot open %s/%s", lock_folder(), name);
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	close(fd);
	return error_set(error, EXIT_FAILED, "%s/%s is no plain file; remove it", lock_folder(), name);
}

/* One line of text whatever the caller says. */
static char *
one_line(const char *text)
{
	char *copy = memory_copy_text(text), *at;

	for (at = copy; *at != '\0'; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = ' ';
	return copy;
}

struct lock *
lock_open(const char *who, struct error *error)
{
	struct lock *lock = memory_zeroed(1, sizeof *lock);

	lock->who = one_line(who);
	lock->entry.fd = lock->file = -1;
	lock->folder = open_folder(error);
	if (lock->folder >= 0)
		lock->file = open_shared_file(lock->folder, "lock", O_RDONLY, error);
	if (lock->file >= 0)
		return lock;
	lock_close(lock);
	return NULL;
}

void
lock_interrupted_by(struct lock *lock, const volatile int *interrupted)
{
	lock->interrupted = interrupted;
}

const int *
lock_descriptors(const struct lock *lock, int *count)
{
	*count = 1;
	return &lock->file;
}

void
lock_close(struct lock *lock)
{
	if (lock == NULL)
		return;
	lock_release(lock);
	if (lock->file >= 0)
		close(lock->file);
	if (lock->folder >= 0)
		close(lock->folder);
	free(lock->who);
	free(lock);
}

/* ---- the log ---- */

/* Moves a full log away; the folder's lock keeps a second one from moving the new log over it. */
static int
rotate_log(int folder, const char *name, struct error *error)
{
	char old[80];
	struct stat status;
	int result = 0;

	snprintf(old, sizeof old, "%s.1", name);
	while (flock(folder, LOCK_EX) != 0)
		if (errno != EINTR)
			return error_set_errno(error, "cannot lock the folder %s", lock_folder());
	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    status.st_size >= LOG_LIMIT && renameat(folder, name, folder, old) != 0)
		result = error_set_errno(error, "cannot rename %s/%s", lock_folder(), name);
	flock(folder, LOCK_UN);
	return result;
}

static int
open_log(int folder, struct error *error)
{
	char name[64];
	struct stat status;
	int fd;

	snprintf(name, sizeof name, "log-%d", (int)geteuid());
	fd = open_shared_file(folder, name, O_WRONLY | O_APPEND, error);
	if (fd < 0 || fstat(fd, &status) != 0 || status.st_size < LOG_LIMIT)
		return fd;
	close(fd);
	if (rotate_log(folder, name, error) != 0)
		return -1;
	return open_shared_file(folder, name, O_WRONLY | O_APPEND, error);
}

static int
write_log(const struct lock *lock, const char *event, struct error *error)
{
	char line[QUEUE_TEXT];
	int length, fd = open_log(lock->folder, error);
	ssize_t done;

	if (fd < 0)
		return -1;
	length = snprintf(line, sizeof line, "%" PRId64 " %" PRId64 " %d %d %s %s %.300s\n",
			  clock_realtime_ns(), clock_monotonic_ns(), (int)getpid(), (int)geteuid(),
			  lock->mode == LOCK_EXCLUSIVE ? "exclusive" : "shared", event, lock->who);
	done = write(fd, line, (size_t)length);
	if (done != length)
		error_set_errno(error, "cannot write the lock's log %s/log-%d", lock_folder(),
				(int)geteuid());
	close(fd);
	return done == length ? 0 : -1;
}

/* ---- waiting ---- */

static void
patience_begin(struct patience *patience)
{
	struct sigaction action = {.sa_handler = on_alarm}; /* no SA_RESTART: flock must return */
	struct itimerval timer = {{PATIENCE_S, 0}, {PATIENCE_S, 0}};
	sigset_t alarm_only;

	if (patience->running)
		return;
	patience->running = true;
	patience->seconds = PATIENCE_S;
	alarm_rang = 0;
	sigemptyset(&alarm_only);
	sigaddset(&alarm_only, SIGALRM);
	sigprocmask(SIG_UNBLOCK, &alarm_only, &patience->mask);
	sigaction(SIGALRM, &action, &patience->action);
	setitimer(ITIMER_REAL, &timer, &patience->timer);
}

static void
patience_end(struct patience *patience)
{
	if (!patience->running)
		return;
	setitimer(ITIMER_REAL, &patience->timer, NULL);
	sigaction(SIGALRM, &patience->action, NULL);
	sigprocmask(SIG_SETMASK, &patience->mask, NULL);
	patience->running = false;
}

/* Tells whom we wait for, when that is news, and rings less often from then on: a sleeping
 * waiter must not disturb what is measured. */
static void
patience_tick(struct patience *patience, const struct queue_peer *peer)
{
	struct itimerval timer = {{0, 0}, {0, 0}};
	char text[QUEUE_TEXT] = "";
	int pid = 0, uid = 0, skip = 0;

	alarm_rang = 0;
	if (patience->seconds < PATIENCE_MOST_S)
		patience->seconds *= 2;
	timer.it_value.tv_sec = timer.it_interval.tv_sec = patience->seconds;
	setitimer(ITIMER_REAL, &timer, NULL);
	if (peer != NULL)
		queue_peer_text(peer, text);
	if (patience->told[0] != '\0' && strcmp(text, patience->told) == 0)
		return;
	if (sscanf(text, "%*s %d %*s %d %n", &pid, &uid, &skip) == 2)
		fprintf(stderr, "assay: waiting for the machine: process %d (user %d), %s, %s it %s\n",
			pid, uid, text + skip, text[0] == 'h' ? "holds" : "waits before us for",
			peer->mode == LOCK_EXCLUSIVE ? "exclusive" : "shared");
	else
		fprintf(stderr, "assay: waiting for the machine: a killed session's processes are "
			"being ended ('fuser %s/lock' names who holds it)\n", lock_folder());
	snprintf(patience->told, sizeof patience->told, "%s", text[0] != '\0' ? text : "-");
}

static int
wait_flock(const struct lock *lock, int fd, int operation, const struct queue_peer *peer,
	   struct patience *patience, struct error *error)
{
	if (flock(fd, operation | LOCK_NB) == 0)
		return 0;
	patience_begin(patience);
	for (;;) {
		if (lock->interrupted != NULL && *lock->interrupted)
			return error_set(error, EXIT_INTERRUPTED,
					 "interrupted while waiting for the machine");
		if (flock(fd, operation) == 0)
			return 0;
		if (errno != EINTR)
			return error_set_errno(error, "cannot lock a file in %s", lock_folder());
		if (alarm_rang)
			patience_tick(patience, peer);
	}
}

static int
wait_turn(const struct lock *lock, const struct queue_peers *ahead, struct error *error)
{
	struct patience patience = {.running = false};
	int operation = lock->mode == LOCK_EXCLUSIVE ? LOCK_EX : LOCK_SH;
	int result = 0;
	size_t i;

	for (i = 0; i < ahead->count && result == 0; i++)
		result = wait_flock(lock, ahead->items[i].fd, LOCK_SH, &ahead->items[i], &patience,
				    error);
	if (result == 0) /* still held only where a warden cleans up after a killed session */
		result = wait_flock(lock, lock->file, operation, NULL, &patience, error);
	patience_end(&patience);
	return result;
}

/* ---- holding ---- */

bool
lock_is_covered(const struct lock *lock)
{
	const char *token = getenv(TOKEN);

	/* The kernel's lock on the holder's entry proves that it still holds: no pid that was used
	 * again can pretend to, and other folders (tests) have other entries. */
	return token != NULL && queue_is_alive(lock->folder, token);
}

static int
check_file(const struct lock *lock, struct error *error)
{
	struct stat status;

	if (fstat(lock->file, &status) == 0 && status.st_nlink > 0)
		return 0;
	return error_set(error, EXIT_FAILED,
			 "%s/lock was removed while in use, so that others no longer see our lock; "
			 "start again", lock_folder());
}

static void
publish_token(struct lock *lock)
{
	const char *outer = getenv(TOKEN);

	lock->outer_token = outer != NULL ? memory_copy_text(outer) : NULL;
	setenv(TOKEN, lock->entry.name, 1);
}

static void
withdraw_token(struct lock *lock)
{
	if (lock->outer_token != NULL)
		setenv(TOKEN, lock->outer_token, 1);
	else
		unsetenv(TOKEN);
	free(lock->outer_token);
	lock->outer_token = NULL;
}

int
lock_acquire(struct lock *lock, enum lock_mode mode, struct error *error)
{
	struct queue_peers ahead = {NULL, 0, 0};
	int result;

	if (lock->held || lock->covered)
		return error_set(error, EXIT_FAILED, "the machine's lock is held already");
	if (lock_is_covered(lock)) {
		lock->covered = true;
		return 0;
	}
	lock->mode = mode;
	if (queue_join(lock->folder, mode, lock->who, &lock->entry, &ahead, error) != 0)
		return -1;
	result = wait_turn(lock, &ahead, error);
	queue_peers_free(&ahead);
	if (result == 0 && (check_file(lock, error) != 0 || write_log(lock, "acquire", error) != 0)) {
		flock(lock->file, LOCK_UN);
		result = -1;
	}
	if (result != 0) {
		queue_leave(lock->folder, &lock->entry);
		return -1;
	}
	queue_note_hold(&lock->entry);
	publish_token(lock);
	lock->held = true;
	return 0;
}

void
lock_release(struct lock *lock)
{
	lock->covered = false;
	if (!lock->held)
		return;
	withdraw_token(lock);
	write_log(lock, "release", NULL); /* a full disk: as after a kill, see above */
	flock(lock->file, LOCK_UN);
	queue_leave(lock->folder, &lock->entry);
	lock->held = false;
}

int
lock_yield(struct lock *lock, struct error *error)
{
	if (!lock->held || !queue_has_rivals(lock->folder, &lock->entry, lock->mode))
		return 0;
	lock_release(lock);
	return lock_acquire(lock, lock->mode, error);
}

int
lock_print_status(FILE *out, struct error *error)
{
	struct queue_peers all = {NULL, 0, 0};
	int folder = open_folder(error);
	size_t i;

	if (folder < 0 || queue_list(folder, &all, error) != 0)
		goto fail;
	for (i = 0; i < all.count; i++) {
		char text[QUEUE_TEXT];
		int pid = 0, uid = 0, skip = 0;

		queue_peer_text(&all.items[i], text);
		if (sscanf(text, "%*s %d %*s %d %n", &pid, &uid, &skip) == 2)
			fprintf(out, "%s %-9s process %d, user %d, %s\n",
				text[0] == 'h' ? "holds" : "waits",
				all.items[i].mode == LOCK_EXCLUSIVE ? "exclusive" : "shared", pid, uid,
				text + skip);
	}
	if (all.count == 0)
		fprintf(out, "nobody holds the lock in %s\n", lock_folder());
	queue_peers_free(&all);
	close(folder);
	return 0;
fail:
	if (folder >= 0)
		close(folder);
	return -1;
}
