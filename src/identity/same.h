#ifndef ASSAY_IDENTITY_SAME_H
#define ASSAY_IDENTITY_SAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Are two treatments of a case the same program (by what it loads), libraries, arguments,
 * environment and input, as its identity (identity.h) describes them? Pure.
 */
bool same_treatments(const char *identity_text, size_t a, size_t b);

#endif
