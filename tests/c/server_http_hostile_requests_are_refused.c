/* Requests that two parsers could understand in different ways, floods of headers, pipelines, abused chunks, half-closed sockets,
 * garbage where TLS is expected, and 10,000 abandoned sessions: memory and descriptors stay bounded, and others are served
 * meanwhile. */
#include "served_http.h"

static long handled;

/* A sanitizer keeps what was freed in a quarantine, so the size of the process says nothing under one. */
static void check_growth(long before_kib, long most_kib) {
    if (getenv("MCP_UNDER_SANITIZER") == NULL) {
        CHECK_LE(memory_kib("VmRSS:") - before_kib, most_kib);
    }
}

static void on_hello(void *user, mcp_message_t *request) {
    (void)user;
    __atomic_fetch_add(&handled, 1, __ATOMIC_SEQ_CST);
    mcp_request_respond_text(request, "hello", false, NULL); /* its client may be gone */
    mcp_message_free(request);
}

static void check_served(int port) {
    struct wire *wire = ask(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: hello\r\n", MODERN_CALL(1, "hello"));
    CHECK_EQ(status_of(wire), 200);
    CHECK(strstr(wire->bytes, "hello") != NULL);
    wire_free(wire);
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        count++;
    }
    return count;
}

#define HELLO MODERN_CALL(1, "hello")
#define HEAD "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" MODERN_HEADERS("tools/call") "Mcp-Name: hello\r\n"

/* A second request is hidden where a parser may or may not see the body of the first: it must never be served. */
static void smuggling(int port) {
    static const char *const framings[] = {
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        "Content-Length: 0\r\nContent-Length: 5\r\n\r\n",
        "Content-Length: 0, 5\r\n\r\n",
        "Content-Length: +0\r\n\r\n",
        "Content-Length: -1\r\n\r\n",
        "Content-Length: 0x0\r\n\r\n",
        "Content-Length: 99999999999999999999999\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "X: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        "Transfer-Encoding: chunked\r\n\r\n1 ;x\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2\r\n{}xx0\r\n\r\n",
    };
    long before = __atomic_load_n(&handled, __ATOMIC_SEQ_CST);
    for (size_t i = 0; i < sizeof framings / sizeof framings[0]; i++) {
        struct wire *wire = wire_to(port);
        char *request = format("%s%s" HEAD "Connection: close\r\nContent-Length: %zu\r\n\r\n%s", HEAD, framings[i], strlen(HELLO), HELLO);
        wire_send(wire, request, strlen(request));
        free(request);
        wire_until_end(wire);
        if (count_of(wire->bytes, "HTTP/1.1 200") > 0) {
            FAIL("the hidden request behind '%s' was served: %s", framings[i], wire->bytes);
        }
        wire_free(wire);
    }
    CHECK_EQ(__atomic_load_n(&handled, __ATOMIC_SEQ_CST), before);
    check_served(port);
}

/* Heads with too many lines and too many bytes. */
static void header_floods(int port) {
    for (int kind = 0; kind < 3; kind++) {
        struct wire *wire = wire_to(port);
        bool taken = wire_send(wire, HEAD, strlen(HEAD));
        char *line = kind == 0 ? format("X: y\r\n") : kind == 1 ? format("X-%01000d: y\r\n", 1) : format("X: %01000d", 1);
        for (int i = 0; taken && i < 4000; i++) {
            taken = wire_send(wire, line, strlen(line));
        }
        free(line);
        wire_until_end(wire);
        CHECK_EQ(count_of(wire->bytes, "HTTP/1.1 200"), 0);
        wire_free(wire);
    }
    check_served(port);
}

