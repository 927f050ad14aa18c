#ifndef ASSAY_WILLIAMS_H
#define ASSAY_WILLIAMS_H

/*
 * Williams squares (E. J. Williams, Australian Journal of Scientific Research A 2, 1949): orders
 * of k treatments in which each treatment stands at each place equally often and directly
 * follows each other treatment equally often. k rows when k is even, two squares of k rows, the
 * second the mirror image of the first, when it is odd. For k = 2: AB, BA.
 */

/* Rows until full balance: k or 2k; 1 for k = 1. */
int williams_rows(int k);
/* Fills order[k] with row `row` (from 0; taken modulo williams_rows). */
void williams_row(int k, int row, int *order);

#endif
