/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All unit tests of one compiler are one program, since linking sixty took longer than running them. The
 * compiler is given this header before each test's source, and UNIT, the file's name without .c; so the linker
 * knows each test's main as main_of_UNIT. units.c starts it by the name that the program was called by.
 */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#define UNIT_TEXT(text) #text
#define UNIT_SYMBOL(unit) UNIT_TEXT(main_of_##unit)
#define UNIT_SYMBOL_OF(unit) UNIT_SYMBOL(unit)

/* Without parameters named, as some tests take arguments and some do not. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
int main() __asm__(UNIT_SYMBOL_OF(UNIT));
#pragma GCC diagnostic pop

#endif
