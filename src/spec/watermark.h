#ifndef ASSAY_WATERMARK_SPEC_H
#define ASSAY_WATERMARK_SPEC_H

#include "spec/blocked.h"

/*
 * `watermark "name" { … }`: variants of one kernel, as it is and perturbed by compile-time switches
 * (kernels/harness/watermark.h). A perturbed variant computes something else, so that its output agrees
 * with nobody's and it is not faster or slower than anything: what it takes says where the time of the
 * kernel goes.
 */

/* The body of `watermark "name"`; gives a list of variants, the kernel as it is first. */
int watermark_body(lua_State *L);

/* The treatment that a perturbed one is held against by default: what it perturbs, at the same blocked
 * values; 0, the first, of one that is not perturbed. An error where it is not in the experiment. */
size_t watermark_baseline(const struct blocked_treatments *treatments, size_t treatment);

/* Outputs need agree among unperturbed variants only; naming another in `among` is an error. */
void watermark_check_among(const struct fields *experiment, const struct blocked_treatments *treatments,
			   struct group_check *check);

/* "without its synchronisation" and so on: what the kernel is like then. NULL: no such perturbation. */
const char *watermark_words(const char *perturbation);

/* Does it give the kernel more to do, so that sensitive means slower? */
bool watermark_adds(const char *perturbation);

/* Is there a perturbation of this treatment in the case? */
bool watermark_perturbs(const struct study_case *one, size_t treatment);

/* The perturbed treatment of a case that a claim about `name` means, or SIZE_MAX. */
size_t watermark_perturbed(const struct study_case *one, const char *name, const char *perturbation);

#endif
