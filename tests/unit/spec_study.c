#include "spec_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "spec/claims.h"

static char folder[] = "/tmp/assay-spec-XXXXXX";
static char *before;

const char spec_study_entry[] = "study{ name = \"s\" }\n"
				"entry_global = 1\n"
				"runner \"lab\" { \"kernels/lab.c\" }\n"
				"program \"run\" { \"tools/run\" }\n"
				"experiments \"experiments/*\"\n";

void
spec_study_write(const char *path, const char *text)
{
	struct error error = {0};

	if (file_write(path, text, strlen(text), 0, &error) != 0) {
		error_print(&error);
		abort();
	}
}

void
spec_study_enter(void)
{
	char *home;

	before = getcwd(NULL, 0);
	strcpy(folder, "/tmp/assay-spec-XXXXXX");
	if (before == NULL || mkdtemp(folder) == NULL || chdir(folder) != 0)
		abort();
	spec_study_write("kernels/lab.c", "int main(void) { return 0; }\n");
	spec_study_write("data/1.txt", "one\n");
	spec_study_write("data/2.txt", "two\n");
	spec_study_write("tools/run", "#!/bin/sh\n");
	spec_study_write("repository/.git", ""); /* as far as specs are concerned */
	spec_study_write("repository/bench/main.c", "\n");
	spec_study_write("home/kernels/harness/main.c", "\n");
	spec_study_write("home/figures/speedup.gnuplot", "\n");
	spec_study_write("home/figures/scaling.gnuplot", "\n");
	spec_study_write("home/figures/flame.gnuplot", "\n");
	spec_study_write("home/figures/runs.gnuplot", "\n");
	home = memory_format("%s/home", folder);
	if (chmod("tools/run", 0755) != 0 || setenv("ASSAY_HOME", home, 1) != 0)
		abort();
	free(home);
}

void
spec_study_leave(void)
{
	struct error error = {0};

	if (chdir(before) != 0 || file_remove_tree(folder, &error) != 0)
		abort();
	free(before);
}

static void
put_texts(struct buffer *out, const char *name, const struct texts *texts)
{
	size_t i;

	if (texts->count == 0)
		return;
	buffer_printf(out, "      %s:", name);
	for (i = 0; i < texts->count; i++)
		buffer_printf(out, " [%s]", texts->items[i]);
	buffer_putc(out, '\n');
}

static void
dump_treatment(const struct study *study, const struct treatment *t, struct buffer *out)
{
	size_t i;

	buffer_printf(out, "    %s: %s%s%s\n", t->name, study->programs[t->program].path,
		      t->lowers_scale ? " lowers_scale" : "", t->ignore_exit ? " ignore_exit" : "");
	if (t->cpus != NULL)
		buffer_printf(out, "      cpus: %s\n", t->cpus);
	for (i = 0; i < t->blocked.count; i++)
		buffer_printf(out, "      blocked: %s=%s\n", t->blocked.items[i].name, t->blocked.items[i].text);
	if (t->perturbs != NULL)
		buffer_printf(out, "      perturbs: %s by %s\n", t->perturbs, t->perturbation);
	if (t->needs.skipped != NULL)
		buffer_printf(out, "      skipped: %s\n", t->needs.skipped);
	for (i = 0; i < t->needs.versions.count; i++)
		buffer_printf(out, "      need: %s=%s\n", t->needs.versions.items[i].name,
			      t->needs.versions.items[i].value);
	put_texts(out, "args", &t->args);
	for (i = 0; i < t->env.count; i++)
		buffer_printf(out, "      env: %s=%s\n", t->env.items[i].name, t->env.items[i].value);
	put_texts(out, "prepare", &t->prepare);
	put_texts(out, "inputs", &t->inputs);
	if (t->stdin_path != NULL)
		buffer_printf(out, "      stdin: %s\n", t->stdin_path);
	if (t->cwd != NULL)
		buffer_printf(out, "      cwd: %s\n", t->cwd);
	if (t->expect_mode != NULL)
		buffer_printf(out, "      mode: %s\n", t->expect_mode);
	if (t->expect_cfg != NULL) {
		char *cfg = json_dumps(t->expect_cfg, JSON_COMPACT);

		buffer_printf(out, "      cfg: %s\n", cfg);
		free(cfg);
	}
	if (t->expect_flops > 0)
		buffer_printf(out, "      flops: %g\n", t->expect_flops);
	if (t->work.declared)
		buffer_printf(out, "      work: %g flops, %g bytes\n", t->work.flops, t->work.bytes);
	if (t->peak.case_id != NULL)
		buffer_printf(out, "      roofs: %s, %s\n", t->peak.name, t->bandwidth.name);
}

