#ifndef ASSAY_IDENTITY_H
#define ASSAY_IDENTITY_H

#include "base/buffer.h"
#include "base/digest.h"
#include "base/error.h"
#include "identity/hasher.h"
#include "schedule/plan.h"

/*
 * The identity of a case: SHA-256 of identity.txt, one "name = value" a line in a fixed order,
 * all that makes results comparable (DESIGN 4.6). Two identity.txt diff into the reason why
 * results are stale. Names and values are percent-escaped, so that a newline cannot forge a line.
 *
 *	identity = 1			version of this list, the schedule's order and the protocol
 *	cpu microcode, cpu model, machine id
 *	pinning, order, aa placement	as asked for; pinning of each treatment where it is blocked
 *	samples, warm-up samples, warm-ups
 *	treatments			how many are measured
 *	input data/x.gz			of any treatment, by content
 *	treatment 0 argument 1		then env NAME, folder, need NAME, stdin, prepare 1 and the
 *					program (program_identity.h)
 *
 * A treatment that is left out has no lines; the others keep their numbers.
 *
 * Not in it: counts that only extend a case (pairs, A/A pairs), limits (timeout, output), what is
 * done with the output (metrics, checks, expected MODE), names and prose.
 */

#define IDENTITY_CACHE "build/check/cache"

struct identity {
	char hex[DIGEST_SHA256_HEX];
	char *text; /* identity.txt */
	/* From the store, so that nothing may be measured under it: */
	bool recorded; /* another machine's */
	bool whole;    /* with treatments that are skipped now (store/whole.h) */
};

/* Hashes programs, libraries, scripts, inputs, taking digests from IDENTITY_CACHE where stat says
 * that nothing changed. -1 with *error naming a missing file. */
int identity_compute(const struct plan *plan, struct identity *identity, struct error *error);
/* As identity_compute, hashing everything afresh: for the end of a session. */
int identity_verify(const struct plan *plan, struct identity *identity, struct error *error);
/* As identity_compute, for many cases: `machine` is machine_identity's text. */
int identity_compute_with(struct hasher *hasher, const char *machine, const struct plan *plan,
			  struct identity *identity, struct error *error);
/* Takes the text, as it was stored, and computes the hex. */
void identity_from_text(const char *text, struct identity *identity);
void identity_free(struct identity *identity);

/*
 * build/identity/<case_id>, as written by `assay check`: the hex, a newline, identity.txt; then
 * notes, which are no part of the text:
 *	# recorded, # whole		see above
 *	# disturbed <from> <to>		the store changed behind a session's back: its next run
 *					sees to it (command_check.c)
 */
int identity_read(const char *path, struct identity *identity, struct error *error);

/* Whether groups of the treatment belong to what the text is the identity of. */
bool identity_has_treatment(const char *text, size_t number);
/* Leaves out of the plan exactly those treatments that are skipped and not in the identity. Of
 * another machine nothing that is in it counts as skipped. */
void identity_settle(const struct identity *identity, struct plan *plan);

/* A line that differs between two texts of lines "name = value"; NULL: one of them lacks it. */
struct identity_change {
	const char *name, *old, *now;
};
typedef void identity_visit(void *context, const struct identity_change *change);
/* Visits each line that differs, those of the new text first. */
void identity_changes(const char *old_text, const char *new_text, identity_visit *visit,
		      void *context);
/* Appends the value as people can read it: of a digest twelve digits, "none" for NULL. */
void identity_put_value(const char *value, struct buffer *out);
/* Appends "name: old -> new" for each line that differs, one a line. */
void identity_diff(const char *old_text, const char *new_text, struct buffer *out);
/* The same in one line, three differences at most: "kernel: 6.1 -> 6.2; smt: on -> off and 2 more".
 * Owned by the caller. */
char *identity_difference(const char *old_text, const char *new_text);

#endif
