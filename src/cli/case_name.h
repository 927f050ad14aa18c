#ifndef ASSAY_CASE_NAME_H
#define ASSAY_CASE_NAME_H

#include "base/error.h"

/*
 * The case that somebody means: by its name, by a beginning of it that no other case of the study
 * has, or by its experiment's name where that has one case. The caller frees; NULL with *error,
 * which lists those it could be.
 */
char *case_name_find(const char *asked, struct error *error);

#endif
