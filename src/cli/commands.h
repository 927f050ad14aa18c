#ifndef ASSAY_COMMANDS_H
#define ASSAY_COMMANDS_H

#include "cli/command.h"

/* One a file: command_<name>.c. */
extern const struct command command_generate;
extern const struct command command_check;
extern const struct command command_plan;
extern const struct command command_status;
extern const struct command command_measure;
extern const struct command command_retry;
extern const struct command command_analyse;
extern const struct command command_plot;
extern const struct command command_power;
extern const struct command command_report;
extern const struct command command_bundle;
extern const struct command command_verify;
extern const struct command command_reanalyse;
extern const struct command command_reproduce;
extern const struct command command_compare;
extern const struct command command_doctor;
extern const struct command command_init;
extern const struct command command_log;
extern const struct command command_diff;
extern const struct command command_gc;
extern const struct command command_lock;
extern const struct command command_diagnose;
extern const struct command command_source;
extern const struct command command_paper;

#endif
