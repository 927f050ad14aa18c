#include <getopt.h>
#include <stdio.h>

#include "base/file.h"
#include "base/json.h"
#include "cli/archive.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/recompute.h"
#include "provenance/bundle.h"
#include "session/lock.h"

/* A form that was measured is packed with a report of what its records give now, whatever was
 * reported when. The step takes a lock of its own, so that this comes before the bundle's. */
static int
renew_forms(struct error *error)
{
	json_t *study = file_exists("build/study.json") ? json_read_file("build/study.json", NULL) : NULL;
	const json_t *form;
	bool reported;
	int result = 0;
	size_t i;

	json_array_foreach(json_object_get(study, "forms"), i, form)
		if (result == 0 && recompute_has_records(json_string_value(form)))
			result = recompute(json_string_value(form), true, &reported, error);
	json_decref(study);
	return result;
}

int
archive_bundle(int argc, char **argv)
{
	static const struct option options[] = {{"output", required_argument, NULL, 'o'},
						{NULL, 0, NULL, 0}};
	struct bundle_request request = {.out = stdout};
	struct error error = {0};
	struct lock *lock;
	int option, result;

	while ((option = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
		if (option != 'o')
			return command_misuse(&command_bundle, "unknown option");
		request.output = optarg;
	}
	if (optind != argc)
		return command_misuse(&command_bundle, "it takes no arguments but --output FILE");
	if (renew_forms(&error) != 0)
		return error_print(&error);
	lock = lock_open("bundle", &error);
	if (lock == NULL || lock_acquire(lock, LOCK_SHARED, &error) != 0)
		return error_print(&error);
	result = bundle_write(&request, &error);
	lock_close(lock);
	return result == 0 ? EXIT_DONE : error_print(&error);
}
