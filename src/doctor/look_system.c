#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory.h"
#include "doctor/look.h"
#include "provenance/fact.h"

/* What beside the CPU can spoil measurements: what else runs, memory, the kernel, the host. */

#define QUIET_CPUS 0.1     /* what daemons of a machine at rest use */
#define BUSY_CPUS 0.5
#define QUIET_LOAD 0.3
#define STEAL_MINOR 0.001  /* share of the time */
#define STEAL_SERIOUS 0.01
#define PARANOID_MOST 2    /* programs may count what they do themselves */

/* ---- what else runs ---- */

static double
ticks_to_seconds(int64_t ticks)
{
	return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

/* Seen over the time of the trial: how much beside our own programs ran. */
static void
see_busy(const struct scene *scene, struct finding *finding)
{
	struct cpu_ticks passed = counters_between(&scene->before->all, &scene->after->all);
	double cpus = fmax(0, (ticks_to_seconds(passed.busy) - scene->own_cpu_s) / scene->seconds);
	int64_t ticks;
	const struct process_ticks *busiest = counters_busiest(scene->before, scene->after, &ticks);
	double share = ticks_to_seconds(ticks) / scene->seconds;

	if (busiest != NULL && share >= QUIET_CPUS / 2)
		finding_see(finding, "others used %.2f CPUs, '%s' (process %d) %.2f of it", cpus,
			    busiest->name, busiest->pid, share);
	else
		finding_see(finding, "others used %.2f CPUs", cpus);
	if (cpus >= QUIET_CPUS)
		finding->level = cpus >= BUSY_CPUS ? FINDING_SERIOUS : FINDING_MINOR;
}

static void
see_load(const struct scene *scene, struct finding *finding)
{
	const json_t *load = json_object_get(scene->facts, "load");
	double one = json_get_number(load, "1_min");
	long long cpus = json_get_integer(json_object_get(scene->facts, "cpu"), "threads", 1);

	if (isnan(one)) {
		finding_text(finding, load);
		return;
	}
	finding_see(finding, "%.2f on average in the last minute, of %lld CPU%s", one, cpus,
		    cpus == 1 ? "" : "s");
	if (one >= QUIET_LOAD)
		finding->level = one >= fmax(1, (double)cpus / 4) ? FINDING_SERIOUS : FINDING_MINOR;
}

static void
look_load(const struct scene *scene, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "load",
					       "Whatever else runs takes the CPU, its caches and the memory's "
					       "bandwidth, at times of its own.");

	if (scene->seconds > 0 && scene->after->all.total > scene->before->all.total)
		see_busy(scene, finding);
	else
		see_load(scene, finding);
	if (finding->level >= FINDING_MINOR) {
		finding_command(finding, "ps -eo pid,user,pcpu,etimes,comm --sort=-pcpu | head");
		finding->advice = "Stop what that shows, or wait for it.";
	}
}

static void
look_lock(const struct scene *scene, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "lock",
					       "Nothing of Assay runs beside a measurement, so yours waits for "
					       "whoever holds the machine's lock.");
	const char *status = scene->lock_status;

	if (status == NULL) {
		finding_text(finding, NULL);
	} else if (strncmp(status, "holds", 5) != 0 && strncmp(status, "waits", 5) != 0) {
		finding_see(finding, "nobody else");
	} else {
		finding->level = FINDING_MINOR;
		finding_see(finding, "%.*s", (int)strcspn(status, "\n"), status);
		finding_command(finding, "assay lock --status");
		finding->advice = "Wait for it; a measurement does so by itself.";
	}
}

/* ---- memory ---- */

/* "8388604 kB" */
static long long
kibibytes(const char *text)
{
	return text != NULL ? strtoll(text, NULL, 10) : -1;
}

static void
look_swap(const struct scene *scene, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "swap",
					       "A page that must come back from the disk takes as long as a "
					       "million instructions.");
	long long total = kibibytes(finding_text(finding, scene_fact(scene, "memory", "SwapTotal")));
	long long left = kibibytes(finding_text(finding, scene_fact(scene, "memory", "SwapFree")));
	int64_t moved = scene->after->swapped_pages - scene->before->swapped_pages;

	if (total < 0 || left < 0)
		return;
	if (scene->seconds > 0 && scene->before->swapped_pages >= 0 && moved > 0) {
		finding->level = FINDING_SERIOUS;
		finding_see(finding, "%" PRId64 " pages went in or out in these %.0f s", moved,
			    scene->seconds);
	} else if (total > left) {
		finding->level = FINDING_MINOR;
		finding_see(finding, "%lld of %lld MiB in use", (total - left) / 1024, total / 1024);
	} else {
		finding_see(finding, total > 0 ? "not in use" : "none");
	}
	if (finding->level >= FINDING_MINOR) {
		finding_command(finding, "sudo swapoff -a && sudo swapon -a");
		finding->advice = "It needs as much free memory as swap is in use; end what fills the "
				  "memory before.";
	}
}

static void
look_huge_pages(const struct scene *scene, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "huge pages",
					       "With 'always' the kernel gives a program large pages when it has "
					       "some to spare, and so in one run and not in the next.");
	const char *choice =
		finding_text(finding, json_object_get(scene->facts, "transparent_huge_pages"));

	if (choice == NULL)
		return;
	finding_see(finding, "%s", choice);
	if (strcmp(choice, "always") != 0)
		return;
	finding->level = FINDING_MINOR;
	finding_command(finding, "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
}

