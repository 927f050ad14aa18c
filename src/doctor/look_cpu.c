#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory.h"
#include "doctor/look.h"
#include "provenance/fact.h"

/* What of the CPU itself can spoil measurements. */

#define CPU_FOLDER "/sys/devices/system/cpu"
#define CLOCK_FOLDER "/sys/devices/system/clocksource/clocksource0"
#define BUSY_SHARE 0.05   /* of a sibling that does not rest */
#define NEAR_LIMIT 10000  /* millidegrees */
#define SLOW_CLOCK_NS 200
#define VERY_SLOW_CLOCK_NS 1000

const json_t *
scene_fact(const struct scene *scene, const char *group, const char *name)
{
	return json_object_get(json_object_get(scene->facts, group), name);
}

static bool
is_one_of(const char *text, const char *const *names)
{
	for (; *names != NULL; names++)
		if (strcmp(text, *names) == 0)
			return true;
	return false;
}

/* ---- frequency ---- */

static void
look_governor(const struct scene *scene, struct findings *findings)
{
	static const char *const steady[] = {"performance", "userspace", NULL};
	struct finding *finding = findings_add(findings, "governor",
					       "A governor that follows the load changes the CPU's clock while "
					       "programs run, so that equal work takes unequal times.");
	const char *governor = finding_text(finding, scene_fact(scene, "cpu", "governor"));

	if (governor == NULL)
		return;
	finding_see(finding, "%s", governor);
	if (is_one_of(governor, steady))
		return;
	finding->level = FINDING_SERIOUS;
	finding_command(finding, "echo performance | sudo tee " CPU_FOLDER
				 "/cpufreq/policy*/scaling_governor");
}

static void
look_boost(const struct scene *scene, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "boost",
					       "Boost (turbo) clocks depend on the temperature and on what other "
					       "cores do, and so drift during a measurement.");
	const char *boost = finding_text(finding, scene_fact(scene, "cpu", "boost"));

	if (boost == NULL)
		return;
	finding_see(finding, "%s", boost);
	if (strcmp(boost, "on") != 0)
		return;
	finding->level = FINDING_MINOR;
	if (fact_exists(CPU_FOLDER "/cpufreq/boost"))
		finding_command(finding, "echo 0 | sudo tee " CPU_FOLDER "/cpufreq/boost");
	else
		finding_command(finding, "echo 1 | sudo tee " CPU_FOLDER "/intel_pstate/no_turbo");
}

/* ---- threads of one core ---- */

/* Calls for each number in "0,4" or "0-1,8-9". */
static void
each_cpu(const char *list, void (*visit)(int cpu, void *context), void *context)
{
	while (*list >= '0' && *list <= '9') {
		char *end;
		long from = strtol(list, &end, 10), to = from;

		if (*end == '-')
			to = strtol(end + 1, &end, 10);
		for (; from <= to && from < 1 << 16; from++)
			visit((int)from, context);
		list = end + (*end == ',');
	}
}

struct siblings {
	const struct scene *scene;
	int count;
	double busiest; /* share of the time */
};

static void
visit_sibling(int cpu, void *context)
{
	struct siblings *siblings = context;
	const struct scene *scene = siblings->scene;
	struct cpu_ticks ticks;

	if (cpu == scene->cpu)
		return;
	siblings->count++;
	ticks = counters_of_cpu(scene->before, scene->after, cpu);
	if (ticks.total > 0)
		siblings->busiest = fmax(siblings->busiest, (double)ticks.busy / (double)ticks.total);
}

static struct siblings
find_siblings(const struct scene *scene)
{
	struct siblings siblings = {.scene = scene};
	char *path = memory_format(CPU_FOLDER "/cpu%d/topology/thread_siblings_list", scene->cpu);
	char *list = fact_read(path, 4096);

	if (list != NULL)
		each_cpu(list, visit_sibling, &siblings);
	free(list);
	free(path);
	return siblings;
}

static void
look_smt(const struct scene *scene, struct findings *findings)
{
	static const char *const off[] = {"off", "forceoff", "notsupported", "notimplemented", NULL};
	struct finding *finding = findings_add(findings, "smt",
					       "Two threads of one core share its units and caches: what runs on "
					       "the other thread takes its share of what is measured.");
	const char *control = finding_text(finding, scene_fact(scene, "cpu", "smt"));
	struct siblings siblings;

	if (control == NULL)
		return;
	finding_see(finding, "%s", control);
	if (is_one_of(control, off))
		return;
	siblings = find_siblings(scene);
	if (scene->cpu >= 0 && siblings.count == 0) {
		finding_see(finding, "%s, but CPU %d, on which programs are measured, has its core alone",
			    control, scene->cpu);
		return;
	}
	finding->level = FINDING_MINOR;
	finding_command(finding, "echo off | sudo tee " CPU_FOLDER "/smt/control");
	if (scene->cpu < 0 || scene->seconds <= 0)
		return;
	finding_see(finding, "%s; the other thread of CPU %d's core ran %.0f %% of the time", control,
		    scene->cpu, 100 * siblings.busiest);
	if (siblings.busiest >= BUSY_SHARE)
		finding->level = FINDING_SERIOUS;
}

/* ---- heat ---- */

