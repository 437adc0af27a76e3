/*
 * Our client at our server in one process, and what the server tells and offers.
 */
#include "served.h"

/* A client and a server in one process without a socket: calls, and questions in both eras, from several threads and on one
 * thread with one queue. What a handler that asks has kept is there in its next run. Either may be freed first, and each end is
 * told to the other. */
static void on_add(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "sum", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void on_ask(void *user, mcp_message_t *request) {
    (void)user;
    char *answer = NULL;
    mcp_status_t status = mcp_request_ask(request, "name", "elicitation/create",
                                          "{\"mode\":\"form\",\"message\":\"Name?\",\"requestedSchema\":{\"type\":"
                                          "\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}}",
                                          &answer, NULL);
    char *state = NULL;
    if (status == MCP_OK) {
        CHECK_STATUS(mcp_request_state(request, &state, NULL), MCP_OK);
        CHECK_TEXT(state, "kept by run 1");
        mcp_string_free(state);
        char *name = json_at(answer, "/content/name");
        CHECK_STATUS(mcp_request_respond_text(request, name, false, NULL), MCP_OK);
        mcp_string_free(name);
        mcp_string_free(answer);
    } else if (status == MCP_ERROR_UNSUPPORTED) {
        CHECK_STATUS(mcp_request_respond_text(request, "unsupported", false, NULL), MCP_OK);
    } else {
        CHECK_STATUS(status, MCP_EMPTY);
        CHECK(answer == NULL);
        CHECK_STATUS(mcp_request_state(request, &state, NULL), MCP_EMPTY);
        CHECK_STATUS(mcp_request_set_state(request, "kept by run 1", NULL), MCP_OK);
    }
    mcp_message_free(request);
}

static mcp_client_t *client_of(mcp_server_t *server, const char *config, mcp_queue_t *queue) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    if (mcp_client_new_in_process(config, queue, server, &client, &error) != MCP_OK) {
        FAIL("no client: %s", error != NULL ? error : "(no error)");
    }
    return client;
}

static void *call_many(void *client) {
    for (int i = 0; i < scaled(500, 50); i++) {
        char *text = tool_text(client, "add", NULL);
        CHECK_TEXT(text, "sum");
        mcp_string_free(text);
    }
    return NULL;
}

static void threads_call(const char *config) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("add"), on_add, NULL);
    add_tool(server, TOOL("ask"), on_ask, NULL);
    pthread_t serving = start_thread(serve_on, server);
    mcp_client_t *client = client_of(server, config, NULL);
    pthread_t callers[3];
    for (int i = 0; i < 3; i++) {
        callers[i] = start_thread(call_many, client);
    }
    for (int i = 0; i < 3; i++) {
        join_thread(callers[i]);
    }
    CHECK_EQ(info_number(server, "/sessions"), 1);
    /* The client cannot be asked, and the handler is told. */
    char *text = tool_text(client, "ask", NULL);
    CHECK_TEXT(text, "unsupported");
    free(text);
    /* The end of the client is the end of its session, and not of the server. */
    close_and_free(client);
    CHECK_EQ(info_number(server, "/sessions"), 0);
    client = client_of(server, config, NULL);
    pthread_t caller = start_thread(call_many, client);
    join_thread(caller);

    /* The end of the server ends what the client waits for, and what it tries. */
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(serving);
    mcp_message_t *reply = call_tool(client, "add", NULL, "{\"timeout_ms\":50}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_UNAVAILABLE);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    close_and_free(client);
}

static void on_wait(void *server, mcp_message_t *request) {
    /* The first one waits until a call has found no place. The library reads on meanwhile. */
    UNTIL(info_number(server, "/counters/held") > 0);
    CHECK_STATUS(mcp_request_respond_text(request, "x", false, NULL), MCP_OK);
    mcp_message_free(request);
}

/* Calls at one time at a server that takes four of them and lets eight wait: each succeeds. */
static void with_few_places(void) {
    mcp_server_t *server =
        new_server("{\"name\":\"s\",\"limits\":{\"session_requests\":4,\"requests\":8,\"session_waiting\":8}}");
    add_tool(server, TOOL("wait"), on_wait, server);
    pthread_t serving = start_thread(serve_on, server);
    mcp_client_t *client = client_of(server, "{}", NULL);
    for (int i = 0; i < 64; i++) {
        start_tool(client, "wait", NULL, NULL, (uint64_t)i);
    }
    for (int i = 0; i < 64; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        if (mcp_message_status(reply) != MCP_OK) {
            FAIL("reply %d: %s", i, mcp_message_error(reply, NULL));
        }
        mcp_message_free(reply);
    }
    close_and_free(client);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(serving);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

/* One thread and one queue: its polls run the handlers, answer the questions and take the replies. */
static void one_thread_does_all(const char *protocol) {
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_server_t *server = NULL;
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\"}", queue, &server, NULL), MCP_OK);
    add_tool(server, TOOL("add"), on_add, NULL);
    add_tool(server, TOOL("ask"), on_ask, NULL);
    char *config = format("{\"protocol\":\"%s\",\"capabilities\":{\"elicitation\":{\"form\":{}}}}", protocol);
    mcp_client_t *client = client_of(server, config, queue);
    free(config);
    int replies = 0;
    int questions = 0;
    for (int i = 0; i < 10; i++) {
        start_tool(client, i % 2 == 0 ? "add" : "ask", NULL, NULL, (uint64_t)i);
    }
    while (replies < 10) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_REQUEST) {
            CHECK(mcp_message_client(message) == client);
            CHECK_STATUS(mcp_request_respond(message, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}", NULL), MCP_OK);
            questions++;
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_TEXT(mcp_message_text(message, NULL), mcp_message_tag(message) % 2 == 0 ? "sum" : "Ann");
            replies++;
        }
        mcp_message_free(message);
    }
    CHECK_EQ(questions, 5);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    close_and_free(client);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

