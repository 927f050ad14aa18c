#ifndef ASSAY_BUNDLE_STREAM_H
#define ASSAY_BUNDLE_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "provenance/bundle.h"

/*
 * The reader of packed bundles: everything else sees only what it let through. Names handed to a sink
 * are relative to the top folder, checked, and of regular files; whether the content is what the
 * manifest says is known only when bundle_stream_read returns 0.
 */
struct bundle_sink {
	int (*begin)(void *context, const char *name, bool executable, struct error *error);
	int (*data)(void *context, const char *bytes, size_t length, struct error *error);
	int (*end)(void *context, struct error *error);
	void *context;
};

/* `sink` and `limits` may be NULL. As bundle_verify (bundle.h). */
int bundle_stream_read(const char *path, const struct bundle_limits *limits,
		       const struct bundle_sink *sink, struct bundle_facts *facts,
		       struct error *error);

#endif
