/*
 * The main line, in both eras: a client starts the server, knows whom it speaks to, lists the tools, calls
 * them, gets a tool's failure as a result and the server's refusal as an error, hears a notification, and
 * closes. The process is gone when close returns.
 */
#include "check.h"

static void check_info(mcp_client_t *client, const char *era) {
    char *info = info_of(client);
    CHECK(json_is(info, "/era", era));
    CHECK(json_is(info, "/server/name", "mcp-example-server"));
    CHECK(json_has(info, "/revision"));
    CHECK(json_has(info, "/capabilities/tools"));
    CHECK(json_has(info, "/instructions"));
    CHECK(json_number(info, "/counters/connections") == 1);
    mcp_string_free(info);
}

static void check_list(mcp_client_t *client) {
    mcp_message_t *reply = NULL;
    size_t count = 0;
    size_t length = 0;
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &reply), MCP_OK);
    const char *json = mcp_message_json(reply, &length);
    CHECK_EQ(strlen(json), length);
    CHECK_EQ(mcp_message_kind(reply), MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK(mcp_message_client(reply) == client);
    CHECK(mcp_message_text(reply, NULL) == NULL);
    CHECK_STATUS(mcp_json_count(json, "/tools", &count), MCP_OK);
    CHECK_GE(count, 10);
    CHECK(json_is(json, "/tools/0/name", "echo"));
    CHECK(json_is(json, "/tools/0/inputSchema/properties/text/type", "string"));
    CHECK_STATUS(mcp_message_free(reply), MCP_OK);
}

static void check_failures(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "fail", NULL, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK(json_is(mcp_message_json(reply, NULL), "/isError", "true"));
    CHECK_TEXT(mcp_message_text(reply, NULL), "This tool always fails");
    mcp_message_free(reply);

    reply = call_tool(client, "no such tool", NULL, NULL);
    const char *error = mcp_message_json(reply, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_SERVER);
    CHECK(json_is(error, "/status", "server"));
    CHECK(json_is(error, "/code", "-32602"));
    CHECK(json_is(error, "/operation", "tools/call"));
    CHECK(json_is(error, "/retryable", "false"));
    CHECK_CONTAINS(error, "there is no tool 'no such tool'");
    CHECK(mcp_message_text(reply, NULL) == NULL);
    mcp_message_free(reply);
}

static void check_notification(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    const char *arguments = "{\"count\":1,\"text\":\"ahoj\",\"changes\":false}";
    mcp_message_free(call_tool(client, "notify", arguments, WITH_LOG));
    CHECK_STATUS(mcp_poll_notification(client, patience(), &message), MCP_OK);
    CHECK_EQ(mcp_message_kind(message), MCP_KIND_NOTIFICATION);
    CHECK_TEXT(mcp_message_method(message), "notifications/message");
    CHECK(json_is(mcp_message_json(message, NULL), "/data/text", "ahoj"));
    CHECK(mcp_message_client(message) == client);
    mcp_message_free(message);
}

static void check_era(const char *server, const char *era) {
    mcp_client_t *client = new_client(server, ARGS("--era", era), NULL);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_IDLE);
    CHECK_EQ(count_children(NULL), 0);
    check_echo(client, "the first call starts the server: \xc3\xa9\xe2\x82\xac \" \\ \n");
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    check_info(client, era);
    check_list(client);
    char *sum = tool_text(client, "add", "{\"a\":2,\"b\":40}");
    CHECK_TEXT(sum, "42");
    free(sum);
    check_failures(client);
    check_notification(client);
    CHECK_STATUS(mcp_client_notify(client, "notifications/of_our_own", "{\"x\":1}", NULL), MCP_OK);
    check_echo(client, "still there");
    CHECK_STATUS(mcp_call(client, "prompts/list", "{}", "{}", NULL), MCP_OK); /* the reply is not wanted */
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    CHECK_EQ(count_children(NULL), 0);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_era(argv[1], "legacy");
    check_era(argv[1], "modern");
    check_nothing_left(before);
    return 0;
}
