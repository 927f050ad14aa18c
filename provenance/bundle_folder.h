#ifndef ASSAY_BUNDLE_FOLDER_H
#define ASSAY_BUNDLE_FOLDER_H

#include "base/error.h"
#include "provenance/bundle.h"
#include "provenance/bundle_stream.h"

/*
 * As bundle_stream_read, of a bundle that somebody unpacked: the files that its manifests list, each
 * held against its digest, in the manifests' order. What else lies in the folder (a tool that was
 * built there) is not looked at. Links are not followed.
 */
int bundle_folder_read(const char *folder, const struct bundle_limits *limits,
		       const struct bundle_sink *sink, struct bundle_facts *facts,
		       struct error *error);

#endif
