/*
 * A handle that was freed (or never was one of ours) gives MCP_ERROR_INVALID_ARGUMENT from every function, also
 * from a second free. Nothing is read through it, so valgrind stays silent.
 */
#include "check.h"

static void check_client(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    char *text = NULL;
    CHECK_STATUS(mcp_client_connect(client, 10, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_state(client), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_info(client, &text, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_fd(client), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_close(client, 10), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_call_start(client, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_call_cancel(client, 1, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_notify(client, "notifications/x", NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_poll_notification(client, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_free(client), MCP_ERROR_INVALID_ARGUMENT);
}

static void check_queue(mcp_queue_t *queue) {
    mcp_message_t *message = NULL;
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_wake(queue), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_fd(queue), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_on_ready(queue, NULL, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_new("{\"command\":\"x\"}", queue, &client, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_free(queue), MCP_ERROR_INVALID_ARGUMENT);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    check_client(client);

    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    check_client((mcp_client_t *)queue); /* one kind of handle is no other kind */
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    check_queue(queue);

    static long ours[64];
    check_client((mcp_client_t *)(void *)ours);
    check_queue((mcp_queue_t *)(void *)ours);
    return 0;
}
