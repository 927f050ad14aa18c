#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "identity/machine.h"
#include "provenance/capture_parts.h"
#include "provenance/fact.h"
#include "provenance/profilers.h"

extern char **environ;

json_t *
capture_regime_line(const char *regime, const char *name)
{
	static const char unavailable[] = "unavailable: ";
	size_t length = strlen(name);

	while (*regime != '\0') {
		size_t line = strcspn(regime, "\n");

		if (strncmp(regime, name, length) == 0 && strncmp(regime + length, " = ", 3) == 0) {
			const char *value = regime + length + 3;
			size_t left = line - length - 3;

			if (strncmp(value, unavailable, strlen(unavailable)) == 0)
				return fact_unavailable("%.*s", (int)(left - strlen(unavailable)),
							value + strlen(unavailable));
			return fact_span(value, left);
		}
		regime += line + (regime[line] == '\n');
	}
	return fact_unavailable("the machine does not tell its %s", name);
}

static json_t *
mitigations(const char *regime)
{
	static const char prefix[] = "mitigation ";
	json_t *list = json_object();

	while (*regime != '\0') {
		size_t line = strcspn(regime, "\n");
		const char *equals = strstr(regime, " = ");

		if (strncmp(regime, prefix, strlen(prefix)) == 0 && equals != NULL &&
		    equals < regime + line) {
			char *name = memory_copy_span(regime, (size_t)(equals - regime));

			json_object_set_new(list, name + strlen(prefix),
					    capture_regime_line(regime, name));
			free(name);
		}
		regime += line + (regime[line] == '\n');
	}
	if (json_object_size(list) > 0)
		return list;
	json_decref(list);
	return NULL;
}

static void
put_kernel(json_t *provenance)
{
	struct buffer regime = BUFFER_EMPTY;
	const char *text;
	json_t *kernel = json_object(), *found;

	machine_regime(&regime);
	text = buffer_text(&regime);
	json_object_set_new(kernel, "release", capture_regime_line(text, "kernel"));
	json_object_set_new(kernel, "build", capture_regime_line(text, "kernel build"));
	json_object_set_new(kernel, "command_line", capture_regime_line(text, "kernel command line"));
	json_object_set_new(provenance, "kernel", kernel);
	found = mitigations(text);
	json_object_set_new(provenance, "mitigations",
			    found != NULL ? found : capture_regime_line(text, "mitigations"));
	json_object_set_new(provenance, "transparent_huge_pages",
			    capture_regime_line(text, "transparent huge pages"));
	json_object_set_new(provenance, "aslr", fact_integer_file("/proc/sys/kernel/randomize_va_space"));
	buffer_free(&regime);
}

/* ---- load and temperature ---- */

static json_t *
load_fact(void)
{
	char *text = fact_read("/proc/loadavg", 256);
	double one, five, fifteen;
	json_t *fact;

	if (text == NULL)
		return fact_unavailable("/proc/loadavg: %s", strerror(errno));
	if (sscanf(text, "%lf %lf %lf", &one, &five, &fifteen) == 3)
		fact = json_pack("{s:f, s:f, s:f}", "1_min", one, "5_min", five, "15_min", fifteen);
	else
		fact = fact_unavailable("/proc/loadavg does not hold three numbers");
	free(text);
	return fact;
}

static json_t *
zone_fact(const char *name)
{
	char *type = memory_format("/sys/class/thermal/%s/type", name);
	char *temperature = memory_format("/sys/class/thermal/%s/temp", name);
	json_t *fact = json_pack("{s:o, s:o}", "type", fact_file(type), "millidegrees",
				 fact_integer_file(temperature));

	free(type);
	free(temperature);
	return fact;
}

