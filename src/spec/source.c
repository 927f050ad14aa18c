#include "spec/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "spec/fail.h"
#include "spec/literate.h"
#include "spec/text.h"

#define SPEC_BYTES ((size_t)4 << 20)

struct source *
host_source(struct host *host, const char *path)
{
	size_t i;

	for (i = 0; i < host->source_count; i++)
		if (strcmp(host->sources[i]->path, path) == 0)
			return host->sources[i];
	return NULL;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a >= b && strcmp(text + a - b, end) == 0;
}

static void
add_source(struct host *host, struct source *source)
{
	struct texts *files = &host->study.lua_files;

	host->sources = arena_grow(host->arena, host->sources, host->source_count,
				   &host->source_capacity, sizeof(struct source *));
	host->sources[host->source_count++] = source;
	files->items = arena_grow(host->arena, files->items, files->count,
				  &host->lua_files_room, sizeof(char *));
	files->items[files->count++] = source->path;
}

static void
read_text(lua_State *L, struct source *source)
{
	struct host *host = host_of(L);
	struct place place = {source->path, 0}, caller = fail_place(L);
	struct buffer bytes = BUFFER_EMPTY;
	struct error error = {0};
	ssize_t bad;

	if (file_read(source->path, SPEC_BYTES, &bytes, &error) != 0) {
		buffer_free(&bytes);
		fail_at(L, caller, "%s", error.message);
	}
	source->length = bytes.length;
	source->text = arena_span(host->arena, buffer_text(&bytes), bytes.length);
	buffer_free(&bytes);
	if (source->length > 0 && source->text[0] == '\x1b')
		fail_at(L, (struct place){source->path, 1}, "this is compiled Lua (bytecode); a spec must be its source text");
	bad = text_bad_utf8(source->text, source->length);
	if (bad < 0 && memchr(source->text, '\0', source->length) != NULL)
		bad = (char *)memchr(source->text, '\0', source->length) - source->text;
	if (bad >= 0) {
		place.line = text_line(source->text, (size_t)bad);
		fail_at(L, place, "the byte 0x%02x here is no text: a spec must be UTF-8",
			(unsigned char)source->text[bad]);
	}
	if (strncmp(source->text, "\xef\xbb\xbf", 3) == 0) { /* an editor's byte order mark */
		source->text += 3;
		source->length -= 3;
	}
	if (strspn(source->text, " \t\r\n") == source->length) {
		place.line = 1;
		fail_at(L, place, "the file is empty; %s",
			source->literate ? "write text and a ```lua block with experiment \"name\" { … }"
					 : "write experiment \"name\" { … }");
	}
}

static enum prose_kind
prose_kind(enum literate_kind kind)
{
	return kind == LITERATE_EXPRESSION ? PROSE_EXPRESSION
	     : kind == LITERATE_FIGURE	   ? PROSE_FIGURE
					   : PROSE_MARKDOWN;
}

static void
keep_prose(struct host *host, struct source *source, const struct literate *literate)
{
	size_t i;

	source->prose = arena_alloc(host->arena, literate->count, sizeof *source->prose);
	for (i = 0; i < literate->count; i++) {
		const struct literate_segment *segment = &literate->segments[i];
		struct prose *prose = &source->prose[source->prose_count];

		if (segment->kind == LITERATE_LUA)
			continue;
		prose->kind = prose_kind(segment->kind);
		prose->text = arena_span(host->arena, segment->text, segment->length);
		if (segment->caption != NULL)
			prose->caption = arena_span(host->arena, segment->caption,
						    segment->caption_length);
		prose->place.file = source->path;
		prose->place.line = segment->line;
		source->prose_count++;
	}
	if (literate->title != NULL && memmem(literate->title, literate->title_length, "{{", 2) == NULL)
		source->title = arena_span(host->arena, literate->title, literate->title_length);
}

/* Puts the chunk of the Lua blocks in the text's place. */
static void
split_literate(lua_State *L, struct source *source)
{
	struct host *host = host_of(L);
	struct literate literate;
	struct error error = {0};
	size_t length;
	char *lua;

	if (literate_split(source->text, source->length, source->path, &literate, &error) != 0) {
		literate_free(&literate);
		host->error = error;
		fail_throw(L);
	}
	keep_prose(host, source, &literate);
	lua = literate_lua(&literate, &length);
	source->text = arena_span(host->arena, lua, length);
	source->length = length;
	free(lua);
	literate_free(&literate);
	if (length == 0)
		fail_at(L, (struct place){source->path, 1}, "no ```lua block: the spec itself stands "
			"in a fenced block marked lua, with experiment \"name\" { … }");
}

struct source *
source_load(lua_State *L, const char *path)
{
	struct host *host = host_of(L);
	struct source *source;

	if (host_source(host, path) != NULL)
		fail_here(L, "%s was read already; name each spec once", path);
	source = arena_alloc(host->arena, 1, sizeof *source);
	source->path = arena_text(host->arena, path);
	source->literate = ends_with(path, ".md");
	read_text(L, source);
	add_source(host, source);
	if (source->literate)
		split_literate(L, source);
	return source;
}
