#ifndef ASSAY_SESSION_FIXTURE_H
#define ASSAY_SESSION_FIXTURE_H

#include "case_fixture.h"

#include <sys/types.h>

#include "store/store.h"

/*
 * Sessions on real processes: shell scripts as the measured programs. Each session runs in a
 * process of its own, as it does in life, in the fixture's folder.
 */

#define GOOD "echo 'RESULT 10 9 1e9'; echo 'CHECK 42'\n"
/* $launches is the number of this launch, counted over all programs in the study's folder. */
#define COUNT_LAUNCHES "echo x >> launches; launches=$(wc -l < launches)\n"

/* Writes an executable /bin/sh script. */
void write_program(const char *path, const char *script);
/* Writes build/plan and build/identity as generate and check would. */
void write_case(const struct plan *plan);
/* A plan of fixture_plan whose programs are these scripts, written as write_case does. */
void begin_case(struct plan *plan, int pairs, const char *a, const char *b);

struct call {
	bool retry;
	const char *why;
	const struct stop_rule *rule; /* NULL: none */
};

/* Measures in this process, which ends with the exit code; what it said is then in the files
 * "progress" and "message". */
void child_measures(const struct call *call) __attribute__((noreturn));
/* The same in a new process. */
pid_t start(const struct call *call);
/* The exit code of a process, or 1000 + the signal that ended it. */
int finish(pid_t pid);
/* A whole session; the test fails unless it ends with `expected`. */
void measure(int expected);

char *read_file(const char *path); /* "" when there is none */
void load(struct store_case *store);
/* The schedule of the chunks in the store; schedule_free. */
void lay_out(const struct plan *plan, const struct store_case *store, struct schedule *schedule);
/* Every planned block is in the store once, whole and adjacent, and nothing lacks. */
void assert_each_block_once(const struct plan *plan);
/* The latest session ended like this. */
void assert_ended(const char *how, bool invalid);
/* Records with the status, NULL: all. */
int count_records(const char *status);
/* All files below a folder, or its logs, sorted: path, time and content. What a later session
 * adds comes after what earlier ones left. */
char *snapshot(const char *folder, bool logs_only);
/* Processes that have `mark` among their arguments. */
int count_processes(const char *mark);

#endif
