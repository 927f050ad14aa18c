#include "cli/skips.h"

#include <stdio.h>

#include "base/json.h"

void
skips_print(const json_t *study)
{
	const json_t *experiment, *one;
	size_t e, i;

	json_array_foreach(json_object_get(study, "experiments"), e, experiment)
		json_array_foreach(json_object_get(experiment, "treatments"), i, one)
			if (json_object_get(one, "skipped") != NULL)
				printf("skipped: %s of experiment %s: %s\n", json_get_text(one, "name"),
				       json_get_text(experiment, "name"), json_get_text(one, "skipped"));
}
