/*
 * What the server asks of the application: in the legacy era on the stream of the call or on its own, in the modern era
 * within a result. The application sees the same message and answers it in the same way.
 */
#include "http.h"

#define ABLE "\"capabilities\":{\"elicitation\":{}}"

static void check_ask(mcp_client_t *client, const char *on, const char *expected) {
    char *arguments = format("{\"method\":\"elicitation/create\",\"on\":\"%s\"}", on);
    start_tool(client, "ask", arguments, NULL, 1);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK_TEXT(mcp_message_method(request), "elicitation/create");
    CHECK_CONTAINS(mcp_message_json(request, NULL), "What is your name?");
    CHECK_STATUS(mcp_request_respond(request,
                                     "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}", NULL), MCP_OK);
    mcp_message_free(request);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    if (mcp_message_status(reply) != MCP_OK) {
        FAIL("asked on %s: %s", on, mcp_message_json(reply, NULL));
    }
    CHECK_TEXT(mcp_message_text(reply, NULL), expected);
    mcp_message_free(reply);
    free(arguments);
}

static void check(const char *path, const char *const *arguments, const char *protocol, const char *expected) {
    struct server server = start_server(path, arguments);
    char *members = format("%s,%s", ABLE, protocol);
    mcp_client_t *client = connected_to(&server, members);
    check_ask(client, "post", expected);
    check_ask(client, "get", expected);
    check_ask(client, "post", expected);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
    free(members);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *answer = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";
    char *modern = format("%s in state-1", answer);
    check(argv[3], NULL, MODERN, modern);
    check(argv[3], ARGS("sse"), MODERN, modern);
    check(argv[3], NULL, LEGACY, answer);
    check(argv[3], ARGS("no-session"), LEGACY, answer);
    check(argv[3], ARGS("--revision", "2025-06-18"), LEGACY, answer);
    free(modern);
    check_nothing_left(before);
    return 0;
}
