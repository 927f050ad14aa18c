/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often does each class occur among n records? Several threads, each with its part of the records,
 * and several places to count in:
 *
 *	lock_each	one array, and a lock that is taken once for each record
 *	atomic		one array, counted in by atomic additions
 *	packed		a counter for each thread and class, those of a class side by side
 *	padded		the same, each in a cache line of its own: 64 bytes a class and thread
 *	private		an array for each thread: 8 bytes a class and thread
 *
 * The last three merge at the end: each thread takes the lock once and adds its counts to the
 * total. One array with plain additions is not here: it loses counts.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness/assay_harness.h"
#include "team/team.h"

enum { LINE_BYTES = 64, WORDS = LINE_BYTES / sizeof(uint64_t) };

struct scene {
	struct team *team;
	team_job *job;
	pthread_mutex_t *lock;
	uint16_t *records;
	uint64_t *total;    /* by class */
	uint64_t *counts;   /* of the threads, where they have some */
	size_t count_bytes;
	size_t by_class, by_thread; /* words from one class, one thread, to the next */
};

static uint64_t length = 1 << 20, classes = 1000, threads = 2;

/* Step i of SplitMix64 (Steele, Lea and Flood 2014): each record can be computed alone. */
static uint16_t
class_of(uint64_t i)
{
	uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint16_t)((z ^ z >> 31) % classes);
}

static void
tear_down(void *state)
{
	struct scene *scene = state;

	if (!scene)
		return;
	team_free(scene->team);
	free(scene->lock);
	free(scene->records);
	free(scene->total);
	free(scene->counts);
	free(scene);
}

static int
set_up(void **state, team_job *job, size_t by_class, size_t by_thread, struct assay_error *error)
{
	struct scene *scene = assay_alloc(1, sizeof *scene, error);
	size_t words = by_class * classes > by_thread * threads ? by_class * classes : by_thread * threads;

	*state = scene;
	if (!scene)
		return -1;
	scene->job = job;
	scene->by_class = by_class;
	scene->by_thread = by_thread;
	scene->count_bytes = words * sizeof *scene->counts;
	scene->lock = assay_alloc(1, LINE_BYTES, error); /* its line holds nothing else */
	scene->records = scene->lock ? assay_alloc(length, sizeof *scene->records, error) : NULL;
	scene->total = scene->records ? assay_alloc(classes, sizeof *scene->total, error) : NULL;
	scene->counts = scene->total ? assay_alloc(words, sizeof *scene->counts, error) : NULL;
	if (!scene->counts)
		return -1;
	pthread_mutex_init(scene->lock, NULL);
	for (size_t i = 0; i < length; i++)
		scene->records[i] = class_of(i);
	scene->team = team_make(threads, error);
	return scene->team ? 0 : -1;
}

#define EACH_RECORD(I, MEMBER, MEMBERS)                                                           \
	(size_t I = team_share(length, MEMBER, MEMBERS), end = team_share(length, (MEMBER) + 1, MEMBERS); \
	 I < end; I++)

static void
lock_each(void *state, size_t member, size_t members)
{
	struct scene *scene = state;

	for EACH_RECORD(i, member, members) {
		pthread_mutex_lock(scene->lock);
		scene->total[scene->records[i]]++;
		pthread_mutex_unlock(scene->lock);
	}
}

static void
atomic(void *state, size_t member, size_t members)
{
	struct scene *scene = state;

	for EACH_RECORD(i, member, members)
		__atomic_fetch_add(&scene->total[scene->records[i]], 1, __ATOMIC_RELAXED);
}

static void
merge(struct scene *scene, const uint64_t *mine, size_t by_class)
{
	pthread_mutex_lock(scene->lock);
	for (size_t i = 0; i < classes; i++)
		scene->total[i] += mine[i * by_class];
	pthread_mutex_unlock(scene->lock);
}

/* The distance is a parameter so that where it is a constant no multiplication is measured. */
static inline __attribute__((always_inline)) void
count_own(struct scene *scene, size_t member, size_t members, size_t by_class)
{
	uint64_t *mine = scene->counts + member * scene->by_thread;

	for (size_t i = 0; i < classes; i++)
		mine[i * by_class] = 0;
	for EACH_RECORD(i, member, members)
		mine[scene->records[i] * by_class]++;
	merge(scene, mine, by_class);
}

static void
private(void *state, size_t member, size_t members)
{
	count_own(state, member, members, 1);
}

static void
padded(void *state, size_t member, size_t members)
{
	count_own(state, member, members, WORDS);
}

/* With two threads a line holds the counters of four classes, each thread's beside the other's. */
static void
packed(void *state, size_t member, size_t members)
{
	struct scene *scene = state;

	count_own(scene, member, members, scene->by_class);
}

static int
set_up_lock_each(void **state, struct assay_error *error)
{
	return set_up(state, lock_each, 1, 0, error);
}

static int
set_up_atomic(void **state, struct assay_error *error)
{
	return set_up(state, atomic, 1, 0, error);
}

static int
set_up_packed(void **state, struct assay_error *error)
{
	return set_up(state, packed, threads, 1, error);
}

/* Whole lines for each thread. */
static int
set_up_padded(void **state, struct assay_error *error)
{
	return set_up(state, padded, WORDS, WORDS * classes, error);
}

static int
set_up_private(void **state, struct assay_error *error)
{
	return set_up(state, private, 1, (classes + WORDS - 1) / WORDS * WORDS, error);
}

static void
pass(void *state)
{
	struct scene *scene = state;

	memset(scene->total, 0, classes * sizeof *scene->total);
	team_run(scene->team, scene->job, scene);
}

static int
check(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;
	uint64_t *expected = assay_alloc(classes, sizeof *expected, error);
	int status = expected ? 0 : -1;

	for (size_t i = 0; expected && i < length; i++)
		expected[class_of(i)]++;
	for (size_t i = 0; status == 0 && i < classes; i++)
		if (scene->total[i] != expected[i])
			status = assay_fail(error, "class %zu was counted %llu times and occurs %llu times",
					    i, (unsigned long long)scene->total[i],
					    (unsigned long long)expected[i]);
	free(expected);
	return status;
}

static void
work(const void *state, struct assay_work *done)
{
	const struct scene *scene = state;

	done->len = length;
	done->flops = (double)length; /* one increment a record */
	done->output = scene->total;
	done->output_bytes = classes * sizeof *scene->total;
}

static const struct assay_option options[] = {
	{"n", &length, 1, UINT64_C(1) << 32, "records"},
	{"classes", &classes, 1, 65536, "classes"},
	{"threads", &threads, 1, TEAM_MAX, "threads"},
	{NULL, NULL, 0, 0, NULL},
};

#define KERNEL(NAME, SUMMARY) \
	{#NAME, SUMMARY, set_up_##NAME, pass, check, work, tear_down, true}

static const struct assay_kernel kernels[] = {
	KERNEL(lock_each, "one array, a lock taken for each record"),
	KERNEL(atomic, "one array, atomic additions"),
	KERNEL(packed, "a counter for each thread, side by side; one lock a thread"),
	KERNEL(padded, "a counter for each thread, a line each; one lock a thread"),
	KERNEL(private, "an array for each thread; one lock a thread"),
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "histogram_lab",
	.summary = "a histogram by several threads",
	.options = options,
	.kernels = kernels,
};
