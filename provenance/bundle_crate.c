#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/memory.h"
#include "cli/version.h"
#include "provenance/bundle_parts.h"

/*
 * ro-crate-metadata.json: RO-Crate 1.1 (https://w3id.org/ro/crate/1.1) with the profile Process
 * Run Crate 0.5 (https://w3id.org/ro/wfrun/process/0.5). The crate's root is data/. Each file is
 * described; each session is a CreateAction whose result is the folder of its records.
 */

#define PROFILE "https://w3id.org/ro/wfrun/process/0.5"
#define OPERATOR "#operator"

void
bundle_put_time(int64_t seconds, char text[40])
{
	time_t when = (time_t)seconds;
	struct tm parts;

	gmtime_r(&when, &parts);
	strftime(text, 40, "%Y-%m-%dT%H:%M:%S+00:00", &parts);
}

/* A path as the @id of an entity: a relative IRI, so that letters of all scripts stay. */
static char *
id_of(const char *path)
{
	struct buffer out = BUFFER_EMPTY;

	for (; *path != '\0'; path++)
		if (strchr(" \"%<>\\^`{|}#?[]", *path) != NULL)
			buffer_printf(&out, "%%%02X", (unsigned char)*path);
		else
			buffer_putc(&out, *path);
	return buffer_detach(&out);
}

static json_t *
reference(const char *id)
{
	return json_pack("{s:s}", "@id", id);
}

static json_t *
reference_to(const char *path)
{
	char *id = id_of(path);
	json_t *value = reference(id);

	free(id);
	return value;
}

/* ---- files ---- */

static const char *
encoding_of(const char *path)
{
	static const struct {
		const char *end, *encoding;
	} known[] = {
		{".log", "text/plain"},      {".txt", "text/plain"},        {".json", "application/json"},
		{".csv", "text/csv"},        {".svg", "image/svg+xml"},     {".pdf", "application/pdf"},
		{".png", "image/png"},       {".html", "text/html"},        {".md", "text/markdown"},
		{".tex", "application/x-tex"}, {".c", "text/x-c"},          {".h", "text/x-c"},
		{".lua", "text/x-lua"},      {".py", "text/x-python"},      {".patch", "text/x-diff"},
		{".sh", "application/x-sh"}, {".gnuplot", "text/plain"},
	};
	const char *dot = strrchr(path, '.');
	size_t i;

	for (i = 0; dot != NULL && i < sizeof known / sizeof *known; i++)
		if (strcmp(dot, known[i].end) == 0)
			return known[i].encoding;
	return NULL;
}

static json_t *
file_entity(const struct content *content, const char *path)
{
	const char *slash = strrchr(path, '/'), *encoding = encoding_of(path);
	char *id = id_of(path), *size = memory_format("%llu", (unsigned long long)content->size);
	json_t *entity = json_pack("{s:s, s:s, s:s, s:s}", "@id", id, "@type", "File", "name",
				   slash != NULL ? slash + 1 : path, "contentSize", size);

	if (encoding != NULL)
		json_object_set_new(entity, "encodingFormat", json_string(encoding));
	free(size);
	free(id);
	return entity;
}

/* The session whose folder a path lies in, by the longest run of equal letters; NULL: none. */
static const struct bundle_session *
session_of(const struct bundle *bundle, const char *path, size_t *last)
{
	size_t i;

	if (strncmp(path, "study/results/", 14) != 0)
		return NULL;
	for (i = 0; i < bundle->session_count; i++) {
		size_t at = (*last + i) % bundle->session_count;
		const char *folder = bundle->sessions[at].folder;

		if (strncmp(path, folder, strlen(folder)) == 0 && path[strlen(folder)] == '/') {
			*last = at; /* names are sorted: the next one is likely here too */
			return &bundle->sessions[at];
		}
	}
	return NULL;
}

/* Adds an entity a file; those of a session are parts of its folder, all others of the root. */
static void
put_files(const struct bundle *bundle, json_t *graph, json_t *root_parts, json_t **session_parts)
{
	size_t i, last = 0;

	for (i = 0; i < bundle->contents.count; i++) {
		const struct content *content = &bundle->contents.items[i];
		const char *path = content->name + strlen("data/");
		const struct bundle_session *session;

		if (strncmp(content->name, "data/", 5) != 0)
			continue;
		session = session_of(bundle, path, &last);
		json_array_append_new(session != NULL ? session_parts[session - bundle->sessions]
						      : root_parts,
				      reference_to(path));
		json_array_append_new(graph, file_entity(content, path));
	}
}

/* ---- tools ---- */

