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
wanted(const struct observation *one, int treatment, bool aa)
{
	return one->used && one->treatment == treatment &&
	       one->phase == (aa ? OBSERVED_AA : OBSERVED_AB);
}

static bool
same_block(const struct observation *one, const struct observation *other)
{
	return one->session == other->session && one->block == other->block &&
	       one->attempt == other->attempt;
}

/* The other treatment's group in the same block, or NULL. A block's observations lie together,
 * so only the neighbourhood is looked at. */
static const size_t *
partner(const struct observations *all, const struct observed *observed, size_t k, int treatment,
	bool aa)
{
	const struct observation *one = at(all, observed->at[k]);

	while (k > 0 && same_block(one, at(all, observed->at[k - 1])))
		k--;
	for (; k < observed->count && same_block(one, at(all, observed->at[k])); k++)
		if (wanted(at(all, observed->at[k]), treatment, aa))
			return &observed->at[k];
	return NULL;
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

static void
pair_set_room(struct pair_set *set, size_t room)
{
	memset(set, 0, sizeof *set);
	set->a = memory_zeroed(room, sizeof *set->a);
	set->b = memory_zeroed(room, sizeof *set->b);
	set->orders = memory_zeroed(room, sizeof *set->orders);
	set->pairs = memory_zeroed(room, sizeof *set->pairs);
	set->sessions = memory_zeroed(room, sizeof *set->sessions);
}

void
pair_set_collect(const struct observations *all, int a, int b, bool aa, const char *item,
		 int column, struct collapse how, struct pair_set *set)
{
	const struct observed *observed = observations_of(all, item);
	size_t k, room = observed->count;

	pair_set_room(set, room);
	for (k = 0; k < observed->count; k++) {
		size_t i = observed->at[k], a_trimmed, b_trimmed;
		const size_t *other;
		double a_value, b_value;

		if (!wanted(at(all, i), a, aa))
			continue;
		other = partner(all, observed, k, b, aa);
		if (other == NULL ||
		    observation_value(all, i, column, how, &a_value, &a_trimmed) != STAT_OK ||
		    observation_value(all, *other, column, how, &b_value, &b_trimmed) != STAT_OK)
			continue;
		add(set, at(all, i), at(all, *other), a_value, b_value);
		set->trimmed += a_trimmed + b_trimmed;
		set->samples += at(all, i)->rows + at(all, *other)->rows;
	}
}

/* The samples are not told apart: their trimmed share is that of all. */
void
pair_set_part(const struct pair_set *all, int first, int last, struct pair_set *part)
{
	size_t i, n;

	pair_set_room(part, all->count);
	for (i = 0; i < all->count; i++) {
		if (all->pairs[i] < first || all->pairs[i] > last)
			continue;
		n = part->count++;
		part->a[n] = all->a[i];
		part->b[n] = all->b[i];
		part->orders[n] = all->orders[i];
		part->pairs[n] = all->pairs[i];
		part->sessions[n] = all->sessions[i];
	}
	part->trimmed = all->count > 0 ? all->trimmed * part->count / all->count : 0;
	part->samples = all->count > 0 ? all->samples * part->count / all->count : 0;
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
