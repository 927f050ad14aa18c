#include "store/record_lines.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/memory.h"

#define AT(field) offsetof(struct record, field)

const struct record_line record_header[RECORD_HEADER_LINES] = {
	{"run_id", RECORD_TEXT, AT(run_id), 0, 0},
	{"case_id", RECORD_TEXT, AT(case_id), 0, 0},
	{"session", RECORD_INT, AT(session), 1, RECORD_SESSION_MAX},
	{"order", RECORD_INT, AT(order), 1, RECORD_ORDER_MAX},
	{"phase", RECORD_PHASE, AT(phase), 0, 0},
	{"chunk", RECORD_INT, AT(chunk), 0, RECORD_ORDER_MAX},
	{"block", RECORD_INT, AT(block), 0, RECORD_ORDER_MAX},
	{"pair", RECORD_INT, AT(pair), 0, RECORD_ORDER_MAX},
	{"slot", RECORD_INT, AT(slot), 1, RECORD_ORDER_MAX},
	{"treatment", RECORD_INT, AT(treatment), 0, RECORD_ORDER_MAX},
	{"attempt", RECORD_INT, AT(attempt), 1, RECORD_ORDER_MAX},
	{"cpus", RECORD_CPUS, AT(cpus), 0, 0},
	{"program_sha256", RECORD_TEXT, AT(program_sha256), 0, 0},
	{"load_1min", RECORD_REAL, AT(load_1min), 0, 0},
	{"started_ns", RECORD_INT64, AT(result.started_realtime_ns), 0, LLONG_MAX},
	{"started_at", RECORD_TIME, AT(result.started_realtime_ns), 0, 0},
	{"stdout_bytes", RECORD_SIZE, AT(stdout_length), 0, 0},
	{"stderr_bytes", RECORD_SIZE, AT(stderr_length), 0, 0},
};

const struct record_line record_result[RECORD_RESULT_LINES] = {
	{"end", RECORD_END, AT(result.end), 0, 0},
	{"exit_code", RECORD_INT, AT(result.exit_code), 0, 255},
	{"signal", RECORD_INT, AT(result.signal_number), 0, 127},
	{"monotonic_ns", RECORD_INT64, AT(result.started_monotonic_ns), 0, LLONG_MAX},
	{"wall_us", RECORD_REAL, AT(result.wall_us), 0, 0},
	{"user_us", RECORD_REAL, AT(result.user_us), 0, 0},
	{"sys_us", RECORD_REAL, AT(result.sys_us), 0, 0},
	{"max_rss_kib", RECORD_INT64, AT(result.max_rss_kib), 0, LLONG_MAX},
	{"voluntary_switches", RECORD_INT64, AT(result.voluntary_switches), 0, LLONG_MAX},
	{"involuntary_switches", RECORD_INT64, AT(result.involuntary_switches), 0, LLONG_MAX},
	{"pinned", RECORD_BOOL, AT(result.pinned), 0, 0},
	{"leftovers", RECORD_INT, AT(result.leftovers), 0, INT_MAX},
	{"status", RECORD_STATUS, AT(status), 0, 0},
	{"reason", RECORD_TEXT, AT(reason), 0, 0},
};

const char *const record_ends[RECORD_ENDS] = {
	[LAUNCH_EXITED] = "exited",
	[LAUNCH_SIGNALLED] = "signalled",
	[LAUNCH_TIMED_OUT] = "timed_out",
	[LAUNCH_OUTPUT_LIMIT] = "output_limit",
	[LAUNCH_NOT_STARTED] = "not_started",
};
const char *const record_statuses[RECORD_STATUSES] = {"ok", "failed", "invalid"};

static void
put_text(struct buffer *out, const char *text)
{
	for (; text != NULL && *text != '\0'; text++)
		buffer_putc(out, (unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text);
}

static void
put_cpus(struct buffer *out, const struct record *record)
{
	int i;

	for (i = 0; i < record->cpu_count; i++)
		buffer_printf(out, "%s%d", i > 0 ? "," : "", record->cpus[i]);
}

static void
put_line(struct buffer *out, const struct record *record, const struct record_line *line)
{
	const char *field = (const char *)record + line->offset;
	char time[CLOCK_TEXT];

	buffer_printf(out, "%s=", line->key);
	switch (line->kind) {
	case RECORD_TEXT:
	case RECORD_STATUS:
		put_text(out, *(char *const *)(const void *)field);
		break;
	case RECORD_INT:
		buffer_printf(out, "%d", *(const int *)(const void *)field);
		break;
	case RECORD_INT64:
		buffer_printf(out, "%lld", (long long)*(const int64_t *)(const void *)field);
		break;
	case RECORD_SIZE:
		buffer_printf(out, "%zu", *(const size_t *)(const void *)field);
		break;
	case RECORD_REAL:
		buffer_printf(out, "%.17g", *(const double *)(const void *)field);
		break;
	case RECORD_BOOL:
		buffer_puts(out, *(const bool *)(const void *)field ? "1" : "0");
		break;
	case RECORD_PHASE:
		buffer_puts(out, phase_name(*(const enum phase *)(const void *)field));
		break;
	case RECORD_END:
		buffer_puts(out, record_ends[*(const enum launch_end *)(const void *)field]);
		break;
	case RECORD_CPUS:
		put_cpus(out, record);
		break;
	case RECORD_TIME:
		clock_text(*(const int64_t *)(const void *)field, time);
		buffer_puts(out, time);
		break;
	}
	buffer_putc(out, '\n');
}

/* A number that was edited, or a byte that a disk lost, must not become a result. */
static void
put_seal(struct buffer *out, size_t start)
{
	char hex[DIGEST_SHA256_HEX];

	digest_bytes(DIGEST_SHA256, out->bytes + start, out->length - start, hex);
	buffer_printf(out, RECORD_SEAL "%s\n" RECORD_LAST "\n", hex);
}

void
record_encode(const struct record *record, struct buffer *out)
{
	size_t i, start = out->length;

	buffer_puts(out, RECORD_FIRST "\n");
	for (i = 0; i < RECORD_HEADER_LINES; i++)
		put_line(out, record, &record_header[i]);
	buffer_puts(out, "--- stdout\n");
	buffer_append(out, record->stdout_bytes, record->stdout_length);
	buffer_puts(out, "\n--- stderr\n");
	buffer_append(out, record->stderr_bytes, record->stderr_length);
	buffer_puts(out, "\n--- result\n");
	for (i = 0; i < RECORD_RESULT_LINES; i++)
		put_line(out, record, &record_result[i]);
	put_seal(out, start);
}

void
record_free(struct record *record)
{
	free(record->run_id);
	free(record->case_id);
	free(record->cpus);
	free(record->program_sha256);
	free(record->status);
	free(record->reason);
	buffer_free(&record->result.libraries);
	if (record->file == NULL) {
		free(record->stdout_bytes);
		free(record->stderr_bytes);
	} else if (record->mapped_length > 0) {
		munmap(record->file, record->mapped_length);
	} else {
		free(record->file);
	}
	memset(record, 0, sizeof *record);
}

char *
record_file_name(int order, enum phase phase, int treatment)
{
	return memory_format("%04d-%s-%d.log", order, phase_name(phase), treatment);
}
