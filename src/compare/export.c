#include "compare/export.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/summary.h"
#include "spec/host.h"

#define ENTRY "build.ninja.lua"

static json_t *
command_json(const struct compared *command, const char *hex)
{
	json_t *one = json_pack("{s:s, s:s, s:s, s:s}", "name", command->name, "command", command->text,
				"program", command->program, "sha256", hex);

	if (command->revision != NULL)
		json_object_update_new(one, json_pack("{s:s, s:s?, s:b}", "revision", command->revision,
						      "commit", command->commit, "dirty",
						      command->dirty));
	return one;
}

static int
put_json(const struct compare_options *options, const struct report *report, struct buffer *out,
	 struct error *error)
{
	json_t *commands = json_array(), *document;
	char *text;
	size_t i;

	for (i = 0; i < options->command_count; i++) {
		const struct compared *command = &options->commands[i];
		char hex[DIGEST_SHA256_HEX];

		if (digest_file(DIGEST_SHA256, command->program, hex, error) != 0) {
			json_decref(commands);
			return -1;
		}
		json_array_append_new(commands, command_json(command, hex));
	}
	document = json_pack("{s:s, s:o, s:O, s:O}", "format", "assay-compare-1", "commands", commands,
			     "study", report->study, "stats", report->stats);
	text = document != NULL ? json_dumps(document, JSON_INDENT(2) | JSON_SORT_KEYS) : NULL;
	json_decref(document);
	if (text == NULL)
		return error_set(error, EXIT_FAILED, "a command's text is no UTF-8, which JSON needs");
	buffer_printf(out, "%s\n", text);
	free(text);
	return 0;
}

static int
put_page(bool html, const struct report *report, struct buffer *out, struct error *error)
{
	struct host *host = host_new();
	const struct study *study = host_load(host, ENTRY, error);
	struct buffer markdown = BUFFER_EMPTY;
	int result = -1;

	if (study != NULL)
		result = markdown_write(report, host, study, &markdown, error);
	if (result == 0 && html)
		result = html_write(json_get_text(report->study, "title"), &markdown, "build/report", out,
				    error);
	else if (result == 0)
		buffer_append(out, markdown.bytes, markdown.length);
	buffer_free(&markdown);
	host_free(host);
	return result;
}

static int
make(enum compare_export kind, const struct compare_options *options, const struct report *report,
     struct buffer *out, struct error *error)
{
	if (kind == EXPORT_JSON)
		return put_json(options, report, out, error);
	if (kind != EXPORT_CSV)
		return put_page(kind == EXPORT_HTML, report, out, error);
	summary_write_csv(report, out);
	return 0;
}

static int
publish(const char *path, const struct buffer *bytes, struct error *error)
{
	if (path[0] != '\0')
		return file_write(path, buffer_text(bytes), bytes->length, 0, error);
	if (fwrite(buffer_text(bytes), 1, bytes->length, stdout) != bytes->length || fflush(stdout) != 0)
		return error_set_errno(error, "cannot write to standard output");
	return 0;
}

int
export_all(const struct compare_options *options, const struct report *report,
	   struct error *error)
{
	int result = 0, kind;

	for (kind = 0; result == 0 && kind < EXPORT_KINDS; kind++) {
		struct buffer out = BUFFER_EMPTY;

		if (options->exports[kind] == NULL)
			continue;
		result = make((enum compare_export)kind, options, report, &out, error);
		if (result == 0)
			result = publish(options->exports[kind], &out, error);
		buffer_free(&out);
	}
	return result;
}
