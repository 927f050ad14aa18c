#include <math.h>

#include "base/json.h"
#include "doctor/trial.h"

/* What the A/A says, for people and for programs. */

#define EFFECT_MINOR 1.0   /* percent */
#define EFFECT_SERIOUS 5.0
#define INTERRUPTED_SERIOUS 0.05 /* share of the runs */

static const char why_effect[] = "A smaller difference mostly stays unseen here, whatever the program; "
				 "four times the pairs see half of it.";

static void
judge_effect(const struct trial *trial, struct findings *findings)
{
	struct finding *finding = findings_add(findings, TRIAL_FINDING, why_effect);

	if (isnan(trial->effect_percent)) {
		finding->level = FINDING_UNKNOWN;
		finding_see(finding, "all runs took equally long: the clock is too coarse");
		return;
	}
	finding_see(finding, "%.2g %% or more, 80 times of 100, with %d pairs of a %.0f ms program",
		    trial->effect_percent, TRIAL_PAIRS, trial->run_ms);
	if (trial->effect_percent < EFFECT_MINOR)
		return;
	finding->level = trial->effect_percent < EFFECT_SERIOUS ? FINDING_MINOR : FINDING_SERIOUS;
	finding_command(finding, "assay power --cv %.2g%% --effect 1%%", 100 * trial->sd);
	finding->advice = "That tells how many pairs see 1 %; what is listed here makes fewer enough.";
}

static void
judge_runs(const struct trial *trial, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "interruptions",
					       "A program that waits for its CPU takes longer and is not slower.");
	double share = (double)trial->interrupted_runs / (double)trial->runs;

	finding_see(finding, "in %zu of %zu runs the time exceeds the CPU time by more than 5 %%",
		    trial->interrupted_runs, trial->runs);
	if (trial->interrupted_runs == 0)
		return;
	finding->level = share < INTERRUPTED_SERIOUS ? FINDING_MINOR : FINDING_SERIOUS;
	finding->advice = "Find what else ran on that CPU (load, steal and smt here), or compare the CPU "
			  "time: assay compare --metric user.";
}

static void
judge_bias(const struct trial *trial, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "bias",
					       "A program and its own copy must take the same time; where they do "
					       "not, no difference of others can be believed.");

	if (isnan(trial->bias_percent)) {
		finding->level = FINDING_UNKNOWN;
		finding_see(finding, "the runs do not tell");
		return;
	}
	finding_see(finding, "the copy took %.2g %% %s than the program itself, %s",
		    fabs(trial->bias_percent), trial->bias_percent < 0 ? "less" : "more",
		    trial->biased ? "and that is no accident" : "within the noise");
	if (!trial->biased)
		return;
	finding->level = FINDING_SERIOUS;
	finding->advice = "Run assay doctor again (1 time in 100 this is an accident); then look for what "
			  "goes in step with the runs.";
}

void
trial_not_run(const char *reason, struct findings *findings)
{
	struct finding *finding = findings_add(findings, TRIAL_FINDING, why_effect);

	finding->level = FINDING_UNKNOWN;
	finding_see(finding, "%s", reason);
}

void
trial_judge(const struct trial *trial, struct findings *findings)
{
	judge_effect(trial, findings);
	judge_bias(trial, findings);
	judge_runs(trial, findings);
}

json_t *
trial_json(const struct trial *trial)
{
	json_t *object = json_pack("{s:i, s:i, s:i, s:i}", "pairs", (int)trial->pairs, "runs",
				   (int)trial->runs, "interrupted_runs", (int)trial->interrupted_runs,
				   "effect_pairs", TRIAL_PAIRS);
	const struct {
		const char *name;
		double value;
	} numbers[] = {{"seconds", trial->seconds},
		       {"run_ms", trial->run_ms},
		       {"pair_sd", trial->sd},
		       {"smallest_effect_percent", trial->effect_percent},
		       {"noise_floor_percent", trial->floor_percent},
		       {"bias_percent", trial->bias_percent},
		       {"clock_read_ns", trial->clock_read_ns}};
	size_t i;

	for (i = 0; i < sizeof numbers / sizeof *numbers; i++)
		json_object_set_new(object, numbers[i].name, json_number_or_null(numbers[i].value));
	json_object_set_new(object, "cpu", trial->cpu >= 0 ? json_integer(trial->cpu) : json_null());
	json_object_set_new(object, "biased", json_boolean(trial->biased));
	return object;
}
