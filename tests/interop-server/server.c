/*
 * The server that the clients of others use: every feature of mcp.h's server, over the standard streams. The README beside
 * this file says what each tool does.
 *
 * With --http it serves a URL, which it prints, until its standard input ends. Each further argument is the origin of a page
 * that may call it.
 */
#include <mcp.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define OBJECT(properties) "{\"type\":\"object\",\"properties\":{" properties "}}"
#define TEXT(name) "\"" name "\":{\"type\":\"string\"}"
#define NUMBER(name) "\"" name "\":{\"type\":\"number\"}"
#define TOOL(name, schema) "{\"name\":\"" name "\",\"inputSchema\":" schema "}"

static const char ADD[] = "{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\",\"properties\":{" NUMBER("a") "," NUMBER(
    "b") "},\"required\":[\"a\",\"b\"]},\"outputSchema\":{\"type\":\"object\",\"properties\":{" NUMBER("sum") "},"
                          "\"required\":[\"sum\"]}}";
static const char NAMES[] = "[\"Ada\",\"Alan\",\"Grace\"]";
static const char TEMPLATE[] = "demo://greeting/{name}";
static const unsigned char PNG[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

static mcp_server_t *server;
static atomic_uint cancelled_calls;
static atomic_uint added_tools;

static void fatal(const char *what, const char *error) {
    fprintf(stderr, "%s: %s\n", what, error != NULL ? error : "no reason");
    exit(1);
}

/* ---- requests and answers ------------------------------------------------------------------- */

static mcp_value_t argument(const mcp_message_t *request, const char *name) {
    return mcp_value_get(mcp_value_get(mcp_message_value(request), "arguments"), name);
}

static int64_t integer(const mcp_message_t *request, const char *name) {
    int64_t number = 0;
    return mcp_value_int64(argument(request, name), &number) == MCP_OK ? number : 0;
}

static void respond_text(mcp_message_t *request, const char *text) {
    char *error = NULL;
    mcp_status_t status = mcp_request_respond_text(request, text, false, &error);
    if (status != MCP_OK && status != MCP_ERROR_CANCELLED) fatal("not answered", error);
    mcp_string_free(error);
    mcp_message_free(request);
}

/* Answers with what the builder wrote, and frees both. */
static void respond_built(mcp_message_t *request, mcp_builder_t *builder) {
    const char *json = NULL;
    char *error = NULL;
    if (mcp_builder_finish(builder, &json, NULL, &error) != MCP_OK) fatal("not built", error);
    mcp_status_t status = mcp_request_respond(request, json, &error);
    if (status != MCP_OK && status != MCP_ERROR_CANCELLED) fatal("not answered", error);
    mcp_string_free(error);
    mcp_builder_free(builder);
    mcp_message_free(request);
}

static void text_member(mcp_builder_t *builder, const char *key, const char *text) {
    mcp_builder_key(builder, key);
    mcp_builder_string(builder, text);
}

/* The answer to a question; NULL if the handler has to return, for it runs again with the answer. */
static mcp_document_t *ask(mcp_message_t *request, const char *method, mcp_builder_t *params) {
    const char *json = "{}";
    char *answer = NULL, *error = NULL;
    if (params != NULL && mcp_builder_finish(params, &json, NULL, &error) != MCP_OK) fatal("not built", error);
    mcp_status_t status = mcp_request_ask(request, "question", method, json, &answer, &error);
    mcp_builder_free(params);
    mcp_document_t *document = NULL;
    if (status == MCP_OK && mcp_document_new(answer, strlen(answer), &document, NULL) != MCP_OK) fatal(method, "no JSON");
    if (status != MCP_OK && status != MCP_EMPTY) mcp_request_respond_text(request, error, true, NULL);
    if (status != MCP_OK) mcp_message_free(request);
    mcp_string_free(answer);
    mcp_string_free(error);
    return document;
}

/* ---- tools ---------------------------------------------------------------------------------- */

static void on_echo(void *user, mcp_message_t *request) {
    (void)user;
    respond_text(request, mcp_value_string(argument(request, "text"), NULL));
}

static void on_add(void *user, mcp_message_t *request) {
    (void)user;
    double a = 0, b = 0;
    mcp_value_double(argument(request, "a"), &a);
    mcp_value_double(argument(request, "b"), &b);
    char said[64];
    snprintf(said, sizeof said, "%g", a + b);
    mcp_builder_t *result = mcp_builder_new();
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "content");
    mcp_builder_begin_array(result);
    mcp_builder_begin_object(result);
    text_member(result, "type", "text");
    text_member(result, "text", said);
    mcp_builder_end(result);
    mcp_builder_end(result);
    mcp_builder_key(result, "structuredContent");
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "sum");
    mcp_builder_double(result, a + b);
    mcp_builder_end(result);
    mcp_builder_end(result);
    respond_built(request, result);
}

