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

/*
 * What every script begins with, behind its settings. `foot` is what the note takes at the bottom,
 * in pixels of the SVG. Colours are Okabe and Ito's, which colour-blind readers tell apart; shapes
 * and dashes say the same in black and white. gnuplot stops at a plot without a single value:
 * templates `eval NOTHING` instead of it.
 */
static const char preamble[] =
	"if (!exists(\"HEIGHT\")) HEIGHT = 450\n"
	"HEIGHT = HEIGHT + 13 * note_lines\n"
	"if (exists(\"TERMINAL\")) eval TERMINAL; set output OUTPUT\n"
	"foot = 6.0 + 14.0 * note_lines\n"
	"if (note_lines > 0) { set label 1 note at screen 0.01, screen (foot - 4) / HEIGHT font \",9\" }\n"
	"set datafile separator comma\n"
	"array colour[6] = [\"#0072B2\", \"#D55E00\", \"#009E73\", \"#CC79A7\", \"#E69F00\", \"#56B4E9\"]\n"
	"array filled[6] = [7, 5, 9, 13, 11, 15]\n"
	"array marks[12] = [7, 4, 9, 12, 11, 6, 5, 8, 13, 10, 15, 14]\n"
	"title_font = !exists(\"title_text\") || strlen(title_text) <= 78 ? \",12\" : "
	"strlen(title_text) <= 94 ? \",10\" : \",8\"\n"
	"colour_of(i) = colour[int(i) % 6 + 1]\n"
	"mark_of(i) = marks[int(i) % 12 + 1]\n"
	"dash_of(i) = int(i) % 5 + 1\n"
	"text_of(name, i) = value(sprintf(\"%s_%d\", name, i))\n"
	"digits(x) = abs(x) >= 999.5 ? sprintf(\"%.0f\", x) : abs(x) >= 99.95 ? sprintf(\"%.1f\", x) : "
	"sprintf(\"%#.3g\", x)\n"
	"NOTHING = \"unset tics; set xrange [0:1]; set yrange [0:1]; set label 9 'nothing to show' "
	"at graph 0.5, graph 0.5 center; plot NaN notitle; unset label 9; set tics; set autoscale\"\n\n";

static const struct {
	const char *name;
	figure_writer *write;
} writers[] = {
	{"speedup", figure_speedup}, {"runs", figure_runs},   {"ratios", figure_ratios},
	{"distribution", figure_distribution}, {"drift", figure_drift}, {"forest", figure_forest},
	{"scaling", figure_scaling}, {"pairs", figure_pairs},     {"sizes", figure_sizes}, {"bars", figure_bars},
	{"roofline", figure_roofline}, {"flame", figure_flame},
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

const json_t *
figure_option(const struct figure_input *input, const char *name)
{
	return json_object_get(json_object_get(input->figure, "options"), name);
}

const json_t *
figure_metric(const struct figure_input *input)
{
	const json_t *metrics = json_object_get(input->experiment, "metrics");
	const char *asked = json_string_value(figure_option(input, "metric"));
	const json_t *found = asked != NULL ? json_find_text(metrics, "name", asked) : NULL;

	return found != NULL ? found : json_array_get(metrics, 0);
}

/* The document itself, or a copy that has the metric alone. A new reference. */
static json_t *
of_metric(json_t *document, const char *name)
{
	json_t *metrics = json_object_get(document, "metrics"), *one, *copy;
	size_t i;

	if (strcmp(json_get_text(json_array_get(metrics, 0), "name"), name) == 0)
		return json_incref(document);
	copy = json_copy(document);
	json_object_set_new(copy, "metrics", json_array());
	json_array_foreach(metrics, i, one)
		if (strcmp(json_get_text(one, "name"), name) == 0)
			json_array_append(json_object_get(copy, "metrics"), one);
	return copy;
}

json_t *
figure_cases(const struct figure_input *input)
{
	const json_t *where = figure_option(input, "where");
	const json_t *documents = json_object_get(input->stats, "cases"), *one;
	const char *metric = json_get_text(figure_metric(input), "name");
	json_t *list = json_array(), *document;
	size_t i;

	json_array_foreach(json_object_get(input->experiment, "cases"), i, one) {
		document = json_object_get(documents, json_get_text(one, "case_id"));
		if (document != NULL && (where == NULL || matches(where, json_object_get(one, "point"))))
			json_array_append_new(list, of_metric(document, metric));
	}
	return list;
}

/* Our terminals run with noenhanced text, so only the quotes need care. */
static void
put_escaped(struct buffer *settings, const char *text, size_t length)
{
	for (; length > 0; text++, length--) {
		if (*text == '"' || *text == '\\')
			buffer_putc(settings, '\\');
		buffer_putc(settings, *text == '\n' || *text == '`' ? ' ' : *text);
	}
}

void
figure_put_text(struct buffer *settings, const char *name, const char *text)
{
	buffer_printf(settings, "%s = \"", name);
	put_escaped(settings, text, strlen(text));
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

void
figure_put_indexed_text(struct buffer *settings, const char *name, int index, const char *text)
{
	char *indexed = memory_format("%s_%d", name, index);

	figure_put_text(settings, indexed, text);
	free(indexed);
}

#define NOTE_WIDTH 135 /* letters of a line below the figure */

/* How many letters of the text go into a line. */
static size_t
line_length(const char *text)
{
	size_t length = strlen(text), take = NOTE_WIDTH;

	if (length <= NOTE_WIDTH)
		return length;
	while (take > 0 && text[take] != ' ')
		take--;
	return take > 0 ? take : NOTE_WIDTH;
}

static void
put_note(struct buffer *script, const char *notes)
{
	int lines = 0;

	buffer_puts(script, "note = \"");
	for (; *notes != '\0'; lines++) {
		size_t length = line_length(notes);

		buffer_puts(script, lines > 0 ? "\\n" : "");
		put_escaped(script, notes, length);
		notes += length;
		notes += strspn(notes, " ");
	}
	buffer_printf(script, "\"\nnote_lines = %d\n", lines);
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
	char *path = memory_format("%s/%s.gnuplot", input->folder, stem);
	struct buffer script = BUFFER_EMPTY;
	int result;

	buffer_printf(&script, "# %s: drawn by assay; run 'gnuplot -p %s.gnuplot' in this folder\n", stem,
		      stem);
	buffer_printf(&script, "data = \"%s.csv\"\n", stem);
	put_note(&script, buffer_text(notes));
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
	char *csv = memory_format("%s/%s.csv", input->folder, stem);
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
		result = gnuplot_draw(input->folder, stem, error);
	free(stem);
	return result;
}
