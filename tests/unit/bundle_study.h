/*
 * A measured study made by hand in a fresh folder, for the tests of bundles: two cases, one of
 * them with two identities in the store; the current folder is its root.
 */
#ifndef BUNDLE_STUDY_H
#define BUNDLE_STUDY_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "hand_made.h"
#include "provenance/bundle.h"

#define HEX "0123456789abcdef"
#define OLD_HEX "fedcba9876543210"
#define STUDY_SESSION "results/C1/" HEX "/sessions/001"

static char *test_folder; /* holds the study as "study" */

static inline void
put_session(const char *folder, const char *started, const char *ended)
{
	char *path = memory_format("%s/provenance.json", folder), text[1024];

	snprintf(text, sizeof text,
		 "{\"started\": \"%s\", \"tool\": {\"version\": \"0.1.0\", \"sha256\": \"abcd\"}, "
		 "\"programs\": [{\"path\": \"build/bin/k\", \"sha256\": \"1234\"}], "
		 "\"git\": {\"commit\": \"c0ffee\", \"dirty\": true}}", started);
	put(path, text);
	free(path);
	path = memory_format("%s/plan.json", folder);
	put(path, "{}\n");
	free(path);
	path = memory_format("%s/0001-warmup-0.log", folder);
	put(path, "assay-record 2\n");
	free(path);
	if (ended == NULL)
		return;
	path = memory_format("%s/end.json", folder);
	snprintf(text, sizeof text, "{\"ended\": \"%s\", \"finished\": true, \"invalid\": false}", ended);
	put(path, text);
	free(path);
}

/* `private`: a JSON list. */
static inline void
put_study(const char *private)
{
	char *text = memory_format(
		"{\"format\": \"assay-study-1\", \"name\": \"demo\", \"title\": \"A demonstration\", "
		"\"private\": %s, \"entry\": \"build.ninja.lua\", \"specs\": [\"experiments/e.md\"], "
		"\"experiments\": [{\"name\": \"e\", \"cases\": [{\"case_id\": \"C1\"}, "
		"{\"case_id\": \"C2\"}], \"figures\": [{\"name\": \"runs\", \"label\": \"runs\"}]}]}",
		private);

	put("build/study.json", text);
	free(text);
}

static inline void
make_study(void)
{
	put_study("[\"hidden\"]");
	put("build/stats.json",
	    "{\"machine\": {\"model\": \"Planted 9000\", \"kernel\": \"6.6.6\"}, \"claims\": [{\"id\": "
	    "\"C1\", \"experiment\": \"e\", \"text\": \"b is faster | than a\", \"verdict\": "
	    "\"supported\"}]}");
	put("build/plan/C1.json", "{}\n");
	put("build/identity/C1", HEX HEX HEX HEX "\nidentity = 1\n");
	put("build/samples/C1.csv", "run_id\n");
	put("build/stats/C1.json", "{}\n");
	put("build/stats/gone.json", "{}\n");
	put("build/report/report.html", "<p>\n");
	put("build/report/summary.txt", "ok\n");
	put("build/report/gate", "holds\n");
	put("build/report/figures/e-runs.svg", "<svg/>\n");
	put("build/report/figures/old-runs.svg", "<svg/>\n");
	put("results/C1/" HEX "/identity.txt", "identity = 1\n");
	put_session(STUDY_SESSION, "2026-12-01T08:15:00.5Z", "2026-12-01T08:16:40.5Z");
	put(STUDY_SESSION "/0002-aa-0.log.tmp.x1y2z3", "half");
	put("results/C1/" HEX "/running", "pid=1\n");
	put_session("results/C1/" HEX "/sessions/002", "2026-12-02T08:15:00.5Z", NULL);
	put_session("results/C1/" OLD_HEX "/sessions/001", "2026-12-03T08:15:00.5Z", NULL);
	put("build.ninja", "build build/k.o: cc kernels/k.c\n");
	put("build.ninja.lua", "study{}\n");
	put("experiments/e.md", "# e\n");
	put("kernels/k.c", "#include \"k.h\"\nint k;\n");
	put("kernels/harness/h.c", "int h;\n");
	put("run.sh", "#!/bin/sh\n");
	shell("chmod 755 run.sh");
	put("LICENSE", "MIT\n");
	put("hidden/secret.txt", "not for you\n");
}

static inline int
set_up_study(void **state)
{
	char path[] = "/tmp/assay-bundle-XXXXXX";
	char *study;

	(void)state;
	test_folder = memory_copy_text(mkdtemp(path));
	study = memory_format("%s/study", test_folder);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CEILING_DIRECTORIES", test_folder, 1);
	setenv("ASSAY_HOME", study, 1); /* the study is the tool's own */
	setenv("HOME", test_folder, 1);
	unsetenv("SOURCE_DATE_EPOCH");
	if (mkdir(study, 0777) != 0 || chdir(study) != 0)
		return -1;
	free(study);
	make_study();
	return 0;
}

static inline int
tear_down_study(void **state)
{
	(void)state;
	if (chdir("/") != 0 || file_remove_tree(test_folder, NULL) != 0)
		return -1;
	free(test_folder);
	return 0;
}

#endif
