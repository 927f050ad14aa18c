#ifndef ASSAY_SAID_ALL_H
#define ASSAY_SAID_ALL_H

/* For mains: what was printed must be there, or it was not done: a full disk takes a result away.
 * `code`, or a failure in its place with a message. */
int said_all(int code);

#endif