static json_t *
temperature_fact(void)
{
	static const char folder[] = "/sys/class/thermal";
	char *place = fact_place(folder);
	struct dirent **entries = NULL;
	int count = scandir(place, &entries, NULL, alphasort), i;
	json_t *zones = json_object();

	for (i = 0; i < count; i++) {
		if (strncmp(entries[i]->d_name, "thermal_zone", 12) == 0)
			json_object_set_new(zones, entries[i]->d_name, zone_fact(entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
	free(place);
	if (json_object_size(zones) > 0)
		return zones;
	json_decref(zones);
	return fact_unavailable("%s has no thermal zone", folder);
}

/* ---- container, virtual machine ---- */

static bool
holds(const char *path, const char *word)
{
	char *text = fact_read(path, 65536);
	bool found = text != NULL && strstr(text, word) != NULL;

	free(text);
	return found;
}

/* Hints, in the order of how sure they are. */
static json_t *
container_fact(void)
{
	static const char *const words[] = {"docker", "kubepods", "containerd", "libpod", "lxc",
					    "garden"};
	char *manager = fact_read("/run/systemd/container", 256);
	json_t *fact = NULL;
	size_t i;

	if (manager != NULL)
		fact = fact_span(manager, strlen(manager));
	free(manager);
	if (fact == NULL && fact_exists("/.dockerenv"))
		fact = json_string("docker");
	if (fact == NULL && fact_exists("/run/.containerenv"))
		fact = json_string("podman");
	for (i = 0; fact == NULL && i < sizeof words / sizeof *words; i++)
		if (holds("/proc/1/cgroup", words[i]))
			fact = json_string(words[i]);
	return fact != NULL ? fact : json_string("none seen");
}

static void
put_virtualisation(json_t *provenance)
{
	json_t *facts = json_object();

	json_object_set_new(facts, "container", container_fact());
	json_object_set_new(facts, "hypervisor",
			    json_boolean(holds("/proc/cpuinfo", " hypervisor ") ||
					 fact_exists("/sys/hypervisor/type")));
	json_object_set_new(facts, "vendor", fact_file("/sys/class/dmi/id/sys_vendor"));
	json_object_set_new(facts, "product", fact_file("/sys/class/dmi/id/product_name"));
	json_object_set_new(facts, "cpu_limit", fact_file("/sys/fs/cgroup/cpu.max"));
	json_object_set_new(facts, "memory_limit", fact_file("/sys/fs/cgroup/memory.max"));
	json_object_set_new(provenance, "virtualisation", facts);
}

/* ---- environment ---- */

static bool
is_allowed(const char *variable)
{
	static const char *const names[] = {"LANG=", "TZ=", "LD_LIBRARY_PATH=", "LD_PRELOAD=",
					    "LD_BIND_NOW=", "GLIBC_TUNABLES=", "MKL_NUM_THREADS=",
					    "OPENBLAS_NUM_THREADS=", "SOURCE_DATE_EPOCH=",
					    "ASSAY_MACHINE=", "CUDA_VISIBLE_DEVICES="};
	static const char *const families[] = {"LC_", "OMP_", "GOMP_", "KMP_", "MALLOC_"};
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(variable, names[i], strlen(names[i])) == 0)
			return true;
	for (i = 0; i < sizeof families / sizeof *families; i++)
		if (strncmp(variable, families[i], strlen(families[i])) == 0)
			return true;
	return false;
}

static void
put_environment(json_t *provenance)
{
	const char *shell = getenv("SHELL"), *slash;
	json_t *facts = json_object();
	size_t i;

	for (i = 0; environ != NULL && environ[i] != NULL; i++) {
		const char *equals = strchr(environ[i], '=');
		char *name;

		if (equals == NULL || !is_allowed(environ[i]))
			continue;
		name = memory_copy_span(environ[i], (size_t)(equals - environ[i]));
		json_object_set_new(facts, name, fact_text(equals + 1));
		free(name);
	}
	slash = shell != NULL ? strrchr(shell, '/') : NULL;
	if (shell != NULL)
		json_object_set_new(facts, "SHELL", fact_text(slash != NULL ? slash + 1 : shell));
	json_object_set_new(provenance, "environment", facts);
}

void
capture_system(json_t *provenance)
{
	json_object_set_new(provenance, "profilers", profilers_fact());
	put_kernel(provenance);
	put_virtualisation(provenance);
	put_environment(provenance);
	json_object_set_new(provenance, "load", load_fact());
	json_object_set_new(provenance, "temperature", temperature_fact());
	json_object_set_new(provenance, "hostname", json_null());
}
