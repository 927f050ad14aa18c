#ifndef ASSAY_BUNDLE_H
#define ASSAY_BUNDLE_H

#include <stdint.h>
#include <stdio.h>

#include "base/buffer.h"
#include "base/error.h"

/*
 * A bundle: one .tar.zst that holds a study with its raw records, so that somebody else can check,
 * reanalyse and repeat it. A BagIt bag (RFC 8493) in one top folder named after the study:
 *
 *	bagit.txt, bag-info.txt, README.md	tag files
 *	review.sh, Containerfile, packages.txt	for reviewers
 *	manifest-sha512.txt			SHA-512 of each file below data/
 *	tagmanifest-sha512.txt			of the tag files and that manifest
 *	data/ro-crate-metadata.json		RO-Crate 1.1, Process Run Crate 0.5
 *	data/left-out.txt, data/warnings.txt	what is not here, what looks like a secret
 *	data/study/				the study's root: sources, results/, build/{stats,…}
 *	data/tool/				Assay's own sources, where the study is not theirs
 *
 * Equal inputs give equal bytes: names are UTF-8 and sorted, owner 0, mode 0644 or 0755, all times
 * are SOURCE_DATE_EPOCH, or the start of the newest session in it.
 */

struct bundle_request {
	const char *output;   /* NULL: build/bundle/<study>.tar.zst */
	FILE *out;            /* what was done, and warnings; NULL: nothing */
};

/* Packs the study of the current folder. Equal bytes leave an existing file alone. */
int bundle_write(const struct bundle_request *request, struct error *error);

/* What reading a bundle may cost; 0: the default. A reader that needs more refuses. */
struct bundle_limits {
	uint64_t bytes;       /* of all files; 1 GiB, or 1000 times the archive's size when that is
	                         more, but 16 GiB at most */
	uint64_t entries;     /* 1000000 */
};

struct bundle_facts {
	char *name;           /* the top folder; owned */
	uint64_t files, bytes;
	struct buffer forms;  /* "a, b": forms of experiments whose statistics are in it */
};

/*
 * Reads the whole archive and holds it against its manifests; writes nothing. 0, or -1 with
 * *error: EXIT_NOT_HELD when a file is not what the manifest says, is missing or is not listed;
 * EXIT_BAD_INPUT when it is no bundle of ours, damaged, or one that could do harm. `path` may be
 * a folder that a bundle was unpacked to: then what is not listed there is not looked at.
 */
int bundle_verify(const char *path, const struct bundle_limits *limits, struct bundle_facts *facts,
		  struct error *error);
/*
 * As bundle_verify, and unpacks into `folder`, which must not be there yet or be empty: it then
 * holds what the top folder holds. After -1 nothing is left behind.
 */
int bundle_unpack(const char *path, const char *folder, const struct bundle_limits *limits,
		  struct bundle_facts *facts, struct error *error);
/* For readers: one more file, by its name below the top folder. */
void bundle_facts_add(struct bundle_facts *facts, const char *name);
void bundle_facts_free(struct bundle_facts *facts);

#endif
