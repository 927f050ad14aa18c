#include "graph/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "graph/paths.h"
#include "graph/shell.h"

/* What all steps are put with. */
struct writing {
	struct ninja *ninja;
	const struct study *study;
	const struct texts *templates;
	const char *tool;
	struct error *error;
	const struct experiment *form; /* whose own report is written; NULL: all the other experiments' */
	const char *base;              /* "build", or the form's folder */
};

static bool
is_reported(const struct writing *w, const struct experiment *experiment)
{
	return w->form != NULL ? experiment == w->form : experiment->form == NULL;
}

/*
 * Every step writes only what changed, so `restat` stops the rest of the graph there: a spec
 * edited in its prose alone leads to no new statistics.
 */
static const struct {
	const char *name, *command, *description, *pool;
} step_rules[] = {
	{"assay_check", "$assay_tool check $experiment", "check $experiment", NULL},
	{"assay_measure", "$assay_tool measure $case", "measure $case", "console"},
	{"assay_analyse", "$assay_tool analyse --edge $case", "analyse $case", NULL},
	{"assay_judge", "$assay_tool analyse --study$form", "judge$form", NULL},
	{"assay_plot", "$assay_tool plot$form $experiment $figure", "plot $experiment $figure", NULL},
	{"assay_report", "$assay_tool report$form", "report$form", NULL},
	{"assay_diagnose", "$assay_tool diagnose $experiment", "diagnose $experiment", NULL},
	{"assay_bundle", "$assay_tool bundle", "bundle", NULL},
	{"assay_gate", "$assay_tool report --gate$form", "verdicts$form", "console"},
	{"assay_forecast", "$assay_tool plan --if-left $experiment", "time of $experiment", "console"},
};

static void
add_setting(struct settings *settings, const char *name, const char *value)
{
	settings->items = memory_resize(settings->items, settings->count + 1,
					sizeof *settings->items);
	settings->items[settings->count++] = (struct setting){(char *)name, (char *)value};
}

static int
put_rules(const struct writing *w)
{
	size_t i;

	ninja_comment(w->ninja, "Assay's own steps.");
	for (i = 0; i < sizeof step_rules / sizeof step_rules[0]; i++) {
		struct graph_rule rule = {.name = (char *)step_rules[i].name};
		int result;

		add_setting(&rule.variables, "command", step_rules[i].command);
		add_setting(&rule.variables, "description", step_rules[i].description);
		add_setting(&rule.variables, "restat", "1");
		if (step_rules[i].pool != NULL)
			add_setting(&rule.variables, "pool", step_rules[i].pool);
		result = ninja_rule(w->ninja, &rule, w->error);
		free(rule.variables.items);
		if (result != 0)
			return -1;
	}
	return 0;
}

/* Sets a variable that a step's command line takes as one word; freed by put_step. */
static void
add_word(struct graph_edge *edge, const char *name, const char *word)
{
	struct buffer quoted = BUFFER_EMPTY, value = BUFFER_EMPTY;

	shell_put_word(&quoted, word);
	ninja_put_literal(&value, buffer_text(&quoted));
	buffer_free(&quoted);
	add_setting(&edge->variables, name, buffer_detach(&value));
}

/* " --form NAME" for the steps that can be about either. */
static void
add_form(const struct writing *w, struct graph_edge *edge)
{
	struct buffer option = BUFFER_EMPTY, value = BUFFER_EMPTY;

	if (w->form == NULL)
		return;
	buffer_puts(&option, " --form ");
	shell_put_word(&option, w->form->name);
	ninja_put_literal(&value, buffer_text(&option));
	buffer_free(&option);
	add_setting(&edge->variables, "form", buffer_detach(&value));
}

/* Puts the edge and frees its lists. */
static int
put_step(const struct writing *w, struct graph_edge *edge)
{
	int result = ninja_edge(w->ninja, edge, w->error);
	size_t i;

	paths_free(&edge->outputs);
	paths_free(&edge->implicit_outputs);
	paths_free(&edge->inputs);
	paths_free(&edge->implicit);
	paths_free(&edge->order_only);
	for (i = 0; i < edge->variables.count; i++)
		free(edge->variables.items[i].value);
	free(edge->variables.items);
	return result;
}

