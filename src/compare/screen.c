#include "compare/screen.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool
locale_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	size_t i;

	for (i = 0; i < 3; i++) {
		const char *value = getenv(names[i]);

		if (value != NULL && value[0] != '\0')
			return strcasestr(value, "utf-8") != NULL || strcasestr(value, "utf8") != NULL;
	}
	return false;
}

void
screen_of(FILE *out, struct screen *screen)
{
	const char *term = getenv("TERM"), *columns = getenv("COLUMNS");
	struct winsize size;
	long given = columns != NULL ? strtol(columns, NULL, 10) : 0;

	screen->columns = 80;
	if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
		screen->columns = (size_t)size.ws_col - 1;
	else if (given > 1 && given < 1000)
		screen->columns = (size_t)given;
	screen->utf8 = locale_is_utf8() && (term == NULL || strcmp(term, "dumb") != 0);
}

size_t
screen_width(const char *text)
{
	size_t width = 0;

	for (; *text != '\0'; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

void
screen_wrap(const struct screen *screen, const char *text, size_t indent, struct buffer *out)
{
	size_t column = 0;

	while (*text != '\0') {
		size_t length = strcspn(text, " \n"), width = 0, i;

		for (i = 0; i < length; i++)
			width += ((unsigned char)text[i] & 0xc0) != 0x80;
		if (length > 0 && column > 0 && column + 1 + width > screen->columns) {
			buffer_printf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (length > 0 && column > 0) {
			buffer_putc(out, ' ');
			column++;
		}
		buffer_append(out, text, length);
		column += width;
		text += length;
		text += *text != '\0';
	}
	buffer_putc(out, '\n');
}

void
screen_plain(const struct screen *screen, char *text)
{
	static const struct {
		const char *sign, *plain;
	} signs[] = {{"µ", "u"}, {"…", "..."}, {"–", "-"}, {"×", "x"}};
	char *to = text;

	while (!screen->utf8 && *text != '\0') {
		size_t i;

		for (i = 0; i < sizeof signs / sizeof *signs; i++)
			if (strncmp(text, signs[i].sign, strlen(signs[i].sign)) == 0) {
				text += strlen(signs[i].sign);
				memcpy(to, signs[i].plain, strlen(signs[i].plain));
				to += strlen(signs[i].plain);
				break;
			}
		if (i == sizeof signs / sizeof *signs)
			*to++ = *text++;
	}
	if (!screen->utf8)
		*to = '\0';
}
