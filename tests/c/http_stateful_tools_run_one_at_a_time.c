/*
 * Tool modes over HTTP: calls of stateful tools one at a time though each request has a connection of its own, others at
 * once, and every request of the modern and the legacy era names the session.
 */
#include "http.h"

static bool is_call(const char *request, void *user) {
    return json_is(request, "/rpc", "tools/call") && json_is(request, "/tool", user);
}

static bool lacks_session(const char *request, void *user) {
    (void)user;
    char *session = NULL;
    bool lacks = json_is(request, "/rpc", "tools/call") &&
                 (mcp_json_get(request, "/session", &session, NULL) != MCP_OK || strlen(session) != 32);
    mcp_string_free(session);
    return lacks;
}

static void check_era(const char *path, const char *members) {
    struct server server = start_server(path, ARGS("stateful=never+add"));
    char *config = format("\"tool_modes\":\"auto\",%s", members);
    mcp_client_t *client = connected_to(&server, config);
    free(config);
    uint64_t first = start_tool(client, "never", NULL, NULL, 1);
    start_tool(client, "add", "{\"a\":2,\"b\":3}", NULL, 2);
    char *text = tool_text(client, "echo", "{\"text\":\"x\"}");
    CHECK_TEXT(text, "x");
    free(text);
    UNTIL(count_requests(&server, is_call, "never") == 1);
    CHECK_EQ(count_requests(&server, is_call, "add"), 0);
    CHECK_STATUS(mcp_call_cancel(client, first, NULL), MCP_OK);
    for (uint64_t tag = 1; tag <= 2; tag++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_EQ(mcp_message_tag(reply), tag);
        CHECK_STATUS(mcp_message_status(reply), tag == 1 ? MCP_ERROR_CANCELLED : MCP_OK);
        mcp_message_free(reply);
    }
    CHECK_EQ(count_requests(&server, is_call, "add"), 1);
    CHECK_EQ(count_requests(&server, lacks_session, NULL), 0);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check_era(argv[3], "\"protocol\":\"modern\"");
    check_era(argv[3], "\"protocol\":\"legacy\"");
    check_nothing_left(before);
    return 0;
}
