#ifndef ASSAY_MACHINE_H
#define ASSAY_MACHINE_H

#include "base/buffer.h"

/*
 * The machine as far as it decides what may be compared. Each appends "name = value" lines,
 * sorted by name, a value that cannot be read as "unavailable: reason". Test seam: when
 * ASSAY_SYSROOT is set, /proc, /sys and /etc are read below that folder.
 */

/* Part of the identity: CPU model, microcode, salted machine id. */
void machine_identity(struct buffer *out);
/* What machine_identity rests on, as far as it costs next to nothing to read; what else it reads
 * is the file machine_id_path. Not for showing to anybody. */
void machine_surroundings(struct buffer *out);
/* The caller frees. */
char *machine_id_path(void);
/* The regime, recorded per session and never mixed: kernel and command line, mitigations,
 * governor, boost, SMT, THP. */
void machine_regime(struct buffer *out);

#endif
