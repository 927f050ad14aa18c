#ifndef ASSAY_VARIANT_H
#define ASSAY_VARIANT_H

#include <stdint.h>

#include "spec/fields.h"

#define VARIANT_FILLED SIZE_MAX

/* A table that `variant "name" { … }` made, until an experiment takes it: all still templates. */
struct variant {
	char *name;
	size_t program; /* VARIANT_FILLED: `program_name` says which, when it is filled in */
	char *program_name;
	struct texts args, prepare, inputs; /* inputs: named, and those that args, env, … use */
	struct settings env;
	char *stdin_path, *cwd, *mode, *cfg_len, *cfg_iters;
	double cfg_flops; /* 0: not declared */
	char *work_flops, *work_bytes; /* NULL: not declared */
	bool lowers_scale, ignore_exit;
	char *perturbs, *perturbation; /* made by watermark{}: of which variant, and which; NULL */
	struct point at; /* values of blocked dimensions that it alone has */
	struct requirement needs; /* its own, and those of the programs that it uses */
	struct fields fields; /* for messages; its table is gone */
};

/* The body of `variant "name"`. */
int variant_body(lua_State *L);

/* Fills the templates in for one case; `values` are the sweep's and the derived ones. */
void variant_fill(const struct variant *variant, const struct point *values,
		  const struct experiment *experiment, struct treatment *treatment);

#endif
