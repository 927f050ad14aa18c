#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/memory.h"
#include "provenance/capture_parts.h"
#include "provenance/fact.h"

/*
 * "devices" and "device_toolkit" of provenance.json: what the drivers' and the compiler's own programs
 * say. They are asked, not loaded: the tool needs no library of theirs.
 */

#define OUTPUT_LIMIT 65536

/* In the order of what nvidia-smi is asked for. */
static const char *const columns[] = {"name", "uuid", "driver", "memory", "compute_capability"};
enum { COLUMNS = sizeof columns / sizeof *columns };

static json_t *
refusal(const char *program, const struct child *child)
{
	const char *said = buffer_text(child->out.length > 0 ? &child->out : &child->complaint);
	size_t length = strcspn(said, "\n");

	if (length == 0 || child->missing)
		return fact_unavailable("%s: %s", program, child->problem);
	return fact_unavailable("%s: %s: %.*s", program, child->problem, (int)length, said);
}

/* nvidia-smi separates by ", " and quotes nothing; no value of these has one in it. */
static json_t *
device_fact(char *line)
{
	json_t *device = json_object();
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		char *end = line != NULL ? strstr(line, ", ") : NULL;

		if (end != NULL)
			*end = '\0';
		json_object_set_new(device, columns[i],
				    line != NULL ? fact_text(line)
						 : fact_unavailable("nvidia-smi does not tell"));
		line = end != NULL ? end + 2 : NULL;
	}
	return device;
}

static json_t *
devices_fact(void)
{
	static const char *const argv[] = {
		"nvidia-smi", "--query-gpu=name,uuid,driver_version,memory.total,compute_cap",
		"--format=csv,noheader", NULL};
	struct child child;
	json_t *fact;
	char *text, *line;

	child_run(argv, OUTPUT_LIMIT, &child);
	if (child.problem != NULL) {
		fact = refusal("nvidia-smi", &child);
		child_free(&child);
		return fact;
	}
	fact = json_array();
	text = buffer_detach(&child.out);
	child_free(&child);
	for (char *rest = text; (line = strsep(&rest, "\r\n")) != NULL;)
		if (line[0] != '\0')
			json_array_append_new(fact, device_fact(line));
	free(text);
	if (json_array_size(fact) > 0)
		return fact;
	json_decref(fact);
	return fact_unavailable("nvidia-smi lists no device");
}

static void
ask_nvcc(const char *path, struct child *child)
{
	const char *const argv[] = {path, "--version", NULL};

	child_run(argv, OUTPUT_LIMIT, child);
}

/* Its packages put it into no folder of PATH, so where they put it is looked at, too. */
static void
ask_any_nvcc(struct child *child)
{
	const char *folder = getenv("CUDA_PATH");
	char *path = memory_format("%s/bin/nvcc", folder != NULL ? folder : "/usr/local/cuda");

	ask_nvcc("nvcc", child);
	if (child->missing && access(path, X_OK) == 0) {
		child_free(child);
		ask_nvcc(path, child);
	}
	free(path);
}

static json_t *
toolkit_fact(void)
{
	static const char before[] = "release ";
	struct child child;
	const char *found;
	json_t *fact;

	ask_any_nvcc(&child);
	found = strstr(buffer_text(&child.out), before);
	if (child.problem != NULL)
		fact = refusal("nvcc", &child);
	else if (found == NULL)
		fact = fact_unavailable("nvcc --version names no release");
	else
		fact = fact_span(found + strlen(before), strcspn(found, "\n") - strlen(before));
	child_free(&child);
	return fact;
}

void
capture_devices(json_t *provenance)
{
	json_object_set_new(provenance, "devices", devices_fact());
	json_object_set_new(provenance, "device_toolkit", toolkit_fact());
}
