#include "compare/words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

struct splitter {
	const char *text, *at;
	struct texts *words;
	struct buffer word;
	bool in_word; /* '' is a word, too */
};

void
words_add(struct texts *words, const char *word)
{
	words->items = memory_resize(words->items, words->count + 1, sizeof *words->items);
	words->items[words->count++] = memory_copy_text(word);
}

void
words_free(struct texts *words)
{
	size_t i;

	for (i = 0; i < words->count; i++)
		free(words->items[i]);
	free(words->items);
	memset(words, 0, sizeof *words);
}

static void
end_word(struct splitter *splitter)
{
	if (splitter->in_word)
		words_add(splitter->words, buffer_text(&splitter->word));
	buffer_clear(&splitter->word);
	splitter->in_word = false;
}

static int
needs_shell(const struct splitter *splitter, struct error *error)
{
	return error_set(error, EXIT_USAGE, "the command \"%.200s\" is run without a shell, which its "
			 "'%c' would need: use --shell, or quote it", splitter->text, *splitter->at);
}

static int
not_closed(const struct splitter *splitter, char quote, struct error *error)
{
	return error_set(error, EXIT_USAGE, "the command \"%.200s\" lacks a closing %c", splitter->text,
			 quote);
}

static int
single_quoted(struct splitter *splitter, struct error *error)
{
	const char *end = strchr(++splitter->at, '\'');

	if (end == NULL)
		return not_closed(splitter, '\'', error);
	buffer_append(&splitter->word, splitter->at, (size_t)(end - splitter->at));
	splitter->at = end + 1;
	return 0;
}

/* Inside double quotes a backslash quotes these four only, and takes a line break away. */
static void
double_quoted_backslash(struct splitter *splitter)
{
	char next = splitter->at[1];

	if (next == '\n') {
		splitter->at += 2;
	} else if (next != '\0' && strchr("$`\"\\", next) != NULL) {
		buffer_putc(&splitter->word, next);
		splitter->at += 2;
	} else {
		buffer_putc(&splitter->word, *splitter->at++);
	}
}

static int
double_quoted(struct splitter *splitter, struct error *error)
{
	splitter->at++;
	while (*splitter->at != '"') {
		if (*splitter->at == '\0')
			return not_closed(splitter, '"', error);
		if (*splitter->at == '$' || *splitter->at == '`')
			return needs_shell(splitter, error);
		if (*splitter->at == '\\')
			double_quoted_backslash(splitter);
		else
			buffer_putc(&splitter->word, *splitter->at++);
	}
	splitter->at++;
	return 0;
}

static int
backslash(struct splitter *splitter, struct error *error)
{
	char next = splitter->at[1];

	if (next == '\0')
		return error_set(error, EXIT_USAGE, "the command \"%.200s\" ends in a backslash",
				 splitter->text);
	if (next != '\n')
		buffer_putc(&splitter->word, next);
	splitter->at += 2;
	return 0;
}

static int
plain(struct splitter *splitter, struct error *error)
{
	if (strchr("|&;<>()$`", *splitter->at) != NULL || (*splitter->at == '#' && !splitter->in_word))
		return needs_shell(splitter, error);
	splitter->in_word = true;
	if (*splitter->at == '\'')
		return single_quoted(splitter, error);
	if (*splitter->at == '"')
		return double_quoted(splitter, error);
	if (*splitter->at == '\\')
		return backslash(splitter, error);
	buffer_putc(&splitter->word, *splitter->at++);
	return 0;
}

int
words_split(const char *text, struct texts *words, struct error *error)
{
	struct splitter splitter = {.text = text, .at = text, .words = words};
	int result = 0;

	while (result == 0 && *splitter.at != '\0') {
		if (strchr(" \t\n\r", *splitter.at) != NULL) {
			end_word(&splitter);
			splitter.at++;
		} else {
			result = plain(&splitter, error);
		}
	}
	if (result == 0)
		end_word(&splitter);
	buffer_free(&splitter.word);
	return result;
}
