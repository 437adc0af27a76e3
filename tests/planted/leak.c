/* asan finds: detected memory leaks.*mcp_json_quote */
/* valgrind finds: definitely lost */
/* Planted: what the library gave out is lost. Ten times, for the last address may still lie on the stack. */
#include <mcp.h>

#include <stddef.h>

int main(void) {
    for (int i = 0; i < 10; i++) {
        char *lost = NULL;
        mcp_json_quote("text", &lost);
    }
    return 0;
}