static void
look_aslr(const struct scene *scene, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "aslr",
					       "Random addresses let the runs average over memory layouts; without "
					       "them one lucky layout looks like a faster program.");
	const json_t *aslr = json_object_get(scene->facts, "aslr");

	if (!json_is_integer(aslr)) {
		finding_text(finding, aslr);
		return;
	}
	finding_see(finding, json_integer_value(aslr) >= 2	? "on"
			     : json_integer_value(aslr) == 1 ? "on, but not for the heap"
							     : "off");
	if (json_integer_value(aslr) >= 2)
		return;
	finding->level = FINDING_MINOR;
	finding_command(finding, "sudo sysctl -w kernel.randomize_va_space=2");
}

/* ---- the host ---- */

static const char *
text_or(const json_t *fact, const char *otherwise)
{
	return json_is_string(fact) ? json_string_value(fact) : otherwise;
}

static void
look_machine(const struct scene *scene, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "virtual machine",
					       "Other guests share the CPU's caches, memory and clock with this "
					       "one, and nothing in here shows what they do.");
	const json_t *hypervisor = scene_fact(scene, "virtualisation", "hypervisor");
	const char *vendor = text_or(scene_fact(scene, "virtualisation", "vendor"), "");
	const char *product = text_or(scene_fact(scene, "virtualisation", "product"), "");

	if (!json_is_true(hypervisor)) {
		if (finding_text(finding, scene_fact(scene, "cpu", "flags")) != NULL)
			finding_see(finding, "no");
		return;
	}
	finding_see(finding, "yes%s%s%s%s", *vendor != '\0' ? ", " : "", vendor,
		    *product != '\0' ? " " : "", product);
	finding->level = FINDING_MINOR;
	finding->advice = "Measure on a machine of your own, or have the host give this one CPUs that "
			  "it shares with nobody.";
}

static void
look_steal(const struct scene *scene, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "steal",
					       "While the host runs another guest, time goes by here and no work "
					       "is done.");
	struct cpu_ticks passed = scene->after->all;
	double share;

	if (scene->seconds > 0)
		passed = counters_between(&scene->before->all, &scene->after->all);
	if (passed.total <= 0) {
		finding->level = FINDING_UNKNOWN;
		finding_see(finding, "%s", *scene->after->problem != '\0' ? scene->after->problem
									  : "no time passed");
		return;
	}
	share = (double)passed.steal / (double)passed.total;
	finding_see(finding, "%.2g %% of the CPUs' time %s%s", 100 * share,
		    scene->seconds > 0 ? "in this time" : "since the machine was started",
		    share <= 0 ? " (some hosts do not tell)" : "");
	if (share < STEAL_MINOR)
		return;
	finding->level = share < STEAL_SERIOUS ? FINDING_MINOR : FINDING_SERIOUS;
	finding->advice = "Only the host can change that: another hour, another kind of machine, or "
			  "CPUs of its own.";
}

/* The CPUs that cpu.max allows, INFINITY: no limit, NaN: it cannot be read. */
static double
quota_of(const char *folder)
{
	char *path = memory_format("/sys/fs/cgroup%s/cpu.max", folder), *text = fact_read(path, 256);
	double quota, period, cpus = NAN;

	if (text != NULL && strncmp(text, "max", 3) == 0)
		cpus = INFINITY;
	else if (text != NULL && sscanf(text, "%lf %lf", &quota, &period) == 2 && period > 0)
		cpus = quota / period;
	free(text);
	free(path);
	return cpus;
}

/* The least of our own control group (version 2) and those that it is in. */
static double
quota(void)
{
	char *text = fact_read("/proc/self/cgroup", 65536), *folder, *slash;
	double least = INFINITY;

	folder = text != NULL ? strstr(text, "0::/") : NULL;
	if (folder != NULL) {
		folder += 3;
		folder[strcspn(folder, "\n")] = '\0';
		while ((slash = strrchr(folder, '/')) != NULL && folder[1] != '\0') {
			least = fmin(least, quota_of(folder));
			*slash = '\0';
		}
	}
	free(text);
	return fmin(least, quota_of(""));
}

static void
look_quota(struct findings *findings)
{
	struct finding *finding = findings_add(findings, "cpu quota",
					       "A program that has used up its quota is stopped until the next "
					       "period begins, in the middle of what is measured.");
	double cpus = quota();

	if (isinf(cpus)) {
		finding_see(finding, "none");
		return;
	}
	finding_see(finding, "%.3g CPUs", cpus);
	finding->level = cpus < 1.5 ? FINDING_SERIOUS : FINDING_MINOR;
	finding->advice = "Start the container without it (docker: leave out --cpus, and use "
			  "--cpuset-cpus instead).";
}

/* ---- counters ---- */

static void
look_perf(const struct scene *scene, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "perf",
					       "Without hardware counters you see that a program is slower, but "
					       "not why.");
	json_t *paranoid = fact_integer_file("/proc/sys/kernel/perf_event_paranoid");
	long long level = json_integer_value(paranoid);

	if (!json_is_integer(paranoid)) {
		finding_text(finding, paranoid);
	} else if (scene->root || level <= PARANOID_MOST) {
		finding_see(finding, "allowed (perf_event_paranoid %lld%s)", level,
			    scene->root ? ", you are root" : "");
	} else {
		finding->level = FINDING_MINOR;
		finding_see(finding, "not allowed (perf_event_paranoid %lld)", level);
		finding_command(finding, "sudo sysctl -w kernel.perf_event_paranoid=%d", PARANOID_MOST);
	}
	json_decref(paranoid);
}

void
look_system(const struct scene *scene, struct findings *findings)
{
	look_load(scene, findings);
	look_lock(scene, findings);
	look_swap(scene, findings);
	look_huge_pages(scene, findings);
	look_aslr(scene, findings);
	look_machine(scene, findings);
	look_steal(scene, findings);
	look_quota(findings);
	look_perf(scene, findings);
}
