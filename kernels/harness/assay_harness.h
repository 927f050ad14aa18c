/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_HARNESS_H
#define ASSAY_HARNESS_H

/*
 * What a kernel file tells the harness, and what the harness lends it.
 *
 * A kernel file names what is measured: set-up, one pass of the timed body, the check of its
 * output, and how much work a pass is. The harness does the rest: options, pinning, warm-up,
 * clocks, samples, the line protocol, errors. A runner is one kernel file linked with all *.c
 * of this folder; it needs libc alone. The file defines
 *
 *	const struct assay_program assay_program = { ... };
 *
 * and main.c hands that to assay_main(). A program with a main of its own leaves main.c out
 * and calls assay_main() itself.
 *
 * The order of calls, all of them on one thread which is already pinned:
 *
 *	set_up, pass, check			nothing is timed before the output was right
 *	pass * iters * warmup_samples		the same loop as below, its times thrown away
 *	(clock, pass * iters, clock) * samples
 *	(start, pass * iters, stop) * up to 5	only with --counters, and in no time
 *	work, tear_down				output hashed for CHECK, lines printed
 *
 * Nothing is printed and nothing is allocated by the harness between the first pass and the
 * last, and a pass must not do so either.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One line for stderr, without the newline. Empty when nothing went wrong. */
struct assay_error {
	char message[512];
};

/* Fills the error and returns -1, so that a kernel can write return assay_fail(error, ...). */
int assay_fail(struct assay_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * An option of the program's own, --NAME=NUMBER, a whole number from min to max. The value's
 * initial value is the default. Harness and program options share one name space; the
 * harness's come first.
 */
struct assay_option {
	const char *name;
	uint64_t *value;
	uint64_t min;
	uint64_t max;
	const char *help;
};

/* What one pass does. flops or bytes 0 means that the kernel does not count them. */
struct assay_work {
	uint64_t len;		/* elements; the first number of the CFG line */
	double flops;		/* floating point operations of one pass */
	double bytes;		/* bytes that one pass reads and writes, as the source asks */
	const void *output;	/* what CHECK is computed over */
	size_t output_bytes;
	const char *each;	/* what an element is, say "load": samples get METRIC
				 * ns_per_load, the time of a pass over len. NULL: they don't */
};

/*
 * One kernel. Functions that return int return 0, or -1 with the error filled (assay_fail).
 * Every member is required, except as said.
 */
struct assay_kernel {
	const char *name;	/* --kernel=NAME and MODE: [A-Za-z0-9_.:/+-]{1,64} */
	const char *summary;	/* one line for --help and --list */

	/* Allocates (assay_alloc) and fills the inputs, the same in every process. The state
	 * is the kernel's own; the harness only passes it on. It must be left NULL, or fit for
	 * tear_down, when set_up fails. */
	int (*set_up)(void **state, struct assay_error *error);

	/* The timed body, once. One sample is --iters passes. The harness puts
	 * assay_clobber() behind each pass; results that live in registers need
	 * assay_keep(). */
	void (*pass)(void *state);

	/* Compares the output of the first pass with a reference, element by element. */
	int (*check)(const void *state, struct assay_error *error);

	/* Says what a pass does and where its output is. */
	void (*work)(const void *state, struct assay_work *work);

	/* Frees the state, which may be NULL. Optional. */
	void (*tear_down)(void *state);

	/* The pass runs on several threads: --cpu is then "none" unless given, because
	 * threads inherit the affinity of the one that starts them. Optional. */
	bool threaded;

	/* Instead of passes between two reads of the host's clocks: does iters passes and says
	 * how many nanoseconds they took by a clock of the kernel's own, such as a device's;
	 * 0 when it cannot (it says why on stderr). pass is still done once, to be checked.
	 * Optional. */
	uint64_t (*sample_ns)(void *state, uint64_t iters);
};

/* A runner. Both lists end with an entry whose name is NULL; options may be NULL. */
struct assay_program {
	const char *name;	/* the first word of each message on stderr */
	const char *summary;	/* one line for --help */
	const struct assay_option *options;
	const struct assay_kernel *kernels;
};

/* Defined by the kernel file, used by main.c alone. */
extern const struct assay_program assay_program;

/* Runs the program; returns main's exit status: 0 done, 1 failed, 2 wrong usage. */
int assay_main(int argc, char **argv, const struct assay_program *program);

/*
 * count * size bytes, zeroed and touched, so that no page fault is left for the timed body;
 * NULL with the error filled on overflow or when there is no memory. Free with free().
 * Blocks start at a page, those of 2 MiB and more at a huge page: where a block starts in its
 * page and how much of it huge pages can back is then the same in every process.
 */
void *assay_alloc(size_t count, size_t size, struct assay_error *error);

/*
 * The CHECK of the harness over the bytes as they lie in memory (algorithm and test values in
 * docs/protocol.md). It tells -0.0 from 0.0 and one NaN from another.
 */
uint64_t assay_checksum(const void *bytes, size_t count);

/*
 * Keep the optimiser from deleting or moving work.
 *
 * assay_clobber: memory may have been read and written here; no instruction. Stores before it
 * must happen before it, loads after it must happen after it, and no loop is fused with
 * another across it. It covers memory that others can reach: globals, the heap, what a
 * pointer given to assay_keep points to.
 *
 * assay_keep: the value is used here, so what computes it must stay; for a pointer, what it
 * points to as well. May cost one store: put it behind a loop, not inside.
 *
 *	double sum = 0;
 *	for (...) sum += x[i];
 *	assay_keep(sum);	// else the whole loop may go: nobody reads sum
 */
#define assay_clobber() __asm__ volatile("" : : : "memory")
#define assay_keep(value) __asm__ volatile("" : : "rm"(value) : "memory")

#ifdef __cplusplus
}
#endif

#endif
