/*
 * A server of 2025-11-25 answers a call with error -32042 and pages to visit. The application is asked for each page as by a
 * request of the server; when it agreed to all, or the server said that they are done with, the call is sent again. What it
 * does not agree to leaves the server's own error, whose data says which pages. A page that is not safe is never shown.
 */
#include "check.h"

#define ASKING "\"capabilities\":{\"elicitation\":{\"url\":{}}}"

static mcp_message_t *page(mcp_client_t *client, const char *id) {
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK_EQ(mcp_message_topic(request), MCP_TOPIC_ELICITATION);
    CHECK_TEXT(mcp_message_method(request), "elicitation/create");
    CHECK(json_is(mcp_message_json(request, NULL), "/mode", "url"));
    CHECK(json_is(mcp_message_json(request, NULL), "/elicitationId", id));
    CHECK(json_is(mcp_message_json(request, NULL), "/url", "https://example.com/visit"));
    return request;
}

static void check_text(mcp_client_t *client) {
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), "every page was visited");
    mcp_message_free(reply);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    mcp_client_t *client = connected(argv[2], NULL, ASKING);

    /* The application agrees once the pages were visited; the server says nothing. */
    start_tool(client, "wants_visits", "{\"ids\":[\"a\",\"b\"]}", NULL, 1);
    mcp_message_t *first = page(client, "a");
    mcp_message_t *second = page(client, "b");
    free(tool_text(client, "visit", "{\"id\":\"a\",\"silent\":true}"));
    free(tool_text(client, "visit", "{\"id\":\"b\",\"silent\":true}"));
    CHECK_STATUS(mcp_request_accept_elicitation(first, "{}", NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_request_accept_elicitation(first, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_request_accept_elicitation(second, NULL, NULL), MCP_OK);
    mcp_message_free(first);
    mcp_message_free(second);
    check_text(client);

    /* It agrees at once, before anybody was there: the call waits for the server's word. */
    start_tool(client, "wants_visits", "{\"ids\":[\"c\"]}", "{\"timeout_ms\":20000}", 2);
    first = page(client, "c");
    CHECK_STATUS(mcp_request_accept_elicitation(first, NULL, NULL), MCP_OK);
    mcp_message_free(first);
    free(tool_text(client, "visit", "{\"id\":\"another person's\"}"));
    free(tool_text(client, "visit", "{\"id\":\"c\"}"));
    check_text(client);

    /* The server's word comes first: no answer is wanted any more. */
    start_tool(client, "wants_visits", "{\"ids\":[\"d\"]}", NULL, 3);
    first = page(client, "d");
    free(tool_text(client, "visit", "{\"id\":\"d\"}"));
    check_text(client);
    char *error = NULL;
    CHECK_STATUS(mcp_request_accept_elicitation(first, NULL, &error), MCP_ERROR_CANCELLED);
    CHECK_CONTAINS(error, "notifications/elicitation/complete");
    mcp_string_free(error);
    mcp_message_free(first);

    /* It does not agree. */
    start_tool(client, "wants_visits", "{\"ids\":[\"e\"]}", NULL, 4);
    first = page(client, "e");
    CHECK_STATUS(mcp_request_decline_elicitation(first, NULL), MCP_OK);
    mcp_message_free(first);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_SERVER);
    CHECK(json_is(mcp_message_json(reply, NULL), "/code", "-32042"));
    CHECK(json_is(mcp_message_json(reply, NULL), "/data/elicitations/0/elicitationId", "e"));
    CHECK(json_is(mcp_message_json(reply, NULL), "/details/elicitation", "decline"));
    mcp_message_free(reply);

    /* A page that is not safe is an error with its reason, and the person is not asked. */
    reply = call_tool(client, "wants_visits", "{\"ids\":[\"f\"],\"url\":\"javascript:alert(1)\"}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_SERVER);
    char *why = json_at(mcp_message_json(reply, NULL), "/details/not_visited");
    CHECK_CONTAINS(why, "neither http nor https");
    mcp_string_free(why);
    mcp_message_free(reply);
    reply = call_tool(client, "ask_forever",
                      "{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"elicitationId\":\"g\","
                      "\"message\":\"Come\",\"url\":\"http://example.com/\"}}",
                      NULL);
    CHECK(json_is(mcp_message_json(reply, NULL), "/structuredContent/responses/0/error/code", "-32602"));
    mcp_message_free(reply);
    mcp_message_t *none = NULL;
    while (mcp_client_poll(client, 0, &none) == MCP_OK) {
        CHECK_NE(mcp_message_kind(none), MCP_KIND_REQUEST);
        mcp_message_free(none);
    }
    close_and_free(client);

    /* A program that did not declare the mode gets the error as it is. */
    client = connected(argv[2], NULL, "\"capabilities\":{\"elicitation\":{}}");
    reply = call_tool(client, "wants_visits", "{\"ids\":[\"a\"]}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_SERVER);
    CHECK(json_is(mcp_message_json(reply, NULL), "/data/elicitations/0/url", "https://example.com/visit"));
    mcp_message_free(reply);
    close_and_free(client);
    check_nothing_left(before);
    return 0;
}