static void
dump_design(const struct experiment *e, struct buffer *out)
{
	const struct design *d = &e->design;

	buffer_printf(out, "  design: pairs %d, aa %d, warmups %d, samples %d+%d, timeout %g, stop %d, "
		      "ci %g, max %d, budget %g, looks %d%s%s%s\n", d->pairs, d->aa_pairs, d->warmups,
		      d->warmup_samples, d->samples, d->timeout_s, d->stop, d->until_ci, d->max_pairs,
		      d->budget_s, d->looks, d->alternate ? ", alternate" : "", d->aa_first ? ", aa first" : "",
		      d->trimmed_mean ? ", trimmed mean" : "");
}

static void
dump_groups(const struct experiment *e, struct buffer *out)
{
	const struct group_report *g = &e->group_report;

	if (e->form != NULL)
		buffer_printf(out, "  form of %s: %s\n", e->form, e->about);
	if (g->wanted)
		buffer_printf(out, "  groups: %s of %s, trim %g, tolerance %g, first block %s\n", g->statistic,
			      g->metric != NULL ? g->metric : "the primary", g->trim, g->tolerance,
			      g->counts_first ? "counted" : "listed");
}

static void
dump_lists(const struct experiment *e, struct buffer *out)
{
	size_t i;

	for (i = 0; i < e->metric_count; i++)
		buffer_printf(out, "  metric: %s in %s of %s, %s is better%s%s\n", e->metrics[i].name,
			      e->metrics[i].unit, e->metrics[i].scope,
			      e->metrics[i].lower_is_better ? "lower" : "higher",
			      e->metrics[i].per != NULL ? ", per " : "",
			      e->metrics[i].per != NULL ? e->metrics[i].per : "");
	for (i = 0; i < e->check.among.count; i++) {
		size_t k;

		buffer_puts(out, "  agree:");
		for (k = 0; k < e->check.among.sets[i].count; k++)
			buffer_printf(out, " [%s]", e->check.among.sets[i].items[k]);
		buffer_putc(out, '\n');
	}
	for (i = 0; i < e->comparison_count; i++)
		buffer_printf(out, "  compare: %zu against %zu\n", e->comparisons[i].b, e->comparisons[i].a);
	if (e->search.name != NULL) {
		buffer_printf(out, "  search: %s, %d pairs choose among", e->search.name,
			      study_search_pairs(&e->search, e->design.pairs));
		for (i = 0; i < e->search.candidate_count; i++)
			buffer_printf(out, " %zu", e->search.candidates[i]);
		buffer_printf(out, " against %zu\n", e->search.against);
	}
	for (i = 0; i < e->claim_count; i++) {
		char *text = claim_text(&e->claims[i]);

		buffer_printf(out, "  claim: %s\n", text);
		free(text);
	}
	for (i = 0; i < e->figure_count; i++) {
		char *options = json_dumps(e->figures[i].options, JSON_COMPACT | JSON_SORT_KEYS);

		buffer_printf(out, "  figure: %s as %s \"%s\" %s\n", e->figures[i].name, e->figures[i].label,
			      e->figures[i].caption, options);
		free(options);
	}
	for (i = 0; i < e->prose_count; i++)
		buffer_printf(out, "  prose: kind %d line %d %.40s\n", e->prose[i].kind,
			      e->prose[i].place.line, e->prose[i].kind == PROSE_MARKDOWN ? "" : e->prose[i].text);
}

void
spec_study_dump(const struct study *study, struct buffer *out)
{
	size_t i, k, m;

	for (i = 0; i < study->experiment_count; i++) {
		const struct experiment *e = &study->experiments[i];

		buffer_printf(out, "experiment %s: %s (%s) at %s:%d, reader %s\n", e->name, e->title,
			      e->question, e->place.file, e->place.line, e->reader);
		dump_design(e, out);
		dump_groups(e, out);
		dump_lists(e, out);
		for (k = 0; k < e->case_count; k++) {
			char *point = study_point_text(&e->cases[k].point);

			buffer_printf(out, "  case %s [%s] cpus %s\n", e->cases[k].case_id, point, e->cases[k].cpus);
			free(point);
			for (m = 0; m < e->cases[k].treatment_count; m++)
				dump_treatment(study, &e->cases[k].treatments[m], out);
		}
	}
}
