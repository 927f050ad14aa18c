#ifndef TEST_IDENTITY_FOLDER_H
#define TEST_IDENTITY_FOLDER_H

/* What the tests of src/identity share: a fresh folder, and programs compiled in it. */

/* Set-up and tear-down: into a fresh folder, and out of it when it is gone. */
int enter_folder(void **state);
int leave_folder(void **state);
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

void put_file(const char *path, const char *text);
void put_executable(const char *path, const char *text);
/* A shell command that must end with 0. */
void run(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define SOURCE "int main(void)\n{\n\treturn 42;\n}\n"
void compile(const char *output, const char *source, const char *flags);

#endif
