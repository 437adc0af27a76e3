/*
 * Field fault C03: a thread that waits holds nothing that another thread needs. While one thread is in a long
 * blocking call and another waits for messages, a third calls, looks at the client's state and cancels.
 */
#include "check.h"

static void *call_for_long(void *argument) {
    mcp_message_t *reply = call_tool(argument, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CLOSED);
    mcp_message_free(reply);
    return NULL;
}

static void *wait_for_a_notification(void *argument) {
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_poll_notification(argument, -1, &message), MCP_ERROR_CLOSED);
    CHECK(message == NULL);
    return NULL;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    pthread_t caller = start_thread(call_for_long, client);
    pthread_t waiter = start_thread(wait_for_a_notification, client);
    int calls = scaled(1000, 20);
    long long begin = now_ms();
    for (int i = 0; i < calls; i++) {
        check_echo(client, "not held up");
        CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    }
    CHECK_LE(now_ms() - begin, patience());
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    join_thread(caller);
    join_thread(waiter);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    return 0;
}
