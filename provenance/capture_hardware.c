#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "identity/machine.h"
#include "provenance/capture_parts.h"
#include "provenance/fact.h"

/* "cpu", "memory" and "numa" of provenance.json: hwloc, /proc/cpuinfo, /proc/meminfo, cpufreq. */

#define CPUINFO_LIMIT 8192 /* the first CPU; the kernel makes the others' text slowly */
#define MEMINFO_LIMIT 16384

/* ---- "key : value" files ---- */

/* The value's start and length; NULL when the key is not there. */
static const char *
find_value(const char *text, const char *key, size_t *length)
{
	size_t key_length = strlen(key);

	while (*text != '\0') {
		size_t line = strcspn(text, "\n");
		const char *colon = text + key_length;

		if (strncmp(text, key, key_length) == 0) {
			colon += strspn(colon, " \t");
			if (*colon == ':') {
				*length = (size_t)(text + line - colon - 1);
				return colon + 1;
			}
		}
		text += line + (text[line] == '\n');
	}
	return NULL;
}

static json_t *
value_of(const char *text, const char *path, const char *key)
{
	size_t length;
	const char *value = text != NULL ? find_value(text, key, &length) : NULL;

	if (text == NULL)
		return fact_unavailable("%s: %s", path, strerror(errno));
	if (value == NULL)
		return fact_unavailable("%s does not tell '%s'", path, key);
	return fact_span(value, length);
}

/* ---- cpu ---- */

static void
put_cpuinfo(json_t *cpu, const char *regime)
{
	static const struct {
		const char *name, *key;
	} values[] = {{"vendor", "vendor_id"}, {"family", "cpu family"}, {"model_number", "model"},
		      {"stepping", "stepping"}, {"flags", "flags"}, {"bugs", "bugs"},
		      {"mhz_now", "cpu MHz"}};
	char *text = fact_read("/proc/cpuinfo", CPUINFO_LIMIT);
	size_t i;

	for (i = 0; i < sizeof values / sizeof *values; i++)
		json_object_set_new(cpu, values[i].name,
				    value_of(text, "/proc/cpuinfo", values[i].key));
	json_object_set_new(cpu, "model", capture_regime_line(regime, "cpu model"));
	json_object_set_new(cpu, "microcode", capture_regime_line(regime, "cpu microcode"));
	free(text);
}

static void
put_frequency(json_t *cpu)
{
	static const char folder[] = "/sys/devices/system/cpu/cpu0/cpufreq";
	static const char *const names[] = {"scaling_driver", "cpuinfo_min_freq", "cpuinfo_max_freq",
					    "scaling_min_freq", "scaling_max_freq", "scaling_cur_freq",
					    "energy_performance_preference"};
	json_t *frequency = json_object();
	char *place = fact_place(folder);
	size_t i;

	if (access(place, F_OK) != 0) {
		json_decref(frequency);
		frequency = fact_unavailable("%s: %s", folder, strerror(errno));
	} else {
		for (i = 0; i < sizeof names / sizeof *names; i++) {
			char *path = memory_format("%s/%s", folder, names[i]);

			json_object_set_new(frequency, names[i], fact_file(path));
			free(path);
		}
	}
	json_object_set_new(cpu, "frequency_khz", frequency);
	free(place);
}

/* ---- topology ---- */

static json_t *
cpu_set(hwloc_const_bitmap_t set)
{
	char *text = NULL;
	json_t *fact;

	if (set == NULL || hwloc_bitmap_list_asprintf(&text, set) < 0)
		return fact_unavailable("hwloc does not tell");
	fact = json_string(text);
	free(text);
	return fact;
}

static json_t *
count_of(hwloc_topology_t topology, hwloc_obj_type_t type)
{
	int count = hwloc_get_nbobjs_by_type(topology, type);

	return count > 0 ? json_integer(count) : fact_unavailable("hwloc does not tell");
}

static const char *
cache_kind(const struct hwloc_obj *cache)
{
	switch (cache->attr->cache.type) {
	case HWLOC_OBJ_CACHE_DATA:
		return "data";
	case HWLOC_OBJ_CACHE_INSTRUCTION:
		return "instruction";
	default:
		return "unified";
	}
}

static json_t *
cache_fact(const struct hwloc_obj *cache)
{
	const struct hwloc_cache_attr_s *facts = &cache->attr->cache;

	return json_pack("{s:i, s:s, s:I, s:i, s:i, s:o}", "level", (int)facts->depth, "kind",
			 cache_kind(cache), "bytes", (json_int_t)facts->size, "line_bytes",
			 (int)facts->linesize, "ways", facts->associativity, "cpus",
			 cpu_set(cache->cpuset));
}

