/* A server with times for it drains before it closes: its health says 503 first, then no client connects any more, and what is
 * under way is finished. */
#include "served_http.h"

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

int main(void) {
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
    return 0;
}
