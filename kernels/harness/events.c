/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "events.h"

#define CACHE(level, result) \
	(PERF_COUNT_HW_CACHE_##level | (PERF_COUNT_HW_CACHE_OP_READ << 8) \
		| (PERF_COUNT_HW_CACHE_RESULT_##result << 16))

const struct assay_event assay_events[] = {
	{"cycles", ASSAY_OF_THREAD, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, NULL, NULL},
	{"instructions", ASSAY_OF_THREAD, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
		"cycles", NULL},
	{"cache_references", ASSAY_OF_THREAD, PERF_TYPE_HARDWARE,
		PERF_COUNT_HW_CACHE_REFERENCES, NULL, NULL},
	{"cache_misses", ASSAY_OF_THREAD, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES,
		"cache_references", NULL},
	{"branches", ASSAY_OF_THREAD, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
		NULL, NULL},
	{"branch_misses", ASSAY_OF_THREAD, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES,
		"branches", NULL},
	{"stalls_frontend", ASSAY_OF_THREAD, PERF_TYPE_HARDWARE,
		PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, "cycles", NULL},
	{"stalls_backend", ASSAY_OF_THREAD, PERF_TYPE_HARDWARE,
		PERF_COUNT_HW_STALLED_CYCLES_BACKEND, "cycles", NULL},
	{"l1d_loads", ASSAY_OF_THREAD, PERF_TYPE_HW_CACHE, CACHE(L1D, ACCESS), NULL, NULL},
	{"l1d_misses", ASSAY_OF_THREAD, PERF_TYPE_HW_CACHE, CACHE(L1D, MISS), "l1d_loads", NULL},
	{"llc_loads", ASSAY_OF_THREAD, PERF_TYPE_HW_CACHE, CACHE(LL, ACCESS), NULL, NULL},
	{"llc_misses", ASSAY_OF_THREAD, PERF_TYPE_HW_CACHE, CACHE(LL, MISS), "llc_loads", NULL},
	{"dtlb_misses", ASSAY_OF_THREAD, PERF_TYPE_HW_CACHE, CACHE(DTLB, MISS), NULL, NULL},
	{"task_clock_ns", ASSAY_OF_THREAD, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, NULL,
		NULL},
	{"page_faults", ASSAY_OF_THREAD, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, NULL,
		NULL},
	{"context_switches", ASSAY_OF_THREAD, PERF_TYPE_SOFTWARE,
		PERF_COUNT_SW_CONTEXT_SWITCHES, NULL, NULL},
	{"migrations", ASSAY_OF_THREAD, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, NULL,
		NULL},
	{"memory_read_bytes", ASSAY_OF_MEMORY, 0, 0, NULL, "cas_count_read"},
	{"memory_write_bytes", ASSAY_OF_MEMORY, 0, 0, NULL, "cas_count_write"},
	{"energy_package_uj", ASSAY_OF_ENERGY, 0, 0, NULL, "package"},
	{"energy_dram_uj", ASSAY_OF_ENERGY, 0, 0, NULL, "dram"},
	{NULL, ASSAY_OF_THREAD, 0, 0, NULL, NULL},
};

const struct assay_event *
assay_event_find(const char *name)
{
	for (const struct assay_event *event = assay_events; event->name; event++)
		if (strcmp(event->name, name) == 0)
			return event;
	return NULL;
}

/*
 * A CPU's counter (cpu 0 or above) counts all that runs there. The software events of a thread
 * happen in the kernel, the others are counted in user space alone.
 */
int
assay_perf_open(unsigned type, unsigned long long config, int cpu, int leader)
{
	struct perf_event_attr attr;
	bool of_thread = cpu < 0;

	memset(&attr, 0, sizeof attr);
	attr.size = sizeof attr;
	attr.type = type;
	attr.config = config;
	attr.disabled = 1;
	attr.inherit = of_thread;
	attr.exclude_kernel = of_thread && type != PERF_TYPE_SOFTWARE;
	attr.exclude_hv = attr.exclude_kernel;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return (int)syscall(SYS_perf_event_open, &attr, of_thread ? 0 : -1, cpu, leader,
		PERF_FLAG_FD_CLOEXEC);
}

static const char *
explain(int number)
{
	switch (number) {
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
		return " (this processor, or the virtual machine, offers no such event)";
	case EACCES:
	case EPERM:
		return " (see kernel.perf_event_paranoid, or CAP_PERFMON)";
	case ENOSYS:
		return " (the kernel has no perf events, or the container hides them)";
	}
	return "";
}

static int
leader_fd(const struct assay_counters *all, const char *leader)
{
	for (int i = 0; leader && i < all->count; i++)
		if (strcmp(all->items[i].event->name, leader) == 0
			&& all->items[i].source_count == 1)
			return all->items[i].sources[0].fd;
	return -1;
}

void
assay_event_open(const struct assay_counters *all, struct assay_counter *counter)
{
	const struct assay_event *event = counter->event;
	int leader = leader_fd(all, event->leader);
	int fd = assay_perf_open(event->type, event->config, -1, leader);

	if (fd < 0 && leader >= 0)
		fd = assay_perf_open(event->type, event->config, -1, -1);
	if (fd < 0) {
		snprintf(counter->reason, sizeof counter->reason, "perf_event_open: %s%s",
			strerror(errno), explain(errno));
		return;
	}
	counter->sources[counter->source_count++] = (struct assay_source){.fd = fd, .scale = 1};
}

/* ---- files of the kernel ---- */

void
assay_sys_path(const char *path, char *full, size_t size)
{
	const char *root = getenv("ASSAY_SYSROOT");
	int length = snprintf(full, size, "%s%s", root ? root : "", path);

	if (length < 0 || (size_t)length >= size)
		full[0] = '\0';
}

int
assay_sys_open(const char *path)
{
	char full[512];

	assay_sys_path(path, full, sizeof full);
	return open(full, O_RDONLY | O_CLOEXEC);
}

int
assay_sys_read(const char *path, char *text, size_t size)
{
	int fd = assay_sys_open(path);
	ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
	int problem = errno;

	if (fd >= 0)
		close(fd);
	errno = problem;
	text[length > 0 ? length : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return length < 0 ? -1 : 0;
}
