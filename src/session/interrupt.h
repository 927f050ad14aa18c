#ifndef ASSAY_INTERRUPT_H
#define ASSAY_INTERRUPT_H

/*
 * Signals that ask a session to end cleanly: SIGINT, SIGTERM, SIGHUP, and what is taken for one:
 * the parent, or the parent's parent where the parent is a `sh -c`, died or is a Ninja that was
 * asked to end (it tells its children neither). Not watched under nohup, that is when SIGHUP is
 * ignored: whoever starts a session so wants it to outlive the shell.
 */
/* Once is enough; further calls do nothing. */
void interrupt_watch(void);
/* Becomes true with the first such signal. */
const volatile int *interrupt_flag(void);

#endif
