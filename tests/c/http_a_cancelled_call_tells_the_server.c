/*
 * Cancelling a call over HTTP: in the modern era its request is closed and nothing else is sent; in the legacy era, where
 * closing means nothing, notifications/cancelled is sent. The same when a call's time is over.
 */
#include "http.h"

static void check(const char *path, const char *behaviour, const char *era, int notifications) {
    struct server server = start_server(path, ARGS(behaviour));
    mcp_client_t *client = connected_to(&server, era);
    long long abandoned = stat_of(&server, "/abandoned");
    uint64_t call = start_tool(client, "never", NULL, NULL, 1);
    UNTIL(count_of(&server, "tools/call") == 1);
    CHECK_STATUS(mcp_call_cancel(client, call, "no longer wanted"), MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    UNTIL(count_of(&server, "notifications/cancelled") == notifications);
    if (notifications == 0) {
        UNTIL(stat_of(&server, "/abandoned") == abandoned + 1);
    }
    reply = call_tool(client, "never", NULL, "{\"timeout_ms\":100}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    mcp_message_free(reply);
    UNTIL(count_of(&server, "notifications/cancelled") == 2 * notifications);
    if (notifications == 0) {
        UNTIL(stat_of(&server, "/abandoned") == abandoned + 2);
    }
    /* Nothing of it is left at the server: at most the stream of its own messages. */
    UNTIL(stat_of(&server, "/in_flight") <= 1);
    check_echo(client, "afterwards");
    CHECK_EQ(count_of(&server, "notifications/cancelled"), 2 * notifications);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check(argv[3], "", MODERN, 0);
    check(argv[3], "sse", MODERN, 0);
    check(argv[3], "", LEGACY, 1);
    check(argv[3], "sse", LEGACY, 1);
    check_nothing_left(before);
    return 0;
}
