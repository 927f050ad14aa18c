#include "analysis/inversions.h"

#include <string.h>

/* Merges the sorted x[0..middle) and x[middle..n); a value that overtakes k others is k pairs. */
static unsigned long long
merge(long double *x, long double *work, size_t middle, size_t n)
{
	unsigned long long count = 0;
	size_t left = 0, right = middle;

	for (size_t i = 0; i < n; i++) {
		if (right == n || (left < middle && x[left] <= x[right])) {
			work[i] = x[left++];
		} else {
			work[i] = x[right++];
			count += middle - left;
		}
	}
	memcpy(x, work, n * sizeof(*x));
	return count;
}

unsigned long long
inversions_sort(long double *x, long double *work, size_t n)
{
	size_t middle = n / 2;
	unsigned long long count;

	if (n < 2)
		return 0;
	count = inversions_sort(x, work, middle);
	count += inversions_sort(x + middle, work, n - middle);
	return count + merge(x, work, middle, n);
}
