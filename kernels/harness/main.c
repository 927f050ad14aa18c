/* SPDX-License-Identifier: MIT */
#include "assay_harness.h"

int
main(int argc, char **argv)
{
	return assay_main(argc, argv, &assay_program);
}
