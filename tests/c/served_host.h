/*
 * What the C tests of servers inside an HTTP server of the program share: this program is that HTTP server, with requests that it
 * makes up, and reads the answers as one with a loop would, or one with a thread for each request.
 */
#ifndef MCP_TESTS_SERVED_HOST_H
#define MCP_TESTS_SERVED_HOST_H

#include "served.h"

#include <strings.h>

static inline void serve_inside(mcp_server_t *server, const char *members) {
    char *error = NULL;
    char *bound = NULL;
    char *endpoint = format("{\"url\":\"http://127.0.0.1/mcp\",\"listen\":false%s%s}", members != NULL ? "," : "", members != NULL ? members : "");
    if (mcp_server_serve(server, endpoint, &bound, &error) != MCP_OK) {
        FAIL("%s not served: %s", endpoint, error != NULL ? error : "(no error)");
    }
    CHECK_TEXT(bound, "{\"url\":\"http://127.0.0.1/mcp\"}");
    mcp_string_free(bound);
    free(endpoint);
}

/* One exchange, as its reader sees it. */
struct seen {
    mcp_exchange_t *exchange;
    int readies;   /* calls of `ready` */
    int destroyed; /* calls of `destroy` */
    int32_t status;
    int64_t announced;
    size_t length;
    char body[1 << 18];
};

static inline void on_ready(void *user) { __atomic_add_fetch(&((struct seen *)user)->readies, 1, __ATOMIC_SEQ_CST); }

static inline void on_destroy(void *user) { __atomic_add_fetch(&((struct seen *)user)->destroyed, 1, __ATOMIC_SEQ_CST); }

static inline int readies(struct seen *seen) { return __atomic_load_n(&seen->readies, __ATOMIC_SEQ_CST); }

/* Begins a request. `headers` are names and values in turn; Host and Content-Type are added. */
static inline struct seen *host_begin(mcp_server_t *server, const char *method, const char *const *headers, const char *body) {
    const char *all[64] = {"Host", "127.0.0.1:8080", "Content-Type", "application/json"};
    for (size_t i = 0; headers != NULL && headers[i] != NULL; i++) {
        CHECK_LE(i, 58);
        all[i + 4] = headers[i];
    }
    struct seen *seen = calloc(1, sizeof *seen);
    CHECK(seen != NULL);
    char *error = NULL;
    if (mcp_server_http(server, method, "/mcp", all, body, strlen(body), on_ready, seen, on_destroy, &seen->exchange, &error) != MCP_OK) {
        FAIL("not taken: %s", error != NULL ? error : "(no error)");
    }
    CHECK(error == NULL && seen->exchange != NULL);
    return seen;
}

#define HEADERS(...) ((const char *const[]){__VA_ARGS__, NULL})

static inline void host_head(struct seen *seen) {
    CHECK_STATUS(mcp_exchange_head(seen->exchange, patience(), &seen->status, &seen->announced), MCP_OK);
}

/* Reads once, waiting at most so long. */
static inline mcp_status_t host_read(struct seen *seen, int timeout_ms, bool *ended) {
    size_t length = 0;
    CHECK_LE(seen->length, sizeof seen->body - 4096);
    mcp_status_t status = mcp_exchange_read(seen->exchange, timeout_ms, seen->body + seen->length, sizeof seen->body - 1 - seen->length, &length);
    seen->length += length;
    seen->body[seen->length] = '\0';
    *ended = status == MCP_OK && length == 0;
    return status;
}

static inline void host_until(struct seen *seen, const char *text) {
    bool ended = false;
    long long deadline = now_ms() + patience(); /* one for all: comments keep a stream alive */
    while (strstr(seen->body, text) == NULL) {
        if (now_ms() > deadline) {
            FAIL("'%s' did not come in %d ms; before: %.600s", text, patience(), seen->body);
        }
        mcp_status_t status = host_read(seen, patience(), &ended);
        if (status != MCP_OK || ended) {
            FAIL("%s before '%s'; before: %.600s", ended ? "the end" : mcp_status_name(status), text, seen->body);
        }
    }
}

static inline void host_until_end(struct seen *seen) {
    bool ended = false;
    long long deadline = now_ms() + patience();
    while (!ended) {
        CHECK_LE(now_ms(), deadline);
        CHECK_STATUS(host_read(seen, patience(), &ended), MCP_OK);
    }
    /* It stays ended. */
    CHECK_STATUS(host_read(seen, 0, &ended), MCP_OK);
    CHECK(ended);
    CHECK(seen->announced < 0 || (size_t)seen->announced == seen->length);
}

/* A header of the answer, valid until the exchange is freed; NULL without one. */
static inline const char *host_header(struct seen *seen, const char *name) {
    const char *value = NULL;
    const char *found = NULL;
    for (size_t i = 0; (found = mcp_exchange_header(seen->exchange, i, &value)) != NULL; i++) {
        if (strcmp(found, name) == 0) {
            return value;
        }
    }
    CHECK(value == NULL);
    return NULL;
}

/* A request and its whole answer. */
static inline struct seen *host_ask(mcp_server_t *server, const char *method, const char *const *headers, const char *body) {
    struct seen *seen = host_begin(server, method, headers, body);
    host_head(seen);
    host_until_end(seen);
    return seen;
}

static inline void host_free(struct seen *seen) {
    CHECK_STATUS(mcp_exchange_free(seen->exchange), MCP_OK);
    CHECK_STATUS(mcp_exchange_free(seen->exchange), MCP_ERROR_INVALID_ARGUMENT);
    /* A call of `ready` may have begun before. */
    long long deadline = now_ms() + patience();
    while (__atomic_load_n(&seen->destroyed, __ATOMIC_SEQ_CST) == 0) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    CHECK_EQ(__atomic_load_n(&seen->destroyed, __ATOMIC_SEQ_CST), 1);
    free(seen);
}

#define INITIALIZE_AS(version)                                                                               \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"" version "\","        \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"

/* Opens a session of 2025-11-25; gives its name. free() it. */
static inline char *host_session(mcp_server_t *server) {
    struct seen *seen = host_ask(server, "POST", NULL, INITIALIZE_AS("2025-11-25"));
    CHECK_EQ(seen->status, 200);
    const char *found = host_header(seen, "mcp-session-id");
    CHECK(found != NULL);
    char *name = format("%s", found);
    host_free(seen);
    seen = host_ask(server, "POST", HEADERS("Mcp-Session-Id", name), "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    CHECK_EQ(seen->status, 202);
    CHECK_EQ(seen->announced, 0);
    host_free(seen);
    return name;
}

#define PING "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}"
#define CALL(id, tool)                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" tool "\",\"arguments\":{},"      \
    "\"_meta\":{\"progressToken\":" #id "}}}"
#define MODERN_META                                                                                          \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                   \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define MODERN_HEADERS(method) "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method
#define MODERN_CALL(id, tool)                                                                                \
    "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" tool "\",\"arguments\":{}," MODERN_META "}}"

/* A handler that keeps its request. */
static mcp_message_t *held_back;

static inline void on_later(void *user, mcp_message_t *request) {
    (void)user;
    mcp_request_progress(request, 1, 2, NULL); /* not every request asks for it */
    __atomic_store_n(&held_back, request, __ATOMIC_SEQ_CST);
}

static inline mcp_message_t *taken(void) {
    long long deadline = now_ms() + patience();
    mcp_message_t *request;
    while ((request = __atomic_exchange_n(&held_back, NULL, __ATOMIC_SEQ_CST)) == NULL) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    return request;
}

static inline void on_hello(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "hello", false, NULL), MCP_OK);
    mcp_message_free(request);
}

#endif
