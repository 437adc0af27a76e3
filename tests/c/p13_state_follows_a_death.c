/*
 * Field fault P13: a server that dies while no call runs is not shown as connected. The state changes soon, a
 * message says so, and with it the reason; without reconnection the client ends closed.
 */
#include "check.h"

static void kill_server(mcp_client_t *client) {
    pid_t pid = server_pid(client);
    drain(client);
    CHECK_EQ(kill(pid, SIGKILL), 0);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client =
        connected(argv[1], NULL, "\"reconnect\":{\"initial_ms\":3600000,\"max_ms\":3600000}");
    kill_server(client);
    mcp_message_t *message = next_of_kind(client, MCP_KIND_STATE);
    CHECK(json_is(mcp_message_json(message, NULL), "/state", "backoff"));
    CHECK(json_is(mcp_message_json(message, NULL), "/previous", "ready"));
    char *reason = json_at(mcp_message_json(message, NULL), "/reason");
    CHECK_CONTAINS(reason, "signal 9");
    mcp_string_free(reason);
    mcp_message_free(message);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_BACKOFF);
    CHECK_EQ(count_children(NULL), 0);
    close_and_free(client);

    client = connected(argv[1], NULL, "\"reconnect\":{\"initial_ms\":3600000,\"max_ms\":3600000}");
    kill_server(client);
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_BACKOFF); /* also for a program that takes no messages */
    close_and_free(client);

    client = connected(argv[1], NULL, "\"reconnect\":false");
    kill_server(client);
    await_state(client, MCP_CLIENT_STATE_CLOSED);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, NULL), MCP_ERROR_CLOSED);
    close_and_free(client);
    return 0;
}
