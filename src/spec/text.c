#include "spec/text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of the sequence at `p`, or 0 when it is none: too long forms, surrogates and what
 * lies above U+10FFFF are none. */
static size_t
sequence(const unsigned char *p, size_t left)
{
	size_t length = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	size_t i;

	if (length == 1)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4 || length > left)
		return 0;
	for (i = 1; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return length;
}

ssize_t
text_bad_utf8(const char *bytes, size_t length)
{
	size_t at = 0, step;

	for (; at < length; at += step) {
		step = sequence((const unsigned char *)bytes + at, length - at);
		if (step == 0)
			return (ssize_t)at;
	}
	return -1;
}

int
text_line(const char *bytes, size_t offset)
{
	int line = 1;
	size_t i;

	for (i = 0; i < offset; i++)
		line += bytes[i] == '\n';
	return line;
}

void
text_number(double value, char text[TEXT_NUMBER])
{
	int digits;

	if (fabs(value) < 9.2e18 && value == floor(value)) {
		snprintf(text, TEXT_NUMBER, "%lld", (long long)value);
		return;
	}
	for (digits = 15; digits <= 17; digits++) {
		snprintf(text, TEXT_NUMBER, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			return;
	}
}

/* Cuts the last component off; false when there is none to cut. */
static bool
go_up(struct buffer *out, size_t start)
{
	if (out->length == start)
		return false;
	while (out->length > start && out->bytes[out->length - 1] != '/')
		out->length--;
	if (out->length > start)
		out->length--;
	out->bytes[out->length] = '\0';
	return true;
}

bool
text_path(const char *path, struct buffer *out)
{
	bool absolute = path[0] == '/';
	size_t start;

	if (path[0] == '\0')
		return false;
	if (absolute)
		buffer_putc(out, '/');
	start = out->length;
	while (*path != '\0') {
		size_t length = strcspn(path, "/");

		if (length == 2 && memcmp(path, "..", 2) == 0) {
			if (!go_up(out, start) && !absolute)
				return false;
		} else if (length > 0 && !(length == 1 && path[0] == '.')) {
			if (out->length > start)
				buffer_putc(out, '/');
			buffer_append(out, path, length);
		}
		path += length;
		path += *path == '/';
	}
	if (out->length == start && !absolute)
		buffer_putc(out, '.');
	return true;
}

static bool
is_plain(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_@%+=:,./-";

	return text[0] != '\0' && text[strspn(text, plain)] == '\0';
}

void
text_shell_word(struct buffer *out, const char *text)
{
	bool plain = is_plain(text);

	if (!plain)
		buffer_putc(out, '\'');
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			buffer_puts(out, "'\\''");
		else if (*text == '$')
			buffer_puts(out, "$$");
		else
			buffer_putc(out, *text);
	}
	if (!plain)
		buffer_putc(out, '\'');
}