static void what_makes_no_sense_is_refused(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    mcp_client_t *client = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_client_new_in_process("{\"limits\":{\"overflow\":\"block\"}}", NULL, server, &client, &error),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "drop_oldest");
    mcp_string_free(error);
    CHECK_STATUS(mcp_client_new_in_process("{\"command\":\"x\"}", NULL, server, &client, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_new_in_process("{}", NULL, NULL, &client, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_new_in_process("{}", NULL, server, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_new_in_process(NULL, NULL, server, &client, NULL), MCP_ERROR_INVALID_ARGUMENT);
    /* A call that no thread serves ends in its time. */
    add_tool(server, TOOL("add"), on_add, NULL);
    client = client_of(server, "{\"reconnect\":false}", NULL);
    connect_client(client);
    mcp_message_t *reply = call_tool(client, "add", NULL, "{\"timeout_ms\":50}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    mcp_message_free(reply);
    close_and_free(client);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

static void client_and_server_in_one_process(void) {
    struct holdings held = holdings_now();
    threads_call("{}");
    threads_call("{\"protocol\":\"legacy\"}");
    with_few_places();
    one_thread_does_all("modern");
    one_thread_does_all("legacy");
    what_makes_no_sense_is_refused();
    check_nothing_left(held);
}

/* Our client at our server, in both eras: progress and log messages, resources as text, blob, from a handler and from a
 * template with its variables, prompts, completions, lists that change, resources that change, and the end of a cancelled call. */
static mcp_server_t *server;
static mcp_message_t *kept;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void on_work(void *user, mcp_message_t *request) {
    (void)user;
    CHECK(!mcp_request_cancelled(request));
    CHECK(mcp_request_client_has(request, "io.modelcontextprotocol/ui") && mcp_request_client_has(request, "roots"));
    CHECK(!mcp_request_client_has(request, "sampling") && !mcp_request_client_has(request, "com.example/x"));
    CHECK(!mcp_request_client_has(request, NULL) && !mcp_request_client_has(request, "\xff") && !mcp_request_client_has(NULL, "roots"));
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
    if (strcmp(id, "gone") == 0) {
        CHECK_STATUS(mcp_request_respond_error(request, MCP_CODE_NOT_FOUND, NULL, NULL, NULL), MCP_OK);
    } else if (strcmp(id, "sold") == 0) {
        CHECK_STATUS(mcp_request_respond_error(request, 1, NULL, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_STATUS(mcp_request_respond_error(request, MCP_CODE_NOT_FOUND, "sold out", NULL, NULL), MCP_OK);
    } else {
        CHECK_STATUS(mcp_request_respond(request, result, NULL), MCP_OK);
    }
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
    char *members = format("\"protocol\":\"%s\",\"capabilities\":{\"roots\":{},\"extensions\":{\"io.modelcontextprotocol/ui\":{"
                           "\"mimeTypes\":[\"text/html;profile=mcp-app\"]}}}", revision);
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
    /* What does not exist has the code of the revision: whether the library says so, or a handler. */
    static const char *const missing[] = {"{\"uri\":\"t:/none\"}", "{\"uri\":\"t:/items/gone\"}",
                                          "{\"uri\":\"t:/items/sold\"}"};
    const char *code = strcmp(revision, "2026-07-28") == 0 ? "-32602" : "-32002";
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        CHECK_STATUS(mcp_call(client, "resources/read", missing[i], NULL, &reply), MCP_ERROR_SERVER);
        CHECK(json_is(mcp_message_json(reply, NULL), "/code", code));
        CHECK_EQ(json_is(mcp_message_json(reply, NULL), "/message", "sold out"), i == 2);
        mcp_message_free(reply);
    }

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

static void server_tells_and_offers_in_every_era(void) {
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
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    client_and_server_in_one_process();
    server_tells_and_offers_in_every_era();
    return 0;
}
