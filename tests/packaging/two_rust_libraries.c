/*
 * two_rust_libraries: libmcp.a and another static library made by Rust in one program. Each has the standard library of
 * Rust in it; both work, and a panic in the other is caught there.
 */
#include <mcp.h>

#include <stdio.h>
#include <string.h>

int other_sum(const int *numbers, size_t count);
int other_panics_inside(void);

int main(void) {
    const int numbers[] = {1, 2, 39};
    char *quoted = NULL;
    if (mcp_json_quote("both", &quoted) != MCP_OK || strcmp(quoted, "\"both\"") != 0) {
        fprintf(stderr, "libmcp does not work beside another Rust library\n");
        return 1;
    }
    mcp_string_free(quoted);
    if (other_sum(numbers, 3) != 42 || other_panics_inside() != 1) {
        fprintf(stderr, "the other Rust library does not work beside libmcp\n");
        return 1;
    }
    return 0;
}
