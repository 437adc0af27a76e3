/*
 * E05: a tool whose outputSchema cannot be used (it refers to another document, or to itself for ever) is listed
 * and called like any other, unchecked and with a log record that says why. Nothing is fetched, and the list and
 * the other tools are as good as ever.
 */
#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int unusable, skipped;

static void hear(void *user, int32_t level, const char *record) {
    (void)user;
    (void)level;
    pthread_mutex_lock(&lock);
    unusable += json_is(record, "/event", "schema.unusable") && json_is(record, "/tool", "remote_promise") &&
                strstr(record, "127.0.0.1:1") != NULL;
    skipped += json_is(record, "/event", "schema.skipped");
    pthread_mutex_unlock(&lock);
}

static int heard(const int *count) {
    pthread_mutex_lock(&lock);
    int now = *count;
    pthread_mutex_unlock(&lock);
    return now;
}

static void check_era(const char *server, const char *era) {
    unusable = skipped = 0;
    mcp_client_t *client = connected(server, ARGS("--era", era), NULL);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_list_tools(client, NULL, &reply), MCP_OK);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "http://127.0.0.1:1/schema.json");
    mcp_message_free(reply);

    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(mcp_client_call_tool(client, "remote_promise", "{\"value\":7}", NULL, &reply), MCP_OK);
        CHECK(json_is(mcp_message_json(reply, NULL), "/structuredContent", "7"));
        mcp_message_free(reply);
    }
    UNTIL(heard(&unusable) == 1);
    CHECK_STATUS(mcp_client_call_tool(client, "endless_promise", "{\"value\":7}", NULL, NULL), MCP_OK);
    long long before = now_ms();
    CHECK_STATUS(mcp_client_call_tool(client, "explosive_promise", "{\"value\":7}", NULL, NULL), MCP_OK);
    CHECK_LE(now_ms() - before, 5000 * scale());
    UNTIL(heard(&skipped) == 2);

    CHECK_STATUS(mcp_client_call_tool(client, "promise", "{\"value\":{\"sum\":1}}", NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_call_tool(client, "promise", "{\"value\":{\"sum\":\"1\"}}", NULL, NULL),
                 MCP_ERROR_PROTOCOL);
    CHECK_EQ(heard(&unusable), 1);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    CHECK_STATUS(mcp_log_set_logger(hear, MCP_LOG_WARN, NULL, NULL), MCP_OK);
    check_era(argv[2], "legacy");
    check_era(argv[2], "modern");
    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
    return 0;
}
