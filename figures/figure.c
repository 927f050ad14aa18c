#include "figures/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/home.h"
#include "base/json.h"
#include "base/memory.h"
#include "figures/gnuplot.h"
#include "figures/writers.h"

#define FOLDER "build/report/figures"

/* What every script begins with, behind its settings. gnuplot stops at a plot without a single
 * value: templates `eval NOTHING` instead of it. */
static const char preamble[] =
	"if (!exists(\"HEIGHT\")) HEIGHT = 450\n"
	"if (exists(\"TERMINAL\")) eval TERMINAL; set output OUTPUT\n"
	"NOTHING = \"unset tics; set xrange [0:1]; set yrange [0:1]; set label 9 'nothing to show' "
	"at graph 0.5, graph 0.5 center; plot NaN notitle; unset label 9; set tics; set autoscale\"\n\n";

static const struct {
	const char *name;
	figure_writer *write;
} writers[] = {
	{"speedup", figure_speedup}, {"runs", figure_runs},   {"ratios", figure_ratios},
	{"distribution", figure_distribution}, {"drift", figure_drift}, {"forest", figure_forest},
};

figure_writer *
figure_writer_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof writers / sizeof *writers; i++)
		if (strcmp(writers[i].name, name) == 0)
			return writers[i].write;
	return NULL;
}

static bool
matches(const json_t *where, const json_t *point)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)where, key, value) {
		const json_t *have = json_object_get(point, key);
		bool equal = json_is_number(value) && json_is_number(have)
				     ? json_number_value(value) == json_number_value(have)
				     : json_equal(value, have);

		if (!equal)
			return false;
	}
	return true;
}

json_t *
figure_cases(const struct figure_input *input)
{
	const json_t *where = json_object_get(json_object_get(input->figure, "options"), "where");
	const json_t *documents = json_object_get(input->stats, "cases"), *one;
	json_t *list = json_array();
	size_t i;

	json_array_foreach(json_object_get(input->experiment, "cases"), i, one)
		if (where == NULL || matches(where, json_object_get(one, "point")))
			json_array_append(list, json_object_get(documents, json_get_text(one, "case_id")));
	return list;
}

/* Our terminals run with noenhanced text, so only the quotes need care. */
void
figure_put_text(struct buffer *settings, const char *name, const char *text)
{
	buffer_printf(settings, "%s = \"", name);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			buffer_putc(settings, '\\');
		buffer_putc(settings, *text == '\n' || *text == '`' ? ' ' : *text);
	}
	buffer_puts(settings, "\"\n");
}

void
figure_put_number(struct buffer *settings, const char *name, double value)
{
	if (isfinite(value))
		buffer_printf(settings, "%s = %.17g\n", name, value);
	else
		buffer_printf(settings, "%s = NaN\n", name);
}

void
figure_put_indexed(struct buffer *settings, const char *name, int index, double value)
{
	char *indexed = memory_format("%s_%d", name, index);

	figure_put_number(settings, indexed, value);
	free(indexed);
}

static int
read_template(const char *name, struct buffer *out, struct error *error)
{
	char *home, *path = memory_format("figures/%s.gnuplot", name);
	int result;

	if (!file_exists(path)) { /* the study's own template goes first */
		free(path);
		home = home_path(error);
		if (home == NULL)
			return -1;
		path = memory_format("%s/figures/%s.gnuplot", home, name);
		free(home);
	}
	result = file_read(path, 0, out, error);
	free(path);
	return result;
}

static int
write_script(const struct figure_input *input, const char *stem, const struct buffer *settings,
	     const struct buffer *notes, struct error *error)
{
	char *path = memory_format(FOLDER "/%s.gnuplot", stem);
	struct buffer script = BUFFER_EMPTY;
	int result;

	buffer_printf(&script, "# %s: drawn by assay; run 'gnuplot -p %s.gnuplot' in this folder\n", stem,
		      stem);
	buffer_printf(&script, "data = \"%s.csv\"\n", stem);
	figure_put_text(&script, "note", buffer_text(notes));
	buffer_append(&script, buffer_text(settings), settings->length);
	buffer_puts(&script, preamble);
	result = read_template(json_get_text(input->figure, "name"), &script, error);
	if (result == 0)
		result = file_write(path, script.bytes, script.length, FILE_IF_CHANGED, error);
	buffer_free(&script);
	free(path);
	return result;
}

/* E-L, owned by the caller. */
static char *
stem_of(const struct figure_input *input)
{
	return memory_format("%s-%s", json_get_text(input->experiment, "name"),
			     json_get_text(input->figure, "label"));
}

int
figure_write(const struct figure_input *input, struct error *error)
{
	const char *name = json_get_text(input->figure, "name");
	struct buffer data = BUFFER_EMPTY, settings = BUFFER_EMPTY, notes = BUFFER_EMPTY;
	figure_writer *write = figure_writer_find(name);
	char *stem = stem_of(input);
	char *csv = memory_format(FOLDER "/%s.csv", stem);
	int result;

	if (write == NULL)
		result = error_set(error, EXIT_BAD_INPUT, "no figure template '%s'", name);
	else
		result = write(input, &data, &settings, &notes, error);
	if (result == 0)
		result = file_write(csv, buffer_text(&data), data.length, FILE_IF_CHANGED, error);
	if (result == 0)
		result = write_script(input, stem, &settings, &notes, error);
	buffer_free(&data);
	buffer_free(&settings);
	buffer_free(&notes);
	free(csv);
	free(stem);
	return result;
}

int
figure_draw(const struct figure_input *input, struct error *error)
{
	char *stem = stem_of(input);
	int result = figure_write(input, error);

	if (result == 0)
		result = gnuplot_draw(FOLDER, stem, error);
	free(stem);
	return result;
}
