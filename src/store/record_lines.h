#ifndef ASSAY_RECORD_LINES_H
#define ASSAY_RECORD_LINES_H

#include "store/record.h"

/* The lines of a log in their order: one table each for writing (record.c) and reading
 * (record_decode.c). */

#define RECORD_FIRST "assay-record 2"
#define RECORD_SEAL "sha256=" /* of every byte before this line */
#define RECORD_LAST "complete=1"

enum record_kind {
	RECORD_TEXT,
	RECORD_INT,     /* int, low..high */
	RECORD_INT64,
	RECORD_SIZE,    /* size_t: an output's length, at most what is left of the file */
	RECORD_REAL,      /* double >= 0 */
	RECORD_BOOL,
	RECORD_PHASE,
	RECORD_END,
	RECORD_STATUS,
	RECORD_CPUS,
	RECORD_TIME,    /* started_ns once more, as text for people */
};

/* One key=value line; `offset` is the field's place in struct record. */
struct record_line {
	const char *key;
	enum record_kind kind;
	size_t offset;
	long long low, high;
};

enum { RECORD_HEADER_LINES = 18, RECORD_RESULT_LINES = 14, RECORD_ENDS = 5, RECORD_STATUSES = 3 };

extern const struct record_line record_header[RECORD_HEADER_LINES];
extern const struct record_line record_result[RECORD_RESULT_LINES];
extern const char *const record_ends[RECORD_ENDS];         /* by enum launch_end */
extern const char *const record_statuses[RECORD_STATUSES];

#endif
