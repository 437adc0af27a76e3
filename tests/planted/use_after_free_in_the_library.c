/* asan finds: heap-use-after-free.*src/ffi/pointer\.rs */
/* Planted: the library's own code writes where it is told to, into memory that was freed. */
#include <mcp.h>

#include <stdlib.h>

int main(void) {
    char **out = malloc(sizeof *out);
    char **volatile still = out; /* hides it from the compiler, which would warn */
    free(out);
    return (int)mcp_json_quote("text", still);
}
