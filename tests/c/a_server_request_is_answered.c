/*
 * A server that asks something in the middle of a call: the question arrives as an MCP_KIND_REQUEST message,
 * whether the server's era sends a request of its own or answers the call with what it needs to know. mcp_request_respond
 * gives the answer, and the call ends with what the server makes of it. mcp_request_respond_error refuses: a legacy
 * server is told, and a modern one waits for nothing, so the call ends. The thread that holds a request calls meanwhile,
 * blocking, and even a tool that asks a question itself: nothing waits for the open answer.
 */
#include "check.h"

#define ASKING "\"capabilities\":{\"elicitation\":{}}"

static mcp_message_t *ask(mcp_client_t *client, uint64_t tag) {
    start_tool(client, "ask", "{\"question\":\"Which colour?\"}", NULL, tag);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK_TEXT(mcp_message_method(request), "elicitation/create");
    CHECK(mcp_message_client(request) == client);
    CHECK(json_is(mcp_message_json(request, NULL), "/message", "Which colour?"));
    return request;
}

static void accept_with(mcp_client_t *client, mcp_message_t *request, uint64_t tag, const char *answer, const char *text) {
    char *result = format("{\"action\":\"accept\",\"content\":{\"answer\":\"%s\"}}", answer);
    CHECK_STATUS(mcp_request_respond(request, result, NULL), MCP_OK);
    free(result);
    mcp_message_free(request);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), tag);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), text);
    mcp_message_free(reply);
}

static void check_accepted(mcp_client_t *client) {
    mcp_message_t *outer = ask(client, 1);
    check_echo(client, "while it holds a request");
    mcp_message_t *inner = ask(client, 5);
    check_echo(client, "with two open");
    accept_with(client, inner, 5, "green", "green");
    accept_with(client, outer, 1, "blue \\u00e9", "blue \xc3\xa9");
}

static void check_declined(mcp_client_t *client) {
    mcp_message_t *request = ask(client, 2);
    CHECK_STATUS(mcp_request_respond(request, "{\"action\":\"decline\"}", NULL), MCP_OK);
    mcp_message_free(request);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), 2);
    CHECK_TEXT(mcp_message_text(reply, NULL), "No answer: decline");
    mcp_message_free(reply);
}

static void check_refused(mcp_client_t *client, bool modern) {
    mcp_message_t *request = ask(client, 3);
    CHECK_STATUS(mcp_request_respond_error(request, -1, "not \"now\"", "{\"later\":true}", NULL),
                 MCP_OK);
    mcp_message_free(request);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), 3);
    if (modern) {
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
        CHECK_CONTAINS(mcp_message_json(reply, NULL), "not \\\"now\\\"");
    } else {
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        CHECK_CONTAINS(mcp_message_text(reply, NULL), "not \\\"now\\\""); /* the server quotes the refusal */
    }
    mcp_message_free(reply);
}

/* A result that is not an object is refused here, and the request still waits for a good one. */
static void check_mended(mcp_client_t *client) {
    mcp_message_t *request = ask(client, 4);
    char *error = NULL;
    CHECK_STATUS(mcp_request_respond(request, "{\"action\":", &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(json_is(error, "/status", "invalid_argument"));
    mcp_string_free(error);
    CHECK_STATUS(mcp_request_respond(request, "[]", NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_request_respond(request, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_request_respond(request, "{\"action\":\"cancel\"}", NULL), MCP_OK);
    mcp_message_free(request);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_TEXT(mcp_message_text(reply, NULL), "No answer: cancel");
    mcp_message_free(reply);
}

static void check_requests(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), ASKING);
    check_accepted(client);
    check_declined(client);
    check_refused(client, strcmp(era, "modern") == 0);
    check_mended(client);
    check_echo(client, "fine");
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_requests(argv[1], "legacy");
    check_requests(argv[1], "modern");
    return 0;
}
