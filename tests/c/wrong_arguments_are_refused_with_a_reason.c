/*
 * Whatever is wrong with an argument (NULL, invalid UTF-8, bad JSON, JSON of the wrong type, an option that
 * does not exist) the call returns MCP_ERROR_INVALID_ARGUMENT with an error object that says why, clears all other
 * out-parameters, and the client goes on as if nothing had happened.
 */
#include "check.h"

#define NOT_UTF8 "\xff\xfe"

/* An error object of a refused call: it names its status and says something. Frees it. */
static void check_reason(char *error) {
    CHECK(error != NULL);
    CHECK(json_is(error, "/status", "invalid_argument"));
    char *message = json_at(error, "/message");
    CHECK_GE(strlen(message), 10);
    mcp_string_free(message);
    mcp_string_free(error);
}

static void check_config(const char *config) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    mcp_status_t status = mcp_client_new(config, NULL, &client, &error);
    if (status != MCP_ERROR_INVALID_ARGUMENT) {
        FAIL("config %s gives %s", config != NULL ? config : "NULL", mcp_status_name(status));
    }
    CHECK(client == NULL);
    check_reason(error);
    CHECK_STATUS(mcp_client_new(config, NULL, &client, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(client == NULL);
}

static void check_configs(void) {
    static const char *const wrong[] = {
        NULL,
        "",
        "{",
        "nonsense",
        "[]",
        "\"text\"",
        "{}",
        "{\"command\":}",
        "{\"command\":\"x\"} trailing",
        "{\"command\":\"" NOT_UTF8 "\"}",
        "{\"command\":5}",
        "{\"command\":\"\"}",
        "{\"command\":\"x\",\"args\":\"y\"}",
        "{\"command\":\"x\",\"args\":[1]}",
        "{\"command\":\"x\",\"env\":{\"A\":1}}",
        "{\"command\":\"x\",\"env\":{\"A=B\":\"c\"}}",
        "{\"command\":\"x\\u0000y\"}",
        "{\"command\":\"x\",\"protocol\":\"ancient\"}",
        "{\"command\":\"x\",\"protocol\":\"1999-01-01\"}",
        "{\"command\":\"x\",\"timeouts\":5}",
        "{\"command\":\"x\",\"timeouts\":{\"call_ms\":\"long\"}}",
        "{\"command\":\"x\",\"timeouts\":{\"call_ms\":-1}}",
        "{\"command\":\"x\",\"reconnect\":5}",
        "{\"command\":\"x\",\"limits\":{\"frame_bytes\":1.5}}",
        "{\"command\":\"x\",\"framing\":\"smoke signals\"}",
        "{\"command\":\"x\",\"when_unavailable\":\"cry\"}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        check_config(wrong[i]);
    }
}

/* One refused call, blocking and started; both forms read their arguments alike. */
static void check_call(mcp_client_t *client, const char *method, const char *params, const char *options) {
    mcp_message_t *reply = NULL;
    uint64_t call = 77;
    char *error = NULL;
    mcp_status_t status = mcp_call(client, method, params, options, &reply);
    if (status != MCP_ERROR_INVALID_ARGUMENT) {
        FAIL("method %s params %s options %s gives %s", method != NULL ? method : "NULL",
             params != NULL ? params : "NULL", options != NULL ? options : "NULL", mcp_status_name(status));
    }
    CHECK(reply != NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(json_is(mcp_message_json(reply, NULL), "/status", "invalid_argument"));
    mcp_message_free(reply);
    CHECK_STATUS(mcp_call(client, method, params, options, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_call_start(client, method, params, options, 1, &call, &error),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(call, 0);
    check_reason(error);
    CHECK_STATUS(mcp_call_start(client, method, params, options, 1, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
}

static void check_calls(mcp_client_t *client) {
    check_call(NULL, "tools/list", NULL, NULL);
    check_call(client, NULL, NULL, NULL);
    check_call(client, NOT_UTF8, NULL, NULL);
    check_call(client, "tools/list", "", NULL);
    check_call(client, "tools/list", "{", NULL);
    check_call(client, "tools/list", "[]", NULL);
    check_call(client, "tools/list", "5", NULL);
    check_call(client, "tools/list", "null", NULL);
    check_call(client, "tools/list", "{} {}", NULL);
    check_call(client, "tools/list", "{\"x\":\"" NOT_UTF8 "\"}", NULL);
    check_call(client, "tools/list", NULL, "{");
    check_call(client, "tools/list", NULL, "[]");
    check_call(client, "tools/list", NULL, "{\"timeout_ms\":\"soon\"}");
    check_call(client, "tools/list", NULL, "{\"timeout_ms\":-5}");
    check_call(client, "tools/list", NULL, "{\"progress\":3}");
    check_call(client, "tools/list", NULL, "{\"meta\":[]}");
    check_call(client, "tools/list", NULL, "{\"no_such_option\":1}");
}

static void check_notifications(mcp_client_t *client) {
    char *error = NULL;
    CHECK_STATUS(mcp_client_notify(NULL, "notifications/x", NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_client_notify(client, NULL, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_client_notify(client, "notifications/x", "[1]", &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_client_notify(client, "notifications/x", "{", NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_request_respond(NULL, "{}", &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_request_respond_error(NULL, 1, "x", NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
}

/* A message that is not a request of the server cannot be answered. */
static void check_responding_to_a_reply(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "pid", NULL, NULL);
    char *error = NULL;
    CHECK_STATUS(mcp_request_respond(reply, "{}", &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    mcp_message_free(reply);
}

static void check_nulls(mcp_client_t *client) {
    mcp_client_t *no_client = NULL;
    mcp_message_t *message = NULL;
    char *text = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_client_new("{\"command\":\"x\"}", NULL, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_client_new("{\"command\":\"x\"}", (mcp_queue_t *)client, &no_client, &error),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK(no_client == NULL);
    check_reason(error);
    CHECK_STATUS(mcp_config_load(NULL, "x", &text, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(text == NULL);
    check_reason(error);
    CHECK_STATUS(mcp_client_connect(NULL, 10, &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_client_info(NULL, &text, &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_client_info(client, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_client_state(NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_fd(NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_close(NULL, 10), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_call_cancel(NULL, 1, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_poll(NULL, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_poll(client, 0, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_poll_notification(NULL, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_poll_notification(client, 0, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_uri_template_expand("a{b", "{}", &text, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "unbalanced brace");
    check_reason(error);
    CHECK_STATUS(mcp_uri_template_expand(NULL, "{}", &text, &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_uri_template_expand("a", NULL, &text, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_uri_template_expand("a", "{}", NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_new(NULL, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_queue_poll(NULL, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_wake(NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_fd(NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_on_ready(NULL, NULL, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(message == NULL && text == NULL);
}

static void check_null_messages(void) {
    size_t length = 0;
    CHECK_LE(mcp_message_kind(NULL), 0);
    CHECK_STATUS(mcp_message_status(NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(mcp_message_client(NULL) == NULL);
    CHECK_EQ(mcp_message_call_id(NULL), 0);
    CHECK_EQ(mcp_message_tag(NULL), 0);
    CHECK_EQ(mcp_message_topic(NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(mcp_message_method(NULL) == NULL);
    CHECK(mcp_message_json(NULL, &length) == NULL);
    CHECK(mcp_message_text(NULL, &length) == NULL);
}

static void check_freeing_null(void) {
    CHECK_STATUS(mcp_client_free(NULL), MCP_OK);
    CHECK_STATUS(mcp_queue_free(NULL), MCP_OK);
    CHECK_STATUS(mcp_message_free(NULL), MCP_OK);
    mcp_string_free(NULL);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_configs();
    mcp_client_t *client = new_client(argv[1], NULL, NULL);
    check_calls(client);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_IDLE); /* a refused call starts nothing */
    connect_client(client);
    check_calls(client);
    check_notifications(client);
    check_responding_to_a_reply(client);
    check_nulls(client);
    check_null_messages();
    check_freeing_null();
    check_echo(client, "as if nothing had happened");
    close_and_free(client);
    check_nothing_left(before);
    return 0;
}
