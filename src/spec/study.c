#include "spec/study.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

#define FOLDER "build/report/"

const char *const study_report_files[] = {"report.html", "report.md",	"results.tex",
					  "summary.csv", "summary.txt", NULL};
const char *const study_figure_kinds[] = {"svg", "pdf", "png", "csv", "gnuplot", NULL};

static bool
is_among(const char *const *names, const char *name)
{
	while (*names != NULL && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

/* `text` behind `start`, or NULL when it does not begin so. */
static const char *
behind(const char *text, const char *start)
{
	return text != NULL && strncmp(text, start, strlen(start)) == 0 ? text + strlen(start) : NULL;
}

/* Figures are called EXPERIMENT-LABEL.KIND. */
static bool
has_figure(const struct experiment *experiment, const char *name)
{
	const char *label = behind(behind(name, experiment->name), "-"), *dot;
	size_t i;

	for (i = 0; i < experiment->figure_count; i++) {
		dot = behind(label, experiment->figures[i].label);
		if (dot != NULL && *dot == '.' && is_among(study_figure_kinds, dot + 1))
			return true;
	}
	return false;
}

static bool
is_page(const struct experiment *experiment, const char *name)
{
	const char *end = behind(name, experiment->name);

	return end != NULL && strcmp(end, ".html") == 0;
}

/* A form's report lies elsewhere. */
bool
study_reports(const struct study *study, const char *path)
{
	const char *name = behind(path, FOLDER), *figure = behind(path, FOLDER "figures/");
	size_t i;

	if (name != NULL && is_among(study_report_files, name))
		return true;
	for (i = 0; i < study->experiment_count; i++)
		if (study->experiments[i].form == NULL &&
		    (has_figure(&study->experiments[i], figure) || is_page(&study->experiments[i], name)))
			return true;
	return false;
}

char *
study_point_text(const struct point *point)
{
	struct buffer text = BUFFER_EMPTY;
	size_t i;

	for (i = 0; i < point->count; i++)
		buffer_printf(&text, "%s%s=%s", i > 0 ? ", " : "", point->items[i].name,
			      point->items[i].text);
	return buffer_detach(&text);
}

int
study_search_pairs(const struct best_search *search, int pairs)
{
	int choosing = (int)floor(search->share * pairs + 0.5);

	if (choosing > pairs - 1)
		choosing = pairs - 1;
	return choosing > 1 ? choosing : 1;
}

char *
study_search_label(const struct best_search *search)
{
	return memory_format("best %s", search->name);
}

bool
texts_have(const struct texts *texts, const char *text)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		if (strcmp(texts->items[i], text) == 0)
			return true;
	return false;
}
