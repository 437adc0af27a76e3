/*
 * A program that is linked with the library and never calls it: no thread, no descriptor, no child comes into
 * being, and it ends at once. (It names one function, so that no linker leaves the library out.)
 */
#include "check.h"

const char *(*volatile never_called)(void) = mcp_version;

int main(void) {
    CHECK(never_called != NULL);
    CHECK_EQ(count_threads(), 1);
    CHECK_EQ(count_children(NULL), 0);
    return 0;
}
