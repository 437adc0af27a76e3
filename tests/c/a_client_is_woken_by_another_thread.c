/*
 * mcp_client_wake ends one wait on a client's own queue with MCP_WOKEN, in mcp_client_poll and in
 * mcp_poll_notification, also while the waiting thread reads the connection. A wake before the wait is kept, and
 * several count as one. A client on a shared queue has mcp_queue_wake.
 */
#include "check.h"

struct wait {
    mcp_client_t *client;
    bool only_notifications;
    mcp_status_t status;
};

static void *wait_without_end(void *of) {
    struct wait *wait = of;
    mcp_message_t *message = NULL;
    do { /* the state of the connection comes first */
        wait->status = wait->only_notifications ? mcp_poll_notification(wait->client, -1, &message)
                                                : mcp_client_poll(wait->client, -1, &message);
        if (wait->status == MCP_OK) {
            mcp_message_free(message);
        }
    } while (wait->status == MCP_OK);
    return NULL;
}

static void check_woken(mcp_client_t *client, bool only_notifications) {
    for (int i = 0; i < scaled(200, 10); i++) {
        struct wait wait = {client, only_notifications, MCP_OK};
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, NULL, wait_without_end, &wait), 0);
        CHECK_STATUS(mcp_client_wake(client), MCP_OK);
        CHECK_EQ(pthread_join(thread, NULL), 0);
        CHECK_STATUS(wait.status, MCP_WOKEN);
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = new_client(argv[1], NULL, NULL);
    mcp_message_t *message = NULL;
    connect_client(client);
    check_woken(client, false);
    check_woken(client, true);
    CHECK_STATUS(mcp_client_wake(client), MCP_OK);
    CHECK_STATUS(mcp_client_wake(client), MCP_OK);
    CHECK_STATUS(mcp_client_poll(client, -1, &message), MCP_WOKEN);
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    mcp_client_free(client);
    CHECK_STATUS(mcp_client_wake(client), MCP_ERROR_INVALID_ARGUMENT);

    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    client = new_client_on(queue, argv[1], NULL, NULL);
    CHECK_STATUS(mcp_client_wake(client), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_EMPTY);
    mcp_client_free(client);
    mcp_queue_free(queue);
    return 0;
}