/* ---- check ---- */

/* A file that the identity looks at must be there first, if the graph makes it. */
static void
wait_for(const struct writing *w, struct texts *order_only, json_t *seen, const char *path)
{
	if (path == NULL || !ninja_has_output(w->ninja, path) ||
	    json_object_get(seen, path) != NULL)
		return;
	json_object_set_new_nocheck(seen, path, json_true());
	paths_add(order_only, "%s", path);
}

static void
wait_for_all(const struct writing *w, struct texts *order_only, json_t *seen,
	     const struct texts *paths)
{
	size_t i;

	for (i = 0; i < paths->count; i++)
		wait_for(w, order_only, seen, paths->items[i]);
}

static void
wait_for_case(const struct writing *w, struct texts *order_only, json_t *seen,
	      const struct study_case *one)
{
	size_t i;

	for (i = 0; i < one->treatment_count; i++) {
		const struct treatment *treatment = &one->treatments[i];
		const struct program *program = &w->study->programs[treatment->program];

		if (treatment->needs.skipped != NULL)
			continue;
		wait_for(w, order_only, seen, program->path);
		wait_for_all(w, order_only, seen, &program->identity_inputs);
		wait_for_all(w, order_only, seen, &program->scripts);
		wait_for(w, order_only, seen, treatment->stdin_path);
		wait_for_all(w, order_only, seen, &treatment->inputs);
	}
}

/*
 * One an experiment, so that a runner that does not compile holds up its own experiment alone.
 * It always runs: content decides what is stale, and only looking at it tells.
 */
static int
put_check(const struct writing *w, const struct experiment *experiment)
{
	struct graph_edge edge = {.rule = (char *)"assay_check"};
	json_t *seen = json_object();
	size_t i;

	for (i = 0; i < experiment->case_count; i++) {
		paths_add(&edge.outputs, "build/identity/%s", experiment->cases[i].case_id);
		wait_for_case(w, &edge.order_only, seen, &experiment->cases[i]);
	}
	json_decref(seen);
	paths_add(&edge.implicit, "build/always");
	paths_add(&edge.implicit, "build/check/%s.json", experiment->name);
	paths_add(&edge.order_only, "%s", w->tool);
	add_word(&edge, "experiment", experiment->name);
	return put_step(w, &edge);
}

/* ---- measure, analyse ---- */

/* Before the first case of a form: who asked for it learns how long it takes. Never made, so that it
 * is told each time, and nothing waits for it but in order. */
static int
put_forecast(const struct writing *w, const struct experiment *experiment)
{
	struct graph_edge edge = {.rule = (char *)"assay_forecast"};
	size_t i;

	paths_add(&edge.outputs, FORM_FOLDER "/forecast", experiment->name);
	paths_add(&edge.implicit, "build/always");
	for (i = 0; i < experiment->case_count; i++) {
		paths_add(&edge.order_only, "build/identity/%s", experiment->cases[i].case_id);
		paths_add(&edge.order_only, "build/plan/%s.json", experiment->cases[i].case_id);
	}
	paths_add(&edge.order_only, "%s", w->tool);
	add_word(&edge, "experiment", experiment->name);
	return put_step(w, &edge);
}

static int
put_measure(const struct writing *w, const struct experiment *experiment, const char *case_id)
{
	struct graph_edge edge = {.rule = (char *)"assay_measure"};

	paths_add(&edge.outputs, "build/session/%s", case_id);
	paths_add(&edge.implicit, "build/identity/%s", case_id);
	paths_add(&edge.implicit, "build/plan/%s.json", case_id);
	paths_add(&edge.order_only, "build/runners");
	if (experiment->form != NULL)
		paths_add(&edge.order_only, FORM_FOLDER "/forecast", experiment->name);
	add_word(&edge, "case", case_id);
	return put_step(w, &edge);
}

