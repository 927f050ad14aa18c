#include "review/reproduce.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/version.h"
#include "review/announce.h"
#include "review/facts.h"
#include "review/measuring.h"
#include "review/programs.h"
#include "review/rebuild.h"
#include "review/show.h"
#include "review/side.h"
#include "review/unpacked.h"
#include "review/verdicts.h"
#include "session/interrupt.h"
#include "spec/need.h"

struct reproducing {
	const struct reproduction *asked;
	struct unpacked unpacked;
	struct side there, here;
	struct measuring measuring;
	char *log;
};

/* What is told of the machine even where it is the same. */
static const char *const main_facts[] = {
	"cpu.model", "cpu.microcode", "cpu.cores", "cpu.threads", "cpu.smt", "cpu.governor", "cpu.boost",
	"memory.MemTotal", "kernel.release", "virtualisation.container", "toolchain.compiler",
	"tool.version", NULL,
};

/* ---- building ---- */

/* Results of another machine would be taken instead of measuring, and a repository around the folder
 * would be taken for the study's. */
static void
set_surroundings(const struct unpacked *unpacked)
{
	setenv("ASSAY_MACHINE", "", 1);
	setenv("GIT_CEILING_DIRECTORIES", unpacked->top, 1);
}

static int
read_there(struct reproducing *it, struct error *error)
{
	if (unpacked_open(it->asked->bundle, it->asked->keep, &it->unpacked, error) != 0 ||
	    side_read(it->asked->only, &it->there, error) != 0)
		return -1;
	it->log = memory_format("%s/build.log", it->unpacked.top);
	set_surroundings(&it->unpacked);
	measuring_plan(&it->there, it->asked->smoke, &it->measuring);
	if (unpacked_put_aside(&it->unpacked, "build", error) != 0)
		return -1;
	return unpacked_put_aside(&it->unpacked, "results", error);
}

static int
ask(struct reproducing *it, struct error *error)
{
	json_t *commands = rebuild_commands(&it->here, error);

	if (commands == NULL)
		return -1;
	announce(&it->here, commands, &it->measuring, it->asked->people);
	json_decref(commands);
	return announce_ask(it->asked->yes, it->asked->people, error);
}

/* Only now may what the study needs be asked for, by commands of its own. */
static int
look_for_needs(struct reproducing *it, struct error *error)
{
	if (!file_exists(NEEDS_FILE))
		return 0;
	side_free(&it->here);
	if (rebuild_generate(it->log, true, error) != 0)
		return -1;
	return side_read(it->asked->only, &it->here, error);
}

static int
build(struct reproducing *it, struct error *error)
{
	if (rebuild_generate(it->log, false, error) != 0 ||
	    side_read(it->asked->only, &it->here, error) != 0 || ask(it, error) != 0 ||
	    look_for_needs(it, error) != 0)
		return -1;
	fputs("building\n", it->asked->people);
	return rebuild_build(&it->here, it->log, error);
}

/* ---- measuring ---- */

/* Here's side, now that there is something in it. */
static int
read_here(struct reproducing *it, json_t *stats, struct error *error)
{
	int result;

	side_free(&it->here);
	result = side_read(it->asked->only, &it->here, error);
	json_decref(it->here.stats);
	it->here.stats = stats;
	return result;
}

static int
measure(struct reproducing *it, struct error *error)
{
	json_t *stats;

	if (measuring_run(&it->measuring, it->asked->people, error) != 0)
		return -1;
	stats = measuring_judge(&it->measuring, it->here.study, error);
	return stats != NULL ? read_here(it, stats, error) : -1;
}

/* ---- the document ---- */

static json_t *
machine_facts(const struct reproducing *it)
{
	json_t *there = facts_of_provenance(side_provenance(&it->there));
	json_t *here = facts_of_provenance(side_provenance(&it->here));
	json_t *list = facts_compare(there, here, main_facts);

	json_decref(there);
	json_decref(here);
	return list;
}

/* Of the first case that was measured on both sides; its lines are the machine's. */
static const struct side_case *
measured_case(const struct reproducing *it, const struct side_case **there)
{
	size_t i;

	for (i = 0; i < it->here.count; i++) {
		*there = side_find(&it->there, it->here.cases[i].plan.case_id);
		if (*there != NULL && it->here.cases[i].provenance != NULL)
			return &it->here.cases[i];
	}
	return NULL;
}