static void on_fail(void *user, mcp_message_t *request) {
    (void)user;
    mcp_request_respond_text(request, "This tool always fails", true, NULL);
    mcp_message_free(request);
}

static void on_big(void *user, mcp_message_t *request) {
    (void)user;
    size_t bytes = (size_t)integer(request, "bytes");
    char *text = malloc(bytes + 1);
    if (text == NULL) fatal("big", "no memory");
    memset(text, 'x', bytes);
    text[bytes] = '\0';
    respond_text(request, text);
    free(text);
}

static void on_print(void *user, mcp_message_t *request) {
    (void)user;
    printf("%s", mcp_value_string(argument(request, "text"), NULL));
    fflush(stdout);
    respond_text(request, "printed");
}

/* Takes so many milliseconds in so many steps, on a thread of its own, and reports each. */
static void *slow(void *user) {
    mcp_message_t *request = user;
    int64_t steps = integer(request, "steps");
    int64_t pause = integer(request, "ms") * 1000000 / (steps > 0 ? steps : 1);
    for (int64_t step = 1; step <= steps && !mcp_request_cancelled(request); ++step) {
        nanosleep(&(struct timespec){.tv_sec = pause / 1000000000, .tv_nsec = pause % 1000000000}, NULL);
        mcp_request_progress(request, (double)step, (double)steps, "working");
    }
    if (mcp_request_cancelled(request)) {
        ++cancelled_calls;
        mcp_message_free(request);
    } else {
        char said[64];
        snprintf(said, sizeof said, "waited %lld ms", (long long)integer(request, "ms"));
        respond_text(request, said);
    }
    return NULL;
}

static void on_slow(void *user, mcp_message_t *request) {
    (void)user;
    pthread_t thread;
    if (pthread_create(&thread, NULL, slow, request) != 0) fatal("slow", "no thread");
    pthread_detach(thread);
}

/* Reports once, and answers a moment later. What stands between may cut the connection at the report's text. */
static void *interrupted(void *user) {
    mcp_message_t *request = user;
    mcp_request_progress(request, 1, 2, "cut here");
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    mcp_request_progress(request, 2, 2, "going on");
    respond_text(request, "after the break");
    return NULL;
}

static void on_interrupted(void *user, mcp_message_t *request) {
    (void)user;
    pthread_t thread;
    if (pthread_create(&thread, NULL, interrupted, request) != 0) fatal("interrupted", "no thread");
    pthread_detach(thread);
}

static void on_cancelled(void *user, mcp_message_t *request) {
    (void)user;
    char said[16];
    snprintf(said, sizeof said, "%u", atomic_load(&cancelled_calls));
    respond_text(request, said);
}

static void on_notify(void *user, mcp_message_t *request) {
    (void)user;
    for (int64_t number = 1; number <= integer(request, "count"); ++number) {
        char data[64];
        snprintf(data, sizeof data, "{\"number\":%lld}", (long long)number);
        mcp_request_log(request, "info", "demo", data);
    }
    respond_text(request, "logged");
}

static void on_touch(void *user, mcp_message_t *request) {
    (void)user;
    mcp_server_resource_updated(server, mcp_value_string(argument(request, "uri"), NULL), NULL);
    respond_text(request, "touched");
}

static void on_added(void *user, mcp_message_t *request) {
    (void)user;
    respond_text(request, "added");
}

static void on_change_tools(void *user, mcp_message_t *request) {
    (void)user;
    char tool[80], *error = NULL;
    snprintf(tool, sizeof tool, TOOL("added_%u", "{\"type\":\"object\"}"), ++added_tools);
    if (mcp_server_add_tool(server, tool, on_added, NULL, NULL, &error) != MCP_OK) fatal("change_tools", error);
    respond_text(request, "changed");
}

static void on_sample(void *user, mcp_message_t *request) {
    (void)user;
    mcp_builder_t *params = mcp_builder_new();
    mcp_builder_begin_object(params);
    mcp_builder_key(params, "maxTokens");
    mcp_builder_int64(params, 100);
    mcp_builder_key(params, "messages");
    mcp_builder_begin_array(params);
    mcp_builder_begin_object(params);
    text_member(params, "role", "user");
    mcp_builder_key(params, "content");
    mcp_builder_begin_object(params);
    text_member(params, "type", "text");
    text_member(params, "text", mcp_value_string(argument(request, "prompt"), NULL));
    mcp_builder_end(params);
    mcp_builder_end(params);
    mcp_builder_end(params);
    mcp_builder_end(params);
    mcp_document_t *answer = ask(request, "sampling/createMessage", params);
    if (answer == NULL) return;
    mcp_value_t content = mcp_value_get(mcp_document_value(answer), "content");
    if (mcp_value_type(content) == MCP_JSON_ARRAY) content = mcp_value_at(content, 0);
    respond_text(request, mcp_value_string(mcp_value_get(content, "text"), NULL));
    mcp_document_free(answer);
}