static int
put_analyse(const struct writing *w, const struct experiment *experiment, const char *case_id)
{
	struct graph_edge edge = {.rule = (char *)"assay_analyse"};

	paths_add(&edge.outputs, "build/stats/%s.json", case_id);
	paths_add(&edge.outputs, "build/samples/%s.csv", case_id);
	if (experiment->counters.count > 0)
		paths_add(&edge.outputs, "build/samples/%s.counters.csv", case_id);
	paths_add(&edge.implicit, "build/session/%s", case_id);
	paths_add(&edge.implicit, "build/identity/%s", case_id);
	paths_add(&edge.implicit, "build/plan/%s.json", case_id);
	paths_add(&edge.implicit, "%s", w->tool);
	add_word(&edge, "case", case_id);
	return put_step(w, &edge);
}

/*
 * Its programs under tools. It always runs, as check does: only looking at the tools tells whether
 * one came or went. Behind the sessions, so that no time waits for it.
 */
static int
put_diagnose(const struct writing *w, const struct experiment *experiment)
{
	struct graph_edge edge = {.rule = (char *)"assay_diagnose"};
	size_t i;

	paths_add(&edge.outputs, "build/diagnose/%s.json", experiment->name);
	paths_add(&edge.implicit, "build/always");
	for (i = 0; i < experiment->diagnosis.cases.count; i++) {
		paths_add(&edge.implicit, "build/identity/%s", experiment->diagnosis.cases.items[i]);
		paths_add(&edge.implicit, "build/plan/%s.json", experiment->diagnosis.cases.items[i]);
	}
	for (i = 0; i < experiment->case_count; i++)
		paths_add(&edge.order_only, "build/session/%s", experiment->cases[i].case_id);
	paths_add(&edge.order_only, "%s", w->tool);
	add_word(&edge, "experiment", experiment->name);
	return put_step(w, &edge);
}

static int
put_experiment(const struct writing *w, const struct experiment *experiment)
{
	size_t i;

	if (put_check(w, experiment) != 0 ||
	    (experiment->form != NULL && put_forecast(w, experiment) != 0) ||
	    (experiment->diagnosis.tools.count > 0 && put_diagnose(w, experiment) != 0))
		return -1;
	for (i = 0; i < experiment->case_count; i++)
		if (put_measure(w, experiment, experiment->cases[i].case_id) != 0 ||
		    put_analyse(w, experiment, experiment->cases[i].case_id) != 0)
			return -1;
	return 0;
}

/* The tool and all programs under one name: while any of them compiles, nothing is measured. */
static int
put_runners(const struct writing *w)
{
	struct texts runners = {0};
	int result;
	size_t i;

	for (i = 0; i < w->study->program_count; i++)
		if (w->study->programs[i].needs.skipped == NULL &&
		    ninja_has_output(w->ninja, w->study->programs[i].path))
			paths_add(&runners, "%s", w->study->programs[i].path);
	/* Ninja takes a phony with no needs for a missing file that always changes. */
	paths_add(&runners, "%s", w->tool);
	result = ninja_phony(w->ninja, "build/runners", &runners, w->error);
	paths_free(&runners);
	return result;
}

/* ---- judge, plot, report ---- */

static int
put_judge(const struct writing *w)
{
	struct graph_edge edge = {.rule = (char *)"assay_judge"};
	size_t i, k;

	paths_add(&edge.outputs, "%s/stats.json", w->base);
	paths_add(&edge.implicit, "%s/study.json", w->base);
	for (i = 0; i < w->study->experiment_count; i++)
		for (k = 0; is_reported(w, &w->study->experiments[i]) &&
			    k < w->study->experiments[i].case_count; k++)
			paths_add(&edge.implicit, "build/stats/%s.json",
				  w->study->experiments[i].cases[k].case_id);
	paths_add(&edge.implicit, "%s", w->tool);
	add_form(w, &edge);
	return put_step(w, &edge);
}

