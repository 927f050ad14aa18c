#include "provenance/bundle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/version.h"
#include "provenance/bundle_parts.h"
#include "provenance/pack.h"

#define LONG_AGO 315532800 /* 1980: when nothing was measured, a time that is one */

/* ---- reading ---- */

static int
read_study(struct bundle *bundle, struct error *error)
{
	if (!file_exists("build/study.json") || !file_exists("build/stats.json"))
		return error_set(error, EXIT_BAD_INPUT,
				 "there is nothing to pack yet: build/study.json or build/stats.json is "
				 "missing; run 'ninja report' in the study's folder first");
	bundle->study = json_read_file("build/study.json", error);
	if (bundle->study == NULL)
		return -1;
	bundle->stats = json_read_file("build/stats.json", error);
	if (bundle->stats == NULL)
		return -1;
	bundle->name = json_get_text(bundle->study, "name");
	bundle->title = json_get_text(bundle->study, "title");
	if (bundle->title[0] == '\0')
		bundle->title = bundle->name;
	if (strchr(bundle->name, '/') != NULL ||
	    !contents_name_is_safe(bundle->name, strlen(bundle->name)))
		return error_set(error, EXIT_BAD_INPUT,
				 "the study's name '%s' cannot be the name of a folder", bundle->name);
	return 0;
}

/* The time that all files of the bundle have. */
static int
choose_epoch(struct bundle *bundle, struct error *error)
{
	const char *asked = getenv("SOURCE_DATE_EPOCH");
	time_t when;
	struct tm parts;
	char *end;
	size_t i;

	bundle->epoch_s = LONG_AGO;
	for (i = 0; i < bundle->session_count; i++)
		if (bundle->sessions[i].started_s > bundle->epoch_s)
			bundle->epoch_s = bundle->sessions[i].started_s;
	if (asked != NULL && asked[0] != '\0') {
		errno = 0;
		bundle->epoch_s = strtoll(asked, &end, 10);
		if (*end != '\0' || errno != 0 || bundle->epoch_s < 0 || bundle->epoch_s > 253402300799)
			return error_set(error, EXIT_BAD_INPUT,
					 "SOURCE_DATE_EPOCH is '%s', not a number of seconds since 1970",
					 asked);
	}
	when = (time_t)bundle->epoch_s;
	gmtime_r(&when, &parts);
	strftime(bundle->date, sizeof bundle->date, "%Y-%m-%d", &parts);
	return 0;
}

static int
gather(struct bundle *bundle, struct error *error)
{
	if (bundle_add_sources(bundle, error) != 0)
		return -1;
	bundle_add_tool(bundle);
	bundle_add_results(bundle);
	if (choose_epoch(bundle, error) != 0)
		return -1;
	return contents_read(&bundle->contents, error);
}

/* ---- texts ---- */

static void
put_notes(const struct content_notes *notes, const char *none, struct buffer *out)
{
	size_t i;

	for (i = 0; i < notes->count; i++) {
		const char *name = notes->items[i].name;

		if (strncmp(name, "data/", 5) == 0)
			name += 5;
		buffer_printf(out, "%s: %s\n", name, notes->items[i].text);
	}
	if (notes->count == 0)
		buffer_printf(out, "%s\n", none);
}

static int
add_notes(struct bundle *bundle, struct error *error)
{
	struct buffer left_out = BUFFER_EMPTY, warnings = BUFFER_EMPTY;

	put_notes(&bundle->contents.left_out, "Nothing was left out.", &left_out);
	put_notes(&bundle->contents.warnings, "Nothing looks like a key or a password.", &warnings);
	contents_add_bytes(&bundle->contents, "data/left-out.txt", &left_out);
	contents_add_bytes(&bundle->contents, "data/warnings.txt", &warnings);
	return contents_read(&bundle->contents, error);
}

static int
add_crate(struct bundle *bundle, struct error *error)
{
	json_t *crate = bundle_crate(bundle);
	char *text = json_dumps(crate, JSON_INDENT(2) | JSON_SORT_KEYS);
	struct buffer bytes = BUFFER_EMPTY;

	json_decref(crate);
	if (text == NULL)
		return error_set(error, EXIT_FAILED, "the bundle cannot be described as an RO-Crate");
	buffer_printf(&bytes, "%s\n", text);
	free(text);
	contents_add_bytes(&bundle->contents, "data/ro-crate-metadata.json", &bytes);
	return contents_read(&bundle->contents, error);
}

/* A value of bag-info.txt: one line. */
static void
put_info(struct buffer *out, const char *label, const char *value)
{
	buffer_printf(out, "%s: ", label);
	for (; *value != '\0'; value++)
		buffer_putc(out, (unsigned char)*value < 0x20 ? ' ' : *value);
	buffer_putc(out, '\n');
}

