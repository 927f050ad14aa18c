#include "provenance/capture.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/version.h"
#include "provenance/capture_parts.h"
#include "provenance/fact.h"

#define FORMAT "assay-provenance-1"

static json_t *
tool_fact(void)
{
	char hex[DIGEST_SHA256_HEX];
	struct error problem = {0};
	json_t *digest;

	/* By its open file: at its path a newer build may lie by now. */
	if (digest_file(DIGEST_SHA256, "/proc/self/exe", hex, &problem) != 0)
		digest = fact_unavailable("%s", problem.message);
	else
		digest = json_string(hex);
	return json_pack("{s:s, s:o}", "version", ASSAY_VERSION, "sha256", digest);
}

static json_t *
started_fact(void)
{
	char text[CLOCK_TEXT];

	clock_text(clock_realtime_ns(), text);
	return json_string(text);
}

/* build/study.json, or NULL: a session of a plan alone is recorded too. */
static json_t *
read_study(void)
{
	return file_exists("build/study.json") ? json_read_file("build/study.json", NULL) : NULL;
}

json_t *
capture_session(const struct plan *plan, const char *session_folder, struct error *error)
{
	json_t *study = read_study(), *provenance = json_object(), *git;

	json_object_set_new(provenance, "format", json_string(FORMAT));
	json_object_set_new(provenance, "started", started_fact());
	json_object_set_new(provenance, "tool", tool_fact());
	git = capture_git(plan, study, session_folder, error);
	json_decref(study);
	if (git == NULL) {
		json_decref(provenance);
		return NULL;
	}
	json_object_set_new(provenance, "git", git);
	capture_programs(plan, provenance);
	capture_sources(plan, provenance);
	capture_hardware(provenance);
	capture_devices(provenance);
	capture_system(provenance);
	return provenance;
}
