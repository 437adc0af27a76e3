/* asan finds: undefined\.c.*runtime error: signed integer overflow */
/* A signed number runs over, which C does not define. */
#include <limits.h>
#include <mcp.h>

int main(int argc, char **argv) {
    (void)argv;
    int most = INT_MAX - 1 + argc;
    return most + (int)mcp_abi_version() > 0 ? 0 : 1;
}
