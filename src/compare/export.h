#ifndef ASSAY_COMPARE_EXPORT_H
#define ASSAY_COMPARE_EXPORT_H

#include "compare/options.h"
#include "report/document.h"

/*
 * --json, --csv, --md, --html: the result in a file, or on stdout. CSV, Markdown and HTML are the
 * report's own. JSON: {"format": "assay-compare-1", "commands": [{"name", "command", "program",
 * "sha256"; with --rev also "revision", "commit", "dirty"}], "study": build/study.json, "stats": build/stats.json} (docs/formats.md).
 */
int export_all(const struct compare_options *options, const struct report *report,
	       struct error *error);

#endif
