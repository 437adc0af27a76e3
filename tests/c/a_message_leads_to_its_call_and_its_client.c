/*
 * A message leads to what it belongs to without a table in the program: mcp_message_client and mcp_client_user
 * to the program's own object, mcp_message_call_id and mcp_message_tag to the call, also from a request that a
 * server of 2026-07-28 makes in the middle of the call. mcp_message_is_tool_error distinguishes a tool that
 * failed from a call that failed, and mcp_message_error is the text of the latter.
 */
#include "check.h"

#define ASKING "\"capabilities\":{\"elicitation\":{}}"

static mcp_client_t *made(const char *config) {
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new(config, NULL, &client, NULL), MCP_OK);
    return client;
}

static void check_requests(const char *server) {
    char *config = format("{\"command\":\"%s\",\"protocol\":\"2026-07-28\"," ASKING "}", server);
    mcp_client_t *client = made(config);
    int own = 0;
    CHECK(mcp_client_user(client) == NULL);
    CHECK_STATUS(mcp_client_set_user(client, &own), MCP_OK);
    uint64_t call = 0;
    const char *question = "{\"question\":\"Which?\"}";
    CHECK_STATUS(mcp_client_call_tool_start(client, "ask", question, NULL, 77, &call, NULL), MCP_OK);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK(mcp_client_user(mcp_message_client(request)) == &own);
    CHECK_EQ(mcp_message_call_id(request), call);
    CHECK_EQ(mcp_message_tag(request), 77);
    CHECK_STATUS(mcp_request_respond(request, "{\"action\":\"decline\"}", NULL), MCP_OK);
    mcp_message_free(request);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_call_id(reply), call);
    CHECK(!mcp_message_is_tool_error(reply));
    mcp_client_free(client);
    CHECK(mcp_client_user(mcp_message_client(reply)) == NULL); /* the client was freed */
    mcp_message_free(reply);
    free(config);
}

static void check_errors(const char *server) {
    char *config = format("{\"command\":\"%s\"}", server);
    mcp_client_t *client = made(config);
    mcp_message_t *reply = NULL;
    size_t length = 0;
    /* The call failed: there is a text, and no tool that failed. */
    CHECK_STATUS(mcp_call(client, "no/such", NULL, NULL, &reply), MCP_ERROR_SERVER);
    const char *text = mcp_message_error(reply, &length);
    CHECK(text != NULL && length == strlen(text) && length > 0);
    CHECK(json_is(mcp_message_json(reply, NULL), "/message", text));
    CHECK(!mcp_message_is_tool_error(reply));
    CHECK(mcp_message_text(reply, NULL) == NULL);
    mcp_message_free(reply);
    /* The tool failed: the call did not, and the text is what the tool says. */
    CHECK_STATUS(mcp_client_call_tool(client, "fail", NULL, NULL, &reply), MCP_OK);
    CHECK(mcp_message_is_tool_error(reply));
    CHECK(mcp_message_error(reply, NULL) == NULL);
    CHECK(mcp_message_text(reply, NULL) != NULL);
    mcp_message_free(reply);
    CHECK(!mcp_message_is_tool_error(NULL));
    CHECK(mcp_message_error(NULL, NULL) == NULL);
    CHECK_STATUS(mcp_client_set_user(NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(mcp_client_user(NULL) == NULL);
    mcp_client_free(client);
    free(config);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_requests(argv[1]);
    check_errors(argv[1]);
    return 0;
}
