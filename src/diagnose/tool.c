#include "diagnose/tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define DEVICE "/dev/nvidiactl"
#define NCU_METRICS \
	"sm__throughput.avg.pct_of_peak_sustained_elapsed,dram__throughput.avg.pct_of_peak_sustained_elapsed," \
	"lts__t_sector_hit_rate.pct"

static const struct tool tools[] = {
	{"perf_stat", "perf", "--version",
	 {"stat", "-j", "-o", "{}/perf.json", "-e",
	  "task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branches,branch-misses,"
	  "cache-references,cache-misses", "--", NULL},
	 {NULL}, false, PARANOID, read_perf_stat},
	{"perf_record", "perf", "--version", {"record", "-q", "-F", "999", "-o", "{}/perf.data", "--", NULL},
	 {"report", "-i", "{}/perf.data", "--stdio", "--no-children", "-n", "-t", "|", "-F",
	  "overhead,sample,symbol,dso", NULL},
	 false, PARANOID, read_perf_record},
	{"perf_c2c", "perf", "--version", {"c2c", "record", "-o", "{}/perf.data", "--", NULL},
	 {"c2c", "report", "-i", "{}/perf.data", "--stdio", NULL}, false, PARANOID, read_perf_c2c},
	{"callgrind", "valgrind", "--version",
	 {"--tool=callgrind", "--callgrind-out-file={}/callgrind.out", "--separate-callers=16", NULL},
	 {NULL}, true, NULL, read_callgrind},
	{"gnu_time", "time", "--version", {"-v", "-o", "{}/time.txt", NULL}, {NULL}, false, NULL, read_gnu_time},
	{"compute_sanitizer", "compute-sanitizer", "--version", {"--tool=memcheck", NULL}, {NULL}, true, DEVICE,
	 read_compute_sanitizer},
	{"nsys", "nsys", "--version",
	 {"profile", "--trace=cuda,nvtx", "--sample=none", "--force-overwrite=true", "-o", "{}/timeline", NULL},
	 {"stats", "--report", "cuda_gpu_kern_sum", "--format", "csv", "{}/timeline.nsys-rep", NULL}, false, DEVICE,
	 read_nsys},
	{"ncu", "ncu", "--version",
	 {"--csv", "--log-file", "{}/ncu.csv", "--metrics", NCU_METRICS, NULL}, {NULL}, true, DEVICE, read_ncu},
};

const struct tool *
tool_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof tools / sizeof *tools; i++)
		if (strcmp(tools[i].name, name) == 0)
			return &tools[i];
	return NULL;
}

char *
tool_program(const char *name)
{
	const char *path = getenv("PATH");

	if (name[0] == '/')
		return access(name, X_OK) == 0 ? memory_copy_text(name) : NULL;
	if (path == NULL)
		path = "/usr/local/bin:/usr/bin:/bin";
	while (*path != '\0') {
		size_t length = strcspn(path, ":");
		char *candidate = memory_format("%.*s/%s", (int)length, path, name);

		if (candidate[0] == '/' && access(candidate, X_OK) == 0)
			return candidate;
		free(candidate);
		path += length + (path[length] == ':');
	}
	return NULL;
}
