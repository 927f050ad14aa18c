#ifndef ASSAY_RECORD_H
#define ASSAY_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "schedule/schedule.h"
#include "session/launch.h"

/*
 * A group's log: one file in the store, written once, never changed (format in docs/formats.md).
 * Header of key=value lines, byte-counted stdout and stderr, result of key=value lines. What
 * record_decode accepts, record_encode gives back byte for byte.
 */

enum {
	RECORD_ORDER_MAX = 9999999,   /* launches in one session */
	RECORD_SESSION_MAX = 999999,
	RECORD_CPUS_MAX = 4096,
};

struct record {
	char *run_id, *case_id;
	int session, order;        /* launch order in the session, from 1 */
	enum phase phase;
	int chunk, block, pair, slot; /* block 0 and chunk 0 for warm-ups; slot from 1 */
	int treatment;             /* number of treatments = A' */
	int attempt;               /* from 1: every try at the block counts, cut ones too */
	int *cpus;
	int cpu_count;
	char *program_sha256;      /* of the staged file */
	double load_1min;          /* the machine's load average just before; 0: not known */
	struct launch_result result; /* start_error and libraries are not in the log */
	char *stdout_bytes, *stderr_bytes; /* not NUL-terminated */
	size_t stdout_length, stderr_length;
	char *status;              /* "ok", "failed" (it did not run well), "invalid" (it did, but
	                              its output can't be used) */
	char *reason;              /* why not ok; a remark, or "", when ok */
	void *file;                /* record_read: the bytes in which the two outputs lie */
	size_t mapped_length;      /* of `file`; 0: it is on the heap */
};

/* Control characters in texts become blanks: a log's lines can't be forged. */
void record_encode(const struct record *record, struct buffer *out);
/* -1 with *error (file:line) when the bytes are no complete record; *record is then empty. */
int record_decode(const char *path, const char *bytes, size_t length, struct record *record,
		  struct error *error);
/* As record_decode for a file. A large one stays mapped until record_free, so that the kernel can
 * drop outputs that nobody looks at. */
int record_read(const char *path, struct record *record, struct error *error);
void record_free(struct record *record);

/* "0007-aa-0.log"; the caller frees. */
char *record_file_name(int order, enum phase phase, int treatment);

#endif
