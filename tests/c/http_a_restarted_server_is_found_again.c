/*
 * The server ends and comes back at the same place. In the modern era the next call just works; in the legacy era a new
 * session is opened, and with HTTP+SSE a new stream.
 */
#include "http.h"

static void check(const char *path, const char *shape, const char *era) {
    struct server server = start_server(path, ARGS("--shape", shape));
    char *members = format("%s,\"when_unavailable\":\"wait\",\"reconnect\":{\"initial_ms\":50,\"max_ms\":200}", era);
    mcp_client_t *client = connected_to(&server, members);
    for (int restarts = 0; restarts < 3; restarts++) {
        check_echo(client, "before");
        int port = server.port;
        stop_server(&server);
        server = start_server_on(path, port, ARGS("--shape", shape));
        bool works = false;
        /* A call may meet the end of the old connections; after that it works. */
        for (int tries = 0; tries < 3 && !works; tries++) {
            mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
            works = mcp_message_status(reply) == MCP_OK;
            if (!works && tries == 2) {
                FAIL("%s, %s: %s", shape, era, mcp_message_json(reply, NULL));
            }
            mcp_message_free(reply);
        }
        check_no_violations(&server);
    }
    close_and_free(client);
    stop_server(&server);
    free(members);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check(argv[3], "streamable", MODERN);
    check(argv[3], "streamable", LEGACY);
    check(argv[3], "sse", "\"protocol\":\"auto\"");
    check_nothing_left(before);
    return 0;
}
