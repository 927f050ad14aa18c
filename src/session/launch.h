#ifndef ASSAY_LAUNCH_H
#define ASSAY_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * Runs one group: the program directly from its argument list (no shell), pinned, with exactly
 * the environment given, its output captured to files with a limit; waits with wait4 while the
 * caller sleeps; ends everything the group left behind (the caller is a child subreaper).
 * The program runs in a session of its own (a terminal's Ctrl-C reaches only the caller), with
 * default signal dispositions, no other descriptors, no core dumps, and dies with the caller.
 */

struct launch_request {
	const char *program;       /* absolute path of the staged binary */
	char *const *argv;         /* argv[0] included, NULL at the end */
	char *const *envp;         /* NULL at the end */
	const char *cwd;           /* NULL: as the caller */
	const char *stdin_path;    /* NULL: /dev/null */
	const char *stdout_path, *stderr_path; /* created or truncated */
	const int *cpus;           /* pin to these; */
	int cpu_count;             /* 0: not pinned */
	double timeout_s;          /* 0: none */
	int64_t output_limit_bytes; /* per stream; more ends the group. Set as RLIMIT_FSIZE, so it
	                               bounds each other file the program writes as well */
	bool watch_libraries;      /* untimed groups: note the libraries it mapped */
};

enum launch_end {
	LAUNCH_EXITED,      /* exit_code */
	LAUNCH_SIGNALLED,   /* signal_number; SIGXFSZ: a file of its own passed the limit */
	LAUNCH_TIMED_OUT,   /* exit_code 124 */
	LAUNCH_OUTPUT_LIMIT,/* wrote more than the limit; ended */
	LAUNCH_NOT_STARTED, /* exec or chdir failed: `start_error` is its errno */
	LAUNCH_INTERRUPTED, /* *interrupted became true while it ran; ended */
};

struct launch_result {
	enum launch_end end;
	int exit_code, signal_number, start_error;
	int64_t started_realtime_ns, started_monotonic_ns;
	double wall_us, user_us, sys_us;  /* wall: from just before the spawn until it could be reaped */
	int64_t max_rss_kib, voluntary_switches, involuntary_switches;
	int leftovers;             /* processes of the group that had to be ended */
	bool pinned;               /* false: not asked for, or it failed */
	struct buffer libraries;   /* watch_libraries: files mapped at the program's end, one a line,
	                              sorted; empty where the kernel forbids tracing */
};

/* Before the first launch, and again after signals were given other handlers: become a child
 * subreaper, and note what each group is to get back as the default. */
int launch_prepare(struct error *error);
/*
 * 0 when the group's fate is known (whatever it is), -1 for an error of ours: a full disk, no
 * processes left, a missing stdin file. `interrupted` is set by the caller's signal handler; the
 * wait ends at once and without a race. The result is freed with launch_result_free, also after
 * -1. Blocks all signals but while it waits.
 */
int launch_run(const struct launch_request *request, const volatile int *interrupted,
	       struct launch_result *result, struct error *error);
void launch_result_free(struct launch_result *result);

/* Resolves a plan's cpus ("last", "first", "none", "2 cores") to CPU numbers allowed to us, one
 * a core, whole cores through hwloc; all that there are where more are asked for. Fills cpus (room
 * for `room`), returns the count (0: no pinning), or -1. */
int launch_cpus(const char *wish, int *cpus, int room, struct error *error);

#endif
