#include "identity/machine.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/memory.h"

#define READ_LIMIT 8192

static char *
place(const char *path)
{
	const char *root = getenv("ASSAY_SYSROOT");

	return memory_format("%s%s", root != NULL ? root : "", path);
}

/*
 * The first READ_LIMIT bytes, or NULL with errno. Not the whole: of /proc/cpuinfo the first CPU
 * is enough, and the kernel makes the rest, slowly, only for those who read on.
 */
static char *
read_start(const char *path)
{
	char *full = place(path), bytes[READ_LIMIT];
	int fd = open(full, O_RDONLY | O_CLOEXEC), saved;
	size_t length = 0;
	ssize_t got = -1;

	while (fd >= 0 && length < sizeof bytes &&
	       (got = read(fd, bytes + length, sizeof bytes - length)) > 0) {
		length += (size_t)got;
		if (strcmp(path, "/proc/cpuinfo") == 0)
			break;
	}
	saved = errno;
	if (fd >= 0)
		close(fd);
	free(full);
	errno = saved;
	return fd < 0 || (got < 0 && length == 0) ? NULL : memory_copy_span(bytes, length);
}

/* One line: white space of any kind becomes a single space, none at the ends. */
static void
put_squeezed(struct buffer *out, const char *text)
{
	bool gap = false, any = false;

	for (; *text != '\0'; text++) {
		if (isspace((unsigned char)*text) || iscntrl((unsigned char)*text)) {
			gap = any;
			continue;
		}
		if (gap)
			buffer_putc(out, ' ');
		buffer_putc(out, *text);
		gap = false;
		any = true;
	}
}

static void
put_line(struct buffer *out, const char *name, const char *value)
{
	buffer_printf(out, "%s = ", name);
	put_squeezed(out, value);
	buffer_putc(out, '\n');
}

static void
put_unavailable(struct buffer *out, const char *name, const char *path, const char *reason)
{
	buffer_printf(out, "%s = unavailable: %s: %s\n", name, path, reason);
}

/* The value is the file's text. */
static void
put_file(struct buffer *out, const char *name, const char *path)
{
	char *text = read_start(path);

	if (text == NULL)
		put_unavailable(out, name, path, strerror(errno));
	else
		put_line(out, name, text);
	free(text);
}

/* The kernel marks the choice that holds: "always [madvise] never". */
static void
put_choice(struct buffer *out, const char *name, const char *path)
{
	char *text = read_start(path), *from, *to;

	if (text == NULL) {
		put_unavailable(out, name, path, strerror(errno));
		return;
	}
	from = strchr(text, '[');
	to = from != NULL ? strchr(from, ']') : NULL;
	if (to != NULL)
		*to = '\0';
	put_line(out, name, to != NULL ? from + 1 : text);
	free(text);
}

/* ---- identity ---- */

/* The value of "key : value" in /proc/cpuinfo; owned by the caller, NULL when there is none. */
static char *
cpuinfo_value(const char *cpuinfo, const char *key)
{
	const char *line = cpuinfo;
	size_t length = strlen(key);

	while (line != NULL && *line != '\0') {
		const char *end = line + strcspn(line, "\n");

		if (strncmp(line, key, length) == 0) {
			const char *colon = line + length + strspn(line + length, " \t");

			if (*colon == ':')
				return memory_copy_span(colon + 1, (size_t)(end - colon - 1));
		}
		line = *end == '\n' ? end + 1 : NULL;
	}
	return NULL;
}

/* Arm has no model name; its four numbers name the core. */
static char *
cpu_model(const char *cpuinfo)
{
	static const char *const keys[] = {"CPU implementer", "CPU part", "CPU variant",
					   "CPU revision"};
	char *model = cpuinfo_value(cpuinfo, "model name");
	struct buffer out = BUFFER_EMPTY;
	size_t i;

	if (model == NULL)
		model = cpuinfo_value(cpuinfo, "cpu"); /* POWER */
	if (model != NULL)
		return model;
	for (i = 0; i < 4; i++) {
		char *value = cpuinfo_value(cpuinfo, keys[i]);

		if (value != NULL)
			buffer_printf(&out, "%s%s", out.length > 0 ? " " : "", value);
		free(value);
	}
	if (out.length == 0) {
		buffer_free(&out);
		return NULL;
	}
	return buffer_detach(&out);
}

static void
put_cpu(struct buffer *out, const char *name, char *value)
{
	if (value != NULL)
		put_line(out, name, value);
	else
		put_unavailable(out, name, "/proc/cpuinfo", "does not say");
	free(value);
}

