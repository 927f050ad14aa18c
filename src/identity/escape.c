#include "identity/escape.h"

#include <string.h>

void
escape_put(struct buffer *out, const char *text, const char *also)
{
	for (; *text != '\0'; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte < 0x20 || byte == 0x7f || byte == '%' || strchr(also, *text) != NULL)
			buffer_printf(out, "%%%02X", byte);
		else
			buffer_putc(out, *text);
	}
}

static int
hex_digit(char digit)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *at = digit != '\0' ? strchr(digits, digit) : NULL;

	return at != NULL ? (int)(at - digits) : -1;
}

void
escape_undo(char *text)
{
	char *to = text;

	while (*text != '\0') {
		int high = *text == '%' ? hex_digit(text[1]) : -1;
		int low = high >= 0 ? hex_digit(text[2]) : -1;

		*to++ = low >= 0 ? (char)(16 * high + low) : *text;
		text += low >= 0 ? 3 : 1;
	}
	*to = '\0';
}
