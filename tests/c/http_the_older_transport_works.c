/*
 * HTTP+SSE of 2024-11-05: everything comes on one stream. Where to post the server says, at its own origin only; when the
 * stream is lost, so are the calls, and a new one is opened.
 */
#include "http.h"

static void check_endpoint(const char *path, const struct server *other, const char *endpoint, mcp_status_t expected) {
    char *behaviour = format("endpoint=%s", endpoint);
    struct server server = start_server(path, ARGS("--shape", "sse", behaviour));
    mcp_client_t *client = client_at(&server, "/mcp", "\"reconnect\":false,\"timeouts\":{\"connect_ms\":1000,\"initialize_ms\":3000}");
    char *error = NULL;
    mcp_status_t status = mcp_client_connect(client, patience(), &error);
    if (status != expected) {
        FAIL("with endpoint %s: %s %s", endpoint, mcp_status_name(status), error != NULL ? error : "");
    }
    if (status == MCP_OK) {
        check_echo(client, "x");
        check_no_violations(&server);
    } else {
        CHECK_CONTAINS(error, "endpoint");
    }
    CHECK_EQ(stat_of(other, "/connections"), 0);
    mcp_string_free(error);
    close_and_free(client);
    stop_server(&server);
    free(behaviour);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], ARGS("--shape", "sse"));
    struct server other = start_server(argv[3], NULL);
    mcp_client_t *client = connected_to(&server, "\"capabilities\":{\"elicitation\":{}},\"roots\":[\"file:///x\"],\"reconnect\":{\"initial_ms\":50},\"when_unavailable\":\"wait\"");
    check_echo(client, "h\xc3\xa9");
    char *text = tool_text(client, "ask", "{\"method\":\"roots/list\"}");
    CHECK_CONTAINS(text, "file:///x");
    free(text);
    mcp_message_t *reply = call_tool(client, "notify", "{\"count\":3}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    for (int i = 0; i < 3; i++) {
        mcp_message_free(next_of_kind(client, MCP_KIND_NOTIFICATION));
    }
    for (uint64_t tag = 0; tag < 20; tag++) {
        start_tool(client, "slow", "{\"ms\":50}", NULL, tag);
    }
    for (int i = 0; i < 20; i++) {
        reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        mcp_message_free(reply);
    }
    start_tool(client, "never", NULL, NULL, 1);
    UNTIL(count_of(&server, "tools/call") >= 24);
    tell_server(&server, "/drop");
    reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    mcp_message_free(reply);
    check_echo(client, "on a new stream");
    CHECK_EQ(stat_of(&server, "/sessions"), 2);
    /* The first of all was refused: it was posted as to a newer server. */
    CHECK_EQ(count_of(&server, "initialize"), 3);
    CHECK_EQ(stat_of(&server, "/methods/DELETE"), 0);
    check_no_violations(&server);
    close_and_free(client);
    UNTIL(stat_of(&server, "/get_streams_open") == 0);
    stop_server(&server);
    check_endpoint(argv[3], &other, "message?session={session}", MCP_OK);
    char *elsewhere = format("http://127.0.0.1:%d/message?session={session}", other.port);
    check_endpoint(argv[3], &other, elsewhere, MCP_ERROR_PROTOCOL);
    free(elsewhere);
    check_endpoint(argv[3], &other, "//evil.invalid/message", MCP_ERROR_PROTOCOL);
    check_endpoint(argv[3], &other, "file:///etc/passwd", MCP_ERROR_PROTOCOL);
    check_endpoint(argv[3], &other, "none", MCP_ERROR_TIMEOUT);
    stop_server(&other);
    check_nothing_left(before);
    return 0;
}
