/*
 * Field fault E01: a client is closed by one thread while others are in blocking calls and started calls are
 * under way. Close returns within its bound, every call ends as MCP_ERROR_CLOSED exactly once, and what comes later
 * is MCP_ERROR_CLOSED too.
 */
#include "check.h"

#define THREADS 4
#define STARTED 8

static int calling; /* atomic: how many threads are about to call */

static void *call_for_long(void *argument) {
    __atomic_add_fetch(&calling, 1, __ATOMIC_SEQ_CST);
    mcp_message_t *reply = call_tool(argument, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CLOSED);
    CHECK(json_is(mcp_message_json(reply, NULL), "/status", "closed"));
    mcp_message_free(reply);
    return NULL;
}

static void check_started_calls(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    int ended[STARTED] = {0};
    while ((status = mcp_client_poll(client, patience(), &message)) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_STATUS(mcp_message_status(message), MCP_ERROR_CLOSED);
            CHECK(mcp_message_tag(message) < STARTED);
            ended[mcp_message_tag(message)]++;
        }
        mcp_message_free(message);
    }
    CHECK_STATUS(status, MCP_ERROR_CLOSED);
    for (int i = 0; i < STARTED; i++) {
        CHECK_EQ(ended[i], 1);
    }
}

static void check_closed(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &message), MCP_ERROR_CLOSED);
    CHECK(json_is(mcp_message_json(message, NULL), "/status", "closed"));
    mcp_message_free(message);
    CHECK_STATUS(mcp_call_start(client, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_client_notify(client, "notifications/x", NULL, NULL), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_client_connect(client, 100, NULL), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    pthread_t threads[THREADS];
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    for (int i = 0; i < THREADS; i++) {
        threads[i] = start_thread(call_for_long, client);
    }
    for (uint64_t tag = 0; tag < STARTED; tag++) {
        start_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}", tag);
    }
    UNTIL(__atomic_load_n(&calling, __ATOMIC_SEQ_CST) == THREADS);
    check_echo(client, "a round trip later the calls are under way");
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, 2000), MCP_OK);
    CHECK_LE(now_ms() - begin, 2000 + slack());
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
    check_started_calls(client);
    check_closed(client);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    check_nothing_left(before);
    return 0;
}
