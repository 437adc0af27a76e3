/*
 * What a server asks of the program, and how answers to elicitations are completed and checked.
 */
#include "check.h"

/*
 * A server that asks something in the middle of a call: the question arrives as an MCP_KIND_REQUEST message,
 * whether the server's era sends a request of its own or answers the call with what it needs to know. mcp_request_respond
 * gives the answer, and the call ends with what the server makes of it. mcp_request_respond_error refuses: a legacy
 * server is told, and a modern one waits for nothing, so the call ends. The thread that holds a request calls meanwhile,
 * blocking, and even a tool that asks a question itself: nothing waits for the open answer.
 */
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

static void a_server_request_is_answered(char **argv) {
    check_requests(argv[1], "legacy");
    check_requests(argv[1], "modern");
}

/*
 * The answer to a form is completed with the form's defaults and checked against its schema before it is sent: one
 * that does not fit is refused here, and the request still waits. Declining, cancelling and the consent to visit a
 * page are answers too. The same in both eras.
 */
#define ASKING_ELICITATION "\"capabilities\":{\"elicitation\":{\"form\":{},\"url\":{}}}"

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

static mcp_message_t *ask_elicitation(mcp_client_t *client, const char *arguments) {
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

static void check_refused_elicitation(mcp_message_t *request, const char *content, const char *why) {
    char *error = NULL;
    CHECK_STATUS(mcp_request_respond_elicitation(request, "accept", content, &error),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, why);
    mcp_string_free(error);
}

static void check_legacy(const char *server) {
    mcp_client_t *client = connected(server, NULL, ASKING_ELICITATION);
    mcp_message_t *request = ask_elicitation(client, FORM);
    check_refused_elicitation(request, NULL, "has no member 'name'");
    check_refused_elicitation(request, "{\"name\":\"x\"}", "/name has 1 characters, fewer than 2");
    check_refused_elicitation(request, "{\"name\":\"Ada\",\"mail\":\"ada\"}", "/mail is not a valid email");
    check_refused_elicitation(request, "{\"name\":\"Ada\",\"age\":1.5}", "/age");
    check_refused_elicitation(request, "{\"name\":\"Ada\",\"size\":\"m\"}", "/size");
    check_refused_elicitation(request, "{\"name\":\"Ada\",\"tags\":[\"c\"]}", "/tags/0");
    check_refused_elicitation(request, "[1]", "an array");
    check_refused_elicitation(request, "{", "no JSON");
    CHECK_STATUS(mcp_request_respond_elicitation(request, "accept", "{\"name\":\"Ada\",\"letters\":false}", NULL),
                 MCP_OK);
    CHECK_STATUS(mcp_request_respond_elicitation(request, "accept", "{\"name\":\"Ada\"}", NULL),
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

    request = ask_elicitation(client, FORM);
    static const struct {
        const char *action;
        const char *content;
        const char *argument;
    } refused[] = {{NULL, NULL, "action"},    {"", NULL, "action"},          {"accepted", "{}", "action"},
                   {"ACCEPT", NULL, "action"}, {"decline", "{}", "content_json"}, {"cancel", "{}", "content_json"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char *why = NULL;
        CHECK_STATUS(mcp_request_respond_elicitation(request, refused[i].action, refused[i].content, &why),
                     MCP_ERROR_INVALID_ARGUMENT);
        CHECK(json_is(why, "/details/argument", refused[i].argument));
        CHECK(json_is(why, "/details/function", "mcp_request_respond_elicitation"));
        mcp_string_free(why);
    }
    CHECK_STATUS(mcp_request_respond_elicitation(request, "decline", NULL, NULL), MCP_OK);
    mcp_message_free(request);
    said = told(client);
    CHECK(json_is(said, "/responses/0/result", "{\"action\":\"decline\"}"));
    free(said);

    request = ask_elicitation(client, PAGE);
    check_refused_elicitation(request, "{}", "visit a page");
    CHECK_STATUS(mcp_request_respond_elicitation(request, "accept", NULL, NULL), MCP_OK);
    mcp_message_free(request);
    said = told(client);
    CHECK(json_is(said, "/responses/0/result", "{\"action\":\"accept\"}"));
    free(said);

    /* Only an elicitation request can be answered so. */
    char *error = NULL;
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_call(client, "ping", NULL, NULL, &reply), MCP_OK);
    CHECK_STATUS(mcp_request_respond_elicitation(reply, "cancel", NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "no elicitation request");
    mcp_string_free(error);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_request_respond_elicitation(NULL, "accept", NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    close_and_free(client);
}

static void check_modern(const char *server) {
    mcp_client_t *client = connected(server, NULL, "\"protocol\":\"modern\"," ASKING_ELICITATION);
    for (int round = 0; round < 3; round++) {
        start_tool(client, "ask", "{\"question\":\"Colour?\"}", NULL, 2);
        mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
        check_refused_elicitation(request, "{\"answer\":7}", "/answer is 7 and not of type string");
        const char *expected = "blue";
        if (round == 0) {
            CHECK_STATUS(mcp_request_respond_elicitation(request, "accept", "{\"answer\":\"blue\"}", NULL),
                         MCP_OK);
        } else if (round == 1) {
            expected = "No answer: decline";
            CHECK_STATUS(mcp_request_respond_elicitation(request, "decline", NULL, NULL), MCP_OK);
        } else {
            expected = "No answer: cancel";
            CHECK_STATUS(mcp_request_respond_elicitation(request, "cancel", NULL, NULL), MCP_OK);
        }
        mcp_message_free(request);
        char *said = told(client);
        CHECK_TEXT(said, expected);
        free(said);
    }
    close_and_free(client);
}

static void elicitation_answers_are_completed_and_checked(char **argv) {
    check_legacy(argv[2]);
    check_modern(argv[1]);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    a_server_request_is_answered(argv);
    elicitation_answers_are_completed_and_checked(argv);
    return 0;
}
