/* Clients over HTTP that are slow, silent, too large, too many or do not read cost the others nothing and leave nothing behind. */
#include "served_http.h"

static void on_hello(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "hello", false, NULL), MCP_OK);
    mcp_message_free(request);
}

/* Sends log messages without end, until the request is over. */
static void on_flood(void *user, mcp_message_t *request) {
    (void)user;
    static char text[4096];
    memset(text, 'x', sizeof text - 1);
    for (int i = 0; i < 4000 && !mcp_request_cancelled(request); i++) {
        mcp_request_progress(request, i + 1, 0, text);
    }
    mcp_request_respond_text(request, "flooded", false, NULL);
    mcp_message_free(request);
}

static void on_large(void *user, mcp_message_t *request) {
    (void)user;
    char *text = malloc(16 << 20);
    CHECK(text != NULL);
    memset(text, 'x', (16 << 20) - 1);
    text[(16 << 20) - 1] = '\0';
    mcp_request_respond_text(request, text, false, NULL);
    free(text);
    mcp_message_free(request);
}

static void check_served(int port) {
    struct wire *wire = ask(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: hello\r\n", MODERN_CALL(1, "hello"));
    CHECK_EQ(status_of(wire), 200);
    CHECK(strstr(wire->bytes, "hello") != NULL);
    wire_free(wire);
}

/* Until there is room for one more connection: the server learns of the ends of others when it looks at them. */
static void wait_until_served(int port) {
    long long deadline = now_ms() + patience();
    for (bool served = false; !served;) {
        CHECK_LE(now_ms(), deadline);
        breathe();
        struct wire *wire = ask(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: hello\r\n", MODERN_CALL(1, "hello"));
        served = strncmp(wire->bytes, "HTTP/1.1 200", 12) == 0;
        wire_free(wire);
    }
}

int main(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"limits\":{\"frame_bytes\":4096,\"connections\":8,\"outgoing_bytes\":65536,\"sessions\":30},"
                                      "\"timeouts\":{\"head_ms\":300,\"body_ms\":300,\"write_ms\":300}}");
    add_tool(server, TOOL("hello"), on_hello, NULL);
    add_tool(server, TOOL("flood"), on_flood, NULL);
    add_tool(server, TOOL("large"), on_large, NULL);
    int port = serve_http(server, NULL);
    pthread_t thread = start_thread(serve_on, server);

    /* Too large, said before and found while it comes. */
    char *large = malloc(100000);
    CHECK(large != NULL);
    memset(large, ' ', 99999);
    large[99999] = '\0';
    struct wire *wire = ask(port, "POST", "", large);
    CHECK_EQ(status_of(wire), 413);
    wire_free(wire);
    wire = wire_to(port);
    static const char chunked[] = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    CHECK(wire_send(wire, chunked, sizeof chunked - 1));
    for (int i = 0; i < 10; i++) {
        char *chunk = format("400\r\n%.1024s\r\n", large);
        bool sent = wire_send(wire, chunk, strlen(chunk));
        free(chunk);
        if (!sent) {
            break;
        }
    }
    wire_until(wire, "413");
    wire_free(wire);

    /* Requests that parsers understand in different ways. */
    static const char *const smuggled[] = {
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length : 2\r\n\r\n{}",
        "POST /mcp HTTP/1.1\r\nHost: local\0host\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n",
        "GARBAGE\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    };
    for (size_t i = 0; i < sizeof smuggled / sizeof smuggled[0]; i++) {
        wire = wire_to(port);
        CHECK(wire_send(wire, smuggled[i], i == 2 ? 41 : strlen(smuggled[i])));
        wire_until_end(wire);
        CHECK(strstr(wire->bytes, "HTTP/1.1 2") == NULL);
        wire_free(wire);
    }
    check_served(port);

    /* Silent and dripping clients lose their connections, and others find room again. */
    struct wire *silent[8];
    for (int i = 0; i < 8; i++) {
        silent[i] = wire_to(port);
        const char *part = i % 2 == 0 ? "POST /mcp HT" : "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{";
        CHECK(wire_send(silent[i], part, strlen(part)));
    }
    for (int i = 0; i < 8; i++) {
        wire_until_end(silent[i]);
        wire_free(silent[i]);
    }
    wait_until_served(port);

    /* One that does not read is cut off, and its handler is told. */
    char *session = open_session(port);
    wire = begin(port, "POST", session, CALL(5, "flood"));
    check_served(port);
    long long deadline = now_ms() + patience();
    while (info_number(server, "/requests") > 0) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    wire_free(wire);
    free(session);
    check_served(port);

    /* Those that take nothing of an answer lose their connections, although nothing more is sent to them: others find room. */
    struct wire *stuck[8];
    for (int i = 0; i < 8; i++) {
        stuck[i] = wire_to(port);
        int small = 1024;
        CHECK_EQ(setsockopt(stuck[i]->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
        char *request = format("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" MODERN_HEADERS("tools/call")
                               "Mcp-Name: large\r\nContent-Length: %zu\r\n\r\n%s", strlen(MODERN_CALL(6, "large")), MODERN_CALL(6, "large"));
        CHECK(wire_send(stuck[i], request, strlen(request)));
        free(request);
    }
    wait_until_served(port);
    for (int i = 0; i < 8; i++) {
        wire_free(stuck[i]);
    }
    wait_until_served(port);

    /* Bodies that do not end are refused in their time, and take no room from others. */
    struct wire *bodies[5];
    for (int i = 0; i < 5; i++) {
        bodies[i] = wire_to(port);
        char *request = format("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n%.3500s", large);
        CHECK(wire_send(bodies[i], request, strlen(request)));
        free(request);
    }
    check_served(port);
    for (int i = 0; i < 5; i++) {
        wire_until_end(bodies[i]);
        CHECK_EQ(status_of(bodies[i]), 408);
        wire_free(bodies[i]);
    }
    check_served(port);

    /* Sessions that are opened and left make room for others, and those that were never used end soon. */
    for (int i = 0; i < 40; i++) {
        free(open_session(port));
        struct wire *opened = ask(port, "POST", "", INITIALIZE_AS("2025-11-25"));
        CHECK_EQ(status_of(opened), 200);
        wire_free(opened);
        check_served(port);
    }
    deadline = now_ms() + patience();
    while (info_number(server, "/sessions") > 30) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    free(large);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(held);
    return 0;
}
