/*
 * The answer to a form is completed with the form's defaults and checked against its schema before it is sent: one
 * that does not fit is refused here, and the request still waits. Declining, cancelling and the consent to visit a
 * page are answers too. The same in both eras.
 */
#include "check.h"

#define ASKING "\"capabilities\":{\"elicitation\":{\"form\":{},\"url\":{}}}"

static const char FORM[] =
    "{\"wait_ms\":20000,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\",\"message\":\"Who?\",\"requestedSchema\":{"
    "\"type\":\"object\",\"properties\":{"
    "\"name\":{\"type\":\"string\",\"minLength\":2},"
    "\"mail\":{\"type\":\"string\",\"format\":\"email\",\"default\":\"ada@example.com\"},"
    "\"age\":{\"type\":\"integer\",\"minimum\":0,\"default\":42},"
    "\"letters\":{\"type\":\"boolean\",\"default\":true},"
    "\"size\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"s\",\"title\":\"Small\"},{\"const\":\"l\"}],\"default\":\"s\"},"
    "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"]},\"maxItems\":2,"
    "\"default\":[\"a\"]}},\"required\":[\"name\"]}}}";
static const char PAGE[] =
    "{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"Log in\",\"elicitationId\":\"7\","
    "\"url\":\"https://example.com/login\"}}";

static mcp_message_t *ask(mcp_client_t *client, const char *arguments) {
    start_tool(client, "ask_forever", arguments, NULL, 1);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK_EQ(mcp_message_topic(request), MCP_TOPIC_ELICITATION);
    return request;
}

/* What the server was told; free() it. */
static char *told(mcp_client_t *client) {
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    char *text = format("%s", mcp_message_text(reply, NULL));
    mcp_message_free(reply);
    return text;
}

static void check_refused(mcp_message_t *request, const char *content, const char *why) {
    char *error = NULL;
    CHECK_STATUS(mcp_request_accept_elicitation(request, content, &error),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, why);
    mcp_string_free(error);
}

static void check_legacy(const char *server) {
    mcp_client_t *client = connected(server, NULL, ASKING);
    mcp_message_t *request = ask(client, FORM);
    check_refused(request, NULL, "has no member 'name'");
    check_refused(request, "{\"name\":\"x\"}", "/name has 1 characters, fewer than 2");
    check_refused(request, "{\"name\":\"Ada\",\"mail\":\"ada\"}", "/mail is not a valid email");
    check_refused(request, "{\"name\":\"Ada\",\"age\":1.5}", "/age");
    check_refused(request, "{\"name\":\"Ada\",\"size\":\"m\"}", "/size");
    check_refused(request, "{\"name\":\"Ada\",\"tags\":[\"c\"]}", "/tags/0");
    check_refused(request, "[1]", "an array");
    check_refused(request, "{", "no JSON");
    CHECK_STATUS(mcp_request_accept_elicitation(request, "{\"name\":\"Ada\",\"letters\":false}", NULL),
                 MCP_OK);
    CHECK_STATUS(mcp_request_accept_elicitation(request, "{\"name\":\"Ada\"}", NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    mcp_message_free(request);
    char *said = told(client);
    CHECK(json_is(said, "/responses/0/result/action", "accept"));
    CHECK(json_is(said, "/responses/0/result/content/name", "Ada"));
    CHECK(json_is(said, "/responses/0/result/content/letters", "false"));
    CHECK(json_is(said, "/responses/0/result/content/mail", "ada@example.com"));
    CHECK(json_is(said, "/responses/0/result/content/age", "42"));
    CHECK(json_is(said, "/responses/0/result/content/size", "s"));
    CHECK(json_is(said, "/responses/0/result/content/tags", "[\"a\"]"));
    free(said);

    request = ask(client, FORM);
    CHECK_STATUS(mcp_request_decline_elicitation(request, NULL), MCP_OK);
    mcp_message_free(request);
    said = told(client);
    CHECK(json_is(said, "/responses/0/result", "{\"action\":\"decline\"}"));
    free(said);

    request = ask(client, PAGE);
    check_refused(request, "{}", "visit a page");
    CHECK_STATUS(mcp_request_accept_elicitation(request, NULL, NULL), MCP_OK);
    mcp_message_free(request);
    said = told(client);
    CHECK(json_is(said, "/responses/0/result", "{\"action\":\"accept\"}"));
    free(said);

    /* Only an elicitation request can be answered so. */
    char *error = NULL;
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_ping(client, NULL, &reply), MCP_OK);
    CHECK_STATUS(mcp_request_cancel_elicitation(reply, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "no elicitation request");
    mcp_string_free(error);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_request_accept_elicitation(NULL, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    close_and_free(client);
}

static void check_modern(const char *server) {
    mcp_client_t *client = connected(server, NULL, "\"protocol\":\"modern\"," ASKING);
    for (int round = 0; round < 3; round++) {
        start_tool(client, "ask", "{\"question\":\"Colour?\"}", NULL, 2);
        mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
        check_refused(request, "{\"answer\":7}", "/answer is 7 and not of type string");
        const char *expected = "blue";
        if (round == 0) {
            CHECK_STATUS(mcp_request_accept_elicitation(request, "{\"answer\":\"blue\"}", NULL),
                         MCP_OK);
        } else if (round == 1) {
            expected = "No answer: decline";
            CHECK_STATUS(mcp_request_decline_elicitation(request, NULL), MCP_OK);
        } else {
            expected = "No answer: cancel";
            CHECK_STATUS(mcp_request_cancel_elicitation(request, NULL), MCP_OK);
        }
        mcp_message_free(request);
        char *said = told(client);
        CHECK_TEXT(said, expected);
        free(said);
    }
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_legacy(argv[2]);
    check_modern(argv[1]);
    return 0;
}
