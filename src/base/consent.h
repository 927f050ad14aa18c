#ifndef ASSAY_CONSENT_H
#define ASSAY_CONSENT_H

#include <stdbool.h>
#include <stdio.h>

/* A question to people: stdin is a terminal. */
bool consent_can_ask(void);
/* Asks on `out`; true only for an answer that starts with y. */
bool consent_ask(const char *question, FILE *out);

#endif
