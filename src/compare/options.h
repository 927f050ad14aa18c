#ifndef ASSAY_COMPARE_OPTIONS_H
#define ASSAY_COMPARE_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "spec/study.h"

/* What `assay compare` was asked for. Paths are absolute: the study works in another folder. */

struct compared {
	char *text;            /* as given */
	char *name;            /* --name, or made from the text */
	char *program;
	struct texts args;     /* without the program's name */
	/* with --rev (revisions.h); `program` is known when it is built */
	char *revision;        /* as given; NULL without */
	char *commit;          /* NULL: the work tree of a repository without commits */
	bool dirty;            /* a work tree that differs from the commit */
	char *output;          /* the program, seen from the build's folder; NULL: from elsewhere */
	char *cwd;             /* of the tree */
	struct texts scripts;  /* files of the tree in the arguments, seen from the build's folder */
	struct texts inputs;   /* files in the arguments that are not of the tree */
};

struct compare_dimension {
	char *name;
	struct texts values;
};

enum output_check { OUTPUT_CHECK_AUTO, OUTPUT_CHECK_ALWAYS, OUTPUT_CHECK_NEVER };
enum compare_export { EXPORT_JSON, EXPORT_CSV, EXPORT_MD, EXPORT_HTML, EXPORT_KINDS };

struct compare_options {
	struct compared *commands; /* the first is the baseline */
	size_t command_count;
	struct texts builds;       /* --build: commands of a shell */
	struct compare_dimension *dimensions;
	size_t dimension_count;
	int pairs, aa_pairs, warmups;
	double until, budget_s, timeout_s; /* 0: not asked for */
	double fail_if_slower;             /* a share; NaN: not asked for */
	struct texts prepare, setup, cleanup; /* words; empty: none */
	char *input;               /* NULL: none */
	char *cpus;                /* as a spec says it */
	const char *metric;        /* a column of samples.csv */
	const char *metric_text, *better, *reader, *items; /* as given; defaults, NULL: not given */
	const char *pattern;       /* the metric's, NULL: none */
	char *own_metric;          /* the name of one that only these commands have, or NULL */
	bool higher_is_better;
	struct settings env;
	bool shell, ignore_failure, quiet;
	enum output_check check_output;
	char *keep;                /* NULL: a temporary study */
	char *exports[EXPORT_KINDS]; /* NULL: not asked for; "": to stdout */
	char *folder;              /* where the commands run: the current folder */
};

/* Messages for people, of what is wrong with the command line; compare_options_free always. */
int compare_options_read(int argc, char **argv, struct compare_options *options,
			 struct error *error);
void compare_options_free(struct compare_options *options);
/* Whether revisions of one command are compared. */
bool compare_options_has_revisions(const struct compare_options *options);
/* Results go to stdout in a format for programs, so talk to people elsewhere. */
bool compare_options_export_to_stdout(const struct compare_options *options);

#endif
