#include "spec/literate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

struct splitter {
	const char *at, *end;
	int line;
	const char *prose; /* start of the Markdown not yet put out */
	int prose_line;
	const char *file;
	struct literate *out;
	size_t capacity;
	struct error *error;
};

/* A fence line: CommonMark 0.30, section 4.5. */
struct fence {
	char sign;
	size_t width;
	bool spec; /* opens a block of the spec */
};

static size_t
line_length(const struct splitter *s, const char *from)
{
	const char *newline = memchr(from, '\n', (size_t)(s->end - from));

	return newline == NULL ? (size_t)(s->end - from) : (size_t)(newline - from) + 1;
}

static struct literate_segment *
add(struct splitter *s, enum literate_kind kind, const char *text, size_t length, int line)
{
	struct literate *out = s->out;
	struct literate_segment *segment;

	out->segments = memory_grow(out->segments, out->count, &s->capacity,
				    sizeof *out->segments);
	segment = &out->segments[out->count++];
	memset(segment, 0, sizeof *segment);
	segment->kind = kind;
	segment->text = text;
	segment->length = length;
	segment->line = line;
	return segment;
}

static void
flush_prose(struct splitter *s)
{
	if (s->at > s->prose)
		add(s, LITERATE_MARKDOWN, s->prose, (size_t)(s->at - s->prose), s->prose_line);
	s->prose = s->at;
	s->prose_line = s->line;
}

static void
advance(struct splitter *s, const char *to)
{
	for (; s->at < to; s->at++)
		s->line += *s->at == '\n';
}

static bool
is_blank(const char *line, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (strchr(" \t\r\n", line[i]) == NULL || line[i] == '\0')
			return false;
	return true;
}

static void
trim(const char **text, size_t *length)
{
	while (*length > 0 && is_blank(*text, 1))
		++*text, --*length;
	while (*length > 0 && is_blank(*text + *length - 1, 1))
		--*length;
}

static size_t
indent(const char *line, size_t length)
{
	size_t n = 0;

	while (n < length && line[n] == ' ')
		n++;
	return n;
}

static size_t
run_of(const char *at, const char *end, char sign)
{
	size_t n = 0;

	while (at + n < end && at[n] == sign)
		n++;
	return n;
}

static bool
opens_fence(const char *line, size_t length, struct fence *fence)
{
	size_t skip = indent(line, length);
	const char *info = line + skip;

	if (skip > 3 || skip == length || (*info != '`' && *info != '~'))
		return false;
	fence->sign = *info;
	fence->width = run_of(info, line + length, *info);
	if (fence->width < 3)
		return false;
	info += fence->width;
	length = (size_t)(line + length - info);
	if (fence->sign == '`' && memchr(info, '`', length) != NULL)
		return false;
	trim(&info, &length);
	fence->spec = length == 3 && memcmp(info, "lua", 3) == 0;
	return true;
}

static bool
closes_fence(const char *line, size_t length, const struct fence *fence)
{
	size_t skip = indent(line, length);
	size_t width = run_of(line + skip, line + length, fence->sign);

	return skip <= 3 && width >= fence->width &&
	       is_blank(line + skip + width, length - skip - width);
}

static int
fail(struct splitter *s, int line, const char *what, const char *end)
{
	return error_set_at(s->error, EXIT_BAD_INPUT, s->file, line,
			    "unfinished %s: it starts here and nothing ends it; write %s", what,
			    end);
}

static int
split_fence(struct splitter *s, size_t first, const struct fence *fence)
{
	int opened = s->line;
	const char *body;
	int body_line;

	if (fence->spec)
		flush_prose(s);
	advance(s, s->at + first);
	body = s->at;
	body_line = s->line;
	for (;;) {
		size_t length = line_length(s, s->at);

		if (s->at == s->end)
			return fail(s, opened, "code fence",
				    fence->sign == '`' ? "``` on a line of its own"
						       : "~~~ on a line of its own");
		if (closes_fence(s->at, length, fence)) {
			if (fence->spec)
				add(s, LITERATE_LUA, body, (size_t)(s->at - body), body_line);
			advance(s, s->at + length);
			break;
		}
		advance(s, s->at + length);
	}
	if (fence->spec) {
		s->prose = s->at;
		s->prose_line = s->line;
	}
	return 0;
}

static void
note_title(struct splitter *s, const char *line, size_t length)
{
	size_t skip = indent(line, length);
	const char *text = line + skip;
	const char *end;

	length -= skip;
	if (s->out->title != NULL || skip > 3 || length < 2 || text[0] != '#' || text[1] != ' ')
		return;
	text++, length--;
	trim(&text, &length);
	end = text + length;
	while (end > text && end[-1] == '#')
		end--;
	if (end == text || end[-1] == ' ')
		length = (size_t)(end - text);
	trim(&text, &length);
	if (length > 0) {
		s->out->title = text;
		s->out->title_length = length;
	}
}

/* Behind the quoted text that starts at `at`. */
static const char *
skip_quoted(const char *at, const char *end)
{
	char quote = *at++;

	while (at < end && *at != quote && *at != '\n')
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	return at < end ? at + 1 : at;
}

/* The `}}` that ends the expression: braces inside it are Lua's. NULL when there is none. */
static const char *
expression_end(const char *at, const char *end)
{
	int depth = 0;

	while (at < end) {
		if (*at == '"' || *at == '\'') {
			at = skip_quoted(at, end);
			continue;
		}
		if (*at == '{')
			depth++;
		else if (*at == '}' && depth > 0)
			depth--;
		else if (*at == '}' && at + 1 < end && at[1] == '}')
			return at;
		at++;
	}
	return NULL;
}

