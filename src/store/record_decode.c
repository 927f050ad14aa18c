#include "store/record_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"

struct cursor {
	const char *path;
	const char *at, *end;
	int line; /* the line `at` is in, counted from 1 */
	struct error *error;
};

/* A line's value, not NUL-terminated. */
struct span {
	const char *start;
	size_t length;
};

static int
damaged(const struct cursor *cursor, const char *what)
{
	return error_set_at(cursor->error, EXIT_BAD_INPUT, cursor->path, cursor->line,
			    "no complete record: %s", what);
}

static int
take_line(struct cursor *cursor, struct span *line)
{
	const char *end = memchr(cursor->at, '\n', (size_t)(cursor->end - cursor->at));

	if (end == NULL)
		return damaged(cursor, "the file ends inside a line");
	*line = (struct span){cursor->at, (size_t)(end - cursor->at)};
	if (memchr(line->start, '\0', line->length) != NULL)
		return damaged(cursor, "a NUL byte where text belongs");
	cursor->at = end + 1;
	return 0;
}

static bool
span_is(const struct span *span, const char *text)
{
	return span->length == strlen(text) && memcmp(span->start, text, span->length) == 0;
}

static int
take_fixed(struct cursor *cursor, const char *text)
{
	struct span line;
	char what[128];

	if (take_line(cursor, &line) != 0)
		return -1;
	if (!span_is(&line, text)) {
		snprintf(what, sizeof what, "expected the line '%s'", text);
		return damaged(cursor, what);
	}
	cursor->line++;
	return 0;
}

/* Strict: an optional '-', no leading zeros, so that a number has one spelling only. */
static int
parse_integer(const struct cursor *cursor, const struct record_line *line, const struct span *value,
	      long long *number)
{
	char text[24], again[24], what[160];
	char *end;

	if (value->length > 0 && value->length < sizeof text) {
		memcpy(text, value->start, value->length);
		text[value->length] = '\0';
		errno = 0;
		*number = strtoll(text, &end, 10);
		snprintf(again, sizeof again, "%lld", *number);
		if (errno == 0 && strcmp(text, again) == 0 && *number >= line->low &&
		    *number <= line->high)
			return 0;
	}
	snprintf(what, sizeof what, "'%s' must be an integer from %lld to %lld", line->key,
		 line->low, line->high);
	return damaged(cursor, what);
}

static int
parse_us(const struct cursor *cursor, const struct record_line *line, const struct span *value,
	 double *number)
{
	char text[40], again[40], what[120];
	char *end;

	if (value->length > 0 && value->length < sizeof text) {
		memcpy(text, value->start, value->length);
		text[value->length] = '\0';
		*number = strtod(text, &end);
		snprintf(again, sizeof again, "%.17g", *number);
		if (strcmp(text, again) == 0 && isfinite(*number) && *number >= 0)
			return 0;
	}
	snprintf(what, sizeof what, "'%s' must be a time in microseconds, 0 or more", line->key);
	return damaged(cursor, what);
}

static int
parse_name(const struct cursor *cursor, const struct record_line *line, const struct span *value,
	   const char *const *names, size_t count)
{
	char what[120];
	size_t i;

	for (i = 0; i < count; i++)
		if (span_is(value, names[i]))
			return (int)i;
	snprintf(what, sizeof what, "'%s' has an unknown value", line->key);
	return damaged(cursor, what);
}

static int
parse_phase(const struct cursor *cursor, const struct span *value, enum phase *phase)
{
	char text[16];
	int found = -1;

	if (value->length < sizeof text) {
		memcpy(text, value->start, value->length);
		text[value->length] = '\0';
		found = phase_from_name(text);
	}
	if (found < 0)
		return damaged(cursor, "'phase' must be warmup, aa or ab");
	*phase = (enum phase)found;
	return 0;
}

static int
parse_cpus(const struct cursor *cursor, struct span value, struct record *record)
{
	static const struct record_line one = {"cpus", RECORD_INT, 0, 0, RECORD_CPUS_MAX};
	size_t room = 0;

	while (value.length > 0) {
		const char *comma = memchr(value.start, ',', value.length);
		size_t used = comma != NULL ? (size_t)(comma - value.start) : value.length;
		long long cpu;

		if (record->cpu_count >= RECORD_CPUS_MAX)
			return damaged(cursor, "'cpus' lists more CPUs than there can be");
		if (parse_integer(cursor, &one, &(struct span){value.start, used}, &cpu) != 0)
			return -1;
		record->cpus = memory_grow(record->cpus, (size_t)record->cpu_count, &room,
					   sizeof *record->cpus);
		record->cpus[record->cpu_count++] = (int)cpu;
		if (comma != NULL && used + 1 == value.length)
			return damaged(cursor, "'cpus' ends with a comma");
		value.start += comma != NULL ? used + 1 : used;
		value.length -= comma != NULL ? used + 1 : used;
	}
	return 0;
}

