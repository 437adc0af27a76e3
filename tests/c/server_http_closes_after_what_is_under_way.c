/*
 * A server over HTTP that is closed: it drains, and ends its streams.
 */
#include "served_http.h"

/* A server with times for it drains before it closes: its health says 503 first, then no client connects any more, and what is
 * under way is finished. */
static mcp_message_t *held_back;

static void on_hello(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "hello", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void on_slow(void *user, mcp_message_t *request) {
    (void)user;
    __atomic_store_n(&held_back, request, __ATOMIC_SEQ_CST);
}

static void *close_it(void *server) {
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    return NULL;
}

static int health(int port) {
    struct wire *wire = wire_to(port);
    static const char request[] = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    CHECK(wire_send(wire, request, sizeof request - 1));
    wire_until_end(wire);
    int status = status_of(wire);
    wire_free(wire);
    return status;
}

/* Whether a client can connect. */
static bool connects(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(fd, 0);
    bool connected = connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    close(fd);
    return connected;
}

static struct wire *begin_slow(int port) {
    struct wire *wire = begin(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: slow\r\n", MODERN_CALL(7, "slow"));
    long long deadline = now_ms() + patience();
    while (__atomic_load_n(&held_back, __ATOMIC_SEQ_CST) == NULL) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    return wire;
}

static void answer_slow(void) {
    CHECK_STATUS(mcp_request_respond_text(held_back, "finished", false, NULL), MCP_OK);
    mcp_message_free(held_back);
    held_back = NULL;
}

static mcp_server_t *start(const char *times, int *port, pthread_t *thread) {
    char *config = format("{\"name\":\"s\",\"timeouts\":{%s}}", times);
    mcp_server_t *server = new_server(config);
    free(config);
    add_tool(server, TOOL("hello"), on_hello, NULL);
    add_tool(server, TOOL("slow"), on_slow, NULL);
    *port = serve_http(server, "\"health\":\"/healthz\"");
    *thread = start_thread(serve_on, server);
    CHECK_EQ(health(*port), 200);
    return server;
}

static void server_http_drains_before_it_closes(void) {
    struct holdings held = holdings_now();
    int port = 0;
    pthread_t thread;

    /* As long as load balancers need to see it, everything is served; each answer is the last of its connection. */
    mcp_server_t *server = start("\"notice_ms\":3600000,\"drain_ms\":3600000", &port, &thread);
    struct wire *kept = begin(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: hello\r\n", MODERN_CALL(1, "hello"));
    wire_until(kept, "hello");
    pthread_t closing = start_thread(close_it, server);
    long long deadline = now_ms() + patience();
    while (health(port) != 503) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    struct wire *wire = begin(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: hello\r\n", MODERN_CALL(2, "hello"));
    wire_until_end(wire);
    CHECK_EQ(status_of(wire), 200);
    CHECK(strcasestr(wire->bytes, "\r\nconnection: close\r\n") != NULL);
    wire_free(wire);
    char *info = NULL;
    CHECK_STATUS(mcp_server_info(server, &info, NULL), MCP_OK);
    CHECK(json_is(info, "/state", "draining"));
    mcp_string_free(info);
    struct wire *slow = begin_slow(port);
    /* A second call ends the wait: what is under way is refused then. */
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(closing);
    join_thread(thread);
    wire_until_end(slow);
    CHECK(strstr(slow->bytes, "the server is closing") != NULL);
    wire_free(slow);
    wire_until_end(kept);
    wire_free(kept);
    mcp_message_free(held_back);
    held_back = NULL;
    CHECK_STATUS(mcp_server_free(server), MCP_OK);

    /* Without a notice it stops accepting at once, and what is under way is finished. */
    server = start("\"drain_ms\":3600000", &port, &thread);
    kept = begin(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: hello\r\n", MODERN_CALL(1, "hello"));
    wire_until(kept, "hello");
    slow = begin_slow(port);
    closing = start_thread(close_it, server);
    deadline = now_ms() + patience();
    while (connects(port)) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    wire_until_end(kept);
    wire_free(kept);
    CHECK(!mcp_request_cancelled(held_back));
    answer_slow();
    wire_until_end(slow);
    CHECK_EQ(status_of(slow), 200);
    CHECK(strstr(slow->bytes, "finished") != NULL);
    wire_free(slow);
    join_thread(closing);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);

    /* What is not finished in its time is refused, and its handler is told. */
    server = start("\"drain_ms\":100", &port, &thread);
    slow = begin_slow(port);
    long long begun = now_ms();
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    CHECK_GE(now_ms() - begun, 100);
    CHECK_LE(now_ms() - begun, 2100 + slack());
    CHECK(mcp_request_cancelled(held_back));
    wire_until_end(slow);
    CHECK(strstr(slow->bytes, "the server is closing") != NULL);
    wire_free(slow);
    mcp_message_free(held_back);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(held);
}

/* Closing a server over HTTP is bounded: streams end, what waits is answered, the port is free again, and nothing is left. */
static mcp_message_t *held_back_close;

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
    __atomic_store_n(&held_back_close, request, __ATOMIC_SEQ_CST);
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
    while (__atomic_load_n(&held_back_close, __ATOMIC_SEQ_CST) == NULL || info_number(server, "/counters/handled") < 2) {
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
    mcp_message_free(held_back_close);
    held_back_close = NULL;
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
    while (__atomic_load_n(&held_back_close, __ATOMIC_SEQ_CST) == NULL) {
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
    CHECK(mcp_request_cancelled(held_back_close));
    mcp_message_free(held_back_close);
    held_back_close = NULL;
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    free(headers);
    free(session);
}

static void server_http_close_ends_every_stream(void) {
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
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    server_http_drains_before_it_closes();
    server_http_close_ends_every_stream();
    return 0;
}
