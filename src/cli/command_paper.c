#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "report/numbers.h"
#include "report/paper.h"

static bool
is_latex(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot != NULL && strcmp(dot, ".tex") == 0;
}

static int
write_out(const char *output, const struct buffer *text, struct error *error)
{
	if (output != NULL)
		return file_write(output, buffer_text(text), text->length, 0, error); /* Ninja looks at its time */
	fwrite(buffer_text(text), 1, text->length, stdout);
	return 0;
}

/* Markdown is filled in; LaTeX takes the numbers itself and is only checked. */
static int
do_paper(const struct numbers *numbers, const char *path, const char *output, struct error *error)
{
	struct buffer text = BUFFER_EMPTY, filled = BUFFER_EMPTY;
	int result = file_read(path, 0, &text, error);

	if (result == 0 && strlen(buffer_text(&text)) != text.length)
		result = error_set(error, EXIT_BAD_INPUT, "%s holds a zero byte: it is no text", path);
	if (result == 0 && is_latex(path))
		result = paper_check_latex(numbers, buffer_text(&text), path, error);
	else if (result == 0)
		result = paper_fill_markdown(numbers, buffer_text(&text), path, &filled, error);
	if (result == 0 && !is_latex(path))
		result = write_out(output, &filled, error);
	buffer_free(&text);
	buffer_free(&filled);
	return result;
}

static void
list_names(const struct numbers *numbers)
{
	size_t i;

	for (i = 0; i < numbers->count; i++)
		printf("%s\t%s\n", numbers->names[i], numbers->values[i]);
}

/* What is wrong with the arguments together, or NULL. */
static const char *
misuse(bool names, const char *output, int count, char **papers)
{
	int i;

	if (names)
		return count > 0 || output != NULL ? "--names stands alone" : NULL;
	if (count == 0)
		return "name a paper";
	for (i = 0; i < count; i++) {
		if (is_latex(papers[i]) && output != NULL)
			return "--output is for Markdown: LaTeX is only checked";
		if (!is_latex(papers[i]) && count > 1)
			return "name one paper in Markdown, or files in LaTeX";
	}
	return NULL;
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {
		{"numbers", required_argument, NULL, 'n'},
		{"output", required_argument, NULL, 'o'},
		{"names", no_argument, NULL, 'l'},
		{NULL, 0, NULL, 0},
	};
	const char *path = "build/report/results.tex", *output = NULL, *wrong;
	struct error error = {0};
	struct numbers numbers;
	bool names = false;
	int option, result;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'n')
			path = optarg;
		else if (option == 'o')
			output = optarg;
		else if (option == 'l')
			names = true;
		else
			return command_misuse(&command_paper, "unknown option");
	}
	wrong = misuse(names, output, argc - optind, argv + optind);
	if (wrong != NULL)
		return command_misuse(&command_paper, "%s", wrong);
	result = numbers_read(path, &numbers, &error);
	if (result == 0 && names)
		list_names(&numbers);
	for (; result == 0 && optind < argc; optind++)
		result = do_paper(&numbers, argv[optind], output, &error);
	numbers_free(&numbers);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_paper = {
	"paper",
	"fill in or check a paper's numbers",
	"usage: assay paper [--output FILE] PAPER.md    writes it with each {{ name }} replaced by its number,\n"
	"                                               to standard output without --output\n"
	"       assay paper PAPER.tex...                checks each \\assay{name}; LaTeX fills them in itself\n"
	"       assay paper --names                     lists the names and what they stand for\n"
	"       ... --numbers FILE                      instead of build/report/results.tex\n\n"
	"A name that the study does not have stops with file:line and exit code 4. docs/papers/README.md\n"
	"shows both kinds of paper as products of a study.",
	run,
};
