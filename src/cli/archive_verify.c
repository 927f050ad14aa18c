#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/archive.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "provenance/bundle.h"
#include "session/lock.h"

/* "16G" -> bytes; 0 for what is no size. */
static uint64_t
parse_size(const char *text)
{
	static const char units[] = "KMGT";
	unsigned long long value;
	const char *unit;
	char *end;
	unsigned shift = 0;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || errno != 0)
		return 0;
	if (*end != '\0') {
		unit = strchr(units, *end);
		if (unit == NULL || end[1] != '\0')
			return 0;
		shift = 10 * (unsigned)(unit - units + 1);
	}
	return value > UINT64_MAX >> shift ? 0 : (uint64_t)value << shift;
}

int
archive_verify(int argc, char **argv)
{
	static const struct option options[] = {{"max-size", required_argument, NULL, 'm'},
						{NULL, 0, NULL, 0}};
	struct bundle_limits limits = {0, 0};
	struct bundle_facts facts;
	struct error error = {0};
	struct lock *lock;
	int option, result;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'm')
			return command_misuse(&command_verify, "unknown option");
		limits.bytes = parse_size(optarg);
		if (limits.bytes == 0)
			return command_misuse(&command_verify, "--max-size is a size such as 500M or 64G");
	}
	if (optind + 1 != argc)
		return command_misuse(&command_verify, "name one bundle");
	/* Not beside a measurement; but a machine that has no place for the lock can verify too. */
	lock = lock_open("verify", NULL);
	if (lock != NULL)
		lock_acquire(lock, LOCK_SHARED, NULL);
	result = bundle_verify(argv[optind], &limits, &facts, &error);
	if (result == 0)
		printf("verified: %llu files, %.1f MiB, study %s%s%s\n", (unsigned long long)facts.files,
		       (double)facts.bytes / (1 << 20), facts.name,
		       facts.forms.length > 0 ? ", forms " : "", buffer_text(&facts.forms));
	bundle_facts_free(&facts);
	if (lock != NULL)
		lock_close(lock);
	return result == 0 ? EXIT_DONE : error_print(&error);
}
