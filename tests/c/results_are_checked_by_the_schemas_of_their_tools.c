/*
 * Results of tools against the schemas that the tools promise, and schemas that are wrong.
 */
#include "check.h"

/*
 * structuredContent is checked against the tool's outputSchema, once the tools were listed on the connection: what
 * does not match is MCP_ERROR_PROTOCOL, says where and why, and the result is still there as "data". A failed tool is
 * not checked, validate_results turns it off, and validate_arguments checks what goes out.
 */
static void list(mcp_client_t *client) { CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK); }

/* The outcome of a call, blocking and started, which must be the same; free() it. */
static char *promise(mcp_client_t *client, const char *tool, const char *arguments, mcp_status_t expected) {
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_call_tool(client, tool, arguments, NULL, &reply), expected);
    CHECK_STATUS(mcp_message_status(reply), expected);
    char *json = format("%s", mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    uint64_t call = 0;
    CHECK_STATUS(mcp_client_call_tool_start(client, tool, arguments, NULL, 9, &call, NULL), MCP_OK);
    reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), expected);
    CHECK_EQ(mcp_message_tag(reply), 9);
    CHECK_EQ(mcp_message_call_id(reply), call);
    char *message = expected == MCP_OK ? NULL : json_at(json, "/message");
    CHECK(message == NULL || json_is(mcp_message_json(reply, NULL), "/message", message));
    mcp_string_free(message);
    mcp_message_free(reply);
    return json;
}

static void results_are_checked_against_what_tools_promise(char **argv) {
    mcp_client_t *client = connected(argv[2], NULL, NULL);
    /* Nothing is known of the tool yet. */
    free(promise(client, "promise", "{\"value\":{\"sum\":\"three\"}}", MCP_OK));
    list(client);
    char *json = promise(client, "promise", "{\"value\":{\"sum\":\"three\"}}", MCP_ERROR_PROTOCOL);
    CHECK(json_is(json, "/operation", "tools/call"));
    CHECK(json_is(json, "/details/tool", "promise"));
    CHECK_CONTAINS(json, "/sum is \\\"three\\\" and not of type number (type)");
    CHECK(json_is(json, "/data/structuredContent/sum", "three"));
    CHECK(json_is(json, "/data/content/0/text", "as promised"));
    free(json);
    json = promise(client, "promise", "{}", MCP_ERROR_PROTOCOL);
    CHECK_CONTAINS(json, "no structuredContent");
    free(json);
    free(promise(client, "promise", "{\"value\":{\"sum\":3}}", MCP_OK));
    free(promise(client, "promise", "{\"is_error\":true}", MCP_OK));
    free(promise(client, "old_promise", "{\"value\":{\"sum\":3,\"a\":1,\"b\":2}}", MCP_OK));
    json = promise(client, "old_promise", "{\"value\":{\"sum\":3,\"a\":1}}", MCP_ERROR_PROTOCOL);
    CHECK_CONTAINS(json, "needs 'b'");
    free(json);
    /* A raw call is the program's own affair. */
    mcp_message_free(call_tool(client, "promise", "{\"value\":1}", NULL));
    close_and_free(client);

    client = connected(argv[2], NULL, "\"validate_results\":false");
    list(client);
    free(promise(client, "promise", "{\"value\":{\"sum\":\"three\"}}", MCP_OK));
    close_and_free(client);

    /* Before 2025-06-18 there was no outputSchema. */
    client = connected(argv[2], NULL, "\"protocol\":\"2025-03-26\"");
    list(client);
    free(promise(client, "promise", "{\"value\":{\"sum\":\"three\"}}", MCP_OK));
    close_and_free(client);

    client = connected(argv[2], ARGS("--era", "modern"), "\"validate_arguments\":true");
    list(client);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_call_tool(client, "promise", "{\"is_error\":7}", NULL, &reply),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "/is_error is 7 and not of type boolean");
    CHECK(json_is(mcp_message_json(reply, NULL), "/details/at", "/is_error"));
    mcp_message_free(reply);
    char *error = NULL;
    CHECK_STATUS(mcp_client_call_tool_start(client, "promise", "{\"odd\":1}", NULL, 0, NULL, &error),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "/odd is not allowed here");
    mcp_string_free(error);
    CHECK_STATUS(mcp_client_call_tool(client, "received", NULL, NULL, &reply), MCP_OK);
    CHECK_EQ(json_number(mcp_message_json(reply, NULL), "/structuredContent/counts/tools~1call"), 1);
    mcp_message_free(reply);
    close_and_free(client);
}

/*
 * E05: a tool whose outputSchema cannot be used (it refers to another document, or to itself for ever) is listed
 * and called like any other, unchecked and with a log record that says why. Nothing is fetched, and the list and
 * the other tools are as good as ever.
 */
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

static void e05_one_bad_schema_breaks_nothing_else(char **argv) {
    CHECK_STATUS(mcp_log_set_logger(hear, MCP_LOG_WARN, NULL, NULL), MCP_OK);
    check_era(argv[2], "legacy");
    check_era(argv[2], "modern");
    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    results_are_checked_against_what_tools_promise(argv);
    e05_one_bad_schema_breaks_nothing_else(argv);
    return 0;
}
