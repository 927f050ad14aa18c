#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "cli/version.h"
#include "provenance/bundle_parts.h"

/* README.md: what a stranger needs who has unpacked the bundle and nothing else. */

/* The tool as the commands call it. */
static const char *
tool_path(enum tool_source source)
{
	return source == TOOL_ELSEWHERE ? "assay" : "assay/build/bin/assay";
}

static void
put_steps(enum tool_source source, struct buffer *out)
{
	const char *tool = tool_path(source);

	buffer_puts(out, "## Review it\n\nIn this folder:\n\n    sh review.sh\n\n"
			 "does all of this, and asks before it runs programs of the study. Step by step:\n\n"
			 "    sha512sum -c --quiet manifest-sha512.txt\n");
	if (source != TOOL_ELSEWHERE)
		buffer_printf(out, "    %s\n    (cd assay && ./bootstrap --no-install tool)\n",
			      bundle_copy_command(source));
	buffer_printf(out, "    %s reanalyse .\n    %s reproduce --smoke .\n\n", tool, tool);
	buffer_printf(out,
		      "1. every file is what it was when this was packed;\n"
		      "2. %s;\n"
		      "3. statistics, figures' data and report are computed again from the raw records and compared\n"
		      "   byte for byte: builds nothing, measures nothing;\n"
		      "4. the programs are built and measured on your machine with few pairs, and the effects and\n"
		      "   claims compared with those above. Without `--smoke` it measures as much as was measured.\n\n",
		      source == TOOL_ELSEWHERE ? "the tool is installed; its sources are not in this bundle"
					       : "the tool that made all of this is built in `assay/`, beside `data/`");
	buffer_puts(out, "Exit codes: 0 as it should be, 3 a file differs or a claim flips, 1 something could not be\n"
			 "done.\n\n");
}

static void
put_needs(enum tool_source source, struct buffer *out)
{
	if (source == TOOL_ELSEWHERE)
		return;
	buffer_puts(out, "It needs Debian 12 or a relative of it. What is missing `./bootstrap --no-install tool` names,\n"
			 "with the apt command; `./bootstrap tool` installs it, where it may. Without root: with podman,\n"
			 "`podman build -t review . && podman run --rm review` does the same in a container, from\n"
			 "`Containerfile`; `packages.txt` has the versions that it was built with here. What the study's own\n"
			 "programs need besides, its `build.ninja.lua` tells.\n\n");
}

static void
put_commands(const struct bundle *bundle, struct buffer *out)
{
	enum tool_source source = bundle_tool_source(bundle);
	bool elsewhere = source == TOOL_ELSEWHERE;

	put_steps(source, out);
	put_needs(source, out);
	buffer_puts(out, "## Work on with it\n\n");
	buffer_printf(out, "    cd data/study && %s%s generate\n    ASSAY_MACHINE=recorded ninja report\n\n",
		      elsewhere ? "" : "../../", tool_path(source));
	buffer_puts(out, "computes all of it in place from the records in `results/` and draws the figures, too. Without\n"
			 "`ASSAY_MACHINE=recorded` it measures on your machine. It runs the study's own programs: read\n"
			 "`build.ninja.lua` first if you do not trust who sent you this.\n\n");
}

static void
put_duration(int64_t seconds, struct buffer *out)
{
	if (seconds >= 7200)
		buffer_printf(out, "%.1f hours", (double)seconds / 3600);
	else if (seconds >= 120)
		buffer_printf(out, "%.0f minutes", (double)seconds / 60);
	else
		buffer_printf(out, "%lld seconds", (long long)seconds);
}

static void
put_costs(const struct bundle *bundle, struct buffer *out)
{
	uint64_t bytes = 0;
	int64_t seconds = 0;
	size_t count = 0, i;

	for (i = 0; i < bundle->contents.count; i++)
		bytes += bundle->contents.items[i].size;
	for (i = 0; i < bundle->session_count; i++) {
		count += !bundle->sessions[i].of_form;
		if (!bundle->sessions[i].of_form && bundle->sessions[i].started_s > 0 &&
		    bundle->sessions[i].ended_s > bundle->sessions[i].started_s)
			seconds += bundle->sessions[i].ended_s - bundle->sessions[i].started_s;
	}
	buffer_printf(out, "## Time and disk\n\n%zu session%s of measuring%s took ", count,
		      count == 1 ? "" : "s",
		      bundle->form_count > 0 ? " (without the forms of experiments)" : "");
	put_duration(seconds, out);
	buffer_printf(out, " on the machine below, and\n`assay reproduce .` takes about as long; with `--smoke` it "
			   "measures for 90 seconds at most. To\nbuild the tool takes a minute or two on two cores. "
			   "Unpacked, this bundle holds %zu files and\n%.1f MiB; the tool needs 20 MiB more, and each of "
			   "the two commands works in a copy in the\ntemporary folder, which it removes.\n\n",
		      bundle->contents.count, (double)bytes / (1 << 20));
}

