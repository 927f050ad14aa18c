#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/file.h"
#include "base/home.h"
#include "base/memory.h"
#include "provenance/bundle_parts.h"

/*
 * What a reviewer runs who has the bundle and nothing else: review.sh, and, for a machine that lacks
 * what it needs, a Containerfile with packages.txt.
 */

#define OUTPUT_LIMIT ((size_t)1 << 20)

/* ---- where the tool comes from ---- */

enum tool_source
bundle_tool_source(const struct bundle *bundle)
{
	if (contents_find(&bundle->contents, "data/tool/bootstrap") != NULL)
		return TOOL_BESIDE;
	if (contents_find(&bundle->contents, "data/study/bootstrap") != NULL &&
	    contents_find(&bundle->contents, "data/study/kernels/harness/assay_harness.h") != NULL)
		return TOOL_IS_STUDY;
	return TOOL_ELSEWHERE;
}

/* A copy, so that data/ stays what the manifest says. */
const char *
bundle_copy_command(enum tool_source source)
{
	return source == TOOL_BESIDE
		       ? "cp -R data/tool assay"
		       : "mkdir assay && (cd data/study && tar -cf - --exclude=./build --exclude=./results .) | "
			 "tar -C assay -xf -";
}

/* ---- review.sh ---- */

static void
put_script(enum tool_source source, struct buffer *out)
{
	buffer_puts(out,
		    "#!/bin/sh\n"
		    "# sh review.sh [--yes]\n"
		    "#\n"
		    "# Checks this bundle, builds the tool that made it in assay/, computes its results again from\n"
		    "# the raw records, and measures here in a smoke run. It asks before it runs programs of the\n"
		    "# study, unless --yes says that it may. Installs nothing.\n"
		    "set -u\n"
		    "cd -- \"$(dirname -- \"$0\")\" || exit 1\n"
		    "unset CDPATH\n"
		    "\n"
		    "step() {\n"
		    "\tprintf '\\n== %s\\n' \"$*\"\n"
		    "}\n"
		    "\n"
		    "step 'every file against its digest'\n"
		    "sha512sum -c --quiet tagmanifest-sha512.txt || exit 3\n"
		    "sha512sum -c --quiet manifest-sha512.txt || exit 3\n"
		    "echo 'all files are what the manifests say'\n"
		    "\n");
	if (source == TOOL_ELSEWHERE)
		buffer_puts(out, "tool=assay # its sources are not in this bundle\n");
	else
		buffer_printf(out,
			      "step 'the tool, built in assay/'\n"
			      "if [ ! -e assay/bootstrap ]; then\n"
			      "\t[ -w . ] || {\n"
			      "\t\techo \"review.sh: '$PWD' cannot be written, and the tool is built in assay/ there;\" \\\n"
			      "\t\t\t'copy the bundle into a folder of yours first' >&2\n"
			      "\t\texit 1\n"
			      "\t}\n"
			      "\t%s || exit 1\n"
			      "fi\n"
			      "(cd assay && ./bootstrap --no-install tool) || exit 1\n"
			      "tool=assay/build/bin/assay\n",
			      bundle_copy_command(source));
	buffer_puts(out, "\n"
			 "code=0\n"
			 "step 'its results, computed again from the raw records'\n"
			 "\"$tool\" reanalyse . || code=$?\n"
			 "step 'measured again, in a smoke run'\n"
			 "\"$tool\" reproduce --smoke \"$@\" . || code=$?\n"
			 "exit \"$code\"\n");
}

/* ---- Containerfile ---- */

/* "debian:12" of the machine that packs; the caller frees. */
static char *
base_image(void)
{
	static const char *const argv[] = {"sh", "-c", ". /etc/os-release && echo \"$ID:$VERSION_ID\"", NULL};
	struct child child;
	char *image;

	child_run(argv, OUTPUT_LIMIT, &child);
	if (child.problem == NULL && child.out.length > 3 &&
	    strspn(child.out.bytes, "abcdefghijklmnopqrstuvwxyz0123456789.:-") == child.out.length - 1)
		image = memory_copy_span(child.out.bytes, child.out.length - 1);
	else
		image = memory_copy_text("debian:12");
	child_free(&child);
	return image;
}

static void
put_containerfile(struct buffer *out)
{
	char *image = base_image();

	buffer_printf(out,
		      "# The tool and the study of this bundle in a container; podman needs no root for it:\n"
		      "#\tpodman build -t review . && podman run --rm review\n"
		      "# packages.txt: what the tool is built from, in the versions of the machine that packed this.\n"
		      "# Where the archive has them no longer its newest are taken. Add what the study itself needs.\n"
		      "FROM %s\n"
		      "COPY packages.txt /tmp/packages.txt\n"
		      "RUN apt-get update && \\\n"
		      "    { xargs apt-get install -y --no-install-recommends </tmp/packages.txt || \\\n"
		      "      sed 's/=.*//' /tmp/packages.txt | xargs apt-get install -y --no-install-recommends; }\n"
		      "COPY . /bundle\n"
		      "WORKDIR /bundle\n"
		      "RUN rm -rf assay\n"
		      "CMD [\"sh\", \"review.sh\", \"--yes\"]\n",
		      image);
	free(image);
}

/* The names of the packages that the tool needs, a line each; "" when they are not known. */
static void
list_packages(struct buffer *names)
{
	char *home = home_path(NULL), *script = memory_format("%s/bootstrap", home != NULL ? home : "");
	const char *const argv[] = {"sh", script, "--packages", "tool", NULL};
	struct child child;

	if (home != NULL && file_exists(script)) {
		child_run(argv, OUTPUT_LIMIT, &child);
		if (child.problem == NULL)
			buffer_append(names, buffer_text(&child.out), child.out.length);
		child_free(&child);
	}
	free(script);
	free(home);
}

/* "name=version" a line, as they are installed here; the name alone where that cannot be told. */
static void
put_packages(const struct buffer *names, struct buffer *out)
{
	static const char *const start[] = {"dpkg-query", "-W", "-f", "${Package}=${Version}\n"};
	size_t count = sizeof start / sizeof *start;
	const char **argv = memory_zeroed(count + names->length + 1, sizeof *argv); /* a name has a byte */
	char *copy = memory_copy_text(buffer_text(names)), *rest = copy, *name;
	struct child child;

	memcpy(argv, start, sizeof start);
	while ((name = strsep(&rest, "\n")) != NULL && name[0] != '\0')
		argv[count++] = name;
	child_run(argv, OUTPUT_LIMIT, &child);
	if (child.problem == NULL)
		buffer_append(out, buffer_text(&child.out), child.out.length);
	else
		buffer_append(out, buffer_text(names), names->length);
	child_free(&child);
	free(argv);
	free(copy);
}

void
bundle_add_review(struct bundle *bundle)
{
	enum tool_source source = bundle_tool_source(bundle);
	struct buffer script = BUFFER_EMPTY, container = BUFFER_EMPTY, packages = BUFFER_EMPTY;
	struct buffer names = BUFFER_EMPTY;

	put_script(source, &script);
	contents_add_bytes(&bundle->contents, "review.sh", &script);
	if (source != TOOL_ELSEWHERE)
		list_packages(&names);
	if (names.length > 0) {
		put_containerfile(&container);
		put_packages(&names, &packages);
		contents_add_bytes(&bundle->contents, "Containerfile", &container);
		contents_add_bytes(&bundle->contents, "packages.txt", &packages);
	}
	buffer_free(&names);
}
