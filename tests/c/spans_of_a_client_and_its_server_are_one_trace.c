/*
 * The function that takes the spans of OpenTelemetry.
 */
#include "served.h"

/* mcp_telemetry_set: a client and a server tell of one request each, the server's span is a child of the client's, and both are told
 * once. With a share of 0 nothing is told. After it was replaced the function runs no more, and its destroy function runs exactly once,
 * also where the options are wrong. */
enum { MOST = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *spans[MOST];
static int count;
static int destroyed;

static void keep(void *user, const char *span_json) {
    CHECK(user == &count);
    pthread_mutex_lock(&lock);
    CHECK_LE(count, MOST - 1);
    spans[count++] = format("%s", span_json);
    pthread_mutex_unlock(&lock);
}

static void destroy(void *user) {
    CHECK(user == &count);
    pthread_mutex_lock(&lock);
    destroyed++;
    pthread_mutex_unlock(&lock);
}

static int gone(void) {
    pthread_mutex_lock(&lock);
    int copy = destroyed;
    pthread_mutex_unlock(&lock);
    return copy;
}

/* The span of `name` that a side told: 2 is the server, 3 the client. NULL if it is not there yet. */
static const char *span_of(const char *name, const char *kind) {
    const char *found = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++) {
        if (json_is(spans[i], "/name", name) && json_is(spans[i], "/kind", kind)) {
            CHECK(found == NULL);
            found = spans[i];
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void on_add(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "sum", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void call_in_one_process(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("add"), on_add, NULL);
    pthread_t serving = start_thread(serve_on, server);
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new_in_process("{}", NULL, server, &client, NULL), MCP_OK);
    char *text = tool_text(client, "add", NULL);
    CHECK_TEXT(text, "sum");
    mcp_string_free(text);
    close_and_free(client);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(serving);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

static void check_same(const char *one, const char *at, const char *other, const char *there) {
    char *first = json_at(one, at), *second = json_at(other, there);
    CHECK_TEXT(first, second);
    mcp_string_free(first);
    mcp_string_free(second);
}

int main(void) {
    char *error = NULL;
    CHECK_STATUS(mcp_telemetry_set("{\"sample_rate\":2}", keep, &count, destroy, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "sample_rate");
    mcp_string_free(error);
    CHECK_EQ(gone(), 1);

    CHECK_STATUS(mcp_telemetry_set("{\"sample_rate\":0}", keep, &count, destroy, NULL), MCP_OK);
    call_in_one_process();
    CHECK_EQ(count, 0);

    CHECK_STATUS(mcp_telemetry_set("{\"metrics\":true}", keep, &count, destroy, NULL), MCP_OK);
    CHECK_EQ(gone(), 2);
    call_in_one_process();
    UNTIL(span_of("tools/call add", "2") != NULL && span_of("tools/call add", "3") != NULL);
    const char *of_client = span_of("tools/call add", "3"), *of_server = span_of("tools/call add", "2");
    check_same(of_client, "/traceId", of_server, "/traceId");
    check_same(of_client, "/spanId", of_server, "/parentSpanId");
    CHECK(!json_has(of_client, "/parentSpanId"));

    char *metrics = NULL;
    CHECK_STATUS(mcp_telemetry_metrics(&metrics, NULL), MCP_OK);
    CHECK_EQ(json_count(metrics, ""), 2);
    CHECK_CONTAINS(metrics, "mcp.client.operation.duration");
    CHECK_CONTAINS(metrics, "mcp.server.operation.duration");
    mcp_string_free(metrics);
    CHECK_STATUS(mcp_telemetry_metrics(NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);

    CHECK_STATUS(mcp_telemetry_set(NULL, NULL, NULL, NULL, NULL), MCP_OK);
    UNTIL(gone() == 3);
    int before = count;
    call_in_one_process();
    CHECK_EQ(count, before);
    for (int i = 0; i < count; i++) {
        free(spans[i]);
    }
    return 0;
}
