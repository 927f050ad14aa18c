#include "analysis/sort.h"

#include <gsl/gsl_sort.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 11, BUCKETS = 1 << BITS, PASSES = 6, SMALL = 50000 };

/* How many keys have each value of each digit; the digits from the lowest up. */
typedef size_t counts[PASSES][BUCKETS];

static const uint64_t sign = UINT64_C(1) << 63;

/* Doubles as numbers that order as they do: negatives mirrored, below the others. The keys live
 * in the doubles' own memory, so they are moved as bytes. */
static uint64_t
key_at(const double *x)
{
	uint64_t bits;

	memcpy(&bits, x, sizeof(bits));
	return bits;
}

static void
put_key(double *x, uint64_t key)
{
	memcpy(x, &key, sizeof(key));
}

static uint64_t
key_of(uint64_t bits)
{
	return bits & sign ? ~bits : bits | sign;
}

static uint64_t
bits_of(uint64_t key)
{
	return key & sign ? key & ~sign : ~key;
}

static size_t
digit_of(uint64_t key, int pass)
{
	return (key >> (pass * BITS)) % BUCKETS;
}

static void
make_keys(double *x, size_t n, counts count)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t key = key_of(key_at(x + i));

		put_key(x + i, key);
		for (int pass = 0; pass < PASSES; pass++)
			count[pass][digit_of(key, pass)]++;
	}
}

/* One stable pass; its counts become the places behind each digit's last key. */
static void
distribute(const double *from, double *to, size_t n, int pass, size_t *place)
{
	size_t sum = 0;

	for (size_t b = 0; b < BUCKETS; b++) {
		size_t count = place[b];
		place[b] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t key = key_at(from + i);

		put_key(to + place[digit_of(key, pass)]++, key);
	}
}

/* Where the keys are in order: x or spare. */
static const double *
sort_keys(double *x, double *spare, size_t n, counts count)
{
	double *from = x, *to = spare;

	for (int pass = 0; pass < PASSES; pass++) {
		double *sorted = to;

		if (count[pass][digit_of(key_at(from), pass)] == n)
			continue; /* all have this digit */
		distribute(from, to, n, pass, count[pass]);
		to = from;
		from = sorted;
	}
	return from;
}

static void
sort_by_digits(double *x, double *spare, counts count, size_t n)
{
	const double *sorted;

	make_keys(x, n, count);
	sorted = sort_keys(x, spare, n, count);
	for (size_t i = 0; i < n; i++)
		put_key(x + i, bits_of(key_at(sorted + i)));
}

void
sort_doubles(double *x, size_t n)
{
	double *spare = NULL;
	size_t(*count)[BUCKETS] = NULL;

	if (n > SMALL && n < SIZE_MAX / sizeof(*spare)) {
		spare = malloc(n * sizeof(*spare));
		count = calloc(PASSES, sizeof(*count));
	}
	if (spare && count)
		sort_by_digits(x, spare, count, n);
	else
		gsl_sort(x, 1, n);
	free(spare);
	free(count);
}
