#include "doctor/counters.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "provenance/fact.h"

#define STAT_LIMIT (1 << 20)
#define SMALL_LIMIT 4096

/* ---- /proc/stat ---- */

/* "cpu3 user nice system idle iowait irq softirq steal …"; guests are in user already. */
static bool
parse_ticks(const char *line, struct cpu_ticks *ticks)
{
	int64_t v[8] = {0};
	int got = sscanf(line, "%*s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
			 " %" SCNd64 " %" SCNd64 " %" SCNd64,
			 &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]);

	ticks->busy = v[0] + v[1] + v[2] + v[5] + v[6];
	ticks->steal = v[7];
	ticks->total = ticks->busy + ticks->steal + v[3] + v[4];
	return got >= 4;
}

static void
put_cpu(struct counters *counters, long cpu, const struct cpu_ticks *ticks)
{
	if (cpu < 0 || cpu > 1 << 16)
		return;
	if ((size_t)cpu >= counters->cpu_count) {
		counters->cpus = memory_resize(counters->cpus, (size_t)cpu + 1, sizeof *ticks);
		memset(counters->cpus + counters->cpu_count, 0,
		       ((size_t)cpu + 1 - counters->cpu_count) * sizeof *ticks);
		counters->cpu_count = (size_t)cpu + 1;
	}
	counters->cpus[cpu] = *ticks;
}

static void
read_stat(struct counters *counters)
{
	char *text = fact_read("/proc/stat", STAT_LIMIT), *line = text;

	if (text == NULL) {
		snprintf(counters->problem, sizeof counters->problem, "/proc/stat: %s", strerror(errno));
		return;
	}
	while (strncmp(line, "cpu", 3) == 0) {
		struct cpu_ticks ticks;

		if (!parse_ticks(line, &ticks))
			break;
		if (line[3] == ' ')
			counters->all = ticks;
		else
			put_cpu(counters, strtol(line + 3, NULL, 10), &ticks);
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	if (counters->all.total == 0)
		snprintf(counters->problem, sizeof counters->problem, "/proc/stat does not tell of CPUs");
	free(text);
}

/* ---- processes ---- */

/* "pid (name) state ppid …", the name holding whatever it likes; utime and stime are fields 14, 15. */
static bool
parse_process(const char *text, struct process_ticks *process)
{
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	int64_t user, system;

	if (open == NULL || close == NULL || close < open ||
	    sscanf(close + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNd64 " %" SCNd64, &user,
		   &system) != 2)
		return false;
	snprintf(process->name, sizeof process->name, "%.*s", (int)(close - open - 1), open + 1);
	process->busy = user + system;
	return true;
}

static void
read_process(struct counters *counters, const char *name, size_t *capacity)
{
	char *path = memory_format("/proc/%s/stat", name), *text = fact_read(path, SMALL_LIMIT);
	struct process_ticks process = {.pid = (int)strtol(name, NULL, 10)};

	if (text != NULL && process.pid != getpid() && parse_process(text, &process)) {
		counters->processes = memory_grow(counters->processes, counters->process_count, capacity,
						  sizeof process);
		counters->processes[counters->process_count++] = process;
	}
	free(text);
	free(path);
}

static int
by_pid(const void *left, const void *right)
{
	int a = ((const struct process_ticks *)left)->pid, b = ((const struct process_ticks *)right)->pid;

	return (a > b) - (a < b);
}

static void
read_processes(struct counters *counters)
{
	char *place = fact_place("/proc");
	DIR *folder = opendir(place);
	struct dirent *entry;
	size_t capacity = 0;

	while (folder != NULL && (entry = readdir(folder)) != NULL)
		if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
			read_process(counters, entry->d_name, &capacity);
	if (folder != NULL)
		closedir(folder);
	free(place);
	if (counters->process_count > 0)
		qsort(counters->processes, counters->process_count, sizeof *counters->processes, by_pid);
}

/* ---- the others ---- */

static void
add_throttles(struct counters *counters, size_t cpu)
{
	static const char *const names[] = {"core_throttle_count", "package_throttle_count"};
	size_t i;

	for (i = 0; i < 2; i++) {
		char *path = memory_format("/sys/devices/system/cpu/cpu%zu/thermal_throttle/%s", cpu,
					   names[i]);
		char *text = fact_read(path, SMALL_LIMIT);

		if (text != NULL)
			counters->throttles = (counters->throttles < 0 ? 0 : counters->throttles) +
					      strtoll(text, NULL, 10);
		free(text);
		free(path);
	}
}

static int64_t
swapped_pages(void)
{
	char *text = fact_read("/proc/vmstat", STAT_LIMIT), *in, *out;
	int64_t pages = -1;

	in = text != NULL ? strstr(text, "\npswpin ") : NULL;
	out = text != NULL ? strstr(text, "\npswpout ") : NULL;
	if (in != NULL && out != NULL)
		pages = strtoll(in + 8, NULL, 10) + strtoll(out + 9, NULL, 10);
	free(text);
	return pages;
}

void
counters_read(struct counters *counters)
{
	size_t cpu;

	memset(counters, 0, sizeof *counters);
	read_stat(counters);
	read_processes(counters);
	counters->throttles = -1;
	for (cpu = 0; cpu < counters->cpu_count; cpu++)
		add_throttles(counters, cpu);
	counters->swapped_pages = swapped_pages();
}

void
counters_free(struct counters *counters)
{
	free(counters->cpus);
	free(counters->processes);
	memset(counters, 0, sizeof *counters);
}

/* ---- two readings ---- */

struct cpu_ticks
counters_between(const struct cpu_ticks *before, const struct cpu_ticks *after)
{
	return (struct cpu_ticks){after->busy - before->busy, after->steal - before->steal,
				  after->total - before->total};
}

struct cpu_ticks
counters_of_cpu(const struct counters *before, const struct counters *after, int cpu)
{
	if (cpu < 0 || (size_t)cpu >= before->cpu_count || (size_t)cpu >= after->cpu_count)
		return (struct cpu_ticks){0, 0, 0};
	return counters_between(&before->cpus[cpu], &after->cpus[cpu]);
}

const struct process_ticks *
counters_busiest(const struct counters *before, const struct counters *after, int64_t *ticks)
{
	const struct process_ticks *busiest = NULL;
	size_t i;

	*ticks = 0;
	for (i = 0; i < after->process_count; i++) {
		const struct process_ticks *now = &after->processes[i];
		const struct process_ticks *then =
			before->process_count == 0
				? NULL
				: bsearch(now, before->processes, before->process_count, sizeof *now, by_pid);
		int64_t ran = now->busy - (then != NULL ? then->busy : 0);

		if (ran > *ticks) {
			*ticks = ran;
			busiest = now;
		}
	}
	return busiest;
}
