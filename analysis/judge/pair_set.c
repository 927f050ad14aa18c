#include <stdlib.h>
#include <string.h>

#include "analysis/judge/comparison.h"
#include "base/memory.h"

static const struct observation *
at(const struct observations *all, size_t index)
{
	return &all->items[index];
}

static bool
wanted(const struct observation *one, int treatment, bool aa, const char *item)
{
	return one->used && one->ok && one->treatment == treatment &&
	       one->phase == (aa ? OBSERVED_AA : OBSERVED_AB) && strcmp(one->item, item) == 0;
}

static bool
same_block(const struct observation *one, const struct observation *other)
{
	return one->session == other->session && one->block == other->block &&
	       one->attempt == other->attempt;
}

/* The index of the other treatment's group in the same block, or -1. A block's observations lie
 * together, so only the neighbourhood is looked at. */
static long
partner(const struct observations *all, size_t index, int treatment, bool aa, const char *item)
{
	const struct observation *one = at(all, index);
	size_t i = index;

	while (i > 0 && same_block(one, at(all, i - 1)))
		i--;
	for (; i < all->count && same_block(one, at(all, i)); i++)
		if (wanted(at(all, i), treatment, aa, item))
			return (long)i;
	return -1;
}

static void
add(struct pair_set *set, const struct observation *a, const struct observation *b, double a_value,
    double b_value)
{
	size_t i = set->count++;

	set->a[i] = a_value;
	set->b[i] = b_value;
	set->orders[i] = a->order < b->order ? PAIR_AB : PAIR_BA;
	set->pairs[i] = a->pair;
	set->sessions[i] = a->session;
}

void
pair_set_collect(const struct observations *all, int a, int b, bool aa, const char *item,
		 int column, struct collapse how, struct pair_set *set)
{
	size_t i, room = all->count;

	memset(set, 0, sizeof *set);
	set->a = memory_zeroed(room, sizeof *set->a);
	set->b = memory_zeroed(room, sizeof *set->b);
	set->orders = memory_zeroed(room, sizeof *set->orders);
	set->pairs = memory_zeroed(room, sizeof *set->pairs);
	set->sessions = memory_zeroed(room, sizeof *set->sessions);
	for (i = 0; i < all->count; i++) {
		double a_value, b_value;
		size_t a_trimmed, b_trimmed;
		long other;

		if (!wanted(at(all, i), a, aa, item))
			continue;
		other = partner(all, i, b, aa, item);
		if (other < 0 ||
		    observation_value(all, i, column, how, &a_value, &a_trimmed) != STAT_OK ||
		    observation_value(all, (size_t)other, column, how, &b_value, &b_trimmed) !=
			    STAT_OK)
			continue;
		add(set, at(all, i), at(all, (size_t)other), a_value, b_value);
		set->trimmed += a_trimmed + b_trimmed;
		set->samples += at(all, i)->rows + at(all, (size_t)other)->rows;
	}
}

void
pair_set_free(struct pair_set *set)
{
	free(set->a);
	free(set->b);
	free(set->orders);
	free(set->pairs);
	free(set->sessions);
	memset(set, 0, sizeof *set);
}
