#ifndef ASSAY_ARCHIVE_H
#define ASSAY_ARCHIVE_H

/*
 * The commands on bundles are a program of their own, assay-archive, beside the tool: it alone
 * needs libarchive, whose libraries take as long to load as all else of the tool together, and
 * the tool is started at each step of the graph. command_bundle and its like run it.
 */

/* What assay-archive runs, with argv as struct command tells. */
int archive_bundle(int argc, char **argv);
int archive_verify(int argc, char **argv);
int archive_reanalyse(int argc, char **argv);
int archive_reproduce(int argc, char **argv);

#endif
