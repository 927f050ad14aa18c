/* A judged scene (judge_scene.h) whose warnings are looked at. */
#ifndef WARNING_SCENE_H
#define WARNING_SCENE_H

#include "judge_scene.h"

#include "base/json.h"

/* The warning must be there; its number. */
static inline double
number_of(const json_t *document, const char *code)
{
	const json_t *warning = find_warning(document, code);

	if (warning == NULL)
		fail_msg("no warning '%s'", code);
	assert_true(*json_get_text(warning, "text") != '\0');
	assert_true(*json_get_text(warning, "advice") != '\0');
	return json_get_number(warning, "value");
}

/* Noise without any pattern: digits of pi, within +-0.9 %. */
static inline double
noise(int i)
{
	static const char digits[] = "14159265358979323846264338327950288419716939937510"
				     "58209749445923078164062862089986280348253421170679";

	return (digits[i % 100] - '4') * 0.002;
}

static inline void
put_noisy_pairs(struct scene *scene, int count)
{
	int i;

	for (i = 0; i < count; i++)
		put_pair(scene, "ab", i + 1, i % 2 == 0, 1000 * (1 + noise(2 * i)),
			 1000 * (1 + noise(2 * i + 1)), 1);
}

#endif
