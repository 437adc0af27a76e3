/*
 * Field fault E02: a program that has taken a request of the server and not answered it yet calls the same
 * server, blocking and more than once, even with a call that asks a question itself. Nothing waits for the
 * open answers.
 */
#include "check.h"

#define ACCEPT "{\"action\":\"accept\",\"content\":{\"answer\":\"%s\"}}"

static void answer(mcp_message_t *request, const char *text) {
    char *result = format(ACCEPT, text);
    CHECK_STATUS(mcp_request_respond(request, result, NULL), MCP_OK);
    free(result);
    mcp_message_free(request);
}

static void check_reply(mcp_client_t *client, uint64_t tag, const char *text) {
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), tag);
    CHECK_TEXT(mcp_message_text(reply, NULL), text);
    mcp_message_free(reply);
}

static void check_requests(const char *server) {
    mcp_client_t *client =
        connected(server, ARGS("--era", "legacy"), "\"capabilities\":{\"elicitation\":{}}");
    start_tool(client, "ask", "{\"question\":\"outer\"}", NULL, 1);
    mcp_message_t *outer = next_of_kind(client, MCP_KIND_REQUEST);
    check_echo(client, "from inside the handler");
    check_echo(client, "and again");
    start_tool(client, "ask", "{\"question\":\"inner\"}", NULL, 2);
    mcp_message_t *inner = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK(json_is(mcp_message_json(inner, NULL), "/message", "inner"));
    check_echo(client, "with two open");
    answer(inner, "two");
    check_reply(client, 2, "two");
    answer(outer, "one");
    check_reply(client, 1, "one");
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_requests(argv[1]);
    return 0;
}
