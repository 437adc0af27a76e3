/*
 * The ways a wait ends (field fault C06): MCP_OK with a message, MCP_EMPTY after the time given and not
 * before, at once with time 0, MCP_WOKEN by mcp_queue_wake from another thread or from before the wait,
 * MCP_ERROR_CLOSED when the client is closed and nothing is left. Only MCP_OK writes the message.
 */
#include "check.h"

static void check_times(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    drain(client);
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    CHECK_STATUS(mcp_poll_notification(client, 0, &message), MCP_EMPTY);
    CHECK_LE(now_ms() - begin, slack());
    begin = now_ms();
    CHECK_STATUS(mcp_client_poll(client, 150, &message), MCP_EMPTY);
    CHECK_GE(now_ms() - begin, 145);
    CHECK_LE(now_ms() - begin, 150 + slack());
    begin = now_ms();
    CHECK_STATUS(mcp_poll_notification(client, 150, &message), MCP_EMPTY);
    CHECK_GE(now_ms() - begin, 145);
    CHECK_LE(now_ms() - begin, 150 + slack());
    CHECK(message == NULL);
}

static void *wait_for_a_reply(void *argument) {
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_client_poll(argument, -1, &message), MCP_OK);
    CHECK_EQ(mcp_message_kind(message), MCP_KIND_REPLY);
    mcp_message_free(message);
    return NULL;
}

/* A waiting thread is there for what another thread starts. */
static void check_arrival(mcp_client_t *client) {
    pthread_t waiter = start_thread(wait_for_a_reply, client);
    start_tool(client, "slow", "{\"ms\":100}", NULL, 1);
    join_thread(waiter);
}

static void *wait_to_be_woken(void *argument) {
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_poll(argument, -1, &message), MCP_WOKEN);
    CHECK(message == NULL);
    return NULL;
}

static void check_wake(void) {
    mcp_queue_t *queue = NULL;
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_EMPTY);
    CHECK_STATUS(mcp_queue_poll(queue, 50, &message), MCP_EMPTY); /* no client yet is no reason to end */

    pthread_t waiter = start_thread(wait_to_be_woken, queue);
    CHECK_STATUS(mcp_queue_wake(queue), MCP_OK); /* before or during the wait: both count */
    join_thread(waiter);

    CHECK_STATUS(mcp_queue_wake(queue), MCP_OK);
    CHECK_STATUS(mcp_queue_wake(queue), MCP_OK);
    CHECK_STATUS(mcp_queue_poll(queue, -1, &message), MCP_WOKEN);
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_EMPTY); /* many wakes before a wait are one */
    CHECK(message == NULL);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

/* A client on a shared queue has none of its own to poll. */
static void check_shared(const char *server) {
    mcp_queue_t *queue = NULL;
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_client_t *client = new_client_on(queue, server, NULL, NULL);
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_poll_notification(client, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(mcp_client_fd(client), mcp_queue_fd(queue));
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

static void *wait_for_the_end(void *argument) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    while ((status = mcp_client_poll(argument, -1, &message)) == MCP_OK) {
        CHECK_EQ(mcp_message_kind(message), MCP_KIND_STATE);
        mcp_message_free(message);
    }
    CHECK_STATUS(status, MCP_ERROR_CLOSED);
    return NULL;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    check_times(client);
    check_arrival(client);
    check_wake();
    check_shared(argv[1]);
    pthread_t waiter = start_thread(wait_for_the_end, client);
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    join_thread(waiter);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    return 0;
}