static bool
has_entity(const json_t *graph, const char *id)
{
	size_t i;

	for (i = 0; i < json_array_size(graph); i++)
		if (strcmp(json_get_text(json_array_get(graph, i), "@id"), id) == 0)
			return true;
	return false;
}

/* Where somebody reads more of the tool: its sources, where they are here. */
static void
put_url(const struct bundle *bundle, json_t *tool)
{
	static const char *const names[] = {
		[TOOL_BESIDE] = "data/tool/README.md", [TOOL_IS_STUDY] = "data/study/README.md",
		[TOOL_ELSEWHERE] = ""};
	const char *name = names[bundle_tool_source(bundle)];

	if (contents_find(&bundle->contents, name) != NULL)
		json_object_set_new(tool, "url", reference_to(name + strlen("data/")));
}

/* The Assay that measured; its id is owned by the caller. */
static char *
put_tool(const struct bundle *bundle, const struct bundle_session *session, json_t *tools)
{
	const json_t *tool = json_object_get(session->provenance, "tool");
	const char *sha256 = json_get_text(tool, "sha256"), *version = json_get_text(tool, "version");
	char *id = sha256[0] != '\0' ? memory_format("#assay-%.16s", sha256)
				     : memory_copy_text("#assay");
	json_t *entity;

	if (has_entity(tools, id))
		return id;
	entity = json_pack("{s:s, s:s, s:s, s:s, s:s}", "@id", id, "@type", "SoftwareApplication",
			   "name", "Assay", "description",
			   "plans, measures and reports performance experiments", "softwareVersion",
			   version[0] != '\0' ? version : ASSAY_VERSION);
	if (sha256[0] != '\0')
		json_object_set_new(entity, "identifier", json_sprintf("sha256:%s", sha256));
	put_url(bundle, entity);
	json_array_append_new(tools, entity);
	return id;
}

/* The commit that a program was made of, or what its content says: it has no other version. */
static json_t *
version_of(const struct bundle_session *session, const char *path, const char *sha256)
{
	const json_t *sources = json_object_get(session->provenance, "sources");
	size_t i;

	for (i = 0; i < json_array_size(sources); i++) {
		const json_t *source = json_array_get(sources, i);
		const char *commit = json_get_text(source, "commit");

		if (strcmp(json_get_text(source, "program"), path) == 0 && commit[0] != '\0')
			return json_string(commit);
	}
	return json_sprintf("sha256:%.16s", sha256);
}

static json_t *
program_entity(const struct bundle_session *session, const char *id, const char *path,
	       const char *sha256)
{
	return json_pack("{s:s, s:[s, s], s:s, s:s, s:o, s:o}", "@id", id, "@type",
			 "SoftwareApplication", "CreativeWork", "name", path, "description",
			 "a program that was measured", "softwareVersion",
			 version_of(session, path, sha256), "identifier",
			 json_sprintf("sha256:%s", sha256));
}

/* What was measured: programs are no part of the bundle, they are told by their digest. They are
 * creative works as well, since the profile asks that of what an action takes and is no file. */
static void
put_programs(const struct bundle_session *session, json_t *tools, json_t *objects)
{
	const json_t *list = json_object_get(session->provenance, "programs");
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		const json_t *program = json_array_get(list, i);
		const char *sha256 = json_get_text(program, "sha256");
		char *id = memory_format("#program-%.16s", sha256);

		if (sha256[0] != '\0') {
			json_array_append_new(objects, reference(id));
			if (!has_entity(tools, id))
				json_array_append_new(tools,
						      program_entity(session, id,
								     json_get_text(program, "path"),
								     sha256));
		}
		free(id);
	}
}

/* ---- sessions ---- */

static void
put_status(const struct bundle_session *session, json_t *action)
{
	json_object_set_new(action, "actionStatus",
			    reference(session->good ? "http://schema.org/CompletedActionStatus"
						    : "http://schema.org/FailedActionStatus"));
	if (!session->good)
		json_object_set_new(action, "error",
				    json_string(session->reason[0] != '\0' ? session->reason
									   : "the session is invalid"));
}

static void
put_times(const struct bundle_session *session, json_t *action)
{
	char text[40];

	if (session->started_s > 0) {
		bundle_put_time(session->started_s, text);
		json_object_set_new(action, "startTime", json_string(text));
	}
	if (session->ended_s > 0) {
		bundle_put_time(session->ended_s, text);
		json_object_set_new(action, "endTime", json_string(text));
	}
}

