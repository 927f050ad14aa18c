#ifndef ASSAY_STUDY_H
#define ASSAY_STUDY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * The study model: what the specs say, checked and expanded, before anything is written.
 * Filled by the Lua host (host.h), read by the plan writer and the graph writer in the same
 * process. All paths are relative to the study's root, with '/' and no "." or "..", except
 * programs and inputs the author named by an absolute path. All memory belongs to the host that
 * loaded the study (host_free). Order is the author's order, or sorted where the author's order has no meaning.
 */

struct place {
	char *file; /* as shown to the author */
	int line;
};

/* A list of texts. */
struct texts {
	char **items;
	size_t count;
};

bool texts_have(const struct texts *texts, const char *text);

/* A sorted list of name=value. */
struct setting {
	char *name, *value;
};
struct settings {
	struct setting *items;
	size_t count;
};

/*
 * What a program needs of the machine (`needs`), as it was found when the specs were read. Where
 * something lacks, what needs it is skipped and everything else goes on.
 */
struct need {
	char *name;      /* of a tool in PATH, a path, or what the author calls it */
	char *command;   /* NULL: a tool; else what sh runs, and what ends with 0 where it is there */
	bool met;
	char *answer;    /* where the tool is, or the first line that the command printed; "" */
};

/* What is to be known of the needs of one program or variant. */
struct requirement {
	char *skipped;            /* which of them lacks, for people; NULL: none */
	struct settings versions; /* what the commands printed: a part of the identity */
};

/* ---- the graph's own statements: what runner, program, rule and build lower to ---- */

struct graph_rule {
	char *name;
	struct settings variables; /* command, description, depfile, deps, restat, pool, … */
	struct place place;
};

struct graph_edge {
	char *rule;
	struct texts outputs, implicit_outputs, inputs, implicit, order_only;
	struct settings variables;
	struct place place;
	bool unlocked; /* the command takes the machine lock itself; else the graph writer wraps
	                  it in `assay lock shared` */
};

/* Names for targets: `ninja NAME`. `about` is what `ninja help` prints; NULL hides it. */
struct graph_target {
	char *name, *about;
	struct texts needs;
	bool is_default;
};

/* ---- programs that are measured ---- */

enum program_identity { PROGRAM_BY_CONTENT, PROGRAM_BY_INPUTS };

struct program {
	char *name;
	char *path;                 /* what is launched */
	bool built;                 /* an output of the graph: sessions wait for it */
	enum program_identity identity;
	struct texts identity_inputs; /* BY_INPUTS: sources whose content counts */
	char *identity_command;       /* BY_INPUTS: compiler and command line */
	struct texts scripts;         /* further files that are part of the program */
	char *source;                 /* made from a revision: where that lies (git_source.h); NULL */
	char *folder;                 /* of its tree, where the build runs; NULL */
	struct requirement needs;
	struct place place;
};

/* ---- experiments ---- */

/* What follows the column's name in that of a time divided by the work of its sample. */
#define METRIC_PER_FLOP "_per_flop"

struct metric {
	char *name;      /* a column of samples.csv */
	char *unit;      /* "us", "kib", "1", … */
	char *scope;     /* what is timed: "compute" (inside the process) or "process" (all of it) */
	bool lower_is_better;
	char *per;       /* "flop" or NULL */
	char *divided;   /* with `per`: the column that is divided by the work; NULL */
	char *pattern;   /* Lua pattern over the output, or NULL */
};

/* One point of the sweep as text, in the author's order of dimensions. */
struct point_value {
	char *name;
	json_t *value;   /* integer, real, string or boolean */
	char *text;      /* as filled in for {name} */
};
struct point {
	struct point_value *items;
	size_t count;
};

/* What one sample does (one RESULT line), as its author counts it; no part of the identity. */
struct sample_work {
	bool declared;
	double flops, bytes; /* 0: not said */
};

/* A treatment of a case whose measured rate bounds others. */
struct roof {
	char *case_id; /* NULL: none */
	size_t treatment;
	char *name; /* "ceilings/triad threads=2" */
};

