#include "report/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "spec/suggest.h"

#define DEFINE "\\assaydefine{"

/* The other way round than latex.c writes it. */
static char *
plain_text(const char *tex, size_t length)
{
	static const struct { const char *tex; char plain; } words[] = {
		{"\\textbackslash{}", '\\'}, {"\\textasciitilde{}", '~'}, {"\\textasciicircum{}", '^'}};
	const char *end = tex + length;
	struct buffer text = BUFFER_EMPTY;
	size_t i;

	while (tex < end) {
		for (i = 0; i < sizeof words / sizeof *words; i++)
			if (strncmp(tex, words[i].tex, strlen(words[i].tex)) == 0)
				break;
		if (i < sizeof words / sizeof *words) {
			buffer_putc(&text, words[i].plain);
			tex += strlen(words[i].tex);
			continue;
		}
		if (*tex == '\\' && tex + 1 < end)
			tex++;
		buffer_putc(&text, *tex++);
	}
	return buffer_detach(&text);
}

/* `line` is \assaydefine{name}{value}: one a line, and no brace in a name. */
static void
add_line(struct numbers *numbers, size_t *capacity, const char *line, const char *end)
{
	const char *name = line + strlen(DEFINE);
	const char *middle = memmem(name, (size_t)(end - name), "}{", 2);

	if (middle == NULL || end[-1] != '}')
		return;
	numbers->names = memory_grow(numbers->names, numbers->count, capacity, sizeof *numbers->names);
	numbers->values = memory_resize(numbers->values, *capacity, sizeof *numbers->values);
	numbers->names[numbers->count] = memory_copy_span(name, (size_t)(middle - name));
	numbers->values[numbers->count++] = plain_text(middle + 2, (size_t)(end - 1 - (middle + 2)));
}

int
numbers_read(const char *path, struct numbers *numbers, struct error *error)
{
	struct buffer bytes = BUFFER_EMPTY;
	size_t capacity = 0;
	const char *line, *end;

	*numbers = (struct numbers){.path = path};
	if (!file_exists(path))
		return error_set(error, EXIT_BAD_INPUT, "there is no %s: 'ninja report' in the study's "
				 "folder writes it, --numbers names another", path);
	if (file_read(path, 0, &bytes, error) != 0) {
		buffer_free(&bytes);
		return -1;
	}
	for (line = buffer_text(&bytes); *line != '\0'; line = *end == '\0' ? end : end + 1) {
		end = strchrnul(line, '\n');
		if (strncmp(line, DEFINE, strlen(DEFINE)) == 0)
			add_line(numbers, &capacity, line, end);
	}
	buffer_free(&bytes);
	if (numbers->count > 0)
		return 0;
	return error_set(error, EXIT_BAD_INPUT, "%s has no \\assaydefine: it is no results.tex; "
			 "'ninja report' writes one to build/report", path);
}

void
numbers_free(struct numbers *numbers)
{
	size_t i;

	for (i = 0; i < numbers->count; i++) {
		free((char *)numbers->names[i]);
		free(numbers->values[i]);
	}
	free(numbers->names);
	free(numbers->values);
	*numbers = (struct numbers){0};
}

static int
fail_unknown(const struct numbers *numbers, const char *name, const char *file, int line,
	     struct error *error)
{
	const char *nearest = suggest_nearest(name, numbers->names, numbers->count);
	char *hint = nearest == NULL ? memory_format("'assay paper --names' lists them")
				     : memory_format("did you mean \"%s\"?", nearest);

	error_set_at(error, EXIT_BAD_INPUT, file, line, "the study has no number \"%.200s\"; %s", name,
		     hint);
	free(hint);
	return -1;
}

const char *
numbers_get(const struct numbers *numbers, const char *name, const char *file, int line,
	    struct error *error)
{
	size_t i;

	for (i = 0; i < numbers->count; i++)
		if (strcmp(numbers->names[i], name) == 0)
			return numbers->values[i];
	fail_unknown(numbers, name, file, line, error);
	return NULL;
}
