#ifndef ASSAY_DECLARED_STOP_H
#define ASSAY_DECLARED_STOP_H

#include "session/work.h"

/*
 * The stop rule of a case's design, as a session is handed it: looks at the case's stored pairs
 * when the rule has a look there, writes the look to the ledger, and answers.
 */
extern const struct stop_rule declared_stop;

#endif
