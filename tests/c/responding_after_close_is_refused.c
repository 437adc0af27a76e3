/*
 * A request of the server that is answered after the client was closed gives MCP_ERROR_CLOSED, and one that is
 * answered after its connection was lost an error as well: never a crash, and never an answer to the wrong
 * server.
 */
#include "check.h"

#define ASKING "\"capabilities\":{\"elicitation\":{}}"
#define ANSWER "{\"action\":\"accept\",\"content\":{\"answer\":\"late\"}}"

static mcp_message_t *ask(mcp_client_t *client) {
    start_tool(client, "ask", "{\"question\":\"Still there?\"}", NULL, 1);
    return next_of_kind(client, MCP_KIND_REQUEST);
}

static void check_closed(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--era", "legacy"), ASKING);
    mcp_message_t *request = ask(client);
    char *error = NULL;
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    CHECK_STATUS(mcp_request_respond(request, ANSWER, &error), MCP_ERROR_CLOSED);
    CHECK(json_is(error, "/status", "closed"));
    mcp_string_free(error);
    CHECK_STATUS(mcp_request_respond_error(request, 1, "late", NULL, NULL), MCP_ERROR_CLOSED);
    mcp_message_free(request);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

/* The server dies while its question is open; a new one knows nothing of it. */
static void check_lost(const char *server) {
    mcp_client_t *client =
        connected(server, ARGS("--era", "legacy"), ASKING ",\"reconnect\":{\"initial_ms\":20}");
    pid_t pid = server_pid(client);
    drain(client);
    mcp_message_t *request = ask(client);
    char *error = NULL;
    CHECK_EQ(kill(pid, SIGKILL), 0);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    mcp_message_free(reply);
    await_state(client, MCP_CLIENT_STATE_READY);
    CHECK_NE(mcp_request_respond(request, ANSWER, &error), MCP_OK);
    CHECK(json_has(error, "/message"));
    mcp_string_free(error);
    mcp_message_free(request);
    check_echo(client, "the new server works");
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_closed(argv[1]);
    check_lost(argv[1]);
    return 0;
}