static void
put_machine(const struct bundle *bundle, struct buffer *out)
{
	const json_t *machine = json_object_get(bundle->stats, "machine");
	const json_t *git = bundle->session_count > 0
				    ? json_object_get(bundle->sessions[0].provenance, "git") : NULL;
	const char *commit = json_get_text(git, "commit"), *kernel = json_get_text(machine, "kernel");

	if (kernel[0] == '\0' && bundle->session_count > 0)
		kernel = json_get_text(json_object_get(bundle->sessions[0].provenance, "kernel"), "release");
	if (json_get_text(machine, "model")[0] != '\0')
		buffer_printf(out, "## Where it was measured\n\n%s, kernel %s",
			      json_get_text(machine, "model"), kernel[0] != '\0' ? kernel : "unknown");
	else
		buffer_puts(out, "## Where it was measured\n\nThe machine is not recorded");
	if (commit[0] != '\0')
		buffer_printf(out, ", commit %s%s", commit,
			      json_is_true(json_object_get(git, "dirty")) ? " with changes" : "");
	buffer_puts(out, ". Each session's `provenance.json` tells all that could be read.\n\n");
}

/* ---- claims ---- */

/* A cell of a Markdown table. */
static void
put_cell(struct buffer *out, const char *text)
{
	for (; *text != '\0'; text++)
		if (*text == '|')
			buffer_puts(out, "\\|");
		else
			buffer_putc(out, *text == '\n' ? ' ' : *text);
}

static const json_t *
find_experiment(const struct bundle *bundle, const char *name)
{
	const json_t *list = json_object_get(bundle->study, "experiments");
	size_t i;

	for (i = 0; i < json_array_size(list); i++)
		if (strcmp(json_get_text(json_array_get(list, i), "name"), name) == 0)
			return json_array_get(list, i);
	return NULL;
}

static void
put_figures(const json_t *experiment, struct buffer *out)
{
	const json_t *figures = json_object_get(experiment, "figures");
	size_t i;

	for (i = 0; i < json_array_size(figures); i++)
		buffer_printf(out, "%s%s-%s.svg", i > 0 ? ", " : "",
			      json_get_text(experiment, "name"),
			      json_get_text(json_array_get(figures, i), "label"));
}

static void
put_claims(const struct bundle *bundle, struct buffer *out)
{
	const json_t *claims = json_object_get(bundle->stats, "claims");
	size_t i;

	buffer_puts(out, "## Claims\n\n");
	if (json_array_size(claims) == 0) {
		buffer_puts(out, "The study declares none.\n\n");
		return;
	}
	buffer_puts(out, "| | claim | experiment | figures | verdict |\n|---|---|---|---|---|\n");
	for (i = 0; i < json_array_size(claims); i++) {
		const json_t *claim = json_array_get(claims, i);

		buffer_printf(out, "| %s | ", json_get_text(claim, "id"));
		put_cell(out, json_get_text(claim, "text"));
		buffer_puts(out, " | ");
		put_cell(out, json_get_text(claim, "experiment"));
		buffer_puts(out, " | ");
		put_figures(find_experiment(bundle, json_get_text(claim, "experiment")), out);
		buffer_printf(out, " | %s |\n", json_get_text(claim, "verdict"));
	}
	buffer_puts(out, "\nThe figures lie in `data/study/build/report/figures/`.\n\n");
}

static void
put_places(const struct bundle *bundle, struct buffer *out)
{
	buffer_puts(out, "## What is where\n\n"
			 "| | |\n|---|---|\n"
			 "| `data/study/` | the study: specs, sources, `build.ninja.lua` |\n"
			 "| `data/study/results/` | the raw records: one log a process launch, one "
			 "`provenance.json` a session |\n"
			 "| `data/study/build/report/` | the report, its figures and their data |\n");
	if (bundle->form_count > 0)
		buffer_puts(out, "| `data/study/build/form/` | the same of forms of experiments that are no "
				 "part of the report: `NAME/report/` |\n");
	buffer_puts(out,
			 "| `data/study/build/stats.json`, `stats/`, `samples/` | the statistics and what "
			 "they were computed from |\n");
	if (contents_find(&bundle->contents, "data/tool/bootstrap") != NULL)
		buffer_puts(out, "| `data/tool/` | the sources of Assay, which made all of this |\n");
	buffer_puts(out, "| `data/left-out.txt` | what belongs to the study and is not here, and why |\n"
			 "| `data/warnings.txt` | what looks like a key or a password |\n"
			 "| `data/ro-crate-metadata.json` | the same for machines: RO-Crate 1.1, Process Run "
			 "Crate 0.5 |\n"
			 "| `manifest-sha512.txt`, `tagmanifest-sha512.txt` | SHA-512 of every file (BagIt) "
			 "|\n\n");
}

void
bundle_put_readme(const struct bundle *bundle, struct buffer *out)
{
	buffer_printf(out, "# %s\n\nThe study `%s` as a bundle, packed by Assay %s: sources, raw "
			   "records, where they come from,\nstatistics, figures and report.\n\n",
		      bundle->title, bundle->name, ASSAY_VERSION);
	put_claims(bundle, out);
	put_commands(bundle, out);
	put_costs(bundle, out);
	put_machine(bundle, out);
	put_places(bundle, out);
}