/* One treatment of one case, all placeholders filled. */
struct treatment {
	char *name;      /* variant, plus blocked values: "fused threads=2" */
	char *variant;
	struct point blocked; /* the values of the blocked dimensions, those that `at` fixes too */
	char *perturbs, *perturbation; /* of which variant it is a perturbation, and which one (watermark.h);
					  NULL */
	size_t program;  /* index into study.programs */
	struct texts args; /* without argv[0] */
	struct settings env;
	char *stdin_path; /* NULL: /dev/null */
	char *cwd;        /* NULL: the study's root */
	char *cpus;       /* NULL: the case's */
	struct texts prepare; /* untimed command before each group; empty: none */
	struct texts inputs;  /* files whose content is part of the identity */
	char *expect_mode;    /* MODE that must be answered; NULL: not checked */
	json_t *expect_cfg;   /* [len, iters] or NULL */
	double expect_flops;  /* operations an element and pass; 0: not declared */
	bool lowers_scale;    /* CFG may differ from what was asked */
	bool ignore_exit;     /* a non-zero exit is no failure */
	double working_set;   /* bytes that its threads touch together; 0: not declared */
	struct sample_work work;
	struct roof peak, bandwidth; /* of the experiment's roofline, where the work is declared */
	struct requirement needs; /* its own and its programs' */
	struct place place;
};

struct comparison {
	size_t a, b; /* treatments; a is the baseline: speedup = time a / time b */
};

struct group_check {
	bool equal;       /* CHECK lines equal among `among` */
	double relative;  /* > 0: CHECK lines agree within this ratio instead */
	bool stdout_sha256;
	int exit_code;    /* what a good group exits with */
	struct {
		struct texts *sets; /* names of treatments or variants that must agree; none: all */
		size_t count;
	} among;
};

enum stop_kind { STOP_FIXED, STOP_UNTIL_CI, STOP_LOOKS };

struct design {
	int pairs, aa_pairs, warmups;   /* groups: blocks, A/A pairs, warm-ups of each treatment */
	int samples, warmup_samples;    /* inside one process, passed to harness runners */
	bool samples_given;             /* by the author: then passed to benchmark binaries as well */
	double timeout_s;
	bool alternate;                 /* order = "alternate" instead of "balanced" */
	bool aa_first;                  /* aa_placement = "first" instead of "strata" */
	unsigned long long seed;        /* 0: from the case_id */
	int max_failures;               /* in a row; then the case ends early */
	long long output_limit_bytes;   /* per stream of a group */
	enum stop_kind stop;
	double until_ci;                /* relative half width; STOP_UNTIL_CI */
	int max_pairs;                  /* 0: none declared */
	double budget_s;                /* 0: none */
	int looks;                      /* STOP_LOOKS: planned looks */
	bool trimmed_mean;              /* collapse = "trimmed_mean" instead of "median" */
	double margin;                  /* declared; 0: none */
	double effect;                  /* declared effect for "pairs needed"; 0: none */
};

/* group_report = { … }: whether the processes of a variant agree with each other. */
struct group_report {
	bool wanted;
	char *metric;      /* NULL: the primary */
	char *statistic;   /* "mean", "median", "geomean" */
	double trim;       /* keeps samples up to so many times their group's median; 0: all */
	double tolerance;  /* 0.05 */
	bool counts_first; /* first_block = "counted" instead of "listed" */
};

/* One variant (at one value of what else is blocked) over the processors. */
struct scaling_series {
	char *name, *variant;
	bool weak;              /* its problem grows with the processors */
	size_t *treatments, count;
	long long *processors;  /* [count] */
};

/* scaling = { … }: how variants get faster with more processors. */
struct scaling {
	bool wanted;
	char *over;             /* a blocked dimension: how many processors */
	size_t *serial, serial_count; /* treatments: serial programs, of which the fastest is the baseline */
	struct scaling_series *series;
	size_t series_count;
	char *working_set;      /* template for bytes that all threads touch; NULL */
};

/*
 * search = { … }: the first blocks of a case choose the best of the candidates, the others say how
 * good it is, so that it is not flattered by having been chosen.
 */
struct best_search {
	char *name;          /* NULL: no search */
	double share;        /* of the design's pairs that choose; see study_search_pairs */
	size_t against;      /* the treatment that the best is compared with */
	size_t *candidates;  /* treatments */
	size_t candidate_count;
};

/* roofline = { peak = "EXPERIMENT/TREATMENT", bandwidth = … } */
struct roofline {
	char *peak, *bandwidth; /* as written; NULL: no roofline */
	struct point where;     /* the cases that it is about; empty: all */
	struct place place;
};

enum claim_kind { CLAIM_FASTER, CLAIM_SLOWER, CLAIM_NOT_SLOWER, CLAIM_EQUIVALENT, CLAIM_DIFFERENT };

