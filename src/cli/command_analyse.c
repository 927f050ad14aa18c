#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/study.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/explore.h"
#include "cli/form.h"
#include "cli/foreign_data.h"
#include "cli/number.h"
#include "cli/stored_case.h"
#include "schedule/growth.h"
#include "session/lock.h"

/* What the command line asks for. */
struct request {
	const char *edge, *form;
	bool study;
	struct exploration explore;
	struct foreign_data foreign;
	struct selection selection;
};

/* ---- the graph's edges ---- */

/* Whoever reads the result has had a look; the ledger says so before the result is there, and
 * the result shows it, so that analysing again gives the same bytes. */
static int
note_look(struct stored_case *one, struct error *error)
{
	int pairs = case_complete_pairs(&one->observations), result;
	char *rule;

	if (pairs == 0)
		return 0;
	rule = growth_rule(&one->plan.design);
	result = store_add_look(&one->store, pairs, rule, error);
	free(rule);
	return result == 0 ? stored_case_read_looks(one, error) : -1;
}

static int
run_edge(const char *case_id, struct error *error)
{
	char *samples = memory_format("build/samples/%s.csv", case_id);
	struct stored_case one;
	int result = stored_case_read(case_id, samples, &one, error);

	if (result == 0)
		result = note_look(&one, error);
	if (result == 0)
		result = stored_case_write(&one, error);
	stored_case_free(&one);
	free(samples);
	return result;
}

static int
run_study(const char *form, struct error *error)
{
	char *base = form_base(form), *from = memory_format("%s/study.json", base);
	char *to = memory_format("%s/stats.json", base);
	json_t *study = json_read_file(from, error);
	json_t *document = study != NULL ? study_document(study, "build/stats", error) : NULL;
	int result = -1;

	if (document != NULL)
		result = json_write_file(to, document, FILE_IF_CHANGED, error);
	json_decref(document);
	json_decref(study);
	free(from);
	free(to);
	free(base);
	return result;
}

/* ---- the command line ---- */

enum option_name {
	OPTION_EDGE = 1, OPTION_STUDY, OPTION_JSON, OPTION_METRIC, OPTION_STAT, OPTION_TRIM,
	OPTION_TOL, OPTION_INCLUDE_FIRST, OPTION_CONF, OPTION_GROUPS, OPTION_CSV, OPTION_A, OPTION_B,
	OPTION_ORDER, OPTION_UNPAIRED, OPTION_RUN_ORDER, OPTION_FORM, OPTION_ONLY, OPTION_SIZES,
	OPTION_WHERE,
};

static const struct option options[] = {
	{"edge", required_argument, NULL, OPTION_EDGE},
	{"study", no_argument, NULL, OPTION_STUDY},
	{"json", no_argument, NULL, OPTION_JSON},
	{"metric", required_argument, NULL, OPTION_METRIC},
	{"stat", required_argument, NULL, OPTION_STAT},
	{"trim", required_argument, NULL, OPTION_TRIM},
	{"tol", required_argument, NULL, OPTION_TOL},
	{"include-first-group", no_argument, NULL, OPTION_INCLUDE_FIRST},
	{"conf", required_argument, NULL, OPTION_CONF},
	{"group-report", no_argument, NULL, OPTION_GROUPS},
	{"csv", required_argument, NULL, OPTION_CSV},
	{"a", required_argument, NULL, OPTION_A},
	{"b", required_argument, NULL, OPTION_B},
	{"order", required_argument, NULL, OPTION_ORDER},
	{"unpaired", no_argument, NULL, OPTION_UNPAIRED},
	{"run-order", no_argument, NULL, OPTION_RUN_ORDER},
	{"form", required_argument, NULL, OPTION_FORM},
	{"only", required_argument, NULL, OPTION_ONLY},
	{"sizes", required_argument, NULL, OPTION_SIZES},
	{"where", required_argument, NULL, OPTION_WHERE},
	{NULL, 0, NULL, 0},
};

/* Options with a value; NULL or what is wrong. */
static const char *
take_value(int option, const char *text, struct request *request)
{
	struct exploration *explore = &request->explore;
	double value;

	switch (option) {
	case OPTION_STAT:
		explore->kind_given = true;
		return collapse_find(text, &explore->kind)
			       ? NULL : "--stat is median, trimmed_mean, mean or geomean";
	case OPTION_TRIM:
		if (!number_parse(text, &value) || (value != 0 && (value < 1 || value > 1000)))
			return "--trim is a factor from 1 to 1000, such as 1.2, or 0 for none";
		explore->trim_factor = value;
		explore->no_trim = value == 0;
		return NULL;
	case OPTION_TOL: /* in percent, with or without the sign */
		explore->groups = true;
		if (!number_parse_share(text, &value) || value < 0)
			return "--tol is a percentage, such as 5";
		explore->tolerance = strchr(text, '%') != NULL ? value : value / 100;
		return NULL;
	case OPTION_CONF:
		if (!number_parse_share(text, &value) || value <= 0 || value >= 1)
			return "--conf is a level between 0 and 1, such as 0.99";
		explore->confidence = request->foreign.confidence = value;
		return NULL;
	}
	return "unknown option";
}

