#include "report/paper.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/markdown.h"
#include "spec/literate.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@"
#define WORD "assay"

static int
check_name(const struct numbers *numbers, const char *name, size_t length, const char *file, int line,
	   struct error *error)
{
	char *copy = memory_copy_span(name, length);
	const char *value = numbers_get(numbers, copy, file, line, error);

	free(copy);
	return value != NULL ? 0 : -1;
}

/* ---- LaTeX ---- */

/* At what follows \assay. Only a name in braces on one line is ours to look up. */
static int
check_use(const struct numbers *numbers, const char *at, const char *file, int line,
	  struct error *error)
{
	size_t length;

	at += strspn(at, " \t");
	if (*at != '{')
		return 0;
	length = strcspn(++at, "}\n%");
	if (at[length] != '}')
		return error_set_at(error, EXIT_BAD_INPUT, file, line,
				    "unfinished \\assay{: write the whole name and } on this line");
	if (memchr(at, '#', length) != NULL || memchr(at, '\\', length) != NULL)
		return 0;
	return check_name(numbers, at, length, file, line, error);
}

int
paper_check_latex(const struct numbers *numbers, const char *text, const char *file,
		  struct error *error)
{
	int line = 1;

	while (*text != '\0') {
		size_t word;

		text += strcspn(text, "\\%\n");
		if (*text == '%')
			text += strcspn(text, "\n");
		if (*text == '\n')
			line++;
		if (*text != '\\') {
			text += *text != '\0';
			continue;
		}
		word = strspn(++text, LETTERS);
		if (word == strlen(WORD) && strncmp(text, WORD, word) == 0 &&
		    check_use(numbers, text + word, file, line, error) != 0)
			return -1;
		/* \% and \\ are whole; a line's end is counted above. */
		text += word > 0 ? word : *text != '\0' && *text != '\n';
	}
	return 0;
}

/* ---- Markdown ---- */

/* Between the braces there is only space around the name. */
static const char *
before_braces(const char *name)
{
	while (name[-1] != '{')
		name--;
	return name - 2;
}

static int
put_number(const struct numbers *numbers, const struct literate_segment *segment, const char *file,
	   struct buffer *out, struct error *error)
{
	char *name = memory_copy_span(segment->text, segment->length);
	const char *value = numbers_get(numbers, name, file, segment->line, error);

	if (value != NULL)
		markdown_put_text(value, out);
	free(name);
	return value != NULL ? 0 : -1;
}

int
paper_fill_markdown(const struct numbers *numbers, const char *text, const char *file,
		    struct buffer *out, struct error *error)
{
	struct literate parts;
	const char *done = text;
	int result = literate_split(text, strlen(text), file, &parts, error);
	size_t i;

	for (i = 0; i < parts.count && result == 0; i++) {
		const struct literate_segment *segment = &parts.segments[i];

		if (segment->kind != LITERATE_EXPRESSION)
			continue; /* as it stands, with its fences */
		buffer_append(out, done, (size_t)(before_braces(segment->text) - done));
		result = put_number(numbers, segment, file, out, error);
		done = strstr(segment->text + segment->length, "}}") + 2;
	}
	if (result == 0)
		buffer_puts(out, done);
	literate_free(&parts);
	return result;
}
