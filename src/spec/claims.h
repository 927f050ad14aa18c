#ifndef ASSAY_CLAIMS_H
#define ASSAY_CLAIMS_H

#include <stdbool.h>

#include "spec/fields.h"

/* A claim that `faster(b, a, { … })` made, until an experiment takes it. */
struct claim_spec {
	struct claim claim;
	struct fields fields; /* for messages; its table is gone */
};

/* Adds faster, slower, not_slower, equivalent, different to the sandbox. */
void claims_open(lua_State *L);
/* Reads `claims` once variants, comparisons and cases are known, and holds each against them. */
void claims_read(const struct fields *experiment, struct experiment *out);

/* Whether the claim is about this case. */
bool claim_covers(const struct claim *claim, const struct study_case *one);
const char *claim_kind_name(enum claim_kind kind);
/* "fused is at least 1.2 times as fast as two_loops at n=4194304"; the caller frees it. */
char *claim_text(const struct claim *claim);

/* `where = { n = 1024 }` of any table: the dimensions' values. */
void claims_read_where(const struct fields *fields, struct point *out);
/* Does the case lie there? */
bool claims_where_covers(const struct point *where, const struct study_case *one);

#endif
