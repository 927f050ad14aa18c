#ifndef ASSAY_COUNTING_H
#define ASSAY_COUNTING_H

#include "session/protocol.h"

/* What a group's COUNTER lines say, as the parser finds them. Texts are copied; it all belongs to
 * the output. */

/* A place for the counts of one more sample. */
struct protocol_counted *counting_add(struct protocol_output *output, const char *item, bool timed,
				      double wall_us, double cpu_us);
/* false: the sample has the event already, or too many of them. */
bool counting_add_count(struct protocol_counted *counted, const char *event, double count,
			double fraction);
/* The first reason counts. false: too many of them. */
bool counting_add_missing(struct protocol_output *output, const char *event, const char *reason);
void counting_free(struct protocol_output *output);

#endif
