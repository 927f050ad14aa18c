#include "schedule/json_place.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

struct scan {
	const char *at;
	int line, found;
	struct buffer path; /* of the value about to be read */
	const char *wanted;
};

static void
skip_space(struct scan *scan)
{
	for (; *scan->at != '\0' && strchr(" \t\r\n", *scan->at) != NULL; scan->at++)
		if (*scan->at == '\n')
			scan->line++;
}

/* From the opening quote to behind the closing one; the raw inside is appended to `out`. */
static void
read_string(struct scan *scan, struct buffer *out)
{
	const char *start = ++scan->at;

	for (; *scan->at != '\0' && *scan->at != '"'; scan->at++)
		if (*scan->at == '\\' && scan->at[1] != '\0')
			scan->at++;
	if (out != NULL)
		buffer_append(out, start, (size_t)(scan->at - start));
	if (*scan->at == '"')
		scan->at++;
}

static void read_value(struct scan *scan);

static void
cut(struct buffer *buffer, size_t length)
{
	buffer->length = length;
	if (buffer->bytes != NULL)
		buffer->bytes[length] = '\0';
}

static void
read_member(struct scan *scan)
{
	size_t length = scan->path.length;

	if (length > 0)
		buffer_putc(&scan->path, '.');
	read_string(scan, &scan->path);
	skip_space(scan);
	if (*scan->at == ':')
		scan->at++;
	read_value(scan);
	cut(&scan->path, length);
}

static void
read_element(struct scan *scan, int index)
{
	size_t length = scan->path.length;

	buffer_printf(&scan->path, "[%d]", index);
	read_value(scan);
	cut(&scan->path, length);
}

static void
read_container(struct scan *scan)
{
	char closing = *scan->at == '{' ? '}' : ']';
	int index = 0;

	scan->at++;
	for (;;) {
		skip_space(scan);
		if (*scan->at == ',')
			scan->at++;
		skip_space(scan);
		if (*scan->at == closing || *scan->at == '\0')
			break;
		if (closing == '}')
			read_member(scan);
		else
			read_element(scan, index++);
	}
	if (*scan->at != '\0')
		scan->at++;
}

static void
read_value(struct scan *scan)
{
	skip_space(scan);
	if (strcmp(buffer_text(&scan->path), scan->wanted) == 0 && scan->found == 0)
		scan->found = scan->line;
	if (*scan->at == '{' || *scan->at == '[')
		read_container(scan);
	else if (*scan->at == '"')
		read_string(scan, NULL);
	else
		scan->at += strcspn(scan->at, ",]} \t\r\n");
}

static int
find(const char *text, const char *path)
{
	struct scan scan = {.at = text, .line = 1, .path = BUFFER_EMPTY, .wanted = path};

	read_value(&scan);
	buffer_free(&scan.path);
	return scan.found;
}

int
json_place_line(const char *text, const char *path)
{
	char *wanted = memory_copy_text(path);
	int line = find(text, wanted);

	while (line == 0 && wanted[0] != '\0') {
		char *dot = strrchr(wanted, '.'), *bracket = strrchr(wanted, '[');

		if (bracket != NULL && (dot == NULL || bracket > dot))
			dot = bracket;
		*(dot != NULL ? dot : wanted) = '\0';
		line = find(text, wanted);
	}
	free(wanted);
	return line > 0 ? line : 1;
}
