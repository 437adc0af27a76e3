/*
 * Field fault H15: a client that is idle, waits for its next attempt or is closed uses no processor time, and after the last
 * one is freed no thread and no descriptor is left.
 */
#include "http.h"

/* The processor time used while nothing happens, in ms per second. */
static void check_idle(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    drain(client);
    /* What still follows from what happened before is over after a while. */
    UNTIL(mcp_client_poll(client, 300, &message) != MCP_OK || (mcp_message_free(message), false));
    long long used = used_ms();
    long long begin = now_ms();
    mcp_status_t status = MCP_OK;
    while (now_ms() - begin < 1000) {
        status = mcp_client_poll(client, 1000, &message);
        if (status == MCP_OK) {
            mcp_message_free(message);
        } else if (status == MCP_ERROR_CLOSED) {
            poll(NULL, 0, 100); /* there is nothing to wait for, only time to pass */
        }
    }
    CHECK_LE(used_ms() - used, 50 * scale());
}

static void check(const char *path, const char *shape, const char *members) {
    struct holdings before = holdings_now();
    struct server server = start_server(path, ARGS("--shape", shape));
    mcp_client_t *client = connected_to(&server, members);
    check_echo(client, "x");
    check_idle(client);
    stop_server(&server);
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
    CHECK_NE(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    check_idle(client);
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    check_idle(client);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    check(argv[3], "streamable", MODERN ",\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}");
    check(argv[3], "streamable", LEGACY ",\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}");
    check(argv[3], "sse", LEGACY ",\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}");
    return 0;
}
