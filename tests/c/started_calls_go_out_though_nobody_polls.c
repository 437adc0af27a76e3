/*
 * Frames of started calls may be held back to be written together, but not for long: without a thread that polls, all
 * of them are sent and answered, whatever their number, and again after a pause.
 */
#include "check.h"

static long long results(mcp_client_t *client) {
    char *info = NULL;
    CHECK_STATUS(mcp_client_info(client, &info, NULL), MCP_OK);
    long long count = json_number(info, "/counters/results");
    mcp_string_free(info);
    return count;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    long long answered = results(client);
    static const int rounds[] = {1, 3, 5, 31, 32, 33, 100, 4};
    for (size_t round = 0; round < sizeof rounds / sizeof rounds[0]; round++) {
        for (int call = 0; call < rounds[round]; call++) {
            start_tool(client, "echo", "{\"text\":\"x\"}", NULL, (uint64_t)call);
        }
        answered += rounds[round];
        UNTIL(results(client) == answered);
    }
    close_and_free(client);
    check_nothing_left(before);
    return 0;
}
