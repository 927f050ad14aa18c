#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/file.h"
#include "session/lock.h"
#include "session/queue.h"

#define NOBODY 65534

/* A test's own lock folder, and what the processes of the test write into. */
struct scene {
	char base[64], folder[80];
	int folder_fd, events; /* events: inotify on the folder */
	struct trace {
		atomic_int shared, exclusive, overlaps; /* holders right now; rules broken */
		atomic_int turns;
		char letters[256];
	} *trace;
};

static int
set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof *scene);

	strcpy(scene->base, "/tmp/assay-test-XXXXXX");
	if (mkdtemp(scene->base) == NULL || chmod(scene->base, 0755) != 0)
		return -1;
	snprintf(scene->folder, sizeof scene->folder, "%s/lock", scene->base);
	setenv("ASSAY_LOCK_DIR", scene->folder, 1);
	scene->trace = mmap(NULL, sizeof *scene->trace, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	scene->folder_fd = scene->events = -1;
	*state = scene;
	return scene->trace == MAP_FAILED ? -1 : 0;
}

static int
tear_down(void **state)
{
	struct scene *scene = *state;

	file_remove_tree(scene->base, NULL);
	munmap(scene->trace, sizeof *scene->trace);
	if (scene->folder_fd >= 0)
		close(scene->folder_fd);
	if (scene->events >= 0)
		close(scene->events);
	free(scene);
	return 0;
}

static struct lock *
open_lock(const char *who)
{
	struct error error = {0};
	struct lock *lock = lock_open(who, &error);

	if (lock == NULL)
		fail_msg("%s", error.message);
	return lock;
}

static void
acquire(struct lock *lock, enum lock_mode mode)
{
	struct error error = {0};

	if (lock_acquire(lock, mode, &error) != 0)
		fail_msg("%s", error.message);
}

/* Makes the folder and begins to listen to it. */
static void
watch(struct scene *scene)
{
	lock_close(open_lock("first"));
	scene->folder_fd = open(scene->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	scene->events = inotify_init1(IN_CLOEXEC);
	assert_true(scene->folder_fd >= 0 && scene->events >= 0);
	assert_true(inotify_add_watch(scene->events, scene->folder, IN_CREATE | IN_DELETE) >= 0);
}

static size_t
count_queue(struct scene *scene)
{
	struct queue_peers all = {NULL, 0, 0};
	size_t count;

	assert_int_equal(queue_list(scene->folder_fd, &all, NULL), 0);
	count = all.count;
	queue_peers_free(&all);
	return count;
}

/* Sleeps until so many hold or wait. */
static void
await_queue(struct scene *scene, size_t count)
{
	char events[4096];

	while (count_queue(scene) != count)
		assert_true(read(scene->events, events, sizeof events) > 0);
}

/* In a child: the test's failures are an exit code. A test that hangs is ended by alarm. */
static pid_t
begin_child(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		alarm(60);
	}
	return pid;
}

static void
assert_ended(pid_t pid, int code)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), code);
}

static void
note_turn(struct trace *trace, char letter)
{
	trace->letters[atomic_fetch_add(&trace->turns, 1)] = letter;
}

/* A child that takes one turn, notes it and ends. */
static pid_t
begin_turn(struct scene *scene, enum lock_mode mode, char letter)
{
	pid_t pid = begin_child();
	struct lock *lock;

	if (pid != 0)
		return pid;
	unsetenv("ASSAY_LOCK_TOKEN"); /* a process of somebody else's */
	lock = lock_open("turn", NULL);
	if (lock == NULL || lock_acquire(lock, mode, NULL) != 0)
		_exit(1);
	note_turn(scene->trace, letter);
	lock_close(lock);
	_exit(0);
}

/* ---- exclusion ---- */

static void
check_rules(struct trace *trace, enum lock_mode mode)
{
	atomic_int *mine = mode == LOCK_EXCLUSIVE ? &trace->exclusive : &trace->shared;
	int i;

	atomic_fetch_add(mine, 1);
	for (i = 0; i < 5; i++) {
		if (atomic_load(&trace->exclusive) > 1 ||
		    (atomic_load(&trace->exclusive) > 0 && atomic_load(&trace->shared) > 0))
			atomic_fetch_add(&trace->overlaps, 1);
		sched_yield();
	}
	atomic_fetch_sub(mine, 1);
}

