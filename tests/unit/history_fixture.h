#ifndef ASSAY_TEST_HISTORY_FIXTURE_H
#define ASSAY_TEST_HISTORY_FIXTURE_H

#include <jansson.h>

/* A study with a store that is written by hand, for the tests of what was measured before. */

/* For cmocka: a fresh study in its folder, with the experiment `a`; and out of it again. */
int history_enter(void **state);
int history_leave(void **state);
/* An identity of a case with a session; its hex lives until the next call. */
const char *history_store(const char *case_id, const char *text);
/* Makes it what would be measured now. */
void history_make_current(const char *case_id, const char *text);

/* What the objects of the list have under the key, a line each. */
void history_assert_texts(const json_t *list, const char *key, const char *expected);

#endif
