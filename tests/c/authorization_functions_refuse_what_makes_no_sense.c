/*
 * The functions of authorization: NULL where nothing may be NULL, a client without authorization, an answer that is no longer waited for,
 * and a message that wants none. Each says what is wrong, and what to configure.
 */
#include "http.h"

static char *error;

/* That a status is the expected one, with an error that says something. */
static void refused(mcp_status_t status, mcp_status_t expected, const char *part) {
    CHECK_STATUS(status, expected);
    CHECK_CONTAINS(error, part);
    mcp_string_free(error);
    error = NULL;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *without = connected(argv[1], NULL, NULL);
    mcp_message_t *other = call_tool(without, "echo", "{\"text\":\"x\"}", NULL);
    refused(mcp_client_complete_login(without, "?code=x", &error), MCP_ERROR_UNSUPPORTED, "'auth'");
    refused(mcp_client_supply_credential(without, "token", -1, &error), MCP_ERROR_UNSUPPORTED, "'auth'");
    refused(mcp_client_abort_login(without, NULL, &error), MCP_ERROR_UNSUPPORTED, "'auth'");
    refused(mcp_client_answer_auth(without, other, "x", NULL, &error), MCP_ERROR_UNSUPPORTED, "'auth'");
    refused(mcp_client_logout(without, 0, &error), MCP_ERROR_UNSUPPORTED, "'auth'");

    mcp_client_t *client = client_at(&server, "/mcp", "\"auth\":{}");
    refused(mcp_client_complete_login(client, NULL, &error), MCP_ERROR_INVALID_ARGUMENT, "callback_url");
    refused(mcp_client_complete_login(client, "?code=x&state=y", &error), MCP_ERROR_AUTH, "no login waits");
    refused(mcp_client_supply_credential(client, NULL, -1, &error), MCP_ERROR_INVALID_ARGUMENT, "credential");
    refused(mcp_client_supply_credential(client, "token", -1, &error), MCP_ERROR_AUTH, "no login waits");
    refused(mcp_client_answer_auth(client, NULL, "x", NULL, &error), MCP_ERROR_INVALID_ARGUMENT, "message");
    refused(mcp_client_answer_auth(client, other, "x", NULL, &error), MCP_ERROR_INVALID_ARGUMENT,
            "another client");
    refused(mcp_client_answer_auth(NULL, other, "x", NULL, &error), MCP_ERROR_INVALID_ARGUMENT, "client");
    /* There is no login, and that is well. */
    CHECK_STATUS(mcp_client_abort_login(client, NULL, &error), MCP_OK);
    CHECK_STATUS(mcp_client_logout(client, patience(), &error), MCP_OK);

    /* It was connected in the meantime, to a server that wants no login. */
    connect_client(client);
    mcp_message_t *own = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
    refused(mcp_client_answer_auth(client, own, "x", NULL, &error), MCP_ERROR_INVALID_ARGUMENT,
            "is answered in this way");
    CHECK_STATUS(mcp_client_logout(client, patience(), &error), MCP_OK);
    check_echo(client, "still there");
    mcp_message_free(own);
    mcp_message_free(other);
    close_and_free(client);
    close_and_free(without);
    stop_server(&server);
    return 0;
}
