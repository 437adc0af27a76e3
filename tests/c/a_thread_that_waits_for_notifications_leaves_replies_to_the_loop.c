/*
 * While a thread waits in mcp_poll_notification(), a loop that watches the client's descriptor is told of every reply: what that
 * thread leaves on the queue keeps the descriptor readable.
 */
#include "check.h"

#define CALLS 100

static mcp_client_t *client;

static void *wait_for_notifications(void *unused) {
    (void)unused;
    mcp_status_t status;
    mcp_message_t *message = NULL;
    while ((status = mcp_poll_notification(client, -1, &message)) == MCP_OK) {
        mcp_message_free(message);
    }
    CHECK_STATUS(status, MCP_WOKEN);
    return NULL;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    client = connected(argv[1], NULL, NULL);
    struct pollfd descriptor = {.fd = mcp_client_fd(client), .events = POLLIN};
    CHECK_GE(descriptor.fd, 0);
    drain(client);
    pthread_t waiting = start_thread(wait_for_notifications, NULL);
    for (int call = 0; call < scaled(CALLS, 20); call++) {
        start_tool(client, "echo", "{\"text\":\"x\"}", NULL, 1);
        mcp_message_t *message = NULL;
        mcp_status_t status = MCP_EMPTY;
        while (status == MCP_EMPTY) {
            CHECK_EQ(poll(&descriptor, 1, patience()), 1);
            status = mcp_client_poll(client, 0, &message);
        }
        CHECK_STATUS(status, MCP_OK);
        CHECK_EQ(mcp_message_kind(message), MCP_KIND_REPLY);
        mcp_message_free(message);
    }
    CHECK_STATUS(mcp_client_wake(client), MCP_OK);
    join_thread(waiting);
    close_and_free(client);
    return 0;
}