static void
put_session(const struct bundle *bundle, const struct bundle_session *session, json_t *parts,
	    json_t *graph, json_t *tools, json_t *mentions)
{
	char *folder = memory_format("%s/", session->folder), *folder_id = id_of(folder);
	char *id = memory_format("#%s", folder_id);
	char *plan = memory_format("data/%s/plan.json", session->folder);
	char *tool = put_tool(bundle, session, tools);
	json_t *action = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "@id", id, "@type",
				   "CreateAction", "name",
				   json_sprintf("measure %s", session->case_id), "description",
				   json_sprintf("assay measure %s", session->case_id), "agent",
				   reference(OPERATOR), "instrument", reference(tool), "result",
				   reference(folder_id));
	json_t *objects = json_array();

	if (contents_find(&bundle->contents, plan) != NULL)
		json_array_append_new(objects, reference_to(plan + strlen("data/")));
	put_programs(session, tools, objects);
	json_object_set_new(action, "object", objects);
	put_status(session, action);
	put_times(session, action);
	json_array_append_new(graph, action);
	json_array_append_new(mentions, reference(id));
	json_array_append_new(graph, json_pack("{s:s, s:s, s:o, s:O}", "@id", folder_id, "@type",
					       "Dataset", "name",
					       json_sprintf("records of a session of %s",
							    session->case_id),
					       "hasPart", parts));
	free(tool);
	free(plan);
	free(id);
	free(folder_id);
	free(folder);
}

/* ---- the root ---- */

static json_t *
licence_of(const struct bundle *bundle)
{
	if (bundle->licence != NULL)
		return reference_to(bundle->licence);
	return json_string("The study states no licence: ask its authors.");
}

static json_t *
root_entity(const struct bundle *bundle, json_t *parts, json_t *mentions)
{
	json_t *root = json_pack(
		"{s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:O}", "@id", "./", "@type", "Dataset", "name",
		bundle->title, "description",
		json_sprintf("The performance study '%s': sources, raw records, provenance, statistics, "
			     "figures and report.",
			     bundle->name),
		"datePublished", bundle->date, "license", licence_of(bundle), "conformsTo",
		reference(PROFILE), "hasPart", parts);

	if (json_array_size(mentions) > 0)
		json_object_set(root, "mentions", mentions);
	return root;
}

static void
put_head(const struct bundle *bundle, json_t *parts, json_t *mentions, json_t *graph)
{
	json_array_append_new(graph, json_pack("{s:s, s:s, s:o, s:o}", "@id",
					       "ro-crate-metadata.json", "@type", "CreativeWork",
					       "conformsTo", reference("https://w3id.org/ro/crate/1.1"),
					       "about", reference("./")));
	json_array_append_new(graph, root_entity(bundle, parts, mentions));
	json_array_append_new(graph, json_pack("{s:s, s:s, s:s, s:s}", "@id", PROFILE, "@type",
					       "CreativeWork", "name", "Process Run Crate", "version",
					       "0.5"));
}

/* The profile asks who ran the tool. Who that was is not recorded, and the crate says so. */
static void
put_operator(const struct bundle *bundle, json_t *tools)
{
	if (bundle->session_count > 0)
		json_array_append_new(
			tools, json_pack("{s:s, s:s, s:s, s:s}", "@id", OPERATOR, "@type", "Person",
					 "name", "whoever ran 'assay measure'", "description",
					 "Names, accounts and hosts are not recorded."));
}

json_t *
bundle_crate(const struct bundle *bundle)
{
	json_t *head = json_array(), *graph = json_array(), *tools = json_array();
	json_t *parts = json_array(), *mentions = json_array();
	json_t **session_parts = memory_zeroed(bundle->session_count, sizeof *session_parts);
	size_t i;

	for (i = 0; i < bundle->session_count; i++)
		session_parts[i] = json_array();
	put_files(bundle, graph, parts, session_parts);
	for (i = 0; i < bundle->session_count; i++) {
		char *folder = memory_format("%s/", bundle->sessions[i].folder);

		put_session(bundle, &bundle->sessions[i], session_parts[i], graph, tools, mentions);
		json_array_append_new(parts, reference_to(folder));
		json_decref(session_parts[i]);
		free(folder);
	}
	put_operator(bundle, tools);
	put_head(bundle, parts, mentions, head);
	json_array_extend(head, tools);
	json_array_extend(head, graph);
	json_decref(graph);
	json_decref(tools);
	json_decref(parts);
	json_decref(mentions);
	free(session_parts);
	return json_pack("{s:[s, s], s:o}", "@context", "https://w3id.org/ro/crate/1.1/context",
			 "https://w3id.org/ro/terms/workflow-run/context", "@graph", head);
}
