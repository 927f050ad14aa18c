#ifndef ASSAY_FIGURES_H
#define ASSAY_FIGURES_H

#include "spec/fields.h"

/* The body of `figure "template"`. */
int figure_body(lua_State *L);
/* Reads `figures`; labels are unique, templates are there. */
void figures_read(const struct fields *experiment, struct experiment *out);

#endif
