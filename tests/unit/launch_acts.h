#ifndef ASSAY_TEST_LAUNCH_ACTS_H
#define ASSAY_TEST_LAUNCH_ACTS_H

/*
 * What launched programs do in the tests of launch and warden: the test program starts itself
 * with the name of an act. Each act ends with _exit: no exit handlers, no leak checker (which
 * cannot work under a tracer).
 */

/* Performs argv[1] when it names an act and does not return then. */
void act_if_asked(int argc, char **argv);
/* The absolute path of the test program. */
const char *act_program(void);

#endif
