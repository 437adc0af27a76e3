/*
 * Arguments of functions, and what is built step by step: a mistake is refused, and named.
 */
#include "check.h"

#include <math.h>

/*
 * Whatever is wrong with an argument (NULL, invalid UTF-8, bad JSON, JSON of the wrong type, an option that
 * does not exist) the call returns MCP_ERROR_INVALID_ARGUMENT with an error object that says why, clears all other
 * out-parameters, and the client goes on as if nothing had happened.
 */
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

static void check_views(void) {
    static const char host[] = "{\"hostInfo\":{\"name\":\"h\",\"version\":\"1\"}}";
    mcp_app_t *app = (mcp_app_t *)&app;
    char *text = (char *)&text, *error = NULL;
    CHECK_STATUS(mcp_app_new("{\"hostInfo\":{\"name\":\"h\"}}", &app, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "'hostInfo' needs 'version'");
    CHECK_CONTAINS(error, "settings_json");
    CHECK(app == NULL);
    check_reason(error);
    CHECK_STATUS(mcp_app_new(host, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_app_receive(NULL, "{}", &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
    CHECK_STATUS(mcp_app_poll(NULL, &text), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(text == NULL);
    CHECK_STATUS(mcp_app_policy("{", &text, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "ui_json");
    check_reason(error);
    CHECK_STATUS(mcp_app_policy(NULL, &text, NULL), MCP_OK);
    CHECK_CONTAINS(text, "default-src 'none'");
    mcp_string_free(text);
    CHECK_STATUS(mcp_app_new(host, &app, NULL), MCP_OK);
    CHECK_STATUS(mcp_app_poll(app, &text), MCP_EMPTY);
    CHECK_STATUS(mcp_app_poll(app, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_app_receive(app, "no JSON", NULL), MCP_OK); /* nothing of a page is an error of the program */
    CHECK_STATUS(mcp_app_tell(app, "{\"type\":\"result\"}", &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "'result' is not an object");
    check_reason(error);
    CHECK_STATUS(mcp_app_poll(app, &text), MCP_OK);
    CHECK_CONTAINS(text, "warning");
    mcp_string_free(text);
    CHECK_STATUS(mcp_app_free(app), MCP_OK);
    CHECK_STATUS(mcp_app_free(app), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_app_tell(app, "{\"type\":\"teardown\"}", &error), MCP_ERROR_INVALID_ARGUMENT);
    check_reason(error);
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

static void wrong_arguments_are_refused_with_a_reason(char **argv) {
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
    check_views();
    check_null_messages();
    check_freeing_null();
    check_echo(client, "as if nothing had happened");
    close_and_free(client);
    check_nothing_left(before);
}

/*
 * A builder writes every type, escapes what must be escaped, and can be used again. What is wrong is told at
 * the end, once, with the function and the number of the call; nothing crashes on the way.
 */
static mcp_builder_t *builder;

/* A builder makes one text. */
static void begin_another(void) {
    CHECK_STATUS(mcp_builder_free(builder), MCP_OK);
    builder = mcp_builder_new();
    CHECK(builder != NULL);
}

static void check_text(const char *expected) {
    const char *json = NULL;
    size_t length = 0;
    char *error = NULL;
    if (mcp_builder_finish(builder, &json, &length, &error) != MCP_OK) {
        FAIL("%s", error);
    }
    CHECK_TEXT(json, expected);
    CHECK_EQ(length, strlen(expected));
    const char *again = NULL;
    CHECK_STATUS(mcp_builder_finish(builder, &again, NULL, NULL), MCP_OK);
    CHECK(again == json && error == NULL);
    begin_another();
}

static void check_mistake(mcp_status_t expected, const char *said, int call) {
    const char *json = NULL;
    char *error = NULL;
    mcp_status_t status = mcp_builder_finish(builder, &json, NULL, &error);
    if (status != expected || json != NULL) {
        FAIL("%s, expected %s for \"%s\"", mcp_status_name(status), mcp_status_name(expected), said);
    }
    CHECK_CONTAINS(error, said);
    if (call > 0) {
        char *number = format("\"call\":%d", call);
        CHECK_CONTAINS(error, number);
        free(number);
    }
    mcp_string_free(error);
    begin_another();
}

static void check_texts(void) {
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "text\n\"");
    mcp_builder_string(builder, "a\"\\\x01\t\xc3\xa9/");
    mcp_builder_key(builder, "list");
    mcp_builder_begin_array(builder);
    mcp_builder_int64(builder, INT64_MIN);
    mcp_builder_int64(builder, INT64_MAX);
    mcp_builder_bool(builder, true);
    mcp_builder_bool(builder, false);
    mcp_builder_null(builder);
    mcp_builder_begin_object(builder);
    mcp_builder_end(builder);
    mcp_builder_begin_array(builder);
    mcp_builder_end(builder);
    mcp_builder_end(builder);
    mcp_builder_key(builder, "raw");
    mcp_builder_json(builder, " {\"x\" : 1.50} ");
    mcp_builder_key_view(builder, "n\0l", 3);
    mcp_builder_string_view(builder, "a\0bcd", 3);
    mcp_builder_key(builder, "");
    mcp_builder_string_view(builder, "", 0);
    mcp_builder_end(builder);
    check_text("{\"text\\n\\\"\":\"a\\\"\\\\\\u0001\\t\xc3\xa9/\",\"list\":[-9223372036854775808,9223372036854775807,"
               "true,false,null,{},[]],\"raw\":{\"x\" : 1.50},\"n\\u0000l\":\"a\\u0000b\",\"\":\"\"}");

    static const struct {
        double number;
        const char *text;
    } doubles[] = {{0.0, "0"},       {-0.0, "-0.0"},        {3.0, "3"},        {-2.5, "-2.5"},
                   {0.1, "0.1"},     {1e300, "1e+300"},      {5e-324, "5e-324"}, {1e15, "1000000000000000"},
                   {9007199254740991.0, "9007199254740991"}};
    for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
        mcp_builder_double(builder, doubles[i].number);
        check_text(doubles[i].text);
    }
    mcp_builder_null(builder);
    check_text("null");
}

/* Every double that is written reads back as the same one. */
static void check_doubles(void) {
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < scaled(20000, 1000); i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double number;
        memcpy(&number, &bits, sizeof number);
        if (!isfinite(number)) {
            continue;
        }
        mcp_builder_double(builder, number);
        const char *text = NULL;
        size_t length = 0;
        CHECK_STATUS(mcp_builder_finish(builder, &text, &length, NULL), MCP_OK);
        mcp_document_t *document = NULL;
        CHECK_STATUS(mcp_document_new(text, length, &document, NULL), MCP_OK);
        double back = 0;
        CHECK_STATUS(mcp_value_double(mcp_document_value(document), &back), MCP_OK);
        if (memcmp(&back, &number, sizeof back) != 0) {
            FAIL("%.17g is written as %s and read as %.17g", number, text, back);
        }
        mcp_document_free(document);
        begin_another();
    }
}

static void check_mistakes(void) {
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "no value", 0);
    mcp_builder_begin_object(builder);
    mcp_builder_int64(builder, 1);
    mcp_builder_end(builder); /* a second mistake is not told */
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "mcp_builder_int64(): a value in an object needs a name", 2);
    mcp_builder_begin_array(builder);
    mcp_builder_key(builder, "a");
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "mcp_builder_key(): a key is possible only in an object", 2);
    mcp_builder_key(builder, "a");
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "a key is possible only in an object", 1);
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "a");
    mcp_builder_key(builder, "b");
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "a key follows a key", 3);
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "a");
    mcp_builder_end(builder);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "ends after a key", 3);
    mcp_builder_end(builder);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "nothing is open", 1);
    mcp_builder_null(builder);
    mcp_builder_null(builder);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "already has its value", 2);
    mcp_builder_begin_array(builder);
    mcp_builder_begin_array(builder);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "2 objects and arrays are not ended", 0);
    mcp_builder_string(builder, "a\xff");
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "not UTF-8 (at byte 1)", 1);
    mcp_builder_string_view(builder, "a\xff", 2);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "not UTF-8", 1);
    mcp_builder_string(builder, NULL);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "text is NULL", 1);
    mcp_builder_string_view(builder, NULL, 0);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "text is NULL", 1);
    mcp_builder_string_view(builder, "x", SIZE_MAX);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "too large", 1);
    mcp_builder_double(builder, NAN);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "NaN", 1);
    mcp_builder_double(builder, -INFINITY);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "infinity", 1);
    mcp_builder_json(builder, "{} {}");
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "invalid JSON at byte 3", 1);
    mcp_builder_json(builder, NULL);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "json is NULL", 1);
    mcp_builder_value(builder, (mcp_value_t){0});
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "the value does not exist", 1);
    for (int i = 0; i < 1001; i++) {
        mcp_builder_begin_array(builder);
    }
    check_mistake(MCP_ERROR_TOO_LARGE, "deeper than 1000 levels", 1001);
    for (int i = 0; i < 999; i++) {
        mcp_builder_begin_array(builder);
    }
    mcp_builder_json(builder, "[[]]");
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "nested deeper than 1 levels", 1000);
}

