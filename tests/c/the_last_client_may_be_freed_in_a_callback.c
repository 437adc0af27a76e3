/*
 * The logger and the function given to mcp_queue_on_ready may free the last client. They run on a thread of the
 * library, which cannot wait for itself then, but ends once the callback has returned: soon afterwards no
 * thread, descriptor or child is left.
 */
#include "check.h"

static mcp_client_t *to_free; /* atomic: the thread that takes it frees it */

static void free_it(void) {
    mcp_client_t *client = __atomic_exchange_n(&to_free, NULL, __ATOMIC_SEQ_CST);
    if (client != NULL) {
        CHECK_STATUS(mcp_client_free(client), MCP_OK);
    }
}

static void note(void *user, int32_t level, const char *record_json) {
    (void)user;
    (void)level;
    (void)record_json;
    free_it();
}

static void ready(void *user) {
    (void)user;
    free_it();
}

static bool is_freed(void) { return __atomic_load_n(&to_free, __ATOMIC_SEQ_CST) == NULL; }

static void free_in_the_logger(const char *server, struct holdings before) {
    CHECK_STATUS(mcp_log_set_logger(note, MCP_LOG_TRACE, NULL, NULL), MCP_OK);
    mcp_client_t *client = connected(server, NULL, NULL);
    /* A call's records come when this thread has done with the client. */
    start_tool(client, "slow", "{\"ms\":50}", NULL, 1);
    __atomic_store_n(&to_free, client, __ATOMIC_SEQ_CST);
    UNTIL(is_freed());
    check_nothing_left(before);
    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
}

static void free_when_ready(const char *server, struct holdings before) {
    mcp_queue_t *queue = NULL;
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_queue_on_ready(queue, ready, NULL, NULL), MCP_OK);
    mcp_client_t *client = new_client_on(queue, server, NULL, NULL);
    connect_client(client);
    while (mcp_queue_poll(queue, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
    start_tool(client, "slow", "{\"ms\":50}", NULL, 1);
    __atomic_store_n(&to_free, client, __ATOMIC_SEQ_CST);
    UNTIL(is_freed());
    check_nothing_left(before);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    for (int i = 0; i < scaled(10, 2); i++) {
        free_in_the_logger(argv[1], before);
        free_when_ready(argv[1], before);
    }
    return 0;
}
