#include "doctor/show.h"

#include <string.h>

#define LEVEL_WIDTH 8
#define NAME_WIDTH 16
#define INDENT (LEVEL_WIDTH + 1)

/* As far to the right as it fits, `wanted` at most. */
static int
indent_of(const struct screen *screen, const char *text, int wanted)
{
	int room = (int)screen->columns - (int)strlen(text);

	return room < 0 ? 0 : room < wanted ? room : wanted;
}

/* A command must stay fit for pasting, so it is divided only behind a pipe. */
static void
put_command(const struct screen *screen, const char *command, struct buffer *out)
{
	const char *pipe = strstr(command, "| ");

	if (pipe != NULL && INDENT + strlen(command) > screen->columns)
		buffer_printf(out, "%*s%.*s\n%*s%s\n", INDENT, "", (int)(pipe + 1 - command), command,
			      indent_of(screen, pipe + 2, INDENT + 4), "", pipe + 2);
	else
		buffer_printf(out, "%*s%s\n", indent_of(screen, command, INDENT), "", command);
}

/* The text (ASCII) in lines that fit, all but the first indented; too long a word is cut. */
static void
put_wrapped(const struct screen *screen, const char *text, size_t indent, struct buffer *out)
{
	struct screen narrow = *screen;
	struct buffer lines = BUFFER_EMPTY;
	const char *line;

	narrow.columns = screen->columns > indent + 8 ? screen->columns - indent : 8;
	screen_wrap(&narrow, text, 0, &lines);
	for (line = buffer_text(&lines); *line != '\0'; line += *line == '\n') {
		size_t length = strcspn(line, "\n");

		if (length > narrow.columns)
			length = narrow.columns;
		buffer_printf(out, "%*s%.*s\n", line == lines.bytes ? 0 : (int)indent, "", (int)length,
			      line);
		line += length;
	}
	buffer_free(&lines);
}

static void
put_paragraph(const struct screen *screen, const char *text, struct buffer *out)
{
	buffer_printf(out, "%*s", INDENT, "");
	put_wrapped(screen, text, INDENT, out);
}

static void
put_finding(const struct screen *screen, const struct finding *finding, bool whole,
	    struct buffer *out)
{
	buffer_printf(out, "%-*s %-*s ", LEVEL_WIDTH, finding_level_name(finding->level), NAME_WIDTH,
		      finding->name);
	put_wrapped(screen, finding->seen, LEVEL_WIDTH + NAME_WIDTH + 2, out);
	if (!whole)
		return;
	put_paragraph(screen, finding->why, out);
	if (finding->command != NULL)
		put_command(screen, finding->command, out);
	if (finding->advice != NULL)
		put_paragraph(screen, finding->advice, out);
}

static size_t
put_level(const struct screen *screen, const struct findings *findings, enum finding_level level,
	  bool whole, struct buffer *out)
{
	size_t i, count = 0;

	for (i = 0; i < findings->count; i++)
		if (findings->items[i].level == level) {
			put_finding(screen, &findings->items[i], whole, out);
			if (whole)
				buffer_putc(out, '\n');
			count++;
		}
	return count;
}

void
show_findings(const struct screen *screen, const struct findings *findings, bool all,
	      struct buffer *out)
{
	size_t serious = put_level(screen, findings, FINDING_SERIOUS, true, out);
	size_t minor = put_level(screen, findings, FINDING_MINOR, true, out);
	size_t unknown = put_level(screen, findings, FINDING_UNKNOWN, all, out);
	size_t ok = put_level(screen, findings, FINDING_OK, all, out);
	struct buffer line = BUFFER_EMPTY;

	if (!all)
		buffer_putc(out, '\n');
	buffer_printf(&line, "%zu serious, %zu minor, %zu ok, %zu cannot be seen here. Nothing was changed.",
		      serious, minor, ok, unknown);
	screen_wrap(screen, buffer_text(&line), 0, out);
	buffer_free(&line);
}
