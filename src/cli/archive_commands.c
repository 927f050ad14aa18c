#include "cli/archive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/home.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/commands.h"

#define PROGRAM "assay-archive"

/* argv[0] is the command's name. */
static int
run_apart(int argc, char **argv)
{
	struct error error = {0};
	char *self = home_tool(&error), *program;
	char **words = memory_zeroed((size_t)argc + 2, sizeof *words);

	if (self == NULL)
		return error_print(&error);
	*strrchr(self, '/') = '\0';
	program = memory_format("%s/" PROGRAM, self);
	words[0] = program;
	memcpy(words + 1, argv, (size_t)argc * sizeof *words);
	execv(program, words);
	fprintf(stderr, "assay: cannot run %s: %s; './bootstrap tool' builds it\n", program, strerror(errno));
	free(words);
	free(program);
	free(self);
	return EXIT_FAILED;
}

const struct command command_bundle = {
	"bundle",
	"pack sources, records, provenance and report into one archive",
	"usage: assay bundle [--output FILE]\n\n"
	"Writes build/bundle/<study>.tar.zst, a BagIt bag with an RO-Crate in it: the study's sources,\n"
	"raw records of the current plan, provenance, statistics, figures and report. Equal contents\n"
	"give equal bytes; SOURCE_DATE_EPOCH sets the time of all files. Paths that the study declares\n"
	"private stay out. Look at the warnings before you give a bundle away.",
	run_apart,
};

const struct command command_verify = {
	"verify",
	"check that a bundle is whole and what its manifest says",
	"usage: assay verify [--max-size SIZE] BUNDLE\n\n"
	"Reads the archive and holds every file against its manifests; runs nothing and writes nothing.\n"
	"BUNDLE may be a folder that one was unpacked to: then what is not listed is not looked at.\n"
	"Refuses archives that could do harm when unpacked: names that lead elsewhere, links, devices,\n"
	"duplicates, more than a million entries, more bytes unpacked than SIZE (K, M, G, T; without the\n"
	"option 1 GiB, or 1000 times the archive up to 16 GiB).\n"
	"Exit codes: 0 verified; 3 a file is not what the manifest says, missing or not listed; 4 no\n"
	"bundle, damaged, or refused.",
	run_apart,
};

const struct command command_reanalyse = {
	"reanalyse",
	"compute a bundle's results again from its raw records",
	"usage: assay reanalyse [--keep DIR] BUNDLE\n\n"
	"Verifies the bundle, unpacks it into a folder of its own, computes statistics, figures' data and\n"
	"report again from the raw records in it, and holds them against the shipped ones byte for byte.\n"
	"Builds and measures nothing; of the bundle only the specs run, in their sandbox, for the report's\n"
	"text. BUNDLE may be a folder that one was unpacked to.\n"
	"  --keep DIR   leave the folder: bundle/ with what was computed here, shipped/ with what came\n"
	"Exit codes: 0 all identical; 3 something differs, with the first difference, or is not what the\n"
	"manifest says; 4 no bundle, damaged, or refused; 1 something could not be computed again.",
	run_apart,
};

const struct command command_reproduce = {
	"reproduce",
	"build and measure a bundle's study here, and compare",
	"usage: assay reproduce [--smoke] [--only EXPERIMENT] [--keep DIR] [--yes] [--json] BUNDLE\n\n"
	"Verifies the bundle, unpacks it into a folder of its own, builds its programs, measures them here\n"
	"as the study's design says, and compares: the two machines, whether the programs are the same,\n"
	"each speedup with both intervals, each claim's verdict there and here. It first says what it will\n"
	"run and how long that takes, and asks. BUNDLE may be a folder that one was unpacked to.\n"
	"  --smoke            few pairs, at most 90 seconds of measuring\n"
	"  --only EXPERIMENT  this one alone\n"
	"  --keep DIR         leave the folder: bundle/ with what was built and measured, shipped/\n"
	"  --yes              do not ask; needed where there is no terminal\n"
	"  --json             the result as JSON (docs/formats.md)\n"
	"Exit codes: 0 no claim flips; 3 one does, or outputs disagree here; 5 nothing was measured; 1 it\n"
	"cannot be built, or groups failed; 4 no bundle, damaged, or refused; 130 interrupted.",
	run_apart,
};
