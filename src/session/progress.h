#ifndef ASSAY_PROGRESS_H
#define ASSAY_PROGRESS_H

#include <stddef.h>
#include <stdio.h>

/*
 * What a session shows while it runs. On a terminal one line, drawn again between blocks and
 * never while a group runs; else a plain line at the start, at each quarter and when ten seconds
 * have passed, and at the end. Plain as well with TERM=dumb. No colours anywhere.
 */
struct progress;

/* `label`: study and case; `blocks`: how many this session takes. Borrows both pointers. */
struct progress *progress_begin(FILE *out, const char *label, int blocks);
/* `done` blocks are measured; seconds_left < 0: unknown. */
void progress_show(struct progress *progress, int done, double seconds_left);
/* There are more or fewer blocks than thought. */
void progress_resize(struct progress *progress, int blocks);
/* A line for people that stays, such as a failed group. */
void progress_note(struct progress *progress, const char *text);
/* Ends the redrawn line, with a last plain one unless `text` is NULL, and frees. No progress is
 * fine. */
void progress_end(struct progress *progress, const char *text);

/*
 * "label: block 3 of 32, about 1 min 5 s left" in at most `columns` bytes: the label is cut
 * first. The caller frees. Pure.
 */
char *progress_text(const char *label, int done, int blocks, double seconds_left, size_t columns);

#endif
