/* The hand-made study (bundle_study.h) as a bundle, packed and unpacked again. */
#ifndef BUNDLE_PACKED_H
#define BUNDLE_PACKED_H

#include "bundle_study.h"

#define OUT "../demo.tar.zst"
#define ROOT "../unpacked"
#define STUDY ROOT "/data/study/"

/* Packs and unpacks; what was told is returned, the caller frees. */
static inline char *
pack(void)
{
	struct bundle_request request = {.output = OUT};
	struct bundle_facts facts;
	struct error error = {0};
	char *told = NULL;
	size_t length;

	request.out = open_memstream(&told, &length);
	if (bundle_write(&request, &error) != 0)
		fail_msg("%s", error.message);
	fclose(request.out);
	file_remove_tree(ROOT, NULL);
	if (bundle_unpack(OUT, ROOT, NULL, &facts, &error) != 0)
		fail_msg("%s", error.message);
	assert_string_equal(facts.name, "demo");
	bundle_facts_free(&facts);
	return told;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_study, tear_down_study)

#endif
