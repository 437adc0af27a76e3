/*
 * Field fault H04: a call whose stream broke off is being taken up again and again when its time is over. Its end is the
 * end of everything that it started: no more requests, no open stream. The same for a cancelled call.
 */
#include "http.h"

#define DETACH "{\"answer\":false,\"retry\":50,\"cuts\":100000}"
#define WAITS_OPEN "{\"answer\":false,\"retry\":50}"

/* That nothing more is asked for, over a time in which it would have been many times. */
static void check_quiet(const struct server *server, mcp_client_t *client) {
    UNTIL(stat_of(server, "/get_streams_open") == 1); /* the session's own */
    long long resumed = stat_of(server, "/resumed");
    long long until = now_ms() + 1000;
    while (now_ms() < until) {
        check_echo(client, "meanwhile");
        breathe();
    }
    CHECK_EQ(stat_of(server, "/resumed"), resumed);
    CHECK_EQ(stat_of(server, "/get_streams_open"), 1);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *client = connected_to(&server, LEGACY);
    const char *const arguments[] = {DETACH, WAITS_OPEN};
    UNTIL(stat_of(&server, "/get_streams_open") == 1);
    for (int i = 0; i < 2; i++) {
        long long resumed = stat_of(&server, "/resumed");
        mcp_message_t *reply = call_tool(client, "detach", arguments[i], "{\"timeout_ms\":1500}");
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
        mcp_message_free(reply);
        CHECK_GE(stat_of(&server, "/resumed"), resumed + 1);
        check_quiet(&server, client);
    }
    uint64_t call = start_tool(client, "detach", DETACH, NULL, 7);
    long long resumed = stat_of(&server, "/resumed");
    UNTIL(stat_of(&server, "/resumed") > resumed);
    CHECK_STATUS(mcp_call_cancel(client, call, "no longer wanted"), MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    check_quiet(&server, client);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
    check_nothing_left(before);
    return 0;
}
