/* Our client at our server, in both eras: progress and log messages, resources as text, blob, from a handler and from a
 * template with its variables, prompts, completions, lists that change, resources that change, and the end of a cancelled call. */
#include "served.h"

static mcp_server_t *server;
static mcp_message_t *kept;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void on_work(void *user, mcp_message_t *request) {
    (void)user;
    CHECK(!mcp_request_cancelled(request));
    CHECK_STATUS(mcp_request_progress(request, 1, 2, "half"), MCP_OK);
    CHECK_STATUS(mcp_request_progress(request, 1, 2, "again"), MCP_EMPTY);
    CHECK_STATUS(mcp_request_progress(request, 2, 2, NULL), MCP_OK);
    CHECK_STATUS(mcp_request_log(request, "warning", "work", "{\"a\":1}"), MCP_OK);
    CHECK_STATUS(mcp_request_log(request, "debug", NULL, "1"), MCP_EMPTY);
    CHECK_STATUS(mcp_request_log(request, "loud", NULL, "1"), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_request_respond(request, "{\"content\":[]}", NULL), MCP_OK);
    mcp_message_free(request);
}

static void on_template(void *user, mcp_message_t *request) {
    (void)user;
    char *context = NULL;
    CHECK_STATUS(mcp_request_context(request, &context, NULL), MCP_OK);
    char *id = json_at(context, "/variables/id");
    char *result = format("{\"contents\":[{\"uri\":\"t:/items/%s\",\"text\":\"item %s\"}]}", id, id);
    CHECK_STATUS(mcp_request_respond(request, result, NULL), MCP_OK);
    free(result);
    mcp_string_free(id);
    mcp_string_free(context);
    mcp_message_free(request);
}

static void on_resource(void *user, mcp_message_t *request) {
    CHECK_STATUS(mcp_request_respond(request, "{\"contents\":[{\"uri\":\"t:/handled\",\"text\":\"handled\"}]}", NULL), MCP_OK);
    mcp_message_free(request);
    (void)user;
}

static void on_prompt(void *user, mcp_message_t *request) {
    CHECK_STATUS(mcp_request_respond(
                     request, "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"hello\"}}]}", NULL),
                 MCP_OK);
    mcp_message_free(request);
    (void)user;
}

static void on_complete(void *user, mcp_message_t *request) {
    CHECK_STATUS(mcp_request_respond(request, "{\"completion\":{\"values\":[\"computed\"]}}", NULL), MCP_OK);
    mcp_message_free(request);
    (void)user;
}

static void on_keep(void *user, mcp_message_t *request) {
    pthread_mutex_lock(&guard);
    kept = request;
    pthread_mutex_unlock(&guard);
    (void)user;
}

static mcp_message_t *kept_now(void) {
    pthread_mutex_lock(&guard);
    mcp_message_t *now = kept;
    pthread_mutex_unlock(&guard);
    return now;
}

