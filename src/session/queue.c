#include "session/queue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

#define STATE_WAITS "waits"
#define STATE_HOLDS "holds"
#define TICKET_MAX (INT64_MAX / 2)

static int
flock_retry(int fd, int operation)
{
	int result;

	do
		result = flock(fd, operation);
	while (result != 0 && errno == EINTR);
	return result;
}

unsigned long long
queue_start_time(pid_t pid)
{
	char path[64], text[1024];
	unsigned long long start = 0;
	ssize_t length;
	char *at;
	int fd, field;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	length = read(fd, text, sizeof text - 1);
	close(fd);
	if (length <= 0)
		return 0;
	text[length] = '\0';
	at = strrchr(text, ')'); /* the name before it may hold anything */
	for (field = 2; at != NULL && field < 22; field++) {
		at = strchr(at, ' ');
		at = at != NULL ? at + 1 : NULL;
	}
	if (at != NULL)
		start = strtoull(at, NULL, 10);
	return start;
}

static bool
parse_name(const char *name, struct queue_peer *peer)
{
	char mode;
	int pid, end = 0;

	if (strlen(name) >= sizeof peer->name ||
	    sscanf(name, "q-%" SCNd64 "-%c-%d%n", &peer->ticket, &mode, &pid, &end) != 3 ||
	    name[end] != '\0' || (mode != 's' && mode != 'x') || peer->ticket < 0 ||
	    peer->ticket > TICKET_MAX)
		return false;
	peer->mode = mode == 'x' ? LOCK_EXCLUSIVE : LOCK_SHARED;
	memcpy(peer->name, name, strlen(name) + 1);
	return true;
}

