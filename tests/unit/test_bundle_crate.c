/* The RO-Crate of a bundle: what it tells a program that reads it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "bundle_packed.h"

static const json_t *
entity(const json_t *crate, const char *id)
{
	const json_t *graph = json_object_get(crate, "@graph");
	size_t i;

	for (i = 0; i < json_array_size(graph); i++)
		if (strcmp(json_get_text(json_array_get(graph, i), "@id"), id) == 0)
			return json_array_get(graph, i);
	fail_msg("the crate has no entity '%s'", id);
	return NULL;
}

static const char *
linked(const json_t *entity, const char *key)
{
	return json_get_text(json_object_get(entity, key), "@id");
}

static json_t *
pack_and_read_crate(void)
{
	struct error error = {0};
	json_t *crate;

	free(pack());
	crate = json_read_file(ROOT "/data/ro-crate-metadata.json", &error);
	if (crate == NULL)
		fail_msg("%s", error.message);
	return crate;
}

static void
test_crate_describes_the_study(void **state)
{
	json_t *crate = pack_and_read_crate();
	const json_t *root = entity(crate, "./");

	(void)state;
	assert_string_equal(linked(entity(crate, "ro-crate-metadata.json"), "conformsTo"),
			    "https://w3id.org/ro/crate/1.1");
	assert_string_equal(json_get_text(root, "name"), "A demonstration");
	assert_true(strlen(json_get_text(root, "description")) > 0);
	assert_string_equal(json_get_text(root, "datePublished"), "2026-12-02");
	assert_string_equal(linked(root, "license"), "study/LICENSE");
	assert_string_equal(linked(root, "conformsTo"), "https://w3id.org/ro/wfrun/process/0.5");
	assert_string_equal(json_get_text(entity(crate, linked(root, "conformsTo")), "@type"),
			    "CreativeWork");
	json_decref(crate);
}

/* Each session: who (the tool), from what, into what, when, and how it ended. */
static void
test_crate_tells_each_session(void **state)
{
	json_t *crate = pack_and_read_crate();
	const json_t *mentions = json_object_get(entity(crate, "./"), "mentions"), *action;

	(void)state;
	assert_int_equal(json_array_size(mentions), 2);
	action = entity(crate, json_get_text(json_array_get(mentions, 0), "@id"));
	assert_string_equal(json_get_text(action, "@type"), "CreateAction");
	assert_string_equal(json_get_text(action, "startTime"), "2026-12-01T08:15:00+00:00");
	assert_string_equal(json_get_text(action, "endTime"), "2026-12-01T08:16:40+00:00");
	assert_string_equal(linked(action, "actionStatus"),
			    "http://schema.org/CompletedActionStatus");
	assert_string_equal(json_get_text(entity(crate, linked(action, "instrument")), "@type"),
			    "SoftwareApplication");
	assert_string_equal(json_get_text(entity(crate, linked(action, "agent")), "@type"), "Person");
	assert_string_equal(json_get_text(entity(crate, linked(action, "result")), "@type"),
			    "Dataset");
	action = entity(crate, json_get_text(json_array_get(mentions, 1), "@id"));
	assert_string_equal(linked(action, "actionStatus"), "http://schema.org/FailedActionStatus");
	assert_true(strlen(json_get_text(action, "error")) > 0);
	json_decref(crate);
}

/* Programs have no version of their own: the commit they were made of, else their content. */
static void
test_crate_tells_programs_and_their_versions(void **state)
{
	json_t *crate = pack_and_read_crate();
	const json_t *program = entity(crate, "#program-1234");

	(void)state;
	assert_string_equal(json_get_text(program, "name"), "build/bin/k");
	assert_string_equal(json_get_text(program, "softwareVersion"), "sha256:1234");
	json_decref(crate);
	put(STUDY_SESSION "/provenance.json",
	    "{\"started\": \"2026-12-01T08:15:00Z\", \"programs\": [{\"path\": \"build/bin/k\", "
	    "\"sha256\": \"1234\"}], \"sources\": [{\"program\": \"build/bin/k\", \"commit\": "
	    "\"c0ffee\"}]}");
	put("../home/README.md", "# the tool\n");
	put("../home/bootstrap", "");
	setenv("ASSAY_HOME", "../home", 1);
	crate = pack_and_read_crate();
	program = entity(crate, "#program-1234");
	assert_string_equal(json_get_text(program, "softwareVersion"), "c0ffee");
	assert_string_equal(linked(entity(crate, "#assay-abcd"), "url"), "tool/README.md");
	json_decref(crate);
}

/* Every file of data/ is described, and every part that is named is described. */
static void
test_crate_lists_every_file(void **state)
{
	char path[4096];
	json_t *crate;
	FILE *files;

	(void)state;
	put("kernels/m\xc3\xbcll & more#1.c", "int u;\n");
	crate = pack_and_read_crate();
	entity(crate, "study/kernels/m\xc3\xbcll%20&%20more%231.c");
	unlink(STUDY "kernels/m\xc3\xbcll & more#1.c");
	files = popen("cd " ROOT "/data && find . -type f ! -name ro-crate-metadata.json", "r");
	while (fgets(path, sizeof path, files) != NULL) {
		path[strcspn(path, "\n")] = '\0';
		assert_string_equal(json_get_text(entity(crate, path + 2), "@type"), "File");
	}
	pclose(files);
	json_decref(crate);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_crate_describes_the_study),
		TEST(test_crate_tells_each_session),
		TEST(test_crate_tells_programs_and_their_versions),
		TEST(test_crate_lists_every_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
