#ifndef ASSAY_INTERRUPT_H
#define ASSAY_INTERRUPT_H

/*
 * Signals that ask a session to end cleanly: SIGINT, SIGTERM, SIGHUP, and the death of the
 * parent (a killed Ninja does not tell its children), or of the parent's parent where the parent
 * is a `sh -c`. Not watched under nohup, that is when SIGHUP is ignored: whoever starts a session
 * so wants it to outlive the shell.
 */
/* Once per process. */
void interrupt_watch(void);
/* Becomes true with the first such signal. */
const volatile int *interrupt_flag(void);

#endif
