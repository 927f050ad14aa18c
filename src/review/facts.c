#include "review/facts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/memory.h"

#define LONG_VALUE 80 /* bytes; a list of words beyond it is shown by its differences */

/* ---- flat objects ---- */

json_t *
facts_of_lines(const char *text)
{
	char *copy = memory_copy_text(text), *rest = copy, *line;
	json_t *facts = json_object();

	while ((line = strsep(&rest, "\n")) != NULL) {
		char *sign = strstr(line, " = ");

		if (sign == NULL)
			continue;
		*sign = '\0';
		json_object_set_new(facts, line, json_string(sign + 3));
	}
	free(copy);
	return facts;
}

/* Of the moment, of this study, or told by the regime. */
static bool
is_left_out(const char *name)
{
	static const char *const starts[] = {
		"format", "started", "git", "programs", "sources", "interpreters", "load", "temperature",
		"hostname", "tool.sha256", "toolchain.command", "cpu.mhz_now", "cpu.frequency_khz",
		"cpu.allowed", "cpu.bound", "memory.MemAvailable", "memory.SwapFree", "environment",
		"mitigations", "kernel.build", "kernel.command_line", "transparent_huge_pages"};
	size_t i;

	for (i = 0; i < sizeof starts / sizeof *starts; i++) {
		size_t length = strlen(starts[i]);

		if (strncmp(name, starts[i], length) == 0 && (name[length] == '\0' || name[length] == '.'))
			return true;
	}
	return false;
}

static char *
text_of(const json_t *value)
{
	char *dumped, *text;

	if (json_is_string(value))
		return memory_copy_text(json_string_value(value));
	dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(15));
	text = memory_copy_text(dumped != NULL ? dumped : "");
	free(dumped);
	return text;
}

static void
flatten(const json_t *object, const char *prefix, json_t *facts)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value) {
		char *name = memory_format("%s%s%s", prefix, prefix[0] != '\0' ? "." : "", key);

		if (is_left_out(name) || json_is_null(value))
			;
		else if (json_object_get(value, "unavailable") != NULL)
			; /* not known is no difference */
		else if (json_is_object(value)) {
			flatten(value, name, facts);
		} else {
			char *text = text_of(value);

			json_object_set_new(facts, name, json_string(text));
			free(text);
		}
		free(name);
	}
}

json_t *
facts_of_provenance(const json_t *provenance)
{
	json_t *facts = json_object();

	flatten(provenance, "", facts);
	return facts;
}

/* ---- two of them ---- */

static bool
has_word(const char *text, const char *word, size_t length)
{
	const char *at = text;

	while ((at = strstr(at, word)) != NULL) {
		if ((at == text || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
			return true;
		at += length;
	}
	return false;
}

/* The words of `text` that `other` has not; "" for none. The caller frees. */
static char *
only_words(const char *text, const char *other)
{
	char *copy = memory_copy_text(text), *rest = copy, *word;
	struct buffer out = BUFFER_EMPTY;

	while ((word = strsep(&rest, " ")) != NULL)
		if (word[0] != '\0' && !has_word(other, word, strlen(word)))
			buffer_printf(&out, " %s", word);
	free(copy);
	return buffer_detach(&out);
}

static void
cut_down(const char *there, const char *here, json_t *entry)
{
	char *left = only_words(there, here), *right = only_words(here, there);
	char *shown_left = memory_format("only there:%s", left[0] != '\0' ? left : " nothing");
	char *shown_right = memory_format("only here:%s", right[0] != '\0' ? right : " nothing");

	json_object_set_new(entry, "there", json_string(shown_left));
	json_object_set_new(entry, "here", json_string(shown_right));
	free(left);
	free(right);
	free(shown_left);
	free(shown_right);
}

static void
add(const json_t *there, const json_t *here, const char *name, bool always, json_t *list)
{
	json_t *left = json_object_get(there, name), *right = json_object_get(here, name), *entry;
	bool same = left != NULL && right != NULL && json_equal(left, right);
	const char *a = json_get_text(there, name), *b = json_get_text(here, name);

	if ((left == NULL && right == NULL) || (same && !always))
		return;
	entry = json_pack("{s:s, s:O, s:O, s:b}", "name", name, "there", left != NULL ? left : json_null(),
			  "here", right != NULL ? right : json_null(), "same", same);
	if (!same && strlen(a) > LONG_VALUE && strlen(b) > LONG_VALUE)
		cut_down(a, b, entry);
	json_array_append_new(list, entry);
}

static bool
is_among(const char *name, const char *const *names)
{
	while (*names != NULL && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

json_t *
facts_compare(const json_t *there, const json_t *here, const char *const *main)
{
	json_t *list = json_array(), *all = json_copy((json_t *)there), *value;
	const char **names = memory_zeroed(json_object_size(there) + json_object_size(here), sizeof *names);
	const char *name;
	size_t count = 0, i;

	json_object_update(all, (json_t *)here);
	for (i = 0; main[i] != NULL; i++)
		add(there, here, main[i], true, list);
	json_object_foreach(all, name, value)
		if (!is_among(name, main))
			names[count++] = name;
	if (count > 0)
		qsort(names, count, sizeof *names, by_text);
	for (i = 0; i < count; i++)
		add(there, here, names[i], false, list);
	free(names);
	json_decref(all);
	return list;
}