/* Salted, since machine-id(5) asks not to show it: the same machine, but not which. */
static void
put_machine_id(struct buffer *out)
{
	char hex[DIGEST_SHA256_HEX], *id = read_start("/etc/machine-id"), *salted;

	if (id == NULL || id[strspn(id, " \n")] == '\0') {
		put_unavailable(out, "machine id", "/etc/machine-id",
				id == NULL ? strerror(errno) : "is empty");
		free(id);
		return;
	}
	id[strcspn(id, "\n")] = '\0';
	salted = memory_format("assay machine id %s", id);
	digest_bytes(DIGEST_SHA256, salted, strlen(salted), hex);
	hex[32] = '\0';
	put_line(out, "machine id", hex);
	free(salted);
	free(id);
}

static void
put_cpus(struct buffer *out)
{
	char *cpuinfo = read_start("/proc/cpuinfo");

	if (cpuinfo == NULL) {
		put_unavailable(out, "cpu microcode", "/proc/cpuinfo", strerror(errno));
		put_unavailable(out, "cpu model", "/proc/cpuinfo", strerror(errno));
	} else {
		put_cpu(out, "cpu microcode", cpuinfo_value(cpuinfo, "microcode"));
		put_cpu(out, "cpu model", cpu_model(cpuinfo));
	}
	free(cpuinfo);
}

void
machine_identity(struct buffer *out)
{
	put_cpus(out);
	put_machine_id(out);
}

/* Without the machine id: the first digest of a process costs more than the rest of a check. */
void
machine_surroundings(struct buffer *out)
{
	put_cpus(out);
}

char *
machine_id_path(void)
{
	return place("/etc/machine-id");
}

/* ---- regime ---- */

static int
by_text(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The entries of a folder, sorted; *count of them, owned by the caller. */
static char **
entries(const char *path, size_t *count)
{
	char *full = place(path), **names = NULL;
	DIR *folder = opendir(full);
	struct dirent *entry;

	*count = 0;
	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		names = memory_resize(names, *count + 1, sizeof *names);
		names[(*count)++] = memory_copy_text(entry->d_name);
	}
	if (folder != NULL)
		closedir(folder);
	if (*count > 0)
		qsort(names, *count, sizeof *names, by_text);
	free(full);
	return names;
}

static void
put_mitigations(struct buffer *out)
{
	static const char folder[] = "/sys/devices/system/cpu/vulnerabilities";
	size_t count, i;
	char **names = entries(folder, &count);

	if (count == 0)
		put_unavailable(out, "mitigations", folder, "is empty or missing");
	for (i = 0; i < count; i++) {
		char *path = memory_format("%s/%s", folder, names[i]);
		char *name = memory_format("mitigation %s", names[i]);

		put_file(out, name, path);
		free(path);
		free(name);
		free(names[i]);
	}
	free(names);
}

static bool
is_policy(const char *name)
{
	return strncmp(name, "policy", 6) == 0;
}

/* The governors of all CPUs, each once: "performance", or "performance powersave". */
static void
put_governor(struct buffer *out)
{
	static const char folder[] = "/sys/devices/system/cpu/cpufreq";
	size_t count, i, kinds = 0;
	char **names = entries(folder, &count), **governors = memory_zeroed(count, sizeof *governors);
	struct buffer value = BUFFER_EMPTY;

	for (i = 0; i < count; i++) {
		char *path = memory_format("%s/%s/scaling_governor", folder, names[i]);
		char *text = is_policy(names[i]) ? read_start(path) : NULL;

		if (text != NULL)
			governors[kinds++] = text;
		free(path);
		free(names[i]);
	}
	qsort(governors, kinds, sizeof *governors, by_text);
	for (i = 0; i < kinds; i++)
		if (i == 0 || strcmp(governors[i], governors[i - 1]) != 0)
			buffer_printf(&value, "%s ", governors[i]);
	if (kinds > 0)
		put_line(out, "governor", buffer_text(&value));
	else
		put_unavailable(out, "governor", folder, "no CPU has a governor to be seen");
	for (i = 0; i < kinds; i++)
		free(governors[i]);
	free(governors);
	free(names);
	buffer_free(&value);
}

static void
put_boost(struct buffer *out)
{
	static const char boost[] = "/sys/devices/system/cpu/cpufreq/boost";
	static const char no_turbo[] = "/sys/devices/system/cpu/intel_pstate/no_turbo";
	char *text = read_start(boost);

	if (text != NULL) {
		put_line(out, "boost", text[0] == '0' ? "off" : "on");
	} else if ((text = read_start(no_turbo)) != NULL) {
		put_line(out, "boost", text[0] == '0' ? "on" : "off");
	} else {
		put_unavailable(out, "boost", boost, strerror(errno));
	}
	free(text);
}

void
machine_regime(struct buffer *out)
{
	put_boost(out);
	put_governor(out);
	put_file(out, "kernel", "/proc/sys/kernel/osrelease");
	put_file(out, "kernel build", "/proc/sys/kernel/version");
	put_file(out, "kernel command line", "/proc/cmdline");
	put_mitigations(out);
	put_file(out, "smt", "/sys/devices/system/cpu/smt/control");
	put_choice(out, "transparent huge pages", "/sys/kernel/mm/transparent_hugepage/enabled");
}
