#include "schedule/williams.h"

int
williams_rows(int k)
{
	return k % 2 == 0 || k == 1 ? k : 2 * k;
}

/* 0, 1, k-1, 2, k-2, …: neighbours differ by 1, -2, 3, -4, … so that no difference repeats. */
static int
zigzag(int k, int place)
{
	return place % 2 == 1 ? (place + 1) / 2 : (k - place / 2) % k;
}

void
williams_row(int k, int row, int *order)
{
	int mirrored = row % williams_rows(k) >= k;
	int place;

	for (place = 0; place < k; place++)
		order[mirrored ? k - 1 - place : place] = (zigzag(k, place) + row % k) % k;
}
