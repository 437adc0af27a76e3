/*
 * mcp_queue_on_ready and mcp_log_set_logger with a NULL function, or with level 0, take the callback away. What was
 * there before is destroyed, and so is what came with the NULL: each destroy function runs exactly once, as it
 * does on every path, also on one that fails.
 */
#include "check.h"

static void destroy(void *user) { __atomic_add_fetch((int *)user, 1, __ATOMIC_SEQ_CST); }

static int count(int *destroyed) { return __atomic_load_n(destroyed, __ATOMIC_SEQ_CST); }

static void ready(void *user) { (void)user; }

static void note(void *user, int32_t level, const char *record_json) {
    (void)user;
    (void)level;
    (void)record_json;
}

static void check_ready(const char *server) {
    int real = 0;
    int none = 0;
    int refused = 0;
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_on_ready(NULL, ready, &refused, destroy), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_client_t *client = new_client_on(queue, server, NULL, NULL);
    CHECK_STATUS(mcp_queue_on_ready(queue, ready, &real, destroy), MCP_OK);
    connect_client(client);
    CHECK_EQ(count(&real), 0);
    CHECK_STATUS(mcp_queue_on_ready(queue, NULL, &none, destroy), MCP_OK);
    UNTIL(count(&real) == 1 && count(&none) == 1);
    CHECK_STATUS(mcp_queue_on_ready(queue, NULL, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    CHECK_EQ(count(&real), 1);
    CHECK_EQ(count(&none), 1);
    CHECK_EQ(count(&refused), 1);
}

static void check_logger(const char *server) {
    int real = 0;
    int none = 0;
    int silent = 0;
    int refused = 0;
    CHECK_STATUS(mcp_log_set_logger(note, MCP_LOG_TRACE + 1, &refused, destroy), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_log_set_logger(note, MCP_LOG_DEBUG, &real, destroy), MCP_OK);
    mcp_client_t *client = connected(server, NULL, NULL);
    CHECK_EQ(count(&real), 0);
    CHECK_STATUS(mcp_log_set_logger(NULL, MCP_LOG_DEBUG, &none, destroy), MCP_OK);
    UNTIL(count(&real) == 1 && count(&none) == 1);
    CHECK_STATUS(mcp_log_set_logger(note, 0, &silent, destroy), MCP_OK);
    check_echo(client, "nothing listens");
    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
    UNTIL(count(&silent) == 1);
    close_and_free(client);
    CHECK_EQ(count(&real), 1);
    CHECK_EQ(count(&none), 1);
    CHECK_EQ(count(&silent), 1);
    CHECK_EQ(count(&refused), 1);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_ready(argv[1]);
    check_logger(argv[1]);
    return 0;
}