/* The lowest temperature at which the zone slows or stops the machine; LLONG_MAX: none told. */
static long long
trip_point(const char *zone)
{
	static const char *const kinds[] = {"passive", "hot", "critical", NULL};
	long long lowest = LLONG_MAX;
	int i;

	for (i = 0; i < 16; i++) {
		char *type = memory_format("/sys/class/thermal/%s/trip_point_%d_type", zone, i);
		char *temperature = memory_format("/sys/class/thermal/%s/trip_point_%d_temp", zone, i);
		json_t *kind = fact_file(type), *limit = fact_integer_file(temperature);

		if (json_is_string(kind) && is_one_of(json_string_value(kind), kinds) &&
		    json_is_integer(limit) && json_integer_value(limit) > 0 &&
		    json_integer_value(limit) < lowest)
			lowest = json_integer_value(limit);
		json_decref(kind);
		json_decref(limit);
		free(type);
		free(temperature);
	}
	return lowest;
}

struct heat {
	const char *zone, *type;
	long long now, limit, left; /* millidegrees, of the zone that is nearest its limit */
};

static struct heat
hottest(const json_t *zones)
{
	struct heat heat = {.left = LLONG_MAX, .now = -1};
	const char *name;
	const json_t *zone;

	json_object_foreach((json_t *)zones, name, zone) {
		long long now = json_get_integer(zone, "millidegrees", -1), limit, left;

		if (now < 0)
			continue;
		limit = trip_point(name);
		left = limit == LLONG_MAX ? LLONG_MAX - now : limit - now;
		if (left < heat.left)
			heat = (struct heat){name, json_get_text(zone, "type"), now, limit, left};
	}
	return heat;
}

static void
see_heat(struct finding *finding, const struct heat *heat)
{
	if (heat->limit == LLONG_MAX) {
		finding_see(finding, "%s at %lld C, no limit told", heat->type, heat->now / 1000);
		return;
	}
	finding_see(finding, "%s at %lld C, its limit is %lld C", heat->type, heat->now / 1000,
		    heat->limit / 1000);
	if (heat->left <= 0)
		finding->level = FINDING_SERIOUS;
	else if (heat->left < NEAR_LIMIT)
		finding->level = FINDING_MINOR;
}

static void
see_throttles(const struct scene *scene, struct finding *finding)
{
	int64_t ever = scene->after->throttles, now = ever - scene->before->throttles;

	if (scene->seconds > 0 && now > 0 && scene->before->throttles >= 0) {
		finding->level = FINDING_SERIOUS;
		finding_see(finding, "slowed for heat %" PRId64 " times in these %.0f s", now,
			    scene->seconds);
	} else if (ever > 0 && finding->level < FINDING_MINOR) {
		char *seen = memory_copy_text(finding->seen);

		finding->level = FINDING_MINOR;
		finding_see(finding, "%s%sslowed for heat %" PRId64 " times since it was started", seen,
			    *seen != '\0' ? "; " : "", ever);
		free(seen);
	}
}

static void
look_heat(const struct scene *scene, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "heat",
					       "A CPU at its limit is slowed down until it is cooler, "
					       "which is a change of its clock while programs run.");
	const json_t *zones = json_object_get(scene->facts, "temperature");
	struct heat heat = hottest(zones);

	if (heat.now >= 0)
		see_heat(finding, &heat);
	else if (scene->after->throttles < 0)
		finding_text(finding, json_object_get(zones, "unavailable") != NULL ? zones : NULL);
	if (scene->after->throttles >= 0)
		see_throttles(scene, finding);
	if (finding->seen[0] == '\0')
		finding_see(finding, "never slowed for heat since it was started");
	if (finding->level >= FINDING_MINOR)
		finding->advice = "Let it cool, clear its vents, and leave boost off.";
}

/* ---- clock ---- */

static enum finding_level
judge_clock(const char *source, double read_ns)
{
	static const char *const fast[] = {"tsc", "kvm-clock", "arch_sys_counter", "timebase",
					   "hyperv_clocksource_tsc_page", "stp", "tod",
					   "riscv_clocksource", NULL};
	static const char *const slow[] = {"hpet", "acpi_pm", "jiffies", "refined-jiffies", NULL};

	if (is_one_of(source, slow) || read_ns > VERY_SLOW_CLOCK_NS)
		return FINDING_SERIOUS;
	if (!is_one_of(source, fast) || read_ns > SLOW_CLOCK_NS)
		return FINDING_MINOR;
	return FINDING_OK;
}

static void
advise_clock(struct finding *finding, const char *source)
{
	char *available = fact_read(CLOCK_FOLDER "/available_clocksource", 4096);

	if (strcmp(source, "tsc") != 0 && available != NULL && strstr(available, "tsc ") != NULL)
		finding_command(finding, "echo tsc | sudo tee " CLOCK_FOLDER "/current_clocksource");
	else
		finding->advice = "The kernel does not trust this machine's TSC; 'sudo dmesg | grep -i tsc' "
				  "tells why.";
	free(available);
}

static void
look_clock(const struct scene *scene, struct findings *findings)
{
	struct finding *finding = findings_add(findings, "clock source",
					       "Where reading the clock is slow or coarse, short samples measure "
					       "the clock.");
	const char *source = finding_text(finding, scene_fact(scene, "cpu", "clock_source"));

	if (source == NULL)
		return;
	finding->level = judge_clock(source, scene->clock_read_ns);
	if (isfinite(scene->clock_read_ns))
		finding_see(finding, "%s, %.0f ns a reading", source, scene->clock_read_ns);
	else
		finding_see(finding, "%s", source);
	if (finding->level >= FINDING_MINOR)
		advise_clock(finding, source);
}

void
look_cpu(const struct scene *scene, struct findings *findings)
{
	look_governor(scene, findings);
	look_boost(scene, findings);
	look_smt(scene, findings);
	look_heat(scene, findings);
	look_clock(scene, findings);
}