static void
take_turns(struct scene *scene, enum lock_mode mode, int rounds)
{
	struct lock *lock = lock_open("many turns", NULL);
	int i;

	for (i = 0; lock != NULL && i < rounds; i++) {
		if (lock_acquire(lock, mode, NULL) != 0)
			_exit(1);
		check_rules(scene->trace, mode);
		lock_release(lock);
	}
	_exit(lock == NULL);
}

struct event {
	int64_t at_ns;
	int pid;
	bool exclusive, acquire;
};

static int
compare_events(const void *a, const void *b)
{
	const struct event *one = a, *other = b;

	return one->at_ns < other->at_ns ? -1 : one->at_ns > other->at_ns;
}

static size_t
read_log(const struct scene *scene, struct event *events, size_t room)
{
	char path[128], line[512], mode[16], what[16];
	size_t count = 0;
	FILE *log;

	snprintf(path, sizeof path, "%s/log-%d", scene->folder, (int)geteuid());
	log = fopen(path, "re");
	assert_non_null(log);
	while (fgets(line, sizeof line, log) != NULL) {
		struct event *event = &events[count++];
		int uid;

		assert_true(count <= room);
		assert_int_equal(sscanf(line, "%*d %" SCNd64 " %d %d %15s %15s", &event->at_ns,
					&event->pid, &uid, mode, what), 5);
		assert_int_equal(uid, geteuid());
		event->exclusive = strcmp(mode, "exclusive") == 0;
		event->acquire = strcmp(what, "acquire") == 0;
	}
	fclose(log);
	qsort(events, count, sizeof *events, compare_events);
	return count;
}

static void
test_nobody_overlaps_an_exclusive_hold(void **state)
{
	enum { SHARED = 5, EXCLUSIVE = 3, ROUNDS = 30, EVENTS = 2 * (SHARED + EXCLUSIVE) * ROUNDS };
	struct scene *scene = *state;
	struct event *events = calloc(EVENTS, sizeof *events);
	pid_t pids[SHARED + EXCLUSIVE];
	int i, shared = 0, exclusive = 0;

	for (i = 0; i < SHARED + EXCLUSIVE; i++)
		if ((pids[i] = begin_child()) == 0)
			take_turns(scene, i < SHARED ? LOCK_SHARED : LOCK_EXCLUSIVE, ROUNDS);
	for (i = 0; i < SHARED + EXCLUSIVE; i++)
		assert_ended(pids[i], 0);
	assert_int_equal(scene->trace->overlaps, 0);
	/* the same from the log */
	assert_int_equal(read_log(scene, events, EVENTS), EVENTS);
	for (i = 0; i < EVENTS; i++) {
		*(events[i].exclusive ? &exclusive : &shared) += events[i].acquire ? 1 : -1;
		assert_true(exclusive <= 1 && (exclusive == 0 || shared == 0));
	}
	free(events);
}

