/*
 * With "framing":"content-length" messages go with a header, as the language server protocol has it. A header
 * without a usable length leaves no way to find the next message: the connection ends, the call with it, and
 * a new one is made.
 */
#include "check.h"

#define MEMBERS "\"framing\":\"content-length\",\"reconnect\":{\"initial_ms\":20}"

static void check_bad_length(const char *server, const char *script) {
    mcp_client_t *client = connected(server, ARGS("--framing", "content-length", script), MEMBERS);
    drain(client);
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_PROTOCOL);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "Content-Length");
    mcp_message_free(reply);
    await_state(client, MCP_CLIENT_STATE_READY);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[1], ARGS("--framing", "content-length"), MEMBERS);
    check_echo(client, "line\nend and \xe2\x82\xac");
    mcp_message_t *reply = call_tool(client, "big", "{\"bytes\":300000}", NULL);
    size_t length = 0;
    CHECK(mcp_message_text(reply, &length) != NULL);
    CHECK_EQ(length, 300000);
    mcp_message_free(reply);
    close_and_free(client);
    check_bad_length(argv[2], "bad-length=text");
    check_bad_length(argv[2], "bad-length=negative");
    check_bad_length(argv[2], "bad-length=missing");
    return 0;
}