static void check_values(void) {
    static const char source[] = "{\"keep\":[1, \"a\\nb\"],\"drop\":2}";
    mcp_document_t *document = NULL;
    CHECK_STATUS(mcp_document_new(source, strlen(source), &document, NULL), MCP_OK);
    mcp_builder_begin_array(builder);
    mcp_builder_value(builder, mcp_value_get(mcp_document_value(document), "keep"));
    mcp_builder_value(builder, mcp_value_key(mcp_value_first(mcp_document_value(document))));
    mcp_builder_end(builder);
    mcp_value_t value = mcp_document_value(document);
    CHECK_STATUS(mcp_document_free(document), MCP_OK);
    check_text("[[1, \"a\\nb\"],\"keep\"]");
    mcp_builder_value(builder, value);
    check_mistake(MCP_ERROR_INVALID_ARGUMENT, "the value does not exist", 1);
}

static void check_handles(void) {
    const char *json = NULL;
    char *error = NULL;
    mcp_builder_t *other = mcp_builder_new();
    mcp_builder_null(other);
    CHECK_STATUS(mcp_builder_finish(other, NULL, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "json is NULL");
    mcp_string_free(error);
    CHECK_STATUS(mcp_document_free((mcp_document_t *)other), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_builder_free(other), MCP_OK);
    CHECK_STATUS(mcp_builder_free(other), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_builder_free(NULL), MCP_OK);
    mcp_builder_t *const dead[] = {NULL, other, (mcp_builder_t *)&json};
    for (size_t i = 0; i < 3; i++) {
        mcp_builder_begin_object(dead[i]);
        mcp_builder_key(dead[i], "a");
        mcp_builder_value(dead[i], (mcp_value_t){0});
        mcp_builder_end(dead[i]);
        CHECK_STATUS(mcp_builder_finish(dead[i], &json, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_CONTAINS(error, "builder is ");
        mcp_string_free(error);
    }
    CHECK(json == NULL);
}

static void a_builder_names_its_first_mistake(void) {
    builder = mcp_builder_new();
    CHECK(builder != NULL);
    check_texts();
    check_doubles();
    check_mistakes();
    check_values();
    check_handles();
    check_texts();
    CHECK_STATUS(mcp_builder_free(builder), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    wrong_arguments_are_refused_with_a_reason(argv);
    a_builder_names_its_first_mistake();
    return 0;
}
