/*
 * A server of the library in the process of the soak, so that what is watched (memory, descriptors, threads) is that of both
 * sides: over HTTP for both eras, and over a Unix socket. It is closed and made again while its clients call.
 */
#ifndef MCP_TESTS_SOAK_SERVED_H
#define MCP_TESTS_SOAK_SERVED_H

#include "ledger.h"

#define TOOL(name) "{\"name\":\"" name "\",\"inputSchema\":{\"type\":\"object\"}}"
/* How long a close may take: what is under way ends within a second. */
#define SERVED_CLOSE_MS 1000

static struct {
    mcp_server_t *server;
    int port;
    char path[64];
    long long made;
} served;

static void served_failed(const char *what, mcp_status_t status, const char *error) {
    FAIL("the server of this process: %s: %s, %s", what, mcp_status_name(status), error != NULL ? error : "");
}

/* Answers, unless the client or the server is gone meanwhile. */
static void answer_served(mcp_message_t *request, const char *text, bool is_error) {
    char *error = NULL;
    mcp_status_t status = mcp_request_respond_text(request, text, is_error, &error);
    if (status != MCP_OK && status != MCP_ERROR_CANCELLED && status != MCP_ERROR_TRANSPORT && status != MCP_ERROR_CLOSED) {
        served_failed("an answer", status, error);
    }
    mcp_string_free(error);
    mcp_message_free(request);
}

static mcp_value_t served_argument(const mcp_message_t *request, const char *name) {
    return mcp_value_get(mcp_value_get(mcp_message_value(request), "arguments"), name);
}

static long long served_number(const mcp_message_t *request, const char *name, long long otherwise) {
    int64_t number = 0;
    return mcp_value_int64(served_argument(request, name), &number) == MCP_OK ? (long long)number : otherwise;
}

static void serve_echo(void *user, mcp_message_t *request) {
    (void)user;
    const char *text = mcp_value_string(served_argument(request, "text"), NULL);
    answer_served(request, text != NULL ? text : "nothing", text == NULL);
}

/* Waits on a thread of the library until the time is over or the call is cancelled. */
static void serve_slow(void *user, mcp_message_t *request) {
    (void)user;
    long long until = now_ms() + served_number(request, "ms", 0);
    while (now_ms() < until && !mcp_request_cancelled(request)) {
        mcp_request_progress(request, 1.0, 2.0, "half");
        poll(NULL, 0, 10);
    }
    answer_served(request, "slept", false);
}

static void serve_big(void *user, mcp_message_t *request) {
    (void)user;
    long long bytes = served_number(request, "bytes", 1);
    char *text = malloc((size_t)bytes + 1);
    CHECK(text != NULL);
    memset(text, 'x', (size_t)bytes);
    text[bytes] = '\0';
    answer_served(request, text, false);
    free(text);
}

static void serve_notify(void *user, mcp_message_t *request) {
    (void)user;
    for (long long left = served_number(request, "count", 0); left > 0; left--) {
        mcp_request_log(request, "info", "soak", "\"a line\"");
    }
    answer_served(request, "told", false);
}

static void serve_ask(void *user, mcp_message_t *request) {
    static const char form[] = "{\"message\":\"?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"answer\":{"
                               "\"type\":\"string\"}}}}";
    char *answer = NULL;
    char *error = NULL;
    (void)user;
    mcp_status_t status = mcp_request_ask(request, "a", "elicitation/create", form, &answer, &error);
    if (status == MCP_OK) {
        answer_served(request, answer, false);
    } else if (status == MCP_ERROR_UNSUPPORTED) {
        answer_served(request, "the client cannot be asked", true);
    } else {
        /* It was asked, and this function runs again; or the client refused, or is gone. */
        mcp_message_free(request);
    }
    mcp_string_free(answer);
    mcp_string_free(error);
}

static void serve_fail(void *user, mcp_message_t *request) {
    (void)user;
    answer_served(request, "failed as asked", true);
}

static void serve_at(const char *endpoint) {
    char *error = NULL;
    mcp_status_t status = mcp_server_serve(served.server, endpoint, NULL, &error);
    if (status != MCP_OK) {
        served_failed(endpoint, status, error);
    }
}

/* Tells the clients that subscribed, and none has to. */
static void change_served(void) {
    CHECK_STATUS(mcp_server_resource_updated(served.server, "soak://one", NULL), MCP_OK);
}

/* Makes the server and serves; its handlers run on threads of the library. */
static void start_served(int port) {
    static const struct {
        const char *definition;
        mcp_handler_t handler;
    } tools[] = {{TOOL("echo"), serve_echo},     {TOOL("slow"), serve_slow}, {TOOL("big"), serve_big},
                 {TOOL("notify"), serve_notify}, {TOOL("ask"), serve_ask},   {TOOL("fail"), serve_fail}};
    static const char config[] = "{\"name\":\"soak\",\"version\":\"1\",\"workers\":8,\"announce\":{\"logging\":true},"
                                 "\"limits\":{\"sessions\":200,\"session_event_bytes\":262144},\"timeouts\":{\"session_ms\":20000}}";
    char *error = NULL;
    mcp_status_t status = mcp_server_new(config, NULL, &served.server, &error);
    if (status != MCP_OK) {
        served_failed("making it", status, error);
    }
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        status = mcp_server_add_tool(served.server, tools[i].definition, tools[i].handler, NULL, NULL, &error);
        if (status != MCP_OK) {
            served_failed(tools[i].definition, status, error);
        }
    }
    status = mcp_server_add_text(served.server, "{\"uri\":\"soak://one\",\"name\":\"one\"}", "one", &error);
    if (status != MCP_OK) {
        served_failed("its resource", status, error);
    }
    /* The threads with the clients read where it is, which stays so. */
    if (served.made++ == 0) {
        served.port = port;
        snprintf(served.path, sizeof served.path, "/tmp/mcp-soak-%ld.sock", (long)getpid());
    }
    char *http = format("{\"url\":\"http://127.0.0.1:%d/mcp\"}", port);
    char *local = format("{\"socket\":\"unix:%s\"}", served.path);
    serve_at(http);
    serve_at(local);
    free(http);
    free(local);
}

static void stop_served(void) {
    long long begin = lived_ms();
    mcp_status_t status = mcp_server_close(served.server, SERVED_CLOSE_MS);
    if ((status != MCP_OK && status != MCP_ERROR_TIMEOUT) || lived_ms() - begin > SERVED_CLOSE_MS + 3000) {
        served_failed("closing it", status, NULL);
    }
    mcp_server_free(served.server);
    served.server = NULL;
}

#endif
