/* asan finds: heap-use-after-free.*use_after_free\.c */
/* Planted: C code reads memory that it has freed. */
#include <mcp.h>

#include <stdlib.h>

int main(void) {
    char *text = malloc(10);
    char *volatile still = text; /* hides it from the compiler, which would warn */
    free(text);
    return still[3] + (mcp_version() == NULL);
}