static int
split_expression(struct splitter *s, const char *block_end)
{
	const char *text = s->at + 2, *end = expression_end(text, block_end);
	size_t length;

	if (end == NULL)
		return fail(s, s->line, "expression {{", "}} before the paragraph ends, or \\{{ for plain braces");
	length = (size_t)(end - text);
	trim(&text, &length);
	if (length == 0)
		return error_set_at(s->error, EXIT_BAD_INPUT, s->file, s->line,
				    "empty expression {{ }}: write a Lua expression between the braces");
	flush_prose(s);
	add(s, LITERATE_EXPRESSION, text, length, s->line);
	advance(s, end + 2);
	s->prose = s->at;
	s->prose_line = s->line;
	return 0;
}

/* The `]` that matches the `[` before `at`, or NULL. */
static const char *
bracket_end(const char *at, const char *end)
{
	int depth = 1;

	for (; at < end; at++) {
		if (*at == '\\' && at + 1 < end)
			at++;
		else if (*at == '[')
			depth++;
		else if (*at == ']' && --depth == 0)
			return at;
	}
	return NULL;
}

/* At "![": takes a figure out; another image stays prose. */
static int
split_figure(struct splitter *s, const char *block_end)
{
	static const char scheme[] = "](figure:";
	const char *caption = s->at + 2, *close = bracket_end(caption, block_end);
	struct literate_segment *segment;
	const char *label, *end;

	if (close == NULL || (size_t)(block_end - close) < sizeof scheme - 1 ||
	    memcmp(close, scheme, sizeof scheme - 1) != 0) {
		advance(s, s->at + 2);
		return 0;
	}
	label = close + sizeof scheme - 1;
	end = memchr(label, ')', (size_t)(block_end - label));
	if (end == NULL)
		return fail(s, s->line, "figure", "![caption](figure:label)");
	if (memmem(caption, (size_t)(close - caption), "{{", 2) != NULL)
		return error_set_at(s->error, EXIT_BAD_INPUT, s->file, s->line,
				    "a figure's caption holds no {{ expression }}: say it in the "
				    "text beside");
	flush_prose(s);
	segment = add(s, LITERATE_FIGURE, label, (size_t)(end - label), s->line);
	segment->caption = caption;
	segment->caption_length = (size_t)(close - caption);
	advance(s, end + 1);
	s->prose = s->at;
	s->prose_line = s->line;
	return 0;
}

/* Behind the inline code that starts here, or behind the backticks alone when nothing ends it. */
static void
skip_code(struct splitter *s, const char *block_end)
{
	size_t width = run_of(s->at, block_end, '`'), other;
	const char *at = s->at + width;

	for (; at < block_end; at += other > 0 ? other : 1) {
		other = run_of(at, block_end, '`');
		if (other == width) {
			advance(s, at + width);
			return;
		}
	}
	advance(s, s->at + width);
}

/* A stretch without blank line or fence: where inline code and expressions may run over lines. */
static int
split_block(struct splitter *s, const char *block_end)
{
	int status = 0;

	while (s->at < block_end && status == 0) {
		size_t left = (size_t)(block_end - s->at);

		if (*s->at == '\\' && left >= 3 && s->at[1] == '{' && s->at[2] == '{')
			advance(s, s->at + 3);
		else if (*s->at == '\\' && left >= 2)
			advance(s, s->at + 2);
		else if (*s->at == '`')
			skip_code(s, block_end);
		else if (left >= 2 && s->at[0] == '{' && s->at[1] == '{')
			status = split_expression(s, block_end);
		else if (left >= 2 && s->at[0] == '!' && s->at[1] == '[')
			status = split_figure(s, block_end);
		else
			advance(s, s->at + 1);
	}
	return status;
}

static const char *
block_end(const struct splitter *s)
{
	const char *at = s->at;
	struct fence fence;

	while (at < s->end) {
		size_t length = line_length(s, at);

		if (is_blank(at, length) || opens_fence(at, length, &fence))
			break;
		at += length;
	}
	return at;
}

int
literate_split(const char *source, size_t length, const char *file, struct literate *literate,
	       struct error *error)
{
	struct splitter s = {source, source + length, 1, source, 1, file, literate, 0, error};
	struct fence fence;
	int status = 0;

	memset(literate, 0, sizeof *literate);
	while (s.at < s.end && status == 0) {
		size_t first = line_length(&s, s.at);
		const char *line, *end;

		if (opens_fence(s.at, first, &fence)) {
			status = split_fence(&s, first, &fence);
			continue;
		}
		if (is_blank(s.at, first)) {
			advance(&s, s.at + first);
			continue;
		}
		end = block_end(&s);
		for (line = s.at; line < end; line += line_length(&s, line))
			note_title(&s, line, line_length(&s, line));
		status = split_block(&s, end);
	}
	if (status == 0)
		flush_prose(&s);
	return status;
}

void
literate_free(struct literate *literate)
{
	free(literate->segments);
	memset(literate, 0, sizeof *literate);
}

char *
literate_lua(const struct literate *literate, size_t *length)
{
	struct buffer lua = BUFFER_EMPTY;
	size_t i, k;
	int line = 1;

	for (i = 0; i < literate->count; i++) {
		const struct literate_segment *segment = &literate->segments[i];

		if (segment->kind != LITERATE_LUA)
			continue;
		for (; line < segment->line; line++)
			buffer_putc(&lua, '\n');
		buffer_append(&lua, segment->text, segment->length);
		for (k = 0; k < segment->length; k++)
			line += segment->text[k] == '\n';
	}
	*length = lua.length;
	return buffer_detach(&lua);
}
