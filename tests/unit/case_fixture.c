#include "case_fixture.h"

#include <stdarg.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

char fixture_folder[256];
static char *fixture_texts[4096];
static size_t fixture_text_count;

/* printf into a text that lives until the test's end. */
char *
text(const char *format, ...)
{
	va_list arguments;
	char *out;

	va_start(arguments, format);
	if (fixture_text_count == 4096 || vasprintf(&out, format, arguments) < 0)
		abort();
	va_end(arguments);
	return fixture_texts[fixture_text_count++] = out;
}

/* In memory where that can hold programs: sessions sync each record, which says nothing here. */
static const char *
fixture_scratch(void)
{
	struct statvfs system;

	if (getenv("TMPDIR") != NULL)
		return getenv("TMPDIR");
	if (access("/dev/shm", W_OK) == 0 && statvfs("/dev/shm", &system) == 0 &&
	    !(system.f_flag & ST_NOEXEC))
		return "/dev/shm";
	return "/tmp";
}

int
fixture_begin(void **state)
{
	(void)state;
	snprintf(fixture_folder, sizeof fixture_folder, "%s/assay-test-XXXXXX", fixture_scratch());
	if (mkdtemp(fixture_folder) == NULL || chdir(fixture_folder) != 0)
		return -1;
	setenv("ASSAY_LOCK_DIR", text("%s/lock", fixture_folder), 1);
	unsetenv("ASSAY_LOCK_TOKEN");
	return 0;
}

int
fixture_end(void **state)
{
	(void)state;
	while (fixture_text_count > 0)
		free(fixture_texts[--fixture_text_count]);
	return chdir("/") == 0 ? file_remove_tree(fixture_folder, NULL) : -1;
}

static void
fixture_treatment(struct plan_treatment *treatment, const char *name, const char *program)
{
	memset(treatment, 0, sizeof *treatment);
	treatment->name = memory_copy_text(name);
	treatment->variant = memory_copy_text(name);
	treatment->program.path = memory_copy_text(program);
	treatment->program.identity_command = memory_copy_text("");
	treatment->expect_len = treatment->expect_iters = -1;
}

/* Two variants, two_loops and fused, 2 A/A pairs, one warm-up each; plan_free. */
void
fixture_plan(struct plan *plan, const char *reader, int pairs)
{
	memset(plan, 0, sizeof *plan);
	plan->case_id = memory_copy_text(FIXTURE_CASE);
	plan->experiment = memory_copy_text("fused");
	plan->point = json_pack("{s:i}", "n", 16);
	plan->treatment_count = 2;
	plan->treatments = memory_zeroed(2, sizeof *plan->treatments);
	fixture_treatment(&plan->treatments[0], "two_loops", "program_a");
	fixture_treatment(&plan->treatments[1], "fused", "program_b");
	plan->comparison_count = 1;
	plan->comparisons = memory_zeroed(1, sizeof *plan->comparisons);
	plan->comparisons[0].b = 1;
	plan->reader = memory_copy_text(reader);
	plan->primary = memory_copy_text("wall_us");
	plan->metrics.count = 1;
	plan->metrics.items = memory_zeroed(1, sizeof *plan->metrics.items);
	plan->metrics.items[0].name = memory_copy_text("wall_us");
	plan->metrics.items[0].value = memory_copy_text("lower");
	plan->cpus = memory_copy_text("none");
	plan->design.pairs = pairs;
	plan->design.aa_pairs = 2;
	plan->design.warmups = 1;
	plan->design.samples = 1;
	plan->design.timeout_s = 20;
	plan->design.max_failures = 0;
	plan->design.output_limit_bytes = 1 << 20;
}

/* As a session would fill it; record_free. */
void
fixture_record(struct record *record, int session, int order, enum phase phase, int block,
	       int slot, int treatment)
{
	memset(record, 0, sizeof *record);
	record->run_id = memory_format("20261201T081500Z-1f0c6a2e-%04d", order);
	record->case_id = memory_copy_text(FIXTURE_CASE);
	record->session = session;
	record->order = order;
	record->phase = phase;
	record->chunk = block > 0;
	record->block = block;
	record->pair = 1;
	record->slot = slot;
	record->treatment = treatment;
	record->attempt = 1;
	record->program_sha256 = memory_copy_text("00ff");
	record->result.started_realtime_ns = INT64_C(1796112900123456789) + order;
	record->result.wall_us = 1000 + order + 1.0 / 3;
	record->status = memory_copy_text("ok");
	record->reason = memory_copy_text("");
	record->stdout_bytes = memory_copy_text("RESULT 12.5 12 1e9\n");
	record->stdout_length = strlen(record->stdout_bytes);
	record->stderr_bytes = memory_copy_text("");
}