static void
test_shared_holders_hold_together(void **state)
{
	struct lock *one = open_lock("one");
	int ready[2];
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	acquire(one, LOCK_SHARED);
	pid = begin_child();
	if (pid == 0) {
		unsetenv("ASSAY_LOCK_TOKEN");
		acquire(open_lock("other"), LOCK_SHARED);
		_exit(write(ready[1], "x", 1) != 1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1); /* hangs if it had to wait for us */
	assert_ended(pid, 0);
	lock_close(one);
	close(ready[0]);
	close(ready[1]);
}

/* ---- turns ---- */

static void
test_turns_come_in_the_order_of_asking(void **state)
{
	static const struct {
		enum lock_mode mode;
		char letter;
	} asked[] = {{LOCK_SHARED, 's'}, {LOCK_SHARED, 's'}, {LOCK_EXCLUSIVE, 'x'},
		     {LOCK_SHARED, 't'}, {LOCK_EXCLUSIVE, 'y'}, {LOCK_SHARED, 'u'}};
	enum { COUNT = sizeof asked / sizeof *asked };
	struct scene *scene = *state;
	struct lock *session = open_lock("session");
	pid_t pids[COUNT];
	size_t i;

	watch(scene);
	acquire(session, LOCK_EXCLUSIVE);
	for (i = 0; i < COUNT; i++) {
		pids[i] = begin_turn(scene, asked[i].mode, asked[i].letter);
		await_queue(scene, i + 2);
	}
	assert_int_equal(scene->trace->turns, 0);
	/* the session asks again at once and still lets all of them go first */
	lock_release(session);
	acquire(session, LOCK_EXCLUSIVE);
	note_turn(scene->trace, 'P');
	for (i = 0; i < COUNT; i++)
		assert_ended(pids[i], 0);
	assert_string_equal(scene->trace->letters, "ssxtyuP");
	lock_close(session);
}

static void
test_a_waiting_session_stops_the_stream_of_shared_holds(void **state)
{
	struct scene *scene = *state;
	struct lock *compile = open_lock("compile");
	pid_t session, later;

	watch(scene);
	acquire(compile, LOCK_SHARED);
	session = begin_turn(scene, LOCK_EXCLUSIVE, 'x');
	await_queue(scene, 2);
	later = begin_turn(scene, LOCK_SHARED, 's'); /* could run beside us, but must not pass x */
	await_queue(scene, 3);
	lock_release(compile);
	assert_ended(session, 0);
	assert_ended(later, 0);
	assert_string_equal(scene->trace->letters, "xs");
	lock_close(compile);
}

static void
test_yield_lets_others_in_and_holds_again(void **state)
{
	struct scene *scene = *state;
	struct lock *session = open_lock("session");
	struct event events[16];
	struct error error = {0};
	pid_t pids[2];

	watch(scene);
	acquire(session, LOCK_EXCLUSIVE);
	assert_int_equal(lock_yield(session, &error), 0);
	assert_int_equal(read_log(scene, events, 16), 1); /* nobody waited: the hold went on */
	pids[0] = begin_turn(scene, LOCK_SHARED, 's');
	await_queue(scene, 2);
	pids[1] = begin_turn(scene, LOCK_EXCLUSIVE, 'x');
	await_queue(scene, 3);
	assert_int_equal(lock_yield(session, &error), 0);
	assert_string_equal(scene->trace->letters, "sx");
	assert_int_equal(count_queue(scene), 1);
	assert_ended(pids[0], 0);
	assert_ended(pids[1], 0);
	lock_close(session);
}

/* Another clock (a container's) may be ahead of ours. */
static void
test_who_asks_last_is_last_whatever_the_clocks_say(void **state)
{
	enum { COUNT = 8 };
	static const int ahead_s[COUNT] = {500, 300, 700, 100, 800, 200, 600, 400};
	struct scene *scene = *state;
	struct queue_peers all = {NULL, 0, 0};
	struct queue_entry entry;
	struct queue_peers before = {NULL, 0, 0};
	int i, fds[COUNT];

	watch(scene);
	for (i = 0; i < COUNT; i++) {
		char name[QUEUE_NAME];

		snprintf(name, sizeof name, "q-%019" PRId64 "-s-1",
			 clock_monotonic_ns() + ahead_s[i] * INT64_C(1000000000));
		fds[i] = openat(scene->folder_fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		assert_int_equal(flock(fds[i], LOCK_EX | LOCK_NB), 0);
	}
	assert_int_equal(queue_join(scene->folder_fd, LOCK_SHARED, "last", &entry, &before, NULL), 0);
	assert_int_equal(before.count, 0); /* shared before shared: nothing to wait for */
	assert_int_equal(queue_list(scene->folder_fd, &all, NULL), 0);
	assert_int_equal(all.count, COUNT + 1);
	for (i = 0; i < COUNT; i++)
		assert_true(all.items[i].ticket < all.items[i + 1].ticket);
	assert_string_equal(all.items[COUNT].name, entry.name);
	queue_leave(scene->folder_fd, &entry);
	queue_peers_free(&all);
	queue_peers_free(&before);
	for (i = 0; i < COUNT; i++)
		close(fds[i]);
}

/* ---- descendants ---- */

static void
test_a_descendant_is_covered(void **state)
{
	struct scene *scene = *state;
	struct lock *outer = open_lock("ninja test");
	pid_t pid;

	watch(scene);
	acquire(outer, LOCK_SHARED);
	pid = begin_child();
	if (pid == 0) {
		struct lock *inner = open_lock("session inside");

		/* would wait for its own ancestor for ever */
		if (!lock_is_covered(inner) || lock_acquire(inner, LOCK_EXCLUSIVE, NULL) != 0)
			_exit(1);
		if (lock_yield(inner, NULL) != 0)
			_exit(2);
		lock_close(inner);
		_exit(count_queue(scene) == 1 ? 0 : 3);
	}
	assert_ended(pid, 0);
	lock_close(outer);
	assert_int_equal(count_queue(scene), 0);
	assert_null(getenv("ASSAY_LOCK_TOKEN"));
}

static void
test_a_token_is_worth_nothing_after_the_hold(void **state)
{
	struct lock *lock = open_lock("one");
	char *token;

	(void)state;
	acquire(lock, LOCK_EXCLUSIVE);
	token = strdup(getenv("ASSAY_LOCK_TOKEN"));
	lock_release(lock);
	setenv("ASSAY_LOCK_TOKEN", token, 1);
	assert_false(lock_is_covered(lock));
	setenv("ASSAY_LOCK_TOKEN", "../../etc/passwd", 1);
	assert_false(lock_is_covered(lock));
	unsetenv("ASSAY_LOCK_TOKEN");
	free(token);
	lock_close(lock);
}

static void
test_a_token_is_put_back_by_the_hold_inside(void **state)
{
	struct lock *lock = open_lock("one");

	(void)state;
	setenv("ASSAY_LOCK_TOKEN", "of another folder", 1);
	acquire(lock, LOCK_SHARED);
	assert_string_not_equal(getenv("ASSAY_LOCK_TOKEN"), "of another folder");
	lock_close(lock);
	assert_string_equal(getenv("ASSAY_LOCK_TOKEN"), "of another folder");
	unsetenv("ASSAY_LOCK_TOKEN");
}

/* ---- deaths ---- */

static size_t
count_files(const char *folder, const char *prefix)
{
	struct buffer command = BUFFER_EMPTY;
	size_t count = 0;
	FILE *listing;
	int byte;

	buffer_printf(&command, "ls '%s' | grep -c '^%s'", folder, prefix);
	listing = popen(command.bytes, "re");
	assert_non_null(listing);
	while ((byte = getc(listing)) >= '0')
		count = 10 * count + (size_t)(byte - '0');
	pclose(listing);
	buffer_free(&command);
	return count;
}

static void
kill_and_reap(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void
test_a_killed_holder_is_no_longer_in_the_way(void **state)
{
	struct scene *scene = *state;
	struct lock *lock = open_lock("next");
	pid_t holder, waiter;
	int held[2];
	char byte;

	watch(scene);
	assert_int_equal(pipe(held), 0);
	holder = begin_child();
	if (holder == 0) {
		acquire(open_lock("killed"), LOCK_EXCLUSIVE);
		assert_int_equal(write(held[1], "x", 1), 1);
		for (;;)
			pause();
	}
	assert_int_equal(read(held[0], &byte, 1), 1);
	waiter = begin_turn(scene, LOCK_EXCLUSIVE, 'x');
	await_queue(scene, 2);
	kill_and_reap(waiter);
	kill_and_reap(holder);
	acquire(lock, LOCK_EXCLUSIVE);
	assert_string_equal(scene->trace->letters, "");
	assert_int_equal(count_files(scene->folder, "q-"), 1); /* theirs are cleaned away */
	lock_close(lock);
	close(held[0]);
	close(held[1]);
}

static volatile int interrupted;

static void
on_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

static void
test_an_interrupt_ends_the_wait(void **state)
{
	struct scene *scene = *state;
	struct lock *holder = open_lock("holder");
	pid_t pid;

	watch(scene);
	acquire(holder, LOCK_EXCLUSIVE);
	pid = begin_child();
	if (pid == 0) {
		struct sigaction action = {.sa_handler = on_interrupt};
		struct error error = {0};
		struct lock *lock;

		unsetenv("ASSAY_LOCK_TOKEN");
		sigaction(SIGINT, &action, NULL);
		lock = open_lock("waiter");
		lock_interrupted_by(lock, &interrupted);
		_exit(lock_acquire(lock, LOCK_SHARED, &error) == 0 ? 0 : (int)error.code);
	}
	await_queue(scene, 2);
	kill(pid, SIGINT);
	assert_ended(pid, EXIT_INTERRUPTED);
	assert_int_equal(count_queue(scene), 1);
	lock_close(holder);
}

static void
test_a_waiter_tells_for_whom(void **state)
{
	struct scene *scene = *state;
	struct lock *holder = open_lock("study A,\ncase \033[1m7");
	char line[512], expected[128];
	int said[2];
	FILE *reader;
	pid_t pid;

	watch(scene);
	acquire(holder, LOCK_EXCLUSIVE);
	assert_int_equal(pipe(said), 0);
	pid = begin_child();
	if (pid == 0) {
		unsetenv("ASSAY_LOCK_TOKEN");
		dup2(said[1], 2);
		acquire(open_lock("waiter"), LOCK_SHARED);
		_exit(0);
	}
	reader = fdopen(said[0], "r");
	assert_non_null(fgets(line, sizeof line, reader));
	snprintf(expected, sizeof expected, "assay: waiting for the machine: process %d (user %d), "
		 "study A, case  [1m7, holds it exclusive\n", (int)getpid(), (int)geteuid());
	assert_string_equal(line, expected);
	lock_release(holder);
	assert_ended(pid, 0);
	lock_close(holder);
	fclose(reader);
	close(said[1]);
}

static void
test_status_names_holders_and_waiters(void **state)
{
	struct scene *scene = *state;
	struct lock *holder = open_lock("study A");
	char *text = NULL, expected[256];
	size_t length;
	FILE *out;
	pid_t pid;

	watch(scene);
	acquire(holder, LOCK_EXCLUSIVE);
	pid = begin_turn(scene, LOCK_SHARED, 's');
	await_queue(scene, 2);
	out = open_memstream(&text, &length);
	assert_int_equal(lock_print_status(out, NULL), 0);
	fclose(out);
	snprintf(expected, sizeof expected,
		 "holds exclusive process %d, user %d, study A\nwaits shared    process %d, user %d, turn\n",
		 (int)getpid(), (int)geteuid(), (int)pid, (int)geteuid());
	assert_string_equal(text, expected);
	lock_close(holder);
	assert_ended(pid, 0);
	free(text);
}

/* ---- users and files ---- */

static void
become_nobody(void)
{
	if (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0)
		_exit(99);
}

static void
test_two_users_share_it(void **state)
{
	struct scene *scene = *state;
	struct lock *root;
	pid_t pid;

	if (geteuid() != 0) {
		print_message("needs root to become a second user\n");
		skip();
	}
	/* the other one was here first, both with a tight umask */
	umask(077);
	assert_int_equal(chmod(scene->base, 0777), 0);
	pid = begin_child();
	if (pid == 0) {
		become_nobody();
		take_turns(scene, LOCK_EXCLUSIVE, 3);
	}
	assert_ended(pid, 0);
	watch(scene);
	root = open_lock("root");
	acquire(root, LOCK_EXCLUSIVE);
	pid = begin_child();
	if (pid == 0) {
		become_nobody();
		if (!lock_is_covered(open_lock("child of root"))) /* also across users */
			_exit(2);
		unsetenv("ASSAY_LOCK_TOKEN");
		take_turns(scene, LOCK_SHARED, 3);
	}
	await_queue(scene, 2);
	lock_close(root);
	assert_ended(pid, 0);
	umask(022);
}

static unsigned
mode_of(const char *folder, const char *name)
{
	char path[160];
	struct stat status;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	assert_int_equal(stat(path, &status), 0);
	return status.st_mode & 07777;
}

static void
test_files_are_open_to_all_whatever_the_umask(void **state)
{
	struct scene *scene = *state;
	mode_t mask = umask(077);
	struct lock *lock = open_lock("one");
	char log[32];

	acquire(lock, LOCK_SHARED);
	assert_int_equal(umask(mask), 077);
	snprintf(log, sizeof log, "log-%d", (int)geteuid());
	assert_int_equal(mode_of(scene->folder, "."), 01777);
	assert_int_equal(mode_of(scene->folder, "lock"), 0644);
	assert_int_equal(mode_of(scene->folder, log), 0644);
	assert_int_equal(mode_of(scene->folder, getenv("ASSAY_LOCK_TOKEN")), 0644);
	lock_close(lock);
}

static void
test_a_link_in_a_files_place_is_refused(void **state)
{
	struct scene *scene = *state;
	char path[160], victim[160];
	struct error error = {0};
	struct lock *lock = open_lock("one");
	struct stat status;

	snprintf(victim, sizeof victim, "%s/victim", scene->base);
	assert_int_equal(file_write(victim, "", 0, 0, NULL), 0);
	snprintf(path, sizeof path, "%s/log-%d", scene->folder, (int)geteuid());
	assert_int_equal(symlink(victim, path), 0);
	assert_int_equal(lock_acquire(lock, LOCK_SHARED, &error), -1);
	assert_non_null(strstr(error.message, path));
	assert_int_equal(stat(victim, &status), 0);
	assert_int_equal(status.st_size, 0);
	assert_int_equal(count_files(scene->folder, "q-"), 0);
	lock_close(lock);
	snprintf(path, sizeof path, "%s/lock", scene->folder);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink(victim, path), 0);
	assert_null(lock_open("two", &error));
}

static void
test_a_removed_lock_file_is_noticed(void **state)
{
	struct scene *scene = *state;
	struct lock *lock = open_lock("one");
	struct error error = {0};
	char path[160];

	snprintf(path, sizeof path, "%s/lock", scene->folder);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(lock_acquire(lock, LOCK_EXCLUSIVE, &error), -1);
	assert_non_null(strstr(error.message, "was removed"));
	lock_close(lock);
}

static void
test_the_log_is_bounded(void **state)
{
	struct scene *scene = *state;
	struct lock *lock = open_lock("one\ntwo");
	char path[160], old[170];
	struct buffer text = BUFFER_EMPTY;
	struct stat status;

	snprintf(path, sizeof path, "%s/log-%d", scene->folder, (int)geteuid());
	snprintf(old, sizeof old, "%s.1", path);
	acquire(lock, LOCK_SHARED);
	lock_release(lock);
	assert_int_equal(truncate(path, 9 << 20), 0);
	acquire(lock, LOCK_SHARED);
	lock_close(lock);
	assert_int_equal(stat(old, &status), 0);
	assert_int_equal(status.st_size, 9 << 20);
	assert_int_equal(file_read(path, 0, &text, NULL), 0);
	assert_non_null(strstr(text.bytes, " shared acquire one two\n"));
	assert_non_null(strstr(text.bytes, " shared release one two\n"));
	buffer_free(&text);
}

static void
test_descriptors_do_not_reach_a_command(void **state)
{
	struct lock *lock = open_lock("makes the files"), *next = open_lock("finds them");
	int fd;

	(void)state;
	acquire(lock, LOCK_SHARED);
	for (fd = 3; fd < 64; fd++) {
		char link[64], target[256];
		ssize_t length;

		snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
		length = readlink(link, target, sizeof target - 1);
		target[length > 0 ? length : 0] = '\0';
		if (strstr(target, "/lock") != NULL)
			assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	}
	lock_close(next);
	lock_close(lock);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_nobody_overlaps_an_exclusive_hold),
		TEST(test_shared_holders_hold_together),
		TEST(test_turns_come_in_the_order_of_asking),
		TEST(test_a_waiting_session_stops_the_stream_of_shared_holds),
		TEST(test_yield_lets_others_in_and_holds_again),
		TEST(test_who_asks_last_is_last_whatever_the_clocks_say),
		TEST(test_a_descendant_is_covered),
		TEST(test_a_token_is_worth_nothing_after_the_hold),
		TEST(test_a_token_is_put_back_by_the_hold_inside),
		TEST(test_a_killed_holder_is_no_longer_in_the_way),
		TEST(test_an_interrupt_ends_the_wait),
		TEST(test_a_waiter_tells_for_whom),
		TEST(test_status_names_holders_and_waiters),
		TEST(test_two_users_share_it),
		TEST(test_files_are_open_to_all_whatever_the_umask),
		TEST(test_a_link_in_a_files_place_is_refused),
		TEST(test_a_removed_lock_file_is_noticed),
		TEST(test_the_log_is_bounded),
		TEST(test_descriptors_do_not_reach_a_command),
	};

	unsetenv("ASSAY_LOCK_TOKEN"); /* of the hold that the tests themselves run under */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
