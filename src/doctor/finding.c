#include "doctor/finding.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"

struct finding *
findings_add(struct findings *findings, const char *name, const char *why)
{
	struct finding *finding;

	findings->items = memory_grow(findings->items, findings->count, &findings->capacity,
				      sizeof *findings->items);
	finding = &findings->items[findings->count++];
	*finding = (struct finding){.name = name, .why = why, .seen = memory_copy_text("")};
	return finding;
}

void
findings_free(struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->count; i++) {
		free(findings->items[i].seen);
		free(findings->items[i].command);
	}
	free(findings->items);
	memset(findings, 0, sizeof *findings);
}

const struct finding *
findings_get(const struct findings *findings, const char *name)
{
	size_t i;

	for (i = 0; i < findings->count; i++)
		if (strcmp(findings->items[i].name, name) == 0)
			return &findings->items[i];
	return NULL;
}

static char *
format_text(const char *format, va_list arguments)
{
	char text[1024];

	vsnprintf(text, sizeof text, format, arguments);
	return memory_copy_text(text);
}

void
finding_see(struct finding *finding, const char *format, ...)
{
	va_list arguments;
	char *byte;

	va_start(arguments, format);
	free(finding->seen);
	finding->seen = format_text(format, arguments);
	va_end(arguments);
	for (byte = finding->seen; *byte != '\0'; byte++)
		if (!isprint((unsigned char)*byte))
			*byte = '?';
}

void
finding_command(struct finding *finding, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	free(finding->command);
	finding->command = format_text(format, arguments);
	va_end(arguments);
}

const char *
finding_text(struct finding *finding, const json_t *fact)
{
	const char *reason = json_get_text(fact, "unavailable");

	if (json_is_string(fact) && json_string_value(fact)[0] != '\0')
		return json_string_value(fact);
	finding->level = FINDING_UNKNOWN;
	finding_see(finding, "%s", *reason != '\0' ? reason : "the machine does not tell");
	return NULL;
}

const char *
finding_level_name(enum finding_level level)
{
	static const char *const names[] = {"ok", "unknown", "minor", "serious"};

	return names[level];
}

static json_t *
finding_json(const struct finding *finding)
{
	json_t *object = json_pack("{s:s, s:s, s:s, s:s?, s:s?}", "name", finding->name, "level",
				   finding_level_name(finding->level), "why", finding->why, "command",
				   finding->command, "advice", finding->advice);

	if (finding->level == FINDING_UNKNOWN)
		json_object_set_new(object, "seen", json_pack("{s:s}", "unavailable", finding->seen));
	else
		json_object_set_new(object, "seen", json_string(finding->seen));
	return object;
}

json_t *
findings_json(const struct findings *findings)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < findings->count; i++)
		json_array_append_new(array, finding_json(&findings->items[i]));
	return array;
}
