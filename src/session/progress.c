#include "session/progress.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/clock.h"
#include "base/memory.h"

#define PLAIN_EVERY_NS ((int64_t)10 * 1000000000)
#define PLAIN_COLUMNS 200

struct progress {
	FILE *out;
	const char *label;
	int blocks;
	bool redraws;
	int quarter;         /* of the last plain line */
	int64_t last_ns;
};

static void
put_time_left(struct buffer *text, double seconds)
{
	long left = (long)(seconds + 0.5);

	if (seconds < 0 || seconds > 1e9)
		return;
	buffer_puts(text, ", about ");
	if (left < 60)
		buffer_printf(text, "%ld s left", left);
	else if (left < 3600)
		buffer_printf(text, "%ld min %ld s left", left / 60, left % 60);
	else
		buffer_printf(text, "%ld h %ld min left", left / 3600, left / 60 % 60);
}

char *
progress_text(const char *label, int done, int blocks, double seconds_left, size_t columns)
{
	struct buffer tail = BUFFER_EMPTY, text = BUFFER_EMPTY;
	size_t length = strlen(label), room;

	if (done >= blocks)
		buffer_printf(&tail, "%d of %d blocks", blocks, blocks);
	else
		buffer_printf(&tail, "block %d of %d", done + 1, blocks);
	if (done < blocks)
		put_time_left(&tail, seconds_left);
	room = columns > tail.length + 2 ? columns - tail.length - 2 : 0;
	if (length <= room)
		buffer_printf(&text, "%s: ", label);
	else if (room > 4)
		buffer_printf(&text, "%.*s..: ", (int)(room - 2), label);
	buffer_puts(&text, buffer_text(&tail));
	if (text.length > columns)
		text.bytes[columns] = '\0';
	buffer_free(&tail);
	return buffer_detach(&text);
}

static bool
can_redraw(FILE *out)
{
	const char *term = getenv("TERM");

	return isatty(fileno(out)) && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

static size_t
columns_of(FILE *out)
{
	struct winsize size;

	if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
		return (size_t)size.ws_col - 1; /* the last column would wrap */
	return 79;
}

struct progress *
progress_begin(FILE *out, const char *label, int blocks)
{
	struct progress *progress = memory_zeroed(1, sizeof *progress);

	progress->out = out;
	progress->label = label;
	progress->blocks = blocks;
	progress->redraws = can_redraw(out);
	progress->quarter = -1;
	return progress;
}

static bool
plain_line_is_due(const struct progress *progress, int done, int64_t now)
{
	int quarter = progress->blocks > 0 ? 4 * done / progress->blocks : 0;

	return quarter != progress->quarter || now - progress->last_ns >= PLAIN_EVERY_NS;
}

void
progress_show(struct progress *progress, int done, double seconds_left)
{
	int64_t now = clock_monotonic_ns();
	char *text;

	if (!progress->redraws && !plain_line_is_due(progress, done, now))
		return;
	text = progress_text(progress->label, done, progress->blocks, seconds_left,
			     progress->redraws ? columns_of(progress->out) : PLAIN_COLUMNS);
	fprintf(progress->out, progress->redraws ? "\r%s\033[K" : "%s\n", text);
	fflush(progress->out);
	progress->quarter = progress->blocks > 0 ? 4 * done / progress->blocks : 0;
	progress->last_ns = now;
	free(text);
}

void
progress_resize(struct progress *progress, int blocks)
{
	progress->blocks = blocks;
}

void
progress_note(struct progress *progress, const char *text)
{
	fprintf(progress->out, progress->redraws ? "\r\033[K%s\n" : "%s\n", text);
	fflush(progress->out);
}

void
progress_end(struct progress *progress, const char *text)
{
	if (progress == NULL)
		return;
	if (text != NULL)
		progress_note(progress, text);
	else if (progress->redraws)
		fputs("\r\033[K", progress->out);
	free(progress);
}
