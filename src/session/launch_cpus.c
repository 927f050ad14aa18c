#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/launch.h"

/* Which CPUs a group is pinned to. */

/* What the machine has, and what of it is ours: the allowed set and our own affinity. */
static int
load(hwloc_topology_t *topology, hwloc_bitmap_t *allowed, struct error *error)
{
	hwloc_bitmap_t bound;

	*allowed = NULL;
	if (hwloc_topology_init(topology) != 0)
		return error_set_errno(error, "cannot read the machine's topology");
	/* With what is not allowed to us too, to see which cores are whole. */
	if (hwloc_topology_set_flags(*topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
	    hwloc_topology_load(*topology) != 0) {
		error_set_errno(error, "cannot read the machine's topology");
		hwloc_topology_destroy(*topology);
		return -1;
	}
	*allowed = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(*topology));
	bound = hwloc_bitmap_alloc();
	if (hwloc_get_cpubind(*topology, bound, HWLOC_CPUBIND_PROCESS) == 0)
		hwloc_bitmap_and(*allowed, *allowed, bound);
	hwloc_bitmap_free(bound);
	return 0;
}

/* One allowed CPU of each core in order, of whole cores only where `whole`. The caller frees. */
static int *
list_cores(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, bool whole, int *count)
{
	hwloc_obj_type_t type = HWLOC_OBJ_CORE;
	int i, have, *cpus;

	if (hwloc_get_nbobjs_by_type(topology, type) <= 0)
		type = HWLOC_OBJ_PU; /* some virtual machines tell no cores */
	have = hwloc_get_nbobjs_by_type(topology, type);
	cpus = calloc((size_t)(have > 0 ? have : 1), sizeof *cpus);
	*count = 0;
	for (i = 0; cpus != NULL && i < have; i++) {
		hwloc_obj_t core = hwloc_get_obj_by_type(topology, type, (unsigned)i);
		hwloc_bitmap_t ours = hwloc_bitmap_dup(core->cpuset);

		hwloc_bitmap_and(ours, ours, allowed);
		if (!hwloc_bitmap_iszero(ours) &&
		    (!whole || hwloc_bitmap_isequal(ours, core->cpuset)))
			cpus[(*count)++] = hwloc_bitmap_first(ours);
		hwloc_bitmap_free(ours);
	}
	return cpus;
}

/* The number of cores a wish asks for, 0 for none, -1 when it is no wish. */
static int
parse_wish(const char *wish, bool *first)
{
	char *end;
	long count;

	*first = strcmp(wish, "first") == 0;
	if (strcmp(wish, "none") == 0)
		return 0;
	if (*first || strcmp(wish, "last") == 0)
		return 1;
	errno = 0;
	count = strtol(wish, &end, 10);
	if (end == wish || wish[0] == '+' || errno != 0 || count < 1 || count > 1 << 20 ||
	    (strcmp(end, " core") != 0 && strcmp(end, " cores") != 0))
		return -1;
	return (int)count;
}

static int
choose(const int *cores, int have, int wanted, bool first, int *cpus)
{
	int i, from = first ? 0 : have - wanted;

	for (i = 0; i < wanted; i++)
		cpus[i] = cores[from + i];
	return wanted;
}

int
launch_cpus(const char *wish, int *cpus, int room, struct error *error)
{
	hwloc_topology_t topology;
	hwloc_bitmap_t allowed = NULL;
	bool first;
	int *cores, have, result, wanted = parse_wish(wish, &first);

	if (wanted < 0)
		return error_set(error, EXIT_BAD_INPUT,
				 "cpus = \"%s\" is not \"last\", \"first\", \"none\" or \"N cores\"", wish);
	if (wanted == 0)
		return 0;
	if (wanted > room)
		return error_set(error, EXIT_BAD_INPUT, "cpus = \"%s\": at most %d", wish, room);
	if (load(&topology, &allowed, error) != 0)
		return -1;
	cores = list_cores(topology, allowed, true, &have);
	if (cores != NULL && have == 0) { /* given single threads of cores only: better than none */
		free(cores);
		cores = list_cores(topology, allowed, false, &have);
	}
	if (cores != NULL && have > 0)
		result = choose(cores, have, wanted < have ? wanted : have, first, cpus);
	else
		result = error_set(error, EXIT_BAD_INPUT, "cpus = \"%s\": this process may use no core", wish);
	free(cores);
	hwloc_bitmap_free(allowed);
	hwloc_topology_destroy(topology);
	return result;
}