/* What a figure of a form names in another experiment: "EXPERIMENT/VARIANT". */
static void
add_peak(const struct writing *w, const char *name, struct graph_edge *edge)
{
	size_t length = strcspn(name, "/"), i, k;

	for (i = 0; name[length] == '/' && i < w->study->experiment_count; i++) {
		const struct experiment *one = &w->study->experiments[i];

		if (one->form != NULL || strlen(one->name) != length || strncmp(one->name, name, length) != 0)
			continue;
		for (k = 0; k < one->case_count; k++)
			paths_add(&edge->implicit, "build/stats/%s.json", one->cases[k].case_id);
	}
}

/* Those of the others are in stats.json already. */
static void
add_peaks(const struct writing *w, const struct figure *figure, struct graph_edge *edge)
{
	const json_t *asked = json_object_get(figure->options, "peak"), *one;
	size_t i;

	if (w->form == NULL)
		return;
	if (json_is_string(asked))
		add_peak(w, json_string_value(asked), edge);
	json_array_foreach((json_t *)asked, i, one)
		if (json_is_string(one))
			add_peak(w, json_string_value(one), edge);
}

static int
put_plot(const struct writing *w, const struct experiment *experiment,
	 const struct figure *figure)
{
	struct graph_edge edge = {.rule = (char *)"assay_plot"};
	size_t i;

	for (i = 0; study_figure_kinds[i] != NULL; i++)
		paths_add(&edge.outputs, "%s/report/figures/%s-%s.%s", w->base, experiment->name,
			  figure->label, study_figure_kinds[i]);
	paths_add(&edge.implicit, "%s/stats.json", w->base);
	paths_add(&edge.implicit, "%s/study.json", w->base);
	if (strcmp(figure->name, "flame") == 0 && experiment->diagnosis.tools.count > 0)
		paths_add(&edge.implicit, "build/diagnose/%s.json", experiment->name);
	if (w->templates->count > 0)
		paths_add(&edge.implicit, "build/templates");
	for (i = 0; i < experiment->case_count; i++)
		paths_add(&edge.implicit, "build/samples/%s.csv", experiment->cases[i].case_id);
	add_peaks(w, figure, &edge);
	paths_add(&edge.implicit, "%s", w->tool);
	add_word(&edge, "experiment", experiment->name);
	add_word(&edge, "figure", figure->label);
	add_form(w, &edge);
	return put_step(w, &edge);
}

static int
put_plots(const struct writing *w)
{
	size_t i, k;

	for (i = 0; i < w->study->experiment_count; i++)
		for (k = 0; is_reported(w, &w->study->experiments[i]) &&
			    k < w->study->experiments[i].figure_count; k++)
			if (put_plot(w, &w->study->experiments[i],
				     &w->study->experiments[i].figures[k]) != 0)
				return -1;
	return 0;
}

static bool
is_folder(const char *path)
{
	return path[0] != '\0' && path[strlen(path) - 1] == '/';
}

/* What the report has of one experiment besides its text. */
static void
add_parts(const struct writing *w, const struct experiment *experiment, struct graph_edge *edge)
{
	size_t k;

	for (k = 0; k < experiment->figure_count; k++)
		paths_add(&edge->implicit, "%s/report/figures/%s-%s.svg", w->base, experiment->name,
			  experiment->figures[k].label);
	if (experiment->diagnosis.tools.count > 0)
		paths_add(&edge->implicit, "build/diagnose/%s.json", experiment->name);
	if (experiment->form == NULL)
		paths_add(&edge->outputs, "%s/report/%s.html", w->base, experiment->name);
	if (!experiment->group_report.wanted)
		return;
	paths_add(&edge->outputs, "%s/report/groups/%s.csv", w->base, experiment->name);
	paths_add(&edge->outputs, "%s/report/groups/%s.txt", w->base, experiment->name);
	for (k = 0; k < experiment->case_count; k++)
		paths_add(&edge->implicit, "build/samples/%s.csv", experiment->cases[k].case_id);
}

