/* What a handler sends goes out while it runs, also when its request was there before any thread looked: no thread has driven
 * the server then. Its time limit holds as well. */
#include "served.h"

struct stage {
    mcp_server_t *server;
    volatile bool seen;
    volatile bool is_over;
};

static void on_count(void *user, mcp_message_t *request) {
    struct stage *stage = user;
    CHECK_STATUS(mcp_request_progress(request, 1, 0, NULL), MCP_OK);
    UNTIL(__atomic_load_n(&stage->seen, __ATOMIC_ACQUIRE));
    UNTIL(mcp_request_cancelled(request));
    __atomic_store_n(&stage->is_over, true, __ATOMIC_RELEASE);
    mcp_message_free(request);
}

/* Serves as the first thread that looks, and finds the request at once. */
static void *serve_one(void *user) {
    struct stage *stage = user;
    while (!__atomic_load_n(&stage->is_over, __ATOMIC_ACQUIRE)) {
        mcp_message_t *message = NULL;
        mcp_status_t status = mcp_server_poll(stage->server, 100, &message);
        CHECK(status == MCP_EMPTY || status == MCP_OK);
        mcp_message_free(message);
    }
    return NULL;
}

int main(void) {
    struct holdings held = holdings_now();
    struct stage stage = {new_server("{\"name\":\"s\",\"timeouts\":{\"request_ms\":2000}}"), false, false};
    add_tool(stage.server, TOOL("count"), on_count, &stage);
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new_in_process("{}", NULL, stage.server, &client, NULL), MCP_OK);
    uint64_t call = 0;
    CHECK_STATUS(mcp_call_start(client, "tools/call", "{\"name\":\"count\",\"arguments\":{}}", "{\"progress\":true}", 1, &call, NULL),
                 MCP_OK);
    UNTIL(info_number(stage.server, "/requests") == 1);
    pthread_t serving = start_thread(serve_one, &stage);
    bool has_ended = false;
    while (!has_ended) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, (int)patience(), &message), MCP_OK);
        if (mcp_message_topic(message) == MCP_TOPIC_PROGRESS) {
            __atomic_store_n(&stage.seen, true, __ATOMIC_RELEASE);
        }
        has_ended = mcp_message_kind(message) == MCP_KIND_REPLY;
        mcp_message_free(message);
    }
    CHECK(stage.seen);
    join_thread(serving);
    mcp_client_free(client);
    mcp_server_free(stage.server);
    check_nothing_left(held);
    return 0;
}