/* The reply of a call that must succeed, as text; free() it. */
static char *call(mcp_client_t *client, const char *method, const char *params) {
    mcp_message_t *reply = NULL;
    mcp_status_t status = mcp_call(client, method, params, NULL, &reply);
    if (status != MCP_OK) {
        FAIL("%s: %s", method, mcp_message_json(reply, NULL));
    }
    char *json = format("%s", mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    return json;
}

static void check_call(mcp_client_t *client, const char *method, const char *params, const char *pointer, const char *expected) {
    char *json = call(client, method, params);
    if (!json_is(json, pointer, expected)) {
        FAIL("%s %s gives %s, expected %s at %s", method, params, json, expected, pointer);
    }
    free(json);
}

static mcp_message_t *next_topic(mcp_client_t *client, mcp_topic_t topic) {
    for (long long deadline = now_ms() + patience();;) {
        CHECK_LE(now_ms(), deadline);
        mcp_message_t *message = next_of_kind(client, MCP_KIND_NOTIFICATION);
        if (mcp_message_topic(message) == topic) {
            return message;
        }
        mcp_message_free(message);
    }
}

static void in_era(const char *path, const char *revision) {
    char *members = format("\"protocol\":\"%s\"", revision);
    mcp_client_t *client = client_at(path, members);
    free(members);
    bool modern = strcmp(revision, "2026-07-28") == 0;

    start_tool(client, "work", NULL, modern ? "{\"progress\":true,\"meta\":{\"io.modelcontextprotocol/logLevel\":\"info\"}}" : "{\"progress\":true}", 1);
    mcp_message_t *message = next_of_kind(client, MCP_KIND_PROGRESS);
    const char *half = mcp_message_json(message, NULL);
    /* Revision 2024-11-05 has no message in it. */
    if (!json_is(half, "/progress", "1") || (json_is(half, "/message", "half") != (strcmp(revision, "2024-11-05") != 0))) {
        FAIL("%s: %s", revision, half);
    }
    mcp_message_free(message);
    message = next_of_kind(client, MCP_KIND_PROGRESS);
    mcp_message_free(message);
    message = next_topic(client, MCP_TOPIC_LOG);
    CHECK(json_is(mcp_message_json(message, NULL), "/data/a", "1"));
    mcp_message_free(message);
    message = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(message), MCP_OK);
    mcp_message_free(message);

    check_call(client, "resources/read", "{\"uri\":\"t:/text\"}", "/contents/0/text", "fixed");
    check_call(client, "resources/read", "{\"uri\":\"t:/blob\"}", "/contents/0/blob", "AAEC");
    check_call(client, "resources/read", "{\"uri\":\"t:/handled\"}", "/contents/0/text", "handled");
    check_call(client, "resources/read", "{\"uri\":\"t:/items/a7\"}", "/contents/0/text", "item a7");
    check_call(client, "prompts/get", "{\"name\":\"p\"}", "/messages/0/content/text", "hello");
    check_call(client, "completion/complete",
               "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"re\"}}",
               "/completion/values", "[\"red\"]");
    check_call(client, "completion/complete",
               "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"t:/items/{id}\"},\"argument\":{\"name\":\"id\",\"value\":\"\"}}",
               "/completion/values/0", "computed");
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_call(client, "resources/read", "{\"uri\":\"t:/none\"}", NULL, &reply), MCP_ERROR_SERVER);
    mcp_message_free(reply);

    CHECK_STATUS(mcp_client_subscribe_resource(client, "t:/text", NULL, NULL), MCP_OK);
    drain(client);
    /* A stream of 2026-07-28 is acknowledged before; a burst of changes is told once to each. */
    CHECK_STATUS(mcp_server_resource_updated(server, "t:/handled", NULL), MCP_OK);
    CHECK_STATUS(mcp_server_resource_updated(server, "t:/text", NULL), MCP_OK);
    message = next_topic(client, MCP_TOPIC_RESOURCE_UPDATED);
    CHECK(json_is(mcp_message_json(message, NULL), "/uri", "t:/text"));
    mcp_message_free(message);
    add_tool(server, TOOL("more"), on_keep, NULL);
    mcp_message_free(next_topic(client, MCP_TOPIC_TOOLS_CHANGED));
    CHECK_STATUS(mcp_server_remove(server, "tool", "more", NULL), MCP_OK);
    CHECK_STATUS(mcp_server_remove(server, "tool", "more", NULL), MCP_EMPTY);
    mcp_message_free(next_topic(client, MCP_TOPIC_TOOLS_CHANGED));

    uint64_t number = start_tool(client, "keep", NULL, NULL, 2);
    UNTIL(kept_now() != NULL);
    CHECK_STATUS(mcp_call_cancel(client, number, NULL), MCP_OK);
    UNTIL(mcp_request_cancelled(kept_now()));
    CHECK_STATUS(mcp_request_respond_text(kept_now(), "late", false, NULL), MCP_ERROR_CANCELLED);
    mcp_message_free(kept_now());
    kept = NULL;
    close_and_free(client);
}

int main(void) {
    struct holdings held = holdings_now();
    char *path = new_path();
    server = new_server("{\"name\":\"s\",\"announce\":{\"logging\":true,\"tools\":true}}");
    add_tool(server, TOOL("work"), on_work, NULL);
    add_tool(server, TOOL("keep"), on_keep, NULL);
    CHECK_STATUS(mcp_server_add_text(server, "{\"uri\":\"t:/text\",\"name\":\"text\"}", "fixed", NULL), MCP_OK);
    CHECK_STATUS(mcp_server_add_blob(server, "{\"uri\":\"t:/blob\",\"name\":\"blob\"}", "\0\1\2", 3, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_add_resource(server, "{\"uri\":\"t:/handled\",\"name\":\"h\"}", on_resource, NULL, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_add_resource_template(server, "{\"uriTemplate\":\"t:/items/{id}\",\"name\":\"items\"}", on_template,
                                                  NULL, NULL, NULL),
                 MCP_OK);
    CHECK_STATUS(mcp_server_add_prompt(server, "{\"name\":\"p\",\"arguments\":[{\"name\":\"a\"}]}", on_prompt, NULL, NULL, NULL),
                 MCP_OK);
    CHECK_STATUS(mcp_server_add_completion(server, "p", "a", "[\"red\",\"blue\"]", NULL, NULL, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_add_completion(server, "t:/items/{id}", "id", NULL, on_complete, NULL, NULL, NULL), MCP_OK);
    serve_at(server, path);
    pthread_t thread = start_thread(serve_on, server);
    in_era(path, "2024-11-05");
    in_era(path, "2025-11-25");
    in_era(path, "2026-07-28");
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(held);
    remove_path(path);
    return 0;
}
