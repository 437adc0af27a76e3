/*
 * The library never calls the application while it holds a lock: a logger and a ready function may themselves
 * ask for a client's state, start calls and wake queues. What would have to wait for the library itself
 * returns an error instead of hanging.
 */
#include "check.h"

static mcp_client_t *client;
static mcp_queue_t *queue;
static int started; /* atomic */
static int inside; /* callbacks that may be using the client; atomic */

static void log_and_call(void *user, int32_t level, const char *event_json) {
    (void)user;
    (void)level;
    (void)event_json;
    (void)__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    mcp_client_t *now = __atomic_load_n(&client, __ATOMIC_SEQ_CST);
    if (now != NULL) {
        (void)mcp_client_state(now);
        (void)mcp_queue_wake(queue);
    }
    (void)__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
}

static void ready_and_call(void *user) {
    (void)__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    mcp_client_t *now = __atomic_load_n(&client, __ATOMIC_SEQ_CST);
    (void)user;
    if (now != NULL && __atomic_exchange_n(&started, 1, __ATOMIC_SEQ_CST) == 0) {
        CHECK_GE(mcp_client_state(now), MCP_CLIENT_STATE_IDLE);
        start_tool(now, "echo", "{\"text\":\"from within\"}", NULL, 7);
    }
    (void)__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    CHECK_STATUS(mcp_log_set_logger(log_and_call, MCP_LOG_TRACE, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_queue_on_ready(queue, ready_and_call, NULL, NULL), MCP_OK);
    mcp_client_t *made = new_client_on(queue, argv[1], NULL, NULL);
    __atomic_store_n(&client, made, __ATOMIC_SEQ_CST);
    connect_client(made);
    check_echo(made, "from outside");

    bool answered = false;
    long long deadline = now_ms() + patience();
    while (!answered) {
        mcp_message_t *message = NULL;
        CHECK_LE(now_ms(), deadline);
        if (mcp_queue_poll(queue, 100, &message) == MCP_OK) {
            answered = mcp_message_kind(message) == MCP_KIND_REPLY && mcp_message_tag(message) == 7;
            mcp_message_free(message);
        }
    }
    __atomic_store_n(&client, NULL, __ATOMIC_SEQ_CST);
    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
    /* No other thread may be using what is freed: one that took the client before may still be at it. */
    UNTIL(__atomic_load_n(&inside, __ATOMIC_SEQ_CST) == 0);
    CHECK_STATUS(mcp_client_free(made), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    return 0;
}
