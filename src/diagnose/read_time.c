#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/reading.h"
#include "diagnose/result.h"

/* GNU time -v: "\tMaximum resident set size (kbytes): 928" */
json_t *
read_gnu_time(const char *folder, struct error *error)
{
	static const char *const lines[][2] = {
		{"User time (seconds)", "user_s"}, {"System time (seconds)", "sys_s"},
		{"Maximum resident set size (kbytes)", "max_rss_kib"},
		{"Major (requiring I/O) page faults", "major_faults"},
		{"Minor (reclaiming a frame) page faults", "minor_faults"},
		{"Voluntary context switches", "voluntary_switches"},
		{"Involuntary context switches", "involuntary_switches"},
	};
	struct buffer text = BUFFER_EMPTY;
	json_t *result = result_new();
	char *at, *line, *colon;
	size_t i, found = 0;

	if (result_read(folder, "time.txt", &text, error) == 0)
		for (at = text.bytes; (line = result_line(&at)) != NULL;) {
			line += strspn(line, "\t ");
			colon = strstr(line, ": ");
			for (i = 0; colon != NULL && i < sizeof lines / sizeof *lines; i++)
				if (strncmp(line, lines[i][0], strlen(lines[i][0])) == 0 &&
				    line + strlen(lines[i][0]) == colon) {
					result_put(result, lines[i][1], strtod(colon + 2, NULL));
					found++;
				}
		}
	if (found < sizeof lines / sizeof *lines) {
		json_decref(result);
		result = NULL;
		error_set(error, EXIT_BAD_INPUT, "it did not print what GNU time -v prints");
	} else {
		result_say(result, "%.2f s of processor time for the program and %.2f s for the kernel, %.4g MiB at most, "
			   "%.0f minor and %.0f major page faults, %.0f switches given up and %.0f forced",
			   result_value(result, "user_s"), result_value(result, "sys_s"),
			   result_value(result, "max_rss_kib") / 1024, result_value(result, "minor_faults"),
			   result_value(result, "major_faults"), result_value(result, "voluntary_switches"),
			   result_value(result, "involuntary_switches"));
	}
	buffer_free(&text);
	return result;
}