static void
add_bag_info(struct bundle *bundle)
{
	struct buffer info = BUFFER_EMPTY, bagit = BUFFER_EMPTY, readme = BUFFER_EMPTY;
	uint64_t bytes = 0, files = 0;
	char number[64];
	size_t i;

	for (i = 0; i < bundle->contents.count; i++)
		if (strncmp(bundle->contents.items[i].name, "data/", 5) == 0) {
			bytes += bundle->contents.items[i].size;
			files++;
		}
	bundle_put_readme(bundle, &readme);
	bundle_add_review(bundle);
	put_info(&info, "Bag-Software-Agent", "Assay " ASSAY_VERSION);
	put_info(&info, "Bagging-Date", bundle->date);
	put_info(&info, "External-Identifier", bundle->name);
	put_info(&info, "External-Description", bundle->title);
	snprintf(number, sizeof number, "%llu.%llu", (unsigned long long)bytes,
		 (unsigned long long)files);
	put_info(&info, "Payload-Oxum", number);
	snprintf(number, sizeof number, "%zu", bundle->contents.warnings.count);
	put_info(&info, "Assay-Warnings", number);
	buffer_puts(&bagit, "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n");
	contents_add_bytes(&bundle->contents, "README.md", &readme);
	contents_add_bytes(&bundle->contents, "bag-info.txt", &info);
	contents_add_bytes(&bundle->contents, "bagit.txt", &bagit);
}

/* The lines that sha512sum -c reads, of what is below data/ or of what is not. */
static void
put_manifest(const struct contents *contents, bool payload, struct buffer *out)
{
	size_t i;

	for (i = 0; i < contents->count; i++)
		if ((strncmp(contents->items[i].name, "data/", 5) == 0) == payload)
			buffer_printf(out, "%s  %s\n", contents->items[i].sha512,
				      contents->items[i].name);
}

static int
add_tag_files(struct bundle *bundle, struct error *error)
{
	struct buffer manifest = BUFFER_EMPTY, tags = BUFFER_EMPTY;

	add_bag_info(bundle);
	put_manifest(&bundle->contents, true, &manifest);
	contents_add_bytes(&bundle->contents, "manifest-sha512.txt", &manifest);
	if (contents_read(&bundle->contents, error) != 0)
		return -1;
	put_manifest(&bundle->contents, false, &tags);
	contents_add_bytes(&bundle->contents, "tagmanifest-sha512.txt", &tags);
	return contents_read(&bundle->contents, error);
}

/* ---- telling ---- */

static void
tell_notes(const struct content_notes *notes, const char *head, FILE *out)
{
	size_t i;

	if (notes->count == 0)
		return;
	fprintf(out, "%s\n", head);
	for (i = 0; i < notes->count && i < 20; i++)
		fprintf(out, "  %s: %s\n", notes->items[i].name, notes->items[i].text);
	if (notes->count > i)
		fprintf(out, "  and %zu more\n", notes->count - i);
}

static void
tell(const struct bundle *bundle, bool changed, FILE *out)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < bundle->contents.count; i++)
		bytes += bundle->contents.items[i].size;
	tell_notes(&bundle->contents.warnings,
		   "warning: look at these before you give the bundle away (data/warnings.txt):", out);
	tell_notes(&bundle->contents.aside, "of this machine alone, and not told in the bundle:", out);
	if (bundle->session_count == 0)
		fputs("warning: no session of the current plan is in the store\n", out);
	if (bundle->contents.left_out.count > 0)
		fprintf(out, "%zu left out, with reasons in data/left-out.txt\n",
			bundle->contents.left_out.count);
	fprintf(out, "%s: %zu files, %.1f MiB unpacked, %zu sessions%s\n", bundle->output,
		bundle->contents.count, (double)bytes / (1 << 20), bundle->session_count,
		changed ? "" : "; unchanged");
}

static void
bundle_free(struct bundle *bundle)
{
	size_t i;

	for (i = 0; i < bundle->session_count; i++) {
		struct bundle_session *session = &bundle->sessions[i];

		free(session->case_id);
		free(session->experiment);
		free(session->folder);
		free(session->started);
		free(session->ended);
		free(session->reason);
		json_decref(session->provenance);
	}
	free(bundle->sessions);
	free(bundle->licence);
	free(bundle->output);
	contents_free(&bundle->contents);
	json_decref(bundle->study);
	json_decref(bundle->stats);
}

int
bundle_write(const struct bundle_request *request, struct error *error)
{
	struct bundle bundle = {0};
	bool changed = false;
	int result = -1;

	if (read_study(&bundle, error) == 0) {
		bundle.output = request->output != NULL
					? memory_copy_text(request->output)
					: memory_format("build/bundle/%s.tar.zst", bundle.name);
		if (gather(&bundle, error) == 0 && add_notes(&bundle, error) == 0 &&
		    add_crate(&bundle, error) == 0 && add_tag_files(&bundle, error) == 0)
			result = pack_write(&bundle.contents, bundle.name, bundle.epoch_s,
					    bundle.output, &changed, error);
	}
	if (result == 0 && request->out != NULL)
		tell(&bundle, changed, request->out);
	bundle_free(&bundle);
	return result;
}