static void
put_caches(json_t *cpu, hwloc_topology_t topology)
{
	json_t *list = json_array();
	int depth, i;

	for (depth = 0; depth < hwloc_topology_get_depth(topology); depth++) {
		if (!hwloc_obj_type_is_cache(hwloc_get_depth_type(topology, depth)))
			continue;
		for (i = 0; i < (int)hwloc_get_nbobjs_by_depth(topology, depth); i++)
			json_array_append_new(list, cache_fact(hwloc_get_obj_by_depth(
							    topology, depth, (unsigned)i)));
	}
	if (json_array_size(list) == 0) {
		json_decref(list);
		list = fact_unavailable("hwloc sees no cache");
	}
	json_object_set_new(cpu, "caches", list);
}

static void
put_numa(json_t *provenance, hwloc_topology_t topology)
{
	json_t *list = json_array();
	int i;

	for (i = 0; i < hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE); i++) {
		hwloc_obj_t node =
			hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, (unsigned)i);

		json_array_append_new(list, json_pack("{s:i, s:I, s:o}", "node", (int)node->os_index,
						      "bytes",
						      (json_int_t)node->attr->numanode.local_memory,
						      "cpus", cpu_set(node->cpuset)));
	}
	json_object_set_new(provenance, "numa", list);
}

static void
put_cores(json_t *cpu, hwloc_topology_t topology)
{
	hwloc_bitmap_t bound = hwloc_bitmap_alloc();

	json_object_set_new(cpu, "packages", count_of(topology, HWLOC_OBJ_PACKAGE));
	json_object_set_new(cpu, "cores", count_of(topology, HWLOC_OBJ_CORE));
	json_object_set_new(cpu, "threads", count_of(topology, HWLOC_OBJ_PU));
	json_object_set_new(cpu, "allowed",
			    cpu_set(hwloc_topology_get_allowed_cpuset(topology)));
	if (hwloc_get_cpubind(topology, bound, HWLOC_CPUBIND_PROCESS) == 0)
		json_object_set_new(cpu, "bound", cpu_set(bound));
	else
		json_object_set_new(cpu, "bound", fact_unavailable("%s", strerror(errno)));
	hwloc_bitmap_free(bound);
}

/* Also what this process may not use: it is there and makes noise. */
static int
load(hwloc_topology_t *topology)
{
	if (hwloc_topology_init(topology) != 0)
		return -1;
	if (hwloc_topology_set_flags(*topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
	    hwloc_topology_set_icache_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_ALL) == 0 &&
	    hwloc_topology_load(*topology) == 0)
		return 0;
	hwloc_topology_destroy(*topology);
	return -1;
}

static void
put_topology(json_t *provenance, json_t *cpu)
{
	hwloc_topology_t topology;

	if (load(&topology) != 0) {
		json_object_set_new(cpu, "topology", fact_unavailable("hwloc: %s", strerror(errno)));
		json_object_set_new(provenance, "numa", fact_unavailable("hwloc: %s", strerror(errno)));
		return;
	}
	put_cores(cpu, topology);
	put_caches(cpu, topology);
	put_numa(provenance, topology);
	hwloc_topology_destroy(topology);
}

/* ---- memory ---- */

static json_t *
memory_fact(void)
{
	static const char *const keys[] = {"MemTotal", "MemAvailable", "SwapTotal", "SwapFree",
					   "HugePages_Total", "Hugepagesize"};
	char *text = fact_read("/proc/meminfo", MEMINFO_LIMIT);
	json_t *memory = json_object();
	size_t i;

	for (i = 0; i < sizeof keys / sizeof *keys; i++)
		json_object_set_new(memory, keys[i], value_of(text, "/proc/meminfo", keys[i]));
	free(text);
	return memory;
}

void
capture_hardware(json_t *provenance)
{
	struct buffer lines = BUFFER_EMPTY;
	json_t *cpu = json_object();

	machine_identity(&lines);
	machine_regime(&lines);
	put_cpuinfo(cpu, buffer_text(&lines));
	json_object_set_new(cpu, "governor", capture_regime_line(buffer_text(&lines), "governor"));
	json_object_set_new(cpu, "boost", capture_regime_line(buffer_text(&lines), "boost"));
	json_object_set_new(cpu, "smt", capture_regime_line(buffer_text(&lines), "smt"));
	json_object_set_new(cpu, "isolated", fact_file("/sys/devices/system/cpu/isolated"));
	json_object_set_new(cpu, "clock_source",
			    fact_file("/sys/devices/system/clocksource/clocksource0/"
				      "current_clocksource"));
	put_frequency(cpu);
	put_topology(provenance, cpu);
	json_object_set_new(provenance, "cpu", cpu);
	json_object_set_new(provenance, "memory", memory_fact());
	buffer_free(&lines);
}