/* 1: alive and open in peer->fd; 0: nobody (removed when we may); -1: no descriptors left. */
static int
open_peer(int folder, struct queue_peer *peer)
{
	struct stat status;

	peer->fd = openat(folder, peer->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (peer->fd < 0)
		return errno == EMFILE || errno == ENFILE ? -1 : 0;
	if (fstat(peer->fd, &status) == 0 && S_ISREG(status.st_mode)) {
		if (flock_retry(peer->fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
			return 1;
		/* A dead process's; another user's stays until that user comes by. */
		unlinkat(folder, peer->name, 0);
	}
	close(peer->fd);
	return 0;
}

static int
compare_peers(const void *a, const void *b)
{
	const struct queue_peer *one = a, *other = b;

	return one->ticket < other->ticket ? -1 : one->ticket > other->ticket;
}

/* All living entries in order; the folder is flocked by the caller, or an entry just made and
 * not yet locked would look dead. */
static int
scan(int folder, struct queue_peers *all, struct error *error)
{
	int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *listing = again >= 0 ? fdopendir(again) : NULL;
	struct dirent *item;

	if (listing == NULL) {
		error_set_errno(error, "cannot list the lock's folder %s", lock_folder());
		if (again >= 0)
			close(again);
		return -1;
	}
	while ((item = readdir(listing)) != NULL) {
		struct queue_peer peer;
		int alive;

		if (!parse_name(item->d_name, &peer) || (alive = open_peer(folder, &peer)) == 0)
			continue;
		if (alive < 0) {
			closedir(listing);
			queue_peers_free(all);
			return error_set_errno(error, "cannot open %s/%s", lock_folder(), peer.name);
		}
		all->items = memory_grow(all->items, all->count, &all->capacity, sizeof peer);
		all->items[all->count++] = peer;
	}
	closedir(listing);
	if (all->count > 0)
		qsort(all->items, all->count, sizeof *all->items, compare_peers);
	return 0;
}

/* Keeps what an entry of `mode` has to wait for. */
static void
keep_rivals(struct queue_peers *peers, enum lock_mode mode, const char *own)
{
	size_t i, kept = 0;

	for (i = 0; i < peers->count; i++) {
		struct queue_peer *peer = &peers->items[i];
		bool rival = mode == LOCK_EXCLUSIVE || peer->mode == LOCK_EXCLUSIVE;

		if (rival && strcmp(peer->name, own) != 0)
			peers->items[kept++] = *peer;
		else
			close(peer->fd);
	}
	peers->count = kept;
}

static int
write_text(int fd, const char *who)
{
	char text[QUEUE_TEXT];
	int length = snprintf(text, sizeof text, STATE_WAITS " %d %llu %d %.400s\n", (int)getpid(),
			      queue_start_time(getpid()), (int)geteuid(), who);

	return write(fd, text, (size_t)length) == length ? 0 : -1;
}

static int
add_entry(int folder, enum lock_mode mode, int64_t ticket, const char *who,
	  struct queue_entry *entry, struct error *error)
{
	mode_t mask = umask(0); /* everybody must be able to open it, whatever our umask */

	snprintf(entry->name, sizeof entry->name, "q-%019" PRId64 "-%c-%d", ticket,
		 mode == LOCK_EXCLUSIVE ? 'x' : 's', (int)getpid());
	entry->fd = openat(folder, entry->name,
			   O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	umask(mask);
	if (entry->fd >= 0 && flock_retry(entry->fd, LOCK_EX | LOCK_NB) == 0 &&
	    write_text(entry->fd, who) == 0)
		return 0;
	error_set_errno(error, "cannot write %s/%s (the folder must be open to all, mode 1777; "
			"ASSAY_LOCK_DIR names another one)", lock_folder(), entry->name);
	if (entry->fd >= 0)
		queue_leave(folder, entry);
	entry->name[0] = '\0';
	return -1;
}

int
queue_join(int folder, enum lock_mode mode, const char *who, struct queue_entry *entry,
	   struct queue_peers *ahead, struct error *error)
{
	int64_t ticket = clock_monotonic_ns();
	int result = -1;

	if (flock_retry(folder, LOCK_EX) != 0)
		return error_set_errno(error, "cannot lock the folder %s", lock_folder());
	if (scan(folder, ahead, error) == 0) {
		if (ahead->count > 0 && ahead->items[ahead->count - 1].ticket >= ticket)
			ticket = ahead->items[ahead->count - 1].ticket + 1;
		keep_rivals(ahead, mode, "");
		result = add_entry(folder, mode, ticket, who, entry, error);
	}
	flock(folder, LOCK_UN);
	if (result != 0)
		queue_peers_free(ahead);
	return result;
}

void
queue_note_hold(const struct queue_entry *entry)
{
	ssize_t done = pwrite(entry->fd, STATE_HOLDS, strlen(STATE_HOLDS), 0);

	(void)done; /* over bytes that are there already: cannot run out of space */
}

void
queue_leave(int folder, struct queue_entry *entry)
{
	if (entry->name[0] == '\0')
		return;
	unlinkat(folder, entry->name, 0);
	flock(entry->fd, LOCK_UN); /* a forked child may have a copy: closing ours is not enough */
	close(entry->fd);
	entry->name[0] = '\0';
	entry->fd = -1;
}

int
queue_list(int folder, struct queue_peers *all, struct error *error)
{
	int result;

	if (flock_retry(folder, LOCK_EX) != 0)
		return error_set_errno(error, "cannot lock the folder %s", lock_folder());
	result = scan(folder, all, error);
	flock(folder, LOCK_UN);
	return result;
}

bool
queue_has_rivals(int folder, const struct queue_entry *entry, enum lock_mode mode)
{
	struct queue_peers all = {NULL, 0, 0};
	bool has;

	if (queue_list(folder, &all, NULL) != 0)
		return true; /* joining again will tell what is wrong */
	keep_rivals(&all, mode, entry->name);
	has = all.count > 0;
	queue_peers_free(&all);
	return has;
}

bool
queue_is_alive(int folder, const char *name)
{
	struct queue_peer peer;

	if (!parse_name(name, &peer) || open_peer(folder, &peer) != 1)
		return false;
	close(peer.fd);
	return true;
}

void
queue_peer_text(const struct queue_peer *peer, char text[QUEUE_TEXT])
{
	ssize_t length = pread(peer->fd, text, QUEUE_TEXT - 1, 0);
	char *at;

	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	for (at = text; *at != '\0'; at++) /* it goes to our terminal, and another user wrote it */
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = '?';
}

void
queue_peers_free(struct queue_peers *peers)
{
	size_t i;

	for (i = 0; i < peers->count; i++)
		close(peers->items[i].fd);
	free(peers->items);
	*peers = (struct queue_peers){NULL, 0, 0};
}
