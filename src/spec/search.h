#ifndef ASSAY_SEARCH_H
#define ASSAY_SEARCH_H

#include "spec/fields.h"

/* Reads `search` into out->search, which is left alone when it is missing. The cases and the design
 * of *out are complete. */
void search_read(const struct fields *experiment, struct experiment *out);

/* Defines search("name"), what a claim calls the chosen one. */
void search_open(lua_State *L);

#endif
