#ifndef ASSAY_STAMP_H
#define ASSAY_STAMP_H

#include <stdint.h>

#include "base/digest.h"
#include "base/error.h"

/*
 * build/session/<case_id>: written when nothing of a case is left to measure. Lines: identity=,
 * fingerprint= (store_fingerprint at that time), blocks=, complete=, failed=, sessions=, how=.
 * It is a hint for Ninja and `check`; the store is the truth.
 */
struct stamp {
	char identity[DIGEST_SHA256_HEX], fingerprint[DIGEST_SHA256_HEX];
	int blocks, complete, failed, sessions;
	const char *how; /* "complete", or how the case ended early; not read back */
	int64_t read_ns; /* CLOCK_REALTIME before plan and identity were read; not read back */
};

/*
 * A stamp that changes gets the time `read_ns`, so that a plan written anew while a session ran, which
 * the session never saw, is newer than the stamp and Ninja runs the next one. An equal one keeps its
 * own time.
 */
int stamp_write(const char *case_id, const struct stamp *stamp, struct error *error);
/* -1 when there is none or it is damaged. */
int stamp_read(const char *case_id, struct stamp *stamp, struct error *error);

#endif
