/*
 * A server that dies in the middle of writing an answer: the call ends as MCP_ERROR_TRANSPORT with the exit status,
 * the half is never delivered, and the next server starts with a clean stream.
 */
#include "check.h"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[2], NULL, "\"reconnect\":{\"initial_ms\":20}");
    for (int round = 0; round < 5; round++) {
        drain(client);
        mcp_message_t *reply = call_tool(client, "half", "{\"code\":42}", NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
        CHECK_CONTAINS(mcp_message_json(reply, NULL), "status 42");
        mcp_message_free(reply);
        await_state(client, MCP_CLIENT_STATE_READY);
        check_echo(client, "clean");
    }
    /* An answer that is whole counts, however soon the server dies after it. */
    mcp_message_t *reply = call_tool(client, "crash", "{\"answer\":true}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), "about to die");
    mcp_message_free(reply);
    close_and_free(client);
    return 0;
}