static json_t *
regime_facts(const struct side_case *there, const struct side_case *here)
{
	static const char *const none[] = {NULL};
	json_t *left = facts_of_lines(there->regime), *right = facts_of_lines(here->regime);
	json_t *list = facts_compare(left, right, none);

	json_decref(left);
	json_decref(right);
	return list;
}

static bool
is_same_machine(const struct side_case *there, const struct side_case *here)
{
	json_t *left = facts_of_lines(there->identity), *right = facts_of_lines(here->identity);
	const char *id = json_get_text(left, "machine id");
	bool same = id[0] != '\0' && strcmp(id, json_get_text(right, "machine id")) == 0;

	json_decref(left);
	json_decref(right);
	return same;
}

/* Without the claims, which are told for themselves. */
static json_t *
other_problems(const json_t *stats)
{
	json_t *list = json_array(), *one;
	size_t i;

	json_array_foreach(json_object_get(stats, "problems"), i, one)
		if (strcmp(json_get_text(one, "kind"), "claim") != 0)
			json_array_append(list, one);
	return list;
}

static bool
any_is(const json_t *list, const char *key, const char *value)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		if (strcmp(json_get_text(one, key), value) == 0)
			return true;
	return false;
}

static int
exit_code_of(const json_t *document)
{
	const json_t *problems = json_object_get(document, "problems");

	if (any_is(json_object_get(document, "claims"), "outcome", "flips") ||
	    any_is(problems, "kind", "invalid"))
		return EXIT_NOT_HELD;
	if (json_array_size(json_object_get(document, "effects")) == 0 || any_is(problems, "kind", "nothing"))
		return EXIT_NOTHING;
	if (!json_is_true(json_object_get(document, "smoke")) &&
	    json_array_size(json_object_get(document, "missing")) > 0)
		return EXIT_FAILED;
	return json_array_size(problems) > 0 ? EXIT_FAILED : EXIT_DONE;
}

static json_t *
make_document(const struct reproducing *it)
{
	const struct side_case *there = NULL, *here = measured_case(it, &there);
	const json_t *tool = json_object_get(side_provenance(&it->there), "tool");
	json_t *effects = verdicts_effects(it->there.stats, it->here.stats);
	json_t *claims = verdicts_claims(it->here.study, it->there.stats, it->here.stats,
					 it->measuring.missing);
	json_t *document = json_pack(
		"{s:s, s:s, s:b, s:s?, s:{s:s, s:s}, s:o, s:o, s:b, s:o, s:o, s:o, s:O, s:o, s:s}", "format",
		"assay-reproduce-1", "study", json_get_text(it->here.study, "name"), "smoke", it->asked->smoke,
		"only", it->asked->only, "tool", "there", json_get_text(tool, "version"), "here", ASSAY_VERSION,
		"machine", here != NULL ? machine_facts(it) : json_array(), "regime",
		here != NULL ? regime_facts(there, here) : json_array(), "same_machine",
		here != NULL && is_same_machine(there, here), "programs",
		programs_compare(&it->there, &it->here), "effects", effects, "claims", claims, "missing",
		it->measuring.missing, "problems", other_problems(it->here.stats), "summary",
		verdicts_summary(claims, effects));

	json_object_set_new(document, "exit_code", json_integer(exit_code_of(document)));
	return document;
}

static int
tell(const struct reproducing *it)
{
	json_t *document = make_document(it);
	int code = (int)json_get_integer(document, "exit_code", EXIT_FAILED);

	if (it->asked->json) {
		json_dumpf(document, it->asked->out, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
		fputc('\n', it->asked->out);
	} else {
		show_reproduction(document, it->asked->out);
	}
	if (it->asked->keep != NULL)
		fprintf(it->asked->people, "kept: bundle/data/study in %s\n", it->asked->keep);
	json_decref(document);
	return code;
}

int
reproduce_bundle(const struct reproduction *asked, struct error *error)
{
	struct reproducing it = {.asked = asked};
	int result = -1;

	interrupt_watch();
	if (read_there(&it, error) == 0 && build(&it, error) == 0 && measure(&it, error) == 0)
		result = tell(&it);
	else
		unpacked_explain(&it.unpacked, error);
	measuring_free(&it.measuring);
	side_free(&it.there);
	side_free(&it.here);
	unpacked_close(&it.unpacked);
	free(it.log);
	return result;
}
