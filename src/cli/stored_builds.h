#ifndef ASSAY_STORED_BUILDS_H
#define ASSAY_STORED_BUILDS_H

#include <jansson.h>

#include "schedule/plan.h"
#include "store/store.h"

/*
 * How the programs of a case were built when they were measured: of each treatment of the plan "build" of
 * provenance.json (provenance/build_facts.h), by the last session that counts; null where it is not known.
 * A new array.
 */
json_t *stored_builds(const struct plan *plan, const struct store_case *store);

#endif