static int
parse_size(const struct cursor *cursor, const struct record_line *line, const struct span *value,
	   size_t *size)
{
	struct record_line bounded = *line;
	long long number;

	bounded.high = cursor->end - cursor->at;
	if (parse_integer(cursor, &bounded, value, &number) != 0)
		return -1;
	*size = (size_t)number;
	return 0;
}

static int
check_time(const struct cursor *cursor, const struct span *value, int64_t started_ns)
{
	char expected[CLOCK_TEXT];

	clock_text(started_ns, expected);
	return span_is(value, expected) ? 0
					: damaged(cursor, "'started_at' does not belong to 'started_ns'");
}

static int
parse_text(const struct cursor *cursor, const struct span *value, char **text)
{
	size_t i;

	for (i = 0; i < value->length; i++)
		if ((unsigned char)value->start[i] < 0x20 || value->start[i] == 0x7f)
			return damaged(cursor, "a control character where text belongs");
	*text = memory_copy_span(value->start, value->length);
	return 0;
}

static int
parse_value(const struct cursor *cursor, const struct record_line *line, const struct span *value,
	    struct record *record)
{
	static const char *const flags[] = {"0", "1"};
	void *field = (char *)record + line->offset;
	long long number;
	int name;

	switch (line->kind) {
	case RECORD_TEXT:
		return parse_text(cursor, value, field);
	case RECORD_INT:
		if (parse_integer(cursor, line, value, &number) != 0)
			return -1;
		*(int *)field = (int)number;
		return 0;
	case RECORD_INT64:
		if (parse_integer(cursor, line, value, &number) != 0)
			return -1;
		*(int64_t *)field = number;
		return 0;
	case RECORD_SIZE:
		return parse_size(cursor, line, value, field);
	case RECORD_REAL:
		return parse_us(cursor, line, value, field);
	case RECORD_BOOL:
		name = parse_name(cursor, line, value, flags, 2);
		*(bool *)field = name == 1;
		return name < 0 ? -1 : 0;
	case RECORD_PHASE:
		return parse_phase(cursor, value, field);
	case RECORD_END:
		name = parse_name(cursor, line, value, record_ends, RECORD_ENDS);
		*(enum launch_end *)field = name < 0 ? LAUNCH_EXITED : (enum launch_end)name;
		return name < 0 ? -1 : 0;
	case RECORD_STATUS:
		name = parse_name(cursor, line, value, record_statuses, RECORD_STATUSES);
		if (name >= 0)
			*(char **)field = memory_copy_text(record_statuses[name]);
		return name < 0 ? -1 : 0;
	case RECORD_CPUS:
		return parse_cpus(cursor, *value, record);
	case RECORD_TIME:
		return check_time(cursor, value, *(int64_t *)field);
	}
	return -1;
}

static int
take_fields(struct cursor *cursor, const struct record_line *lines, size_t count, struct record *record)
{
	size_t i;

	for (i = 0; i < count; i++) {
		size_t key = strlen(lines[i].key);
		struct span line;
		char what[80];

		if (take_line(cursor, &line) != 0)
			return -1;
		if (line.length <= key || memcmp(line.start, lines[i].key, key) != 0 ||
		    line.start[key] != '=') {
			snprintf(what, sizeof what, "expected '%s='", lines[i].key);
			return damaged(cursor, what);
		}
		line.start += key + 1;
		line.length -= key + 1;
		if (parse_value(cursor, &lines[i], &line, record) != 0)
			return -1;
		cursor->line++;
	}
	return 0;
}

static int
take_output(struct cursor *cursor, const char *title, size_t length, char **bytes)
{
	size_t i;

	if (take_fixed(cursor, title) != 0)
		return -1;
	if (length >= (size_t)(cursor->end - cursor->at))
		return damaged(cursor, "the file ends inside the captured output");
	*bytes = (char *)cursor->at; /* borrowed; record_decode copies */
	for (i = 0; i < length; i++)
		cursor->line += cursor->at[i] == '\n';
	cursor->at += length;
	if (*cursor->at != '\n')
		return damaged(cursor, "the captured output is longer than its count");
	cursor->at++;
	cursor->line++;
	return 0;
}

