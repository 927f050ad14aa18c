#ifndef ASSAY_GRAPH_MODEL_H
#define ASSAY_GRAPH_MODEL_H

#include <lua.h>
#include <stdbool.h>

#include "spec/fields.h"

/* Adding to the graph's part of the study: what rule, build, target and runner lower to. */

struct graph_rule *graph_find_rule(struct host *host, const char *name);
/* A zeroed rule with the name and the place. */
struct graph_rule *graph_add_rule(struct host *host, const char *name, struct place place);
/* A zeroed edge; valid until the next one is added. */
struct graph_edge *graph_add_edge(struct host *host, const char *rule, struct place place);
/* Says that the last edge makes `path`; an error when another does, or when it is no place for
 * an output. */
void graph_claim_output(const struct fields *fields, const char *key, const char *path);
/* Whether it is, or lies in, what the tool's own steps write: records, statistics, the report. */
bool graph_is_ours(const char *path);
/* As api_needs, for what a measured program reads: an error for a path that is ours. */
void graph_measured_with(const struct fields *fields, const char *key, const char *path);
/* Whether an edge makes the path. */
bool graph_makes(lua_State *L, const char *path);

void settings_add(struct arena *arena, struct settings *settings, const char *name,
		  const char *value);

#endif