/* Many requests at once are answered one after another, all of them; a client that reads no answers is not read from. */
static void pipelines(int port) {
    enum { REQUESTS = 50 };
    struct wire *wire = wire_to(port);
    for (int i = 0; i < REQUESTS; i++) {
        char *request = format(HEAD "%sContent-Length: %zu\r\n\r\n%s", i == REQUESTS - 1 ? "Connection: close\r\n" : "", strlen(HELLO), HELLO);
        CHECK(wire_send(wire, request, strlen(request)));
        free(request);
    }
    wire_until_end(wire);
    CHECK_EQ(count_of(wire->bytes, "HTTP/1.1 200"), REQUESTS);
    wire_free(wire);

    /* It sends without end and reads nothing: the system takes what its buffers hold, and the connection ends. */
    wire = wire_to(port);
    struct timeval second = {.tv_sec = 0, .tv_usec = 200000};
    CHECK_EQ(setsockopt(wire->fd, SOL_SOCKET, SO_SNDTIMEO, &second, sizeof second), 0);
    int small = 1024;
    CHECK_EQ(setsockopt(wire->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    char *request = format(HEAD "Content-Length: %zu\r\n\r\n%s", strlen(HELLO), HELLO);
    long sent = 0;
    while (sent < (64 << 20) && wire_send(wire, request, strlen(request))) {
        sent += (long)strlen(request);
    }
    CHECK_LE(sent, (64 << 20) - 1);
    free(request);
    check_served(port);
    wire_free(wire);
}

/* A body in very many chunks, and one whose chunks have long extensions. */
static void chunks(int port) {
    struct wire *wire = wire_to(port);
    static const char head[] = HEAD "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
    CHECK(wire_send(wire, head, sizeof head - 1));
    for (const char *at = HELLO; *at != '\0'; at++) {
        char *chunk = format("1\r\n%c\r\n", *at);
        CHECK(wire_send(wire, chunk, strlen(chunk)));
        free(chunk);
    }
    CHECK(wire_send(wire, "0\r\n\r\n", 5));
    wire_until_end(wire);
    CHECK_EQ(status_of(wire), 200);
    wire_free(wire);
    /* Extensions and trailers are not kept, and not without end. */
    for (int kind = 0; kind < 2; kind++) {
        wire = wire_to(port);
        bool taken = wire_send(wire, head, sizeof head - 1) && wire_send(wire, kind == 0 ? "1;" : "0\r\n", kind == 0 ? 2 : 3);
        char *flood = kind == 0 ? format("%01000d", 1) : format("X: %01000d\r\n", 1);
        for (int i = 0; taken && i < 4000; i++) {
            taken = wire_send(wire, flood, strlen(flood));
        }
        free(flood);
        wire_until_end(wire);
        CHECK_EQ(count_of(wire->bytes, "HTTP/1.1 200"), 0);
        wire_free(wire);
    }
    check_served(port);
}

/* Clients that close the half they write on, in each phase. */
static void half_closed(int port) {
    static const char *const parts[] = {"", "POST /mcp", HEAD, HEAD "Content-Length: 100\r\n\r\n{", HEAD "Transfer-Encoding: chunked\r\n\r\n5\r\n{"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct wire *wire = wire_to(port);
        CHECK(wire_send(wire, parts[i], strlen(parts[i])));
        CHECK_EQ(shutdown(wire->fd, SHUT_WR), 0);
        wire_until_end(wire);
        CHECK_EQ(count_of(wire->bytes, "HTTP/1.1 200"), 0);
        wire_free(wire);
    }
    check_served(port);
}

/* Sessions that are opened and left: the newest push out those that were not used for longest. */
static void abandoned_sessions(mcp_server_t *server, int port, int sessions) {
    struct wire *wire = wire_to(port);
    char *request = format("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                           strlen(INITIALIZE_AS("2025-11-25")), INITIALIZE_AS("2025-11-25"));
    long before = 0;
    for (int i = 0; i < sessions; i++) {
        wire->length = 0;
        wire->bytes[0] = '\0';
        CHECK(wire_send(wire, request, strlen(request)));
        wire_until(wire, "protocolVersion");
        wire_until(wire, "\r\n\r\n{");
        if (i == sessions / 10) {
            before = memory_kib("VmRSS:");
        }
        if (i % 1000 == 999) {
            check_served(port);
        }
    }
    free(request);
    CHECK_LE(info_number(server, "/sessions"), 101);
    CHECK_GE(info_number(server, "/counters/sessions_opened"), sessions);
    check_growth(before, 16 << 10);
    wire_free(wire);
    check_served(port);
}

int main(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"limits\":{\"frame_bytes\":65536,\"connections\":32,\"head_bytes\":16384,\"sessions\":100},"
                                      "\"timeouts\":{\"head_ms\":500,\"body_ms\":500,\"write_ms\":500}}");
    add_tool(server, TOOL("hello"), on_hello, NULL);
    int port = serve_http(server, NULL);
    pthread_t thread = start_thread(serve_on, server);
    long before = memory_kib("VmRSS:");
    smuggling(port);
    header_floods(port);
    pipelines(port);
    chunks(port);
    half_closed(port);
    check_growth(before, 64 << 10);
    abandoned_sessions(server, port, scaled(10000, 500));
    long long deadline = now_ms() + patience();
    while (info_number(server, "/http/connections") > 0) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    CHECK_EQ(info_number(server, "/requests"), 0);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(held);
    return 0;
}