struct claim {
	enum claim_kind kind;
	char *b, *a;      /* treatment names: "b is faster than a" */
	char *perturbation; /* b is a, perturbed so: what is claimed is about a alone; NULL */
	double by;        /* ratio >= 1; 0: not given */
	double within;    /* 0: not given */
	char *item;       /* NULL: of all items */
	struct point where;
	struct place place;
};

struct figure {
	char *name;      /* the template: figures/<name>.gnuplot */
	char *label;     /* unique in the experiment; the name unless given */
	char *caption;
	json_t *options; /* object of numbers, texts, booleans, and lists and objects of them */
	struct place place;
};

/* One dimension of the sweep with the author's values. */
struct dimension {
	char *name;
	struct point_value *values;      /* `name` is the dimension's */
	size_t count;
	bool blocked;                    /* compared inside the block: no part of a case's point */
};

struct study_case {
	char *case_id;
	struct point point;              /* the unblocked dimensions */
	struct point derived;            /* what `derive` made of them, alike for all treatments */
	char *cpus;                      /* the experiment's, filled in for this case; as written where its
					    treatments have their own */
	struct treatment *treatments;    /* as many and of the same names in each case */
	size_t treatment_count;
};

/* A stretch of a literate spec, in order. A `.lua` spec has none. */
enum prose_kind { PROSE_MARKDOWN, PROSE_EXPRESSION, PROSE_FIGURE };
struct prose {
	enum prose_kind kind;
	char *text;      /* Markdown; the Lua expression; the figure's label */
	char *caption;   /* PROSE_FIGURE */
	struct place place;
};

/* diagnose = { … }: runs under tools, never a part of what is timed. */
struct diagnosis {
	struct texts tools;              /* none: not asked for */
	struct texts cases, treatments;  /* which: case_ids and names; at least one of each */
	double timeout_s;                /* of one run */
};

struct experiment {
	char *name, *title, *question;
	struct place place;
	struct metric *metrics;          /* the first is primary */
	size_t metric_count;
	struct design design;
	struct group_report group_report;
	struct scaling scaling;
	struct roofline roofline;
	struct group_check check;
	struct diagnosis diagnosis;
	struct texts counters;           /* events that are counted beside the timed samples */
	char *form, *about;              /* a form of another experiment, left out of the report: which,
					    and what `ninja help` says of it; NULL: an experiment */
	char *cpus;                      /* as written: "last", "first", "none", "{threads} cores" */
	char *reader;                    /* "protocol", "process", "google-benchmark", "patterns" */
	char *items;                     /* regular expression over whole names (base/item_filter.h), or
					    NULL: all */
	double load_above, preempted_above; /* invalid_if; 0: not declared */
	struct comparison *comparisons;
	size_t comparison_count;
	struct best_search search;
	struct dimension *sweep;
	size_t sweep_count, blocked_count; /* blocked_count of the dimensions are blocked */
	struct study_case *cases;
	size_t case_count;
	struct claim *claims;
	size_t claim_count;
	struct figure *figures;
	size_t figure_count;
	struct prose *prose;
	size_t prose_count;
};

struct study {
	char *name, *title, *machine;    /* machine: "" or "recorded" or an id */
	struct texts private_paths;
	struct program *programs;
	size_t program_count;
	struct experiment *experiments;
	size_t experiment_count;
	struct graph_rule *rules;
	size_t rule_count;
	struct graph_edge *edges;
	size_t edge_count;
	struct graph_target *targets;
	size_t target_count;
	struct need *needs;              /* each once, in the order of asking */
	size_t need_count;
	struct texts lua_files;          /* every spec read: inputs of the generator */
	struct texts read_files;         /* sorted: files read, folders globbed (with "/" at the end,
	                                    the root as "./") */
	struct settings environment;     /* environment variables asked for, with what they were;
	                                    unset is "" */
};

/* "n=16384, fast=true"; "" for a point without dimensions. The caller frees it. */
char *study_point_text(const struct point *point);

/* How many of a design's pairs choose: those with the lowest numbers in the plan. Both parts have at
 * least one, where there are two. */
int study_search_pairs(const struct best_search *search, int pairs);
/* What the chosen one is called before it is known, as in claims: "best chunk". The caller frees. */
char *study_search_label(const struct best_search *search);

/* What build/report has of each study, by name; ends with NULL. */
extern const char *const study_report_files[];
/* What it has of each figure, by the end of the name; ends with NULL. */
extern const char *const study_figure_kinds[];
/* Whether the path is one of the above in build/report. */
bool study_reports(const struct study *study, const char *path);

#endif
