/* Closing a server over HTTP is bounded: streams end, what waits is answered, the port is free again, and nothing is left. */
#include "served_http.h"

static mcp_message_t *held_back;

/* Body of a thread that reads everything that a connection brings. */
static void *read_all(void *connection) {
    struct wire *wire = connection;
    do {
        wire->total += (long)wire->length;
        wire->length = 0;
    } while (wire_read(wire));
    return NULL;
}

static void on_never(void *user, mcp_message_t *request) {
    (void)user;
    __atomic_store_n(&held_back, request, __ATOMIC_SEQ_CST);
}

#define LISTEN                                                                                               \
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true}," MODERN_META "}}"

/* Closing waits for what clients of the modern era have under way, no longer; large answers arrive whole. */
static void on_large(void *user, mcp_message_t *request) {
    (void)user;
    char *text = malloc(1 << 20);
    CHECK(text != NULL);
    memset(text, 'x', (1 << 20) - 1);
    text[(1 << 20) - 1] = '\0';
    CHECK_STATUS(mcp_request_respond_text(request, text, false, NULL), MCP_OK);
    free(text);
    mcp_message_free(request);
}

static void modern(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("never"), on_never, NULL);
    add_tool(server, TOOL("large"), on_large, NULL);
    int port = serve_http(server, NULL);
    pthread_t thread = start_thread(serve_on, server);
    struct wire *listen = begin(port, "POST", MODERN_HEADERS("subscriptions/listen"), LISTEN);
    wire_until(listen, "notifications/subscriptions/acknowledged");
    struct wire *call = begin(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: never\r\n", MODERN_CALL(3, "never"));
    struct wire *large = begin(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: large\r\n", MODERN_CALL(5, "large"));
    long long deadline = now_ms() + patience();
    while (__atomic_load_n(&held_back, __ATOMIC_SEQ_CST) == NULL || info_number(server, "/counters/handled") < 2) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    wire_until(large, "xxxxxxxx");
    pthread_t reader = start_thread(read_all, large);
    long long begun = now_ms();
    CHECK_STATUS(mcp_server_close(server, 3 * patience()), MCP_OK);
    CHECK_LE(now_ms() - begun, 2000 + slack());
    join_thread(reader);
    CHECK_GE(large->total, 1 << 20);
    wire_until(call, "the server is closing");
    wire_until_end(call);
    wire_until_end(listen);
    wire_free(large);
    wire_free(call);
    wire_free(listen);
    join_thread(thread);
    mcp_message_free(held_back);
    held_back = NULL;
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

static void round_of(int port) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("never"), on_never, NULL);
    char *error = NULL;
    char *endpoint = format("{\"url\":\"http://127.0.0.1:%d/mcp\"}", port);
    if (mcp_server_serve(server, endpoint, NULL, &error) != MCP_OK) {
        FAIL("%s not served: %s", endpoint, error);
    }
    free(endpoint);
    pthread_t thread = start_thread(serve_on, server);
    char *session = open_session(port);
    char *headers = format("%sAccept: text/event-stream\r\n", session);
    struct wire *streams[20];
    for (int i = 0; i < 20; i++) {
        char *name = open_session(port);
        char *each = format("%sAccept: text/event-stream\r\n", name);
        streams[i] = begin(port, "GET", each, "");
        wire_until(streams[i], "id: 0-0");
        free(each);
        free(name);
    }
    struct wire *call = begin(port, "POST", session, CALL(3, "never"));
    long long deadline = now_ms() + patience();
    while (__atomic_load_n(&held_back, __ATOMIC_SEQ_CST) == NULL) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    long long begun = now_ms();
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    CHECK_LE(now_ms() - begun, 2000 + slack());
    wire_until(call, "the server is closing");
    wire_until_end(call);
    wire_free(call);
    for (int i = 0; i < 20; i++) {
        wire_until_end(streams[i]);
        CHECK(strstr(streams[i]->bytes, "\r\n0\r\n\r\n") != NULL);
        wire_free(streams[i]);
    }
    join_thread(thread);
    CHECK(mcp_request_cancelled(held_back));
    mcp_message_free(held_back);
    held_back = NULL;
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    free(headers);
    free(session);
}

int main(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    int port = serve_http(server, NULL);
    char *error = NULL;
    char *again = format("{\"url\":\"http://127.0.0.1:%d/other\"}", port);
    CHECK_STATUS(mcp_server_serve(server, again, NULL, &error), MCP_ERROR_UNAVAILABLE);
    mcp_string_free(error);
    free(again);
    static const char *const wrong[] = {
        "{\"url\":\"http://0.0.0.0:0/mcp\"}",
        "{\"url\":\"https://127.0.0.1:0/mcp\"}",
        "{\"url\":\"http://127.0.0.1:0/mcp\",\"stdio\":true}",
        "{\"url\":\"http://127.0.0.1:0/mcp\",\"origins\":[\"app.example.com\"]}",
        "{\"url\":\"http://127.0.0.1:0/mcp\",\"key_file\":\"x\"}",
        "{\"url\":\"nonsense\"}",
        "{\"socket\":\"tcp:127.0.0.1:0\",\"hosts\":[]}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        error = NULL;
        CHECK_STATUS(mcp_server_serve(server, wrong[i], NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
        CHECK(error != NULL);
        mcp_string_free(error);
    }
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    for (int round = 0; round < 3; round++) {
        round_of(port);
    }
    modern();
    check_nothing_left(held);
    return 0;
}