static void on_ask(void *user, mcp_message_t *request) {
    (void)user;
    mcp_builder_t *params = mcp_builder_new();
    mcp_builder_begin_object(params);
    text_member(params, "message", mcp_value_string(argument(request, "question"), NULL));
    mcp_builder_key(params, "requestedSchema");
    mcp_builder_json(params, "{\"type\":\"object\",\"properties\":{" TEXT("answer") "},\"required\":[\"answer\"]}");
    mcp_builder_end(params);
    mcp_document_t *answer = ask(request, "elicitation/create", params);
    if (answer == NULL) return;
    mcp_value_t content = mcp_value_get(mcp_document_value(answer), "content");
    const char *said = mcp_value_string(mcp_value_get(content, "answer"), NULL);
    respond_text(request, said != NULL ? said : "no answer");
    mcp_document_free(answer);
}

static void on_roots(void *user, mcp_message_t *request) {
    (void)user;
    mcp_document_t *answer = ask(request, "roots/list", NULL);
    if (answer == NULL) return;
    mcp_value_t first = mcp_value_first(mcp_value_get(mcp_document_value(answer), "roots"));
    const char *uri = mcp_value_string(mcp_value_get(first, "uri"), NULL);
    respond_text(request, uri != NULL ? uri : "no root");
    mcp_document_free(answer);
}

static void on_pid(void *user, mcp_message_t *request) {
    (void)user;
    char said[16];
    snprintf(said, sizeof said, "%ld", (long)getpid());
    respond_text(request, said);
}

/* ---- resources and prompts ------------------------------------------------------------------ */

static void on_greeting(void *user, mcp_message_t *request) {
    (void)user;
    char *context = NULL, *error = NULL, said[256];
    mcp_document_t *document = NULL;
    if (mcp_request_context(request, &context, &error) != MCP_OK ||
        mcp_document_new(context, strlen(context), &document, &error) != MCP_OK) {
        fatal("no context", error);
    }
    mcp_value_t variables = mcp_value_get(mcp_document_value(document), "variables");
    snprintf(said, sizeof said, "Hello, %s!", mcp_value_string(mcp_value_get(variables, "name"), NULL));
    mcp_builder_t *result = mcp_builder_new();
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "contents");
    mcp_builder_begin_array(result);
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "uri");
    mcp_builder_value(result, mcp_value_get(mcp_message_value(request), "uri"));
    text_member(result, "mimeType", "text/plain");
    text_member(result, "text", said);
    mcp_builder_end(result);
    mcp_builder_end(result);
    mcp_builder_end(result);
    mcp_document_free(document);
    mcp_string_free(context);
    respond_built(request, result);
}

static void on_greet(void *user, mcp_message_t *request) {
    (void)user;
    char said[256];
    snprintf(said, sizeof said, "Please write a friendly greeting for %s.", mcp_value_string(argument(request, "name"), NULL));
    mcp_builder_t *result = mcp_builder_new();
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "messages");
    mcp_builder_begin_array(result);
    mcp_builder_begin_object(result);
    text_member(result, "role", "user");
    mcp_builder_key(result, "content");
    mcp_builder_begin_object(result);
    text_member(result, "type", "text");
    text_member(result, "text", said);
    mcp_builder_end(result);
    mcp_builder_end(result);
    mcp_builder_end(result);
    mcp_builder_end(result);
    respond_built(request, result);
}

static const struct {
    const char *definition;
    mcp_handler_t handler;
} TOOLS[] = {
    {TOOL("echo", OBJECT(TEXT("text"))), on_echo},
    {ADD, on_add},
    {TOOL("fail", OBJECT()), on_fail},
    {TOOL("big", OBJECT(NUMBER("bytes"))), on_big},
    {TOOL("print", OBJECT(TEXT("text"))), on_print},
    {TOOL("slow", OBJECT(NUMBER("ms") "," NUMBER("steps"))), on_slow},
    {TOOL("interrupted", OBJECT()), on_interrupted},
    {TOOL("cancelled", OBJECT()), on_cancelled},
    {TOOL("notify", OBJECT(NUMBER("count"))), on_notify},
    {TOOL("touch", OBJECT(TEXT("uri"))), on_touch},
    {TOOL("change_tools", OBJECT()), on_change_tools},
    {TOOL("sample", OBJECT(TEXT("prompt"))), on_sample},
    {TOOL("ask", OBJECT(TEXT("question"))), on_ask},
    {TOOL("roots", OBJECT()), on_roots},
    {TOOL("pid", OBJECT()), on_pid},
};