/* The line with the digest of all bytes before it, from `bytes` on. */
static int
take_seal(struct cursor *cursor, const char *bytes)
{
	char line[sizeof RECORD_SEAL - 1 + DIGEST_SHA256_HEX] = RECORD_SEAL;

	digest_bytes(DIGEST_SHA256, bytes, (size_t)(cursor->at - bytes), line + sizeof RECORD_SEAL - 1);
	if ((size_t)(cursor->end - cursor->at) >= sizeof line &&
	    memcmp(cursor->at, RECORD_SEAL, sizeof RECORD_SEAL - 1) == 0 &&
	    memcmp(cursor->at, line, sizeof line - 1) != 0)
		return damaged(cursor, "its bytes are not those that were written (sha256)");
	return take_fixed(cursor, line);
}

/* As record_decode, with the outputs pointing into `bytes`. */
static int
decode_borrowed(const char *path, const char *bytes, size_t length, struct record *record,
		struct error *error)
{
	struct cursor cursor = {path, bytes, bytes + length, 1, error};

	memset(record, 0, sizeof *record);
	if (take_fixed(&cursor, RECORD_FIRST) != 0 ||
	    take_fields(&cursor, record_header, RECORD_HEADER_LINES, record) != 0 ||
	    take_output(&cursor, "--- stdout", record->stdout_length, &record->stdout_bytes) != 0 ||
	    take_output(&cursor, "--- stderr", record->stderr_length, &record->stderr_bytes) != 0 ||
	    take_fixed(&cursor, "--- result") != 0 ||
	    take_fields(&cursor, record_result, RECORD_RESULT_LINES, record) != 0 ||
	    take_seal(&cursor, bytes) != 0 || take_fixed(&cursor, RECORD_LAST) != 0)
		return -1;
	if (cursor.at != cursor.end)
		return damaged(&cursor, "bytes after the last line");
	return 0;
}

static void
forget_outputs(struct record *record)
{
	record->stdout_bytes = record->stderr_bytes = NULL;
}

int
record_decode(const char *path, const char *bytes, size_t length, struct record *record,
	      struct error *error)
{
	if (decode_borrowed(path, bytes, length, record, error) != 0) {
		forget_outputs(record);
		record_free(record);
		return -1;
	}
	record->stdout_bytes = memory_copy_span(record->stdout_bytes, record->stdout_length);
	record->stderr_bytes = memory_copy_span(record->stderr_bytes, record->stderr_length);
	return 0;
}

/* Small files are quicker read than mapped. */
#define READ_LIMIT ((off_t)256 << 10)

/* Fills record->file; *length bytes of it. */
static int
take_file(int fd, const char *path, struct record *record, size_t *length, struct error *error)
{
	struct stat status;
	ssize_t got;

	if (fd < 0 || fstat(fd, &status) != 0)
		return error_set_errno(error, "cannot read %s", path);
	if (!S_ISREG(status.st_mode) || status.st_size == 0)
		return error_set_at(error, EXIT_BAD_INPUT, path, 1, "no complete record: %s",
				    S_ISREG(status.st_mode) ? "the file is empty" : "not a regular file");
	*length = (size_t)status.st_size;
	if (status.st_size > READ_LIMIT) {
		record->file = mmap(NULL, *length, PROT_READ, MAP_PRIVATE, fd, 0);
		if (record->file == MAP_FAILED) {
			record->file = NULL;
			return error_set_errno(error, "cannot map %s", path);
		}
		record->mapped_length = *length;
		return 0;
	}
	record->file = memory_alloc(*length);
	do
		got = read(fd, record->file, *length);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error_set_errno(error, "cannot read %s", path);
	*length = (size_t)got; /* fewer when it was cut meanwhile; then it is no record */
	return 0;
}

int
record_read(const char *path, struct record *record, struct error *error)
{
	int fd = file_open(path);
	struct record backing = {0};
	size_t length = 0;
	int result = take_file(fd, path, &backing, &length, error);

	if (fd >= 0)
		close(fd);
	memset(record, 0, sizeof *record);
	if (result == 0) {
		result = decode_borrowed(path, backing.file, length, record, error);
		record->file = backing.file;
		record->mapped_length = backing.mapped_length;
		if (result != 0)
			record_free(record);
	} else {
		record_free(&backing);
	}
	return result;
}
