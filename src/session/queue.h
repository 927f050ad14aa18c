#ifndef ASSAY_QUEUE_H
#define ASSAY_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "session/lock.h"

/*
 * The queue before the machine-wide lock: who holds it and who waits, in the order they came.
 * It decides turns and tells names; what excludes is the flock in lock.c.
 *
 * One file a holder or waiter in the lock's folder:
 *     q-<ticket, 19 digits>-<s|x>-<pid>
 * with the text
 *     waits|holds <pid> <start time of the process in clock ticks> <uid> <who>
 * It is flocked exclusively by its maker for as long as it counts; a file that nobody locks is a
 * dead process's, is ignored and removed by the first who may. To wait for somebody's turn to
 * end is to flock his file shared: the kernel wakes us when he is done or dead. Tickets grow; the
 * folder itself is flocked while the queue is read and an entry added.
 */

#define QUEUE_NAME 64
#define QUEUE_TEXT 512

struct queue_entry {
	char name[QUEUE_NAME]; /* "" when not in the queue */
	int fd;
};

/* Another one's entry, open. */
struct queue_peer {
	char name[QUEUE_NAME];
	int fd;
	int64_t ticket;
	enum lock_mode mode;
};

struct queue_peers {
	struct queue_peer *items;
	size_t count, capacity;
};

/* Adds an entry at the end and opens those before it that must be done first: everybody for an
 * exclusive turn, the exclusive ones for a shared turn. -1 with *error: not in the queue. */
int queue_join(int folder, enum lock_mode mode, const char *who, struct queue_entry *entry,
	       struct queue_peers *ahead, struct error *error);
/* Notes that our turn has come, for those who ask. */
void queue_note_hold(const struct queue_entry *entry);
void queue_leave(int folder, struct queue_entry *entry);

/* Everybody in the queue, in order. */
int queue_list(int folder, struct queue_peers *all, struct error *error);
/* Whether somebody in the queue but `entry` cannot hold together with it. */
bool queue_has_rivals(int folder, const struct queue_entry *entry, enum lock_mode mode);
/* Whether an entry of that name is in the queue: the check of a token. */
bool queue_is_alive(int folder, const char *name);

/* The peer's text without the newline, "" when it can't be read. */
void queue_peer_text(const struct queue_peer *peer, char text[QUEUE_TEXT]);
void queue_peers_free(struct queue_peers *peers);

/* The kernel's start time of a process in clock ticks since boot; 0 when unknown. */
unsigned long long queue_start_time(pid_t pid);

#endif