static void add_everything(char **error) {
    for (size_t at = 0; at < sizeof TOOLS / sizeof TOOLS[0]; ++at) {
        if (mcp_server_add_tool(server, TOOLS[at].definition, TOOLS[at].handler, NULL, NULL, error) != MCP_OK) {
            fatal("no tool", *error);
        }
    }
    if (mcp_server_add_text(server, "{\"uri\":\"demo://greeting\",\"name\":\"greeting\",\"mimeType\":\"text/plain\"}",
                            "Hello, world!", error) != MCP_OK ||
        mcp_server_add_blob(server, "{\"uri\":\"demo://logo\",\"name\":\"logo\",\"mimeType\":\"image/png\"}",
                            (const char *)PNG, sizeof PNG, error) != MCP_OK ||
        mcp_server_add_resource_template(server, "{\"uriTemplate\":\"demo://greeting/{name}\",\"name\":\"greeting-by-name\"}",
                                         on_greeting, NULL, NULL, error) != MCP_OK ||
        mcp_server_add_prompt(server, "{\"name\":\"greet\",\"arguments\":[{\"name\":\"name\",\"required\":true}]}", on_greet,
                              NULL, NULL, error) != MCP_OK ||
        mcp_server_add_completion(server, "greet", "name", NAMES, NULL, NULL, NULL, error) != MCP_OK ||
        mcp_server_add_completion(server, TEMPLATE, "name", NAMES, NULL, NULL, NULL, error) != MCP_OK) {
        fatal("not added", *error);
    }
}

/* ---- HTTP ----------------------------------------------------------------------------------- */

/* The one who started this program ends it by closing its standard input. */
static void *close_at_end_of_input(void *user) {
    (void)user;
    char rest[64];
    while (read(STDIN_FILENO, rest, sizeof rest) > 0) {
    }
    mcp_status_t status = mcp_server_close(server, 10000);
    if (status != MCP_OK) fatal("not closed", mcp_status_name(status));
    return NULL;
}

/* Serves a URL at a port that the system chooses, and prints it. */
static void serve_http(char **origins, int count, char **error) {
    const char *endpoint = NULL;
    char *bound = NULL;
    mcp_document_t *document = NULL;
    mcp_builder_t *builder = mcp_builder_new();
    mcp_builder_begin_object(builder);
    text_member(builder, "url", "http://127.0.0.1:0/mcp");
    mcp_builder_key(builder, "origins");
    mcp_builder_begin_array(builder);
    for (int at = 0; at < count; ++at) mcp_builder_string(builder, origins[at]);
    mcp_builder_end(builder);
    mcp_builder_end(builder);
    if (mcp_builder_finish(builder, &endpoint, NULL, error) != MCP_OK ||
        mcp_server_serve(server, endpoint, &bound, error) != MCP_OK ||
        mcp_document_new(bound, strlen(bound), &document, error) != MCP_OK) {
        fatal("not served", *error);
    }
    printf("%s\n", mcp_value_string(mcp_value_get(mcp_document_value(document), "url"), NULL));
    fflush(stdout);
    mcp_document_free(document);
    mcp_string_free(bound);
    mcp_builder_free(builder);
}

int main(int argc, char **argv) {
    char *error = NULL;
    pthread_t closing;
    bool over_http = argc > 1 && strcmp(argv[1], "--http") == 0;
    if (mcp_server_new("{\"name\":\"mcp-interop-server\",\"version\":\"1.0\",\"page_size\":4,\"timeouts\":{\"retry_ms\":50},"
                       "\"instructions\":\"Every tool does what its name says.\",\"announce\":{\"logging\":true}}",
                       NULL, &server, &error) != MCP_OK) {
        fatal("no server", error);
    }
    add_everything(&error);
    if (over_http) {
        serve_http(argv + 2, argc - 2, &error);
        if (pthread_create(&closing, NULL, close_at_end_of_input, NULL) != 0) fatal("http", "no thread");
    } else if (mcp_server_serve(server, "{\"stdio\":true}", NULL, &error) != MCP_OK) {
        fatal("not served", error);
    }
    mcp_status_t status = mcp_server_run(server, -1);
    if (over_http) pthread_join(closing, NULL);
    mcp_server_free(server);
    return status == MCP_ERROR_CLOSED ? 0 : 1;
}
