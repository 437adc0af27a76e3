/*
 * One program, five revisions: tools, resources, subscriptions, prompts, completion, the log level and ping are asked
 * for by the same functions and give the same results, whatever the wire does. Blocking and started calls give the same, by the
 * function of a feature and by its method; with the option "raw" a method goes out as it is written.
 * What the server did not declare is refused at once. A template of the server and a value for its variable make a URI that
 * the server knows.
 */
#include "check.h"

static const char *const REVISIONS[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

static char *ok_json(const char *what, mcp_status_t status, mcp_message_t *const *given) {
    mcp_message_t *reply = *given;
    CHECK(reply != NULL);
    if (status != MCP_OK) {
        FAIL("%s: %s", what, mcp_message_json(reply, NULL));
    }
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    char *json = format("%s", mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    return json;
}

/* The result of a started call. */
static char *started(mcp_client_t *client, const char *what, mcp_status_t status,
                     const uint64_t *call) {
    CHECK_STATUS(status, MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_call_id(reply), *call);
    CHECK_EQ(mcp_message_tag(reply), 42);
    return ok_json(what, mcp_message_status(reply), &reply);
}

#define BLOCKING(function, ...) ok_json(#function, function(client, __VA_ARGS__, &reply), &reply)
#define STARTED(function, ...)                                                                               \
    started(client, #function, function(client, __VA_ARGS__, 42, &call, &error), &call)
/* The same by both ways; free() it. */
#define BOTH(function, ...)                                                                                  \
    same(BLOCKING(function, __VA_ARGS__), STARTED(function##_start, __VA_ARGS__))

/* A method by both ways; free() it. */
#define METHOD(method, params, options)                                                                      \
    same(ok_json(method, mcp_call(client, method, params, options, &reply), &reply),                         \
         started(client, method, mcp_call_start(client, method, params, options, 42, &call, &error), &call))

static char *same(char *first, char *second) {
    CHECK_TEXT(first, second);
    free(second);
    return first;
}

static long long count_at(const char *json, const char *pointer) {
    return (long long)json_count(json, pointer);
}

/* The server announces changes of its lists, and of the resource if that is subscribed to, all before its answer. */
static void check_changes(mcp_client_t *client, int of_the_resource) {
    drain(client);
    CHECK_STATUS(mcp_client_call_tool(client, "notify", "{\"count\":0}", NULL, NULL), MCP_OK);
    int lists = 0;
    int updates = 0;
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        mcp_topic_t topic = mcp_message_topic(message);
        lists += topic == MCP_TOPIC_TOOLS_CHANGED;
        if (topic == MCP_TOPIC_RESOURCE_UPDATED) {
            CHECK(json_is(mcp_message_json(message, NULL), "/uri", "demo://greeting"));
            updates++;
        }
        mcp_message_free(message);
    }
    CHECK_GE(lists, 1);
    CHECK_EQ(updates, of_the_resource);
}

static void check_features(const char *server, const char *revision) {
    char *members = format("\"protocol\":\"%s\"", revision);
    /* Pages of two, so that lists take several requests. */
    mcp_client_t *client = connected(server, ARGS("--page-size", "2"), members);
    mcp_message_t *reply = NULL;
    uint64_t call = 0;
    char *error = NULL;
    char *info = info_of(client);
    CHECK(json_is(info, "/revision", revision));
    mcp_string_free(info);

    char *json = same(BLOCKING(mcp_client_list_tools, NULL), METHOD("tools/list", NULL, NULL));
    CHECK_EQ(count_at(json, "/tools"), 10);
    CHECK(json_is(json, "/tools/9/name", "pid"));
    CHECK(!json_has(json, "/nextCursor"));
    free(json);
    json = METHOD("tools/list", "{\"_meta\":{\"com.example/a\":1}}", "{\"one_page\":true}");
    CHECK_EQ(count_at(json, "/tools"), 2);
    char *cursor = json_at(json, "/nextCursor");
    char *options = format("{\"cursor\":\"%s\"}", cursor);
    free(json);
    json = same(METHOD("tools/list", options, NULL), METHOD("tools/list", NULL, options));
    CHECK_EQ(count_at(json, "/tools"), 2);
    CHECK(json_is(json, "/tools/0/name", "slow"));
    free(json);
    free(options);
    mcp_string_free(cursor);

    /* Parameters of the program are in the request of each page. */
    json = METHOD("tools/list", "{\"cursor\":null,\"_meta\":{\"com.example/a\":1}}", NULL);
    CHECK_EQ(count_at(json, "/tools"), 10);
    free(json);
    json = METHOD("tools/list", NULL, "{\"raw\":true}");
    CHECK_EQ(count_at(json, "/tools"), 2);
    CHECK(json_has(json, "/nextCursor") && !json_is(json, "/nextCursor", "null"));
    free(json);

    json = same(BOTH(mcp_client_call_tool, "echo", "{\"text\":\"hi\"}", NULL),
                METHOD("tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"hi\"}}", NULL));
    CHECK(json_is(json, "/content/0/text", "hi"));
    free(json);
    json = BOTH(mcp_client_call_tool, "fail", NULL, NULL);
    CHECK(json_is(json, "/isError", "true"));
    free(json);
    json = METHOD("resources/list", NULL, NULL);
    CHECK_EQ(count_at(json, "/resources"), 2);
    free(json);
    json = METHOD("resources/templates/list", NULL, NULL);
    char *template = json_at(json, "/resourceTemplates/0/uriTemplate");
    CHECK_TEXT(template, "demo://greeting/{name}");
    free(json);
    char *uri = NULL;
    CHECK_STATUS(mcp_uri_template_expand(template, "{\"name\":\"Ada L.\"}", &uri, &error), MCP_OK);
    CHECK_TEXT(uri, "demo://greeting/Ada%20L.");
    json = BOTH(mcp_client_read_resource, uri, NULL);
    CHECK(json_is(json, "/contents/0/text", "Hello, Ada L.!"));
    free(json);
    mcp_string_free(uri);
    mcp_string_free(template);
    json = BOTH(mcp_client_read_resource, "demo://logo", NULL);
    CHECK(json_has(json, "/contents/0/blob"));
    free(json);
    json = METHOD("prompts/list", NULL, NULL);
    CHECK(json_is(json, "/prompts/0/name", "greet"));
    free(json);
    json = same(BOTH(mcp_client_get_prompt, "greet", "{\"name\":\"Ada\"}", NULL),
                METHOD("prompts/get", "{\"name\":\"greet\",\"arguments\":{\"name\":\"Ada\"}}", NULL));
    CHECK(json_has(json, "/messages/0/content/text"));
    free(json);
    json = same(BLOCKING(mcp_client_complete, "{\"type\":\"ref/prompt\",\"name\":\"greet\"}", "name", "a", NULL, NULL),
                METHOD("completion/complete",
                       "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},\"argument\":{\"name\":\"name\","
                       "\"value\":\"a\"},\"context\":{\"arguments\":{}}}",
                       NULL));
    CHECK_EQ(json_number(json, "/completion/total"), 2);
    free(json);
    json = METHOD("ping", NULL, NULL);
    free(json);

    /* The level: below it nothing comes, at it everything does. */
    json = same(BLOCKING(mcp_client_set_server_log_level, "error", NULL), METHOD("logging/setLevel", "{\"level\":\"error\"}", NULL));
    CHECK_TEXT(json, strcmp(revision, "2026-07-28") == 0 ? "{}" : json);
    free(json);
    drain(client);
    free(BLOCKING(mcp_client_call_tool, "notify", "{\"count\":3,\"changes\":false}", NULL));
    CHECK_STATUS(mcp_client_poll(client, 0, &reply), MCP_EMPTY);
    free(BLOCKING(mcp_client_set_server_log_level, "info", NULL));
    free(BLOCKING(mcp_client_call_tool, "notify", "{\"count\":3,\"changes\":false}", NULL));
    for (int i = 0; i < 3; i++) {
        reply = next_of_kind(client, MCP_KIND_NOTIFICATION);
        CHECK_EQ(mcp_message_topic(reply), MCP_TOPIC_LOG);
        mcp_message_free(reply);
    }

    check_changes(client, 0);
    free(BLOCKING(mcp_client_subscribe_resource, "demo://greeting", NULL));
    check_changes(client, 1);
    free(BLOCKING(mcp_client_unsubscribe_resource, "demo://greeting", NULL));
    check_changes(client, 0);
    free(METHOD("resources/subscribe", "{\"uri\":\"demo://greeting\"}", NULL));
    check_changes(client, 1);
    free(METHOD("resources/unsubscribe", "{\"uri\":\"demo://greeting\"}", NULL));
    check_changes(client, 0);
    /* What the library reads of the parameters is checked, since no server may see them. */
    CHECK_STATUS(mcp_call(client, "resources/subscribe", "{\"URI\":\"demo://greeting\"}", NULL, &reply),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "must have the string");
    mcp_message_free(reply);
    CHECK_STATUS(mcp_call(client, "logging/setLevel", "{\"level\":\"loud\"}", NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    if (strcmp(revision, "2026-07-28") == 0) {
        /* A modern server says which subscriptions it takes. */
        CHECK_STATUS(mcp_client_subscribe_resource(client, "demo://nothing", NULL, &reply), MCP_ERROR_UNSUPPORTED);
        CHECK(json_is(mcp_message_json(reply, NULL), "/details/uri", "demo://nothing"));
        mcp_message_free(reply);
    }

    /* What the server says no to is its error, with its code. */
    CHECK_STATUS(mcp_client_read_resource(client, "demo://nothing", NULL, &reply), MCP_ERROR_SERVER);
    CHECK_EQ(json_number(mcp_message_json(reply, NULL), "/code"),
             strcmp(revision, "2026-07-28") == 0 ? -32602 : -32002);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_call_tool(client, "no-such-tool", NULL, NULL, NULL), MCP_ERROR_SERVER);
    CHECK(error == NULL);
    close_and_free(client);
    free(members);
}

/* With capability_checks false the server is asked, and says itself what it thinks of it. */
static void check_lacking(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), NULL);
    mcp_message_t *reply = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_call(client, "prompts/list", NULL, NULL, &reply), MCP_ERROR_UNSUPPORTED);
    CHECK(json_is(mcp_message_json(reply, NULL), "/details/capability", "prompts"));
    mcp_message_free(reply);
    CHECK_STATUS(mcp_call(client, "prompts/list", NULL, "{\"raw\":true}", NULL), MCP_ERROR_SERVER);
    CHECK_STATUS(mcp_call_start(client, "resources/subscribe", "{\"uri\":\"file:///a\"}", NULL, 1, NULL, &error),
                 MCP_ERROR_UNSUPPORTED);
    CHECK_CONTAINS(error, "resources.subscribe");
    mcp_string_free(error);
    close_and_free(client);

    client = connected(server, ARGS("--era", era), "\"capability_checks\":false");
    CHECK_STATUS(mcp_call(client, "prompts/list", NULL, NULL, &reply), MCP_ERROR_SERVER);
    CHECK_EQ(json_number(mcp_message_json(reply, NULL), "/code"), -32601);
    mcp_message_free(reply);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    for (size_t i = 0; i < sizeof REVISIONS / sizeof REVISIONS[0]; i++) {
        check_features(argv[1], REVISIONS[i]);
    }
    check_lacking(argv[2], "legacy");
    check_lacking(argv[2], "modern");
    return 0;
}