/* The report reads the specs again for their prose. */
static int
put_report(const struct writing *w)
{
	struct graph_edge edge = {.rule = (char *)"assay_report"};
	const struct study *study = w->study;
	size_t i;

	for (i = 0; study_report_files[i] != NULL; i++)
		paths_add(&edge.outputs, "%s/report/%s", w->base, study_report_files[i]);
	paths_add(&edge.implicit, "%s/stats.json", w->base);
	paths_add(&edge.implicit, "%s/study.json", w->base);
	for (i = 0; i < study->experiment_count; i++)
		if (is_reported(w, &study->experiments[i]))
			add_parts(w, &study->experiments[i], &edge);
	for (i = 0; i < study->lua_files.count; i++)
		paths_add(&edge.implicit, "%s", study->lua_files.items[i]);
	for (i = 0; i < study->read_files.count; i++)
		if (!is_folder(study->read_files.items[i]))
			paths_add(&edge.implicit, "%s", study->read_files.items[i]);
	paths_add(&edge.implicit, "%s", w->tool);
	add_form(w, &edge);
	return put_step(w, &edge);
}

/* The last one. Its stamp is written only when every claim and check holds. */
static int
put_gate(const struct writing *w)
{
	struct graph_edge edge = {.rule = (char *)"assay_gate"};

	paths_add(&edge.outputs, "%s/report/gate", w->base);
	paths_add(&edge.implicit, "%s/stats.json", w->base);
	paths_add(&edge.implicit, "%s/report/summary.txt", w->base);
	paths_add(&edge.implicit, "%s", w->tool);
	add_form(w, &edge);
	return put_step(w, &edge);
}

/* Packs sources that no edge knows, so it always runs when it is asked for. */
static int
put_bundle(const struct writing *w)
{
	struct graph_edge edge = {.rule = (char *)"assay_bundle"};
	size_t i, k;

	paths_add(&edge.outputs, "build/bundle/%s.tar.zst", w->study->name);
	paths_add(&edge.implicit, "build/always");
	paths_add(&edge.implicit, "build/stats.json");
	paths_add(&edge.implicit, "build/report/summary.txt");
	/* Whether the reports of forms are of what they would measure now. */
	for (i = 0; i < w->study->experiment_count; i++)
		for (k = 0; w->study->experiments[i].form != NULL &&
			    k < w->study->experiments[i].case_count; k++)
			paths_add(&edge.implicit, "build/identity/%s",
				  w->study->experiments[i].cases[k].case_id);
	paths_add(&edge.implicit, "%s", w->tool);
	return put_step(w, &edge);
}

/* ---- all of it ---- */

static int
put_results(const struct writing *w)
{
	if (put_judge(w) != 0 || put_plots(w) != 0 || put_report(w) != 0 || put_gate(w) != 0)
		return -1;
	return 0;
}

static int
put_form(const struct writing *w, const struct experiment *form)
{
	char *base = memory_format(FORM_FOLDER, form->name);
	struct writing of_form = *w;
	int result;

	of_form.form = form;
	of_form.base = base;
	result = put_results(&of_form);
	free(base);
	return result;
}

int
steps_put(struct ninja *ninja, const struct study *study, const struct graph_options *options,
	  struct error *error)
{
	const struct writing w = {ninja, study, &options->templates, options->tool, error, NULL, "build"};
	size_t i;

	if (put_rules(&w) != 0 || put_runners(&w) != 0 ||
	    (w.templates->count > 0 && ninja_phony(ninja, "build/templates", w.templates, error) != 0))
		return -1;
	for (i = 0; i < study->experiment_count; i++)
		if (put_experiment(&w, &study->experiments[i]) != 0)
			return -1;
	if (put_results(&w) != 0 || put_bundle(&w) != 0)
		return -1;
	for (i = 0; i < study->experiment_count; i++)
		if (study->experiments[i].form != NULL && put_form(&w, &study->experiments[i]) != 0)
			return -1;
	return ninja_phony(ninja, "build/always", NULL, error);
}
