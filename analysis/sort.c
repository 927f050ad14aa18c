#include "analysis/sort.h"

#include <gsl/gsl_sort.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 11, BUCKETS = 1 << BITS, PASSES = 6, SMALL = 50000 };

static const uint64_t sign = UINT64_C(1) << 63;

/* Doubles as numbers that order as they do: negatives mirrored, below the others. */
static uint64_t
key_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits & sign ? ~bits : bits | sign;
}

static double
value_of(uint64_t key)
{
	uint64_t bits = key & sign ? key & ~sign : ~key;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* One stable pass on the bits from shift up. */
static void
distribute(const uint64_t *from, uint64_t *to, size_t n, int shift)
{
	size_t start[BUCKETS] = {0}, sum = 0;

	for (size_t i = 0; i < n; i++)
		start[(from[i] >> shift) % BUCKETS]++;
	for (size_t b = 0; b < BUCKETS; b++) {
		size_t count = start[b];
		start[b] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[start[(from[i] >> shift) % BUCKETS]++] = from[i];
}

/* An even number of passes leaves the result in keys. */
static void
sort_keys(uint64_t *keys, uint64_t *spare, size_t n)
{
	for (int pass = 0; pass < PASSES; pass += 2) {
		distribute(keys, spare, n, pass * BITS);
		distribute(spare, keys, n, (pass + 1) * BITS);
	}
}

void
sort_doubles(double *x, size_t n)
{
	uint64_t *keys = NULL;

	if (n > SMALL && n < SIZE_MAX / (2 * sizeof(*keys)))
		keys = malloc(2 * n * sizeof(*keys));
	if (!keys) {
		gsl_sort(x, 1, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		keys[i] = key_of(x[i]);
	sort_keys(keys, keys + n, n);
	for (size_t i = 0; i < n; i++)
		x[i] = value_of(keys[i]);
	free(keys);
}