static const char *
take_option(int option, char *text, struct request *request)
{
	const char *problem;

	switch (option) {
	case OPTION_FORM: request->form = text; return NULL;
	case OPTION_ONLY: selection_take("only", text, &request->selection, &problem); return problem;
	case OPTION_SIZES: selection_take("sizes", text, &request->selection, &problem); return problem;
	case OPTION_WHERE: selection_take("where", text, &request->selection, &problem); return problem;
	case OPTION_EDGE: request->edge = text; return NULL;
	case OPTION_STUDY: request->study = true; return NULL;
	case OPTION_JSON: request->explore.json = request->foreign.json = true; return NULL;
	case OPTION_METRIC: request->explore.metric = text; return NULL;
	case OPTION_INCLUDE_FIRST:
		request->explore.include_first = request->explore.groups = true;
		return NULL;
	case OPTION_GROUPS: request->explore.groups = true; return NULL;
	case OPTION_CSV: request->foreign.path = text; return NULL;
	case OPTION_A: request->foreign.a = text; return NULL;
	case OPTION_B: request->foreign.b = text; return NULL;
	case OPTION_ORDER: request->foreign.order = text; return NULL;
	case OPTION_UNPAIRED: request->foreign.unpaired = true; return NULL;
	case OPTION_RUN_ORDER: request->foreign.run_order = true; return NULL;
	}
	return take_value(option, text, request);
}

/* What does not go together. */
static const char *
check_request(const struct request *request, int arguments)
{
	const struct foreign_data *foreign = &request->foreign;

	if (foreign->path != NULL && (foreign->a == NULL || foreign->b == NULL))
		return "--csv needs --a COLUMN and --b COLUMN";
	if (foreign->path == NULL && (foreign->a != NULL || foreign->b != NULL || foreign->order != NULL ||
				      foreign->unpaired || foreign->run_order))
		return "--a, --b, --order, --unpaired and --run-order go with --csv FILE";
	if (request->form != NULL && !request->study)
		return "--form goes with --study; a form's cases are named like others";
	if (request->explore.no_trim && !request->explore.groups)
		return "--trim 0 goes with --group-report; '--stat mean' keeps all samples of a comparison";
	if (!selection_is_whole(&request->selection) &&
	    (request->study || request->edge != NULL || foreign->path != NULL))
		return "--only, --sizes and --where choose among stored cases";
	if (foreign->order != NULL && foreign->unpaired)
		return "--order is about pairs, and --unpaired says that there are none";
	if (foreign->path == NULL && request->edge == NULL && !request->study)
		return arguments == 1 ? NULL : "name one case or experiment";
	return arguments == 0 ? NULL : "too many arguments";
}

static int
analyse(const struct request *request)
{
	struct error error = {0};
	struct lock *lock;
	int result;

	if (request->foreign.path != NULL)
		return foreign_data_analyse(&request->foreign, &error) == 0 ? EXIT_DONE
									    : error_print(&error);
	lock = lock_open("analyse", &error);
	if (lock == NULL || lock_acquire(lock, LOCK_SHARED, &error) != 0) {
		lock_close(lock);
		return error_print(&error);
	}
	if (request->study)
		result = run_study(request->form, &error);
	else if (request->edge != NULL)
		result = run_edge(request->edge, &error);
	else
		result = explore(&request->explore, &error);
	lock_close(lock);
	if (result < 0)
		return error_print(&error);
	return result == 0 ? EXIT_DONE : EXIT_NOT_HELD;
}

static int
run(int argc, char **argv)
{
	struct request request = {
		.explore = {.tolerance = -1},
		.foreign = {.confidence = 0.95},
	};
	const char *problem = NULL;
	int option;

	while (problem == NULL && (option = getopt_long(argc, argv, "", options, NULL)) != -1)
		problem = take_option(option, optarg, &request);
	if (problem == NULL)
		problem = check_request(&request, argc - optind);
	if (problem != NULL)
		return command_misuse(&command_analyse, "%s", problem);
	request.explore.name = argv[optind];
	request.explore.selection = &request.selection;
	return analyse(&request);
}

const struct command command_analyse = {
	"analyse",
	"compute statistics from stored records",
	"usage: assay analyse NAME [--metric NAME] [--stat median|trimmed_mean|mean|geomean]\n"
	"                     [--trim FACTOR] [--conf LEVEL] [--json]\n"
	"                     [--only VARIANT,…] [--sizes VALUE,…] [--where NAME=VALUE,…]\n"
	"       assay analyse NAME --group-report [--tol PERCENT] [--include-first-group] …\n"
	"       assay analyse --csv FILE --a COLUMN --b COLUMN [--order COLUMN | --unpaired]\n"
	"                     [--run-order] [--conf LEVEL] [--json]\n"
	"       assay analyse --edge CASE     (the graph's: writes build/stats/CASE.json, is a look)\n"
	"       assay analyse --study [--form NAME]  (the graph's: writes build/stats.json)\n\n"
	"The first two forms explore stored data: nothing is measured, the study's results stay as they\n"
	"are, and it counts as no look. NAME is a case, or an experiment or a form of one: all its cases.\n"
	"  --metric NAME            another column of the samples, such as cpu_us or max_rss_kib\n"
	"  --stat S                 how the samples of a process become its value\n"
	"  --trim FACTOR            the upper trim keeps samples up to FACTOR times the median (1.2); 0\n"
	"                           keeps all, of the group report\n"
	"  --conf LEVEL             of the intervals; default: what the case's stop rule leaves\n"
	"  --group-report           each process with its samples, and whether they agree; exit code 3\n"
	"                           when one is off by more than --tol (5 %) from all, or from the one\n"
	"                           before it\n"
	"  --include-first-group    the first process takes part in that\n"
	"  --only VARIANT,…         these variants alone; without a comparison among them each is\n"
	"                           compared with the first\n"
	"  --where NAME=VALUE,…     the cases at these values of the sweep; may be given again\n"
	"  --sizes VALUE,…          the same where the sweep has one dimension\n"
	"The third form analyses data measured elsewhere: times of A and of B in two columns, a pair a\n"
	"row. --order names a column that says AB or BA, which ran first; without it the tests that rest\n"
	"on the order are refused, with the reason. --unpaired: the rows are no pairs. --run-order: the\n"
	"rows are in the order in which they were measured.",
	run,
};
