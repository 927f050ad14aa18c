#ifndef ASSAY_ROOFLINES_H
#define ASSAY_ROOFLINES_H

#include "spec/fields.h"

/* Reads `roofline = { peak = "EXPERIMENT/TREATMENT", bandwidth = "EXPERIMENT/TREATMENT" }`. */
void rooflines_read(const struct fields *experiment, struct roofline *out);

/*
 * Finds the roofs of every treatment that declares its work, when all experiments are known: the
 * one treatment of that name, or that variant's, which agrees with it in each dimension that both
 * have. An error at the roofline's line where there is none or more than one.
 */
void rooflines_resolve(lua_State *L);

#endif
