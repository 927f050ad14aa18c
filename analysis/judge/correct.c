#include "analysis/judge/correct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"


/* A set names treatments, or variants with all of theirs. A' runs the program of A. */
static bool
in_set(const struct plan *plan, const struct texts *set, const struct observation *one)
{
	size_t i;

	if (set == NULL || (size_t)one->treatment > plan->treatment_count)
		return set == NULL;
	for (i = 0; i < set->count; i++)
		if (strcmp(set->items[i], plan_treatment(plan, one->treatment)->name) == 0 ||
		    strcmp(set->items[i], plan_treatment(plan, one->treatment)->variant) == 0)
			return true;
	return false;
}

static bool
checks_agree(const struct group_check *check, const char *x, const char *y)
{
	char *x_end, *y_end;
	double a, b;

	if (strcmp(x, y) == 0)
		return true;
	if (!(check->relative > 0))
		return false;
	a = strtod(x, &x_end);
	b = strtod(y, &y_end);
	if (x_end == x || y_end == y || *x_end != '\0' || *y_end != '\0')
		return false;
	return fabs(a - b) <= check->relative * fmax(fabs(a), fabs(b));
}

static char *
difference(const struct group_check *check, const struct observation *one,
	   const struct observation *other)
{
	if ((check->equal || check->relative > 0) && !checks_agree(check, one->check, other->check))
		return memory_format("CHECK of %s is %s, of %s is %s", one->variant, one->check,
				     other->variant, other->check);
	if (check->stdout_sha256 && strcmp(one->stdout_sha256, other->stdout_sha256) != 0)
		return memory_format("standard output of %s has SHA-256 %.12s…, of %s %.12s…",
				     one->variant, one->stdout_sha256, other->variant,
				     other->stdout_sha256);
	return NULL;
}

static char *
check_set(const struct plan *plan, const struct observations *all, const struct texts *set)
{
	const struct observation *first = NULL;
	char *problem = NULL;
	size_t i;

	for (i = 0; i < all->count && problem == NULL; i++) {
		const struct observation *one = &all->items[i];

		if (!one->ok || !in_set(plan, set, one))
			continue;
		if (first == NULL)
			first = one;
		else
			problem = difference(&plan->check, first, one);
	}
	return problem;
}

void
correctness_check(const struct plan *plan, const struct observations *all,
		  struct correctness *result)
{
	const struct group_check *check = &plan->check;
	char *problem = NULL;
	size_t i;

	result->disagree = false;
	result->status = "not checked";
	if (check->equal || check->relative > 0 || check->stdout_sha256) {
		if (check->among.count == 0)
			problem = check_set(plan, all, NULL);
		for (i = 0; i < check->among.count && problem == NULL; i++)
			problem = check_set(plan, all, &check->among.sets[i]);
		result->disagree = problem != NULL;
		result->status = problem != NULL ? "disagree" : "agree";
	}
	result->detail = problem != NULL ? problem : memory_copy_text("");
}

void
correctness_free(struct correctness *result)
{
	free(result->detail);
}
