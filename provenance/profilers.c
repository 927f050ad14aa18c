#include "provenance/profilers.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "provenance/fact.h"

#define SMALL 4096

/* A name that ends in '*' is the start of many. */
static const char *const known[] = {
	"perf", "strace", "ltrace", "gdb", "gdbserver", "lldb", "lldb-server", "rr", "bpftrace", "nsys", "ncu",
	"vtune", "amplxe-*", "sysprof*", "operf", "heaptrack*", "uftrace", "samply", "memcheck-*", "callgrind-*",
	"cachegrind-*", "valgrind*", "AMDuProf*", "py-spy",
};

static bool
is_known(const char *name)
{
	size_t i, length;

	for (i = 0; i < sizeof known / sizeof *known; i++) {
		length = strlen(known[i]);
		if (known[i][length - 1] == '*' ? strncmp(name, known[i], length - 1) == 0
						: strcmp(name, known[i]) == 0)
			return true;
	}
	return false;
}

static void
add_once(json_t *list, const char *text)
{
	json_t *fact = fact_text(text);
	size_t i;

	for (i = 0; i < json_array_size(list); i++)
		if (json_equal(json_array_get(list, i), fact)) {
			json_decref(fact);
			return;
		}
	json_array_append_new(list, fact);
}

/* The process's name; the caller frees, NULL: gone. */
static char *
name_of(const char *pid)
{
	char *path = memory_format("/proc/%s/comm", pid), *name = fact_read(path, SMALL);

	if (name != NULL)
		name[strcspn(name, "\n")] = '\0';
	free(path);
	return name;
}

static void
add_tracer(json_t *list)
{
	char *status = fact_read("/proc/self/status", SMALL), *at, *name, *text, pid[16] = "";

	at = status != NULL ? strstr(status, "\nTracerPid:") : NULL;
	if (at != NULL && sscanf(at + strlen("\nTracerPid:"), "%15s", pid) == 1 && strcmp(pid, "0") != 0) {
		name = name_of(pid);
		text = memory_format("%s traces the session", name != NULL ? name : "a process");
		add_once(list, text);
		free(text);
		free(name);
	}
	free(status);
}

json_t *
profilers_fact(void)
{
	char *place = fact_place("/proc"), *name;
	DIR *folder = opendir(place);
	json_t *list = json_array();
	struct dirent *entry;

	add_tracer(list);
	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
			continue;
		name = name_of(entry->d_name);
		if (name != NULL && is_known(name))
			add_once(list, name);
		free(name);
	}
	if (folder != NULL)
		closedir(folder);
	free(place);
	return list;
}
