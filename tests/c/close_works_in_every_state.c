/*
 * A client can be closed in every state: before anything was started, while the server is starting and says
 * nothing, when it is ready, while the client waits to start it again, and when it is closed. Close is
 * bounded, leaves no process and always ends in MCP_CLIENT_STATE_CLOSED; what was in the queue can still be taken,
 * then the queue says MCP_ERROR_CLOSED.
 */
#include "check.h"

#define MUTE ARGS("-c", "cat >/dev/null; :")
#define QUITTER ARGS("-c", "exit 1")

static void check_close(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, 2000), MCP_OK);
    CHECK_LE(now_ms() - begin, 2000 + slack());
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_EQ(count_children(NULL), 0);
    while ((status = mcp_client_poll(client, 0, &message)) == MCP_OK) {
        mcp_message_free(message);
    }
    CHECK_STATUS(status, MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_client_poll(client, -1, &message), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_poll_notification(client, -1, &message), MCP_ERROR_CLOSED);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();

    mcp_client_t *idle = new_client(argv[1], NULL, NULL);
    CHECK_EQ(mcp_client_state(idle), MCP_CLIENT_STATE_IDLE);
    check_close(idle);

    mcp_client_t *starting = new_client("sh", MUTE, NULL);
    CHECK_STATUS(mcp_call_start(starting, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_OK);
    CHECK_NE(mcp_client_state(starting), MCP_CLIENT_STATE_READY);
    check_close(starting);

    mcp_client_t *initializing = new_client("sh", MUTE, NULL);
    CHECK_STATUS(mcp_call_start(initializing, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_OK);
    await_state(initializing, MCP_CLIENT_STATE_INITIALIZING);
    CHECK_EQ(mcp_client_state(initializing), MCP_CLIENT_STATE_INITIALIZING);
    check_close(initializing);

    mcp_client_t *ready = connected(argv[1], NULL, NULL);
    CHECK_EQ(mcp_client_state(ready), MCP_CLIENT_STATE_READY);
    check_close(ready);
    check_close(ready);

    mcp_client_t *waiting =
        new_client("sh", QUITTER, "\"reconnect\":{\"initial_ms\":3600000,\"max_ms\":3600000}");
    CHECK_STATUS(mcp_call_start(waiting, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_OK);
    await_state(waiting, MCP_CLIENT_STATE_BACKOFF);
    CHECK_EQ(mcp_client_state(waiting), MCP_CLIENT_STATE_BACKOFF);
    check_close(waiting);

    CHECK_STATUS(mcp_client_free(idle), MCP_OK);
    CHECK_STATUS(mcp_client_free(starting), MCP_OK);
    CHECK_STATUS(mcp_client_free(initializing), MCP_OK);
    CHECK_STATUS(mcp_client_free(ready), MCP_OK);
    CHECK_STATUS(mcp_client_free(waiting), MCP_OK);
    check_nothing_left(before);
    return 0;
}
