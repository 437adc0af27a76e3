/*
 * Answers of our server over HTTP, byte by byte, its health, metrics and card.
 */
#include "served_http.h"

/* What the specification says of requests over HTTP, byte by byte: status, headers and body of what is served and of what is not. */
static void on_hello(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "hello", false, NULL), MCP_OK);
    mcp_message_free(request);
}

struct row {
    const char *about;
    const char *method;
    const char *headers;
    const char *body;
    int status;
    const char *code; /* of the JSON-RPC error, or NULL */
};

#define PING "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}"
#define DISCOVER "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"server/discover\",\"params\":{" MODERN_META "}}"

/* Requests without a session. */
static const struct row ROWS[] = {
    {"a path has three methods", "PUT", "", "{}", 405, "-32600"},
    {"PATCH is not one of them", "PATCH", "", "{}", 405, "-32600"},
    {"a preflight without a listed origin", "OPTIONS", "Origin: http://localhost\r\nAccess-Control-Request-Method: POST\r\n", "", 403, "-32600"},
    {"another media type", "POST", "Content-Type: text/plain\r\n", PING, 415, "-32600"},
    {"nothing that is accepted", "POST", "Accept: text/html\r\n", PING, 406, "-32600"},
    {"a page of another origin", "POST", "Origin: http://evil.example.com\r\n", PING, 403, "-32600"},
    {"a page that names no origin", "GET", "Sec-Fetch-Site: same-site\r\n", "", 403, "-32600"},
    {"the origin null", "POST", "Origin: null\r\n", PING, 403, "-32600"},
    {"a page of this machine that is not listed", "POST", "Origin: http://localhost\r\n", PING, 403, "-32600"},
    {"no JSON", "POST", "", "{", 400, "-32700"},
    {"a word", "POST", "", "hello", 400, "-32700"},
    {"an array without an end", "POST", "", "[" PING, 400, "-32700"},
    {"nothing", "POST", "", "", 400, "-32700"},
    {"a word in the modern era", "POST", MODERN_HEADERS("tools/list"), "hello", 400, "-32700"},
    {"JSON that is no message", "POST", "", " 7", 400, "-32600"},
    {"no messages", "POST", "", "[]", 400, "-32600"},
    {"an id that is no integer, in the modern era", "POST", MODERN_HEADERS("server/discover"),
     "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"server/discover\",\"params\":{" MODERN_META "}}", 400, "-32600"},
    {"a handshake with an id that is no integer", "POST", "",
     "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
     "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
     400, "-32600"},
    {"no message", "POST", "", "{\"jsonrpc\":\"2.0\"}", 400, "-32600"},
    {"two messages without a session", "POST", "", "[" PING "]", 400, "-32600"},
    {"no session", "POST", "", PING, 400, "-32600"},
    {"an unknown session", "POST", "Mcp-Session-Id: nonsense\r\n", PING, 404, "-32600"},
    {"two sessions", "POST", "Mcp-Session-Id: a\r\nMcp-Session-Id: b\r\n", PING, 400, "-32020"},
    {"GET without a session", "GET", "Accept: text/event-stream\r\n", "", 400, "-32600"},
    {"DELETE without a session", "DELETE", "", "", 400, "-32600"},
    {"GET in the modern era", "GET", "MCP-Protocol-Version: 2026-07-28\r\n", "", 405, "-32600"},
    {"DELETE in the modern era", "DELETE", "MCP-Protocol-Version: 2026-07-28\r\n", "", 405, "-32600"},
    {"a revision that nothing speaks", "POST", "MCP-Protocol-Version: 1999-01-01\r\n", PING, 400, "-32600"},
    {"a modern answer", "POST", "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", 400, "-32600"},
    {"discovery", "POST", MODERN_HEADERS("server/discover"), DISCOVER, 200, NULL},
    {"discovery with a session id that does not matter", "POST", MODERN_HEADERS("server/discover") "Mcp-Session-Id: x\r\n", DISCOVER, 200, NULL},
    {"the version is not repeated", "POST", "Mcp-Method: server/discover\r\n", DISCOVER, 400, "-32020"},
    {"another version in the header", "POST", "Mcp-Method: server/discover\r\nMCP-Protocol-Version: 2025-11-25\r\n", DISCOVER, 400, "-32020"},
    {"the method is not repeated", "POST", "MCP-Protocol-Version: 2026-07-28\r\n", DISCOVER, 400, "-32020"},
    {"another method in the header", "POST", MODERN_HEADERS("tools/list"), DISCOVER, 400, "-32020"},
    {"no metadata", "POST", MODERN_HEADERS("tools/list"), "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\"}", 400, "-32602"},
    {"no capabilities", "POST", MODERN_HEADERS("tools/list"),
     "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}",
     400, "-32602"},
    {"an unknown version", "POST", "MCP-Protocol-Version: v999\r\nMcp-Method: tools/list\r\n",
     "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"v999\","
     "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
     400, "-32022"},
    {"an unknown method", "POST", MODERN_HEADERS("no/such"),
     "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"no/such\",\"params\":{" MODERN_META "}}", 404, "-32601"},
    {"a method of the other era", "POST", MODERN_HEADERS("ping"),
     "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\",\"params\":{" MODERN_META "}}", 404, "-32601"},
    {"the name is not repeated", "POST", MODERN_HEADERS("tools/call"), MODERN_CALL(9, "hello"), 400, "-32020"},
    {"another name", "POST", MODERN_HEADERS("tools/call") "Mcp-Name: other\r\n", MODERN_CALL(9, "hello"), 400, "-32020"},
    {"an unknown tool", "POST", MODERN_HEADERS("tools/call") "Mcp-Name: none\r\n", MODERN_CALL(9, "none"), 200, "-32602"},
    {"a call", "POST", MODERN_HEADERS("tools/call") "Mcp-Name: =?base64?aGVsbG8=?=\r\n", MODERN_CALL(9, "hello"), 200, NULL},
    {"a parameter that is not repeated", "POST", MODERN_HEADERS("tools/call") "Mcp-Name: by_region\r\n",
     "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"by_region\",\"arguments\":{\"region\":\"eu\"}," MODERN_META "}}", 400,
     "-32020"},
    {"a parameter that is repeated", "POST", MODERN_HEADERS("tools/call") "Mcp-Name: by_region\r\nMcp-Param-Region: eu\r\n",
     "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"by_region\",\"arguments\":{\"region\":\"eu\"}," MODERN_META "}}", 200,
     NULL},
    {"a notification without a session", "POST", MODERN_HEADERS("notifications/cancelled"),
     "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1," MODERN_META "}}", 202, NULL},
};

static void check_row(int port, const struct row *row) {
    struct wire *wire = ask(port, row->method, row->headers, row->body);
    int status = status_of(wire);
    char *code = strstr(wire->bytes, "\"error\"") != NULL ? json_at(body_of(wire), "/error/code") : NULL;
    bool is_code = row->code == NULL ? code == NULL : code != NULL && strcmp(code, row->code) == 0;
    if (status != row->status || !is_code) {
        FAIL("%s: %s", row->about, wire->bytes);
    }
    if (row->code != NULL) {
        char *type = header_of(wire, "content-type");
        CHECK_TEXT(type, "application/json");
        free(type);
    }
    if (status == 405) {
        char *allow = header_of(wire, "allow");
        CHECK(allow != NULL && strncmp(allow, "POST", 4) == 0);
        free(allow);
    }
    mcp_string_free(code);
    wire_free(wire);
}

static void check_session(int port) {
    char *session = open_session(port);
    /* Every form of Accept gets an answer that it accepts. */
    static const char *const accepts[][2] = {
        {"", "application/json"},
        {"Accept: application/json, text/event-stream\r\n", "application/json"},
        {"Accept: application/json\r\n", "application/json"},
        {"Accept: text/event-stream\r\n", "text/event-stream"},
        {"Accept: */*\r\n", "application/json"},
    };
    for (size_t i = 0; i < sizeof accepts / sizeof accepts[0]; i++) {
        char *headers = format("%s%sMcp-Method: nonsense\r\n", session, accepts[i][0]);
        struct wire *wire = ask(port, "POST", headers, CALL(5, "hello"));
        CHECK_EQ(status_of(wire), 200);
        char *type = header_of(wire, "content-type");
        CHECK_TEXT(type, accepts[i][1]);
        CHECK(strstr(wire->bytes, "hello") != NULL);
        /* A stream of 2025-11-25 begins with an id, so that a client can come back before the first message. */
        CHECK_EQ(strstr(wire->bytes, "id: ") != NULL, i == 3);
        free(type);
        free(headers);
        wire_free(wire);
    }
    /* What is refused without an id could be about any message: only the status says that it is about this one. */
    static const char *const refused[] = {"", "Accept: text/event-stream\r\n"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char *headers = format("%s%s", session, refused[i]);
        struct wire *wire = ask(port, "POST", headers, "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}");
        CHECK_EQ(status_of(wire), 400);
        CHECK(strstr(body_of(wire), "\"error\"") != NULL && strstr(body_of(wire), "\"id\"") == NULL);
        free(headers);
        wire_free(wire);
    }
    /* A second handshake opens another session, and this one goes on. */
    struct wire *again = ask(port, "POST", session, INITIALIZE_AS("2025-06-18"));
    CHECK_EQ(status_of(again), 200);
    char *name = header_of(again, "mcp-session-id");
    CHECK(name != NULL && strstr(session, name) == NULL);
    free(name);
    wire_free(again);
    char *other = format("%sMCP-Protocol-Version: 2025-06-18\r\n", session);
    struct wire *wire = ask(port, "POST", other, PING);
    CHECK_EQ(status_of(wire), 400);
    wire_free(wire);
    free(other);
    /* Ids are the client's own on each stream: the same one twice at a time is fine. */
    wire = ask(port, "POST", session, PING);
    CHECK_EQ(status_of(wire), 200);
    CHECK_TEXT(body_of(wire), "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}");
    wire_free(wire);
    wire = ask(port, "DELETE", session, "");
    CHECK_EQ(status_of(wire), 204);
    wire_free(wire);
    wire = ask(port, "POST", session, PING);
    CHECK_EQ(status_of(wire), 404);
    wire_free(wire);
    free(session);
}

/* Several messages at once are of 2025-03-26 only. */
static void check_batch(int port) {
    struct wire *wire = ask(port, "POST", "", INITIALIZE_AS("2025-03-26"));
    char *name = header_of(wire, "mcp-session-id");
    char *headers = format("Mcp-Session-Id: %s\r\nAccept: application/json\r\n", name);
    wire_free(wire);
    wire = ask(port, "POST", headers, "[" PING ",{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}," CALL(10, "hello") "]");
    CHECK_EQ(status_of(wire), 200);
    char *count = json_at(body_of(wire), "/1/id");
    CHECK_TEXT(count, "10");
    mcp_string_free(count);
    wire_free(wire);
    wire = ask(port, "POST", headers, "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]");
    CHECK_EQ(status_of(wire), 202);
    wire_free(wire);
    static const char *const refused[] = {"[]", "[1]", "[1,2]"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        wire = ask(port, "POST", headers, refused[i]);
        CHECK_EQ(status_of(wire), 400);
        wire_free(wire);
    }
    wire = ask(port, "POST", headers, "[1," PING "]");
    CHECK_EQ(status_of(wire), 200);
    CHECK(strstr(body_of(wire), "\"result\"") != NULL);
    wire_free(wire);
    free(headers);
    free(name);
}

/* Pages of a listed origin may read answers, refusals too. */
static void check_pages(int port) {
    static const char origin[] = "Origin: https://app.example.com\r\n";
    char *headers = format("%sAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type, Mcp-Param-Region, x-evil\r\n", origin);
    struct wire *wire = ask(port, "OPTIONS", headers, "");
    CHECK_EQ(status_of(wire), 204);
    char *allowed = header_of(wire, "access-control-allow-headers");
    CHECK(strstr(allowed, "mcp-session-id") != NULL && strstr(allowed, "mcp-param-region") != NULL);
    CHECK(strstr(allowed, "x-evil") == NULL);
    free(allowed);
    free(headers);
    wire_free(wire);
    wire = ask(port, "POST", origin, PING);
    CHECK_EQ(status_of(wire), 400);
    char *allow = header_of(wire, "access-control-allow-origin");
    CHECK_TEXT(allow, "https://app.example.com");
    free(allow);
    wire_free(wire);
    wire = ask(port, "POST", "Origin: http://localhost\r\n", PING);
    CHECK_EQ(status_of(wire), 403);
    CHECK(header_of(wire, "access-control-allow-origin") == NULL);
    wire_free(wire);
}

/* A proxy and a server that read a head in two ways would see different requests: such a head is refused. */
static void check_heads(int port) {
#define HEAD "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    static const char *const heads[] = {
        "POST /mcp HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 2\n\n{}",
        HEAD "Content-Length: 2\r\n\n{}",
        HEAD "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        HEAD "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
        HEAD "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        HEAD "Content-Length: 2, 2\r\n\r\n{}",
        "POST /mcp#x HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
        "POST ftp://localhost/mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
        HEAD "Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        HEAD "Transfer-Encoding : chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        HEAD "X: a\r\n b\r\nContent-Length: 2\r\n\r\n{}",
        HEAD "X: a\rb\r\nContent-Length: 2\r\n\r\n{}",
        HEAD "Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n",
        HEAD "Transfer-Encoding: chunked\r\n\r\n2;x\n{}\r\n0\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        struct wire *wire = wire_to(port);
        CHECK(wire_send(wire, heads[i], strlen(heads[i])));
        wire_until_end(wire);
        if (status_of(wire) != 400) {
            FAIL("head %zu: %s", i, wire->bytes);
        }
        wire_free(wire);
    }
    /* A NUL ends a text of C. */
    struct wire *wire = wire_to(port);
    static const char nul[] = HEAD "X: a\0b\r\nContent-Length: 2\r\n\r\n{}";
    CHECK(wire_send(wire, nul, sizeof nul - 1));
    wire_until_end(wire);
    CHECK_EQ(status_of(wire), 400);
    wire_free(wire);
    /* Both ways of saying how long a body is are served, one request after the other. */
    wire = wire_to(port);
    static const char two[] = HEAD "Transfer-Encoding: chunked\r\n\r\n3;x=y\r\n{\"j\r\n1\r\n\"\r\n0\r\nT: u\r\n\r\n" HEAD
                              "Connection: close\r\nContent-Length: 5\r\n\r\nhello";
    CHECK(wire_send(wire, two, sizeof two - 1));
    wire_until_end(wire);
    char *second = strstr(wire->bytes + 1, "HTTP/1.1 400");
    CHECK(second != NULL && strstr(wire->bytes, "-32700") < second && strstr(second, "-32700") != NULL);
    wire_free(wire);
}

static mcp_message_t *held_back;

static void on_later(void *user, mcp_message_t *request) {
    (void)user;
    __atomic_store_n(&held_back, request, __ATOMIC_SEQ_CST);
}

/* A client may end what it sends and still wait for its answer. */
static void check_half_closed(int port) {
    struct wire *wire = begin(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: later\r\n", MODERN_CALL(9, "later"));
    CHECK_EQ(shutdown(wire->fd, SHUT_WR), 0);
    long long deadline = now_ms() + patience();
    mcp_message_t *request;
    while ((request = __atomic_exchange_n(&held_back, NULL, __ATOMIC_SEQ_CST)) == NULL) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    for (int i = 0; i < 2; i++) { /* the library has read the end of the first connection when it has answered on others */
        wire_free(ask(port, "POST", "", PING));
    }
    CHECK_STATUS(mcp_request_respond_text(request, "hello", false, NULL), MCP_OK);
    mcp_message_free(request);
    wire_until_end(wire);
    CHECK_EQ(status_of(wire), 200);
    CHECK(strstr(wire->bytes, "hello") != NULL);
    wire_free(wire);
}

/* Names that lead to this machine do not make a page elsewhere one of this server's. */
static void check_host(int port) {
    static const char *const hosts[] = {"evil.example.com", "localhost.evil.example.com:80", ""};
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        struct wire *wire = wire_to(port);
        char *request = format("POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}", hosts[i]);
        CHECK(wire_send(wire, request, strlen(request)));
        wire_until_end(wire);
        CHECK_EQ(status_of(wire), 403);
        free(request);
        wire_free(wire);
    }
}

/* Any address of this machine is in the URL that the server gives back, and so it answers to it. */
static void check_own_address(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    char *bound = NULL;
    CHECK_STATUS(mcp_server_serve(server, "{\"url\":\"http://127.0.0.2:0/mcp\"}", &bound, NULL), MCP_OK);
    pthread_t thread = start_thread(serve_on, server);
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new(bound, NULL, &client, NULL), MCP_OK);
    connect_client(client);
    close_and_free(client);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    mcp_string_free(bound);
}

static void server_http_answers_as_the_page_says(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("hello"), on_hello, NULL);
    add_tool(server, TOOL("later"), on_later, NULL);
    add_tool(server,
             "{\"name\":\"by_region\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\","
             "\"x-mcp-header\":\"Region\"}}}}",
             on_hello, NULL);
    int port = serve_http(server, "\"origins\":[\"https://app.example.com\"]");
    pthread_t thread = start_thread(serve_on, server);
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        check_row(port, &ROWS[i]);
    }
    struct wire *elsewhere = wire_to(port);
    static const char there[] = "GET /other HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    CHECK(wire_send(elsewhere, there, sizeof there - 1));
    wire_until_end(elsewhere);
    CHECK_EQ(status_of(elsewhere), 404);
    wire_free(elsewhere);
    check_session(port);
    check_batch(port);
    check_pages(port);
    check_host(port);
    check_heads(port);
    check_half_closed(port);
    check_own_address();
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(held);
}

/* A URL has paths for its health, its counters and its card where the endpoint asks for them: behind the guard, and the first two
 * never for pages. */
/* A request to another path than /mcp, with a Host and further lines. */
static struct wire *ask_at(int port, const char *method, const char *path, const char *host, const char *headers) {
    struct wire *wire = wire_to(port);
    char *request = format("%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n", method, path, host, headers);
    CHECK(wire_send(wire, request, strlen(request)));
    free(request);
    wire_until_end(wire);
    return wire;
}

static void check_status(int port, const char *method, const char *path, const char *host, const char *headers, int status) {
    struct wire *wire = ask_at(port, method, path, host, headers);
    if (status_of(wire) != status) {
        FAIL("%s %s of '%s': %d, not %d", method, path, host, status_of(wire), status);
    }
    wire_free(wire);
}

static void check_header(const struct wire *wire, const char *name, const char *value) {
    char *found = header_of(wire, name);
    if (value == NULL ? found != NULL : found == NULL || strcmp(found, value) != 0) {
        FAIL("%s is '%s'", name, found != NULL ? found : "(absent)");
    }
    free(found);
}

/* The value of a line of the exposition. */
static long metric(const struct wire *wire, const char *name) {
    char *line = format("\n%s ", name);
    const char *found = strstr(body_of(wire), line);
    if (found == NULL) {
        FAIL("no '%s' in: %s", name, body_of(wire));
    }
    long value = atol(found + strlen(line));
    free(line);
    return value;
}

static void server_http_health_metrics_and_card(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"weather\",\"version\":\"1.2\",\"description\":\"Tells the weather\"}");
    add_tool(server, TOOL("hello"), on_hello, NULL);
    int port = serve_http(server, "\"health\":\"/healthz\",\"metrics\":\"/metrics\",\"origins\":[\"https://app.example.com\"],"
                                  "\"card\":{\"name\":\"com.example/weather\"}");
    pthread_t thread = start_thread(serve_on, server);

    struct wire *wire = ask_at(port, "GET", "/healthz", "127.0.0.1", "");
    CHECK_EQ(status_of(wire), 200);
    CHECK_TEXT(body_of(wire), "serving\n");
    check_header(wire, "cache-control", "no-store");
    wire_free(wire);
    wire = ask_at(port, "HEAD", "/healthz", "127.0.0.1", "");
    CHECK_EQ(status_of(wire), 200);
    CHECK_TEXT(body_of(wire), "");
    wire_free(wire);
    check_status(port, "POST", "/healthz", "127.0.0.1", "Content-Length: 0\r\n", 405);
    check_status(port, "GET", "/healthz/", "127.0.0.1", "", 404);

    /* No page reads them, and no other name leads to them. */
    for (int i = 0; i < 2; i++) {
        const char *path = i == 0 ? "/healthz" : "/metrics";
        check_status(port, "GET", path, "evil.example.com", "", 403);
        check_status(port, "GET", path, "127.0.0.1", "Origin: https://evil.example.com\r\n", 403);
        wire = ask_at(port, "GET", path, "127.0.0.1", "Origin: https://app.example.com\r\n");
        check_header(wire, "access-control-allow-origin", NULL);
        wire_free(wire);
    }

    for (int i = 0; i < 3; i++) {
        wire = ask(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: hello\r\n", MODERN_CALL(1, "hello"));
        CHECK_EQ(status_of(wire), 200);
        wire_free(wire);
    }
    wire = ask(port, "POST", MODERN_HEADERS("tools/call") "Mcp-Name: other\r\n", MODERN_CALL(1, "hello"));
    CHECK_EQ(status_of(wire), 400);
    wire_free(wire);
    wire = ask_at(port, "GET", "/metrics", "127.0.0.1", "");
    CHECK_EQ(status_of(wire), 200);
    check_header(wire, "content-type", "text/plain; version=0.0.4; charset=utf-8");
    CHECK_EQ(metric(wire, "mcp_server_serving"), 1);
    CHECK_EQ(metric(wire, "mcp_server_requests_total"), 3);
    CHECK_EQ(metric(wire, "mcp_server_results_total"), 3);
    CHECK_EQ(metric(wire, "mcp_server_errors_total"), 0);
    CHECK_EQ(metric(wire, "mcp_server_open_requests"), 0);
    CHECK_EQ(metric(wire, "mcp_server_waiting_seconds_count"), 3);
    CHECK_EQ(metric(wire, "mcp_server_handling_seconds_count"), 3);
    CHECK_EQ(metric(wire, "mcp_server_handling_seconds_bucket{le=\"+Inf\"}"), 3);
    CHECK_EQ(metric(wire, "mcp_server_http_answers_total{status=\"400\"}"), 1);
    CHECK_EQ(metric(wire, "mcp_server_http_connections"), 1);
    CHECK_GE(metric(wire, "mcp_server_http_received_bytes_total"), 1000);
    CHECK_GE(metric(wire, "mcp_server_http_sent_bytes_total"), 1000);
    /* Every line is a comment, or a name and a number. */
    char *text = format("%s", body_of(wire));
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char *space = strrchr(line, ' ');
        char *end = NULL;
        if (strncmp(line, "# HELP mcp_server_", 18) != 0 && strncmp(line, "# TYPE mcp_server_", 18) != 0) {
            CHECK(strncmp(line, "mcp_server_", 11) == 0 && space != NULL);
            strtod(space + 1, &end);
            CHECK(*end == '\0' && end > space + 1);
        }
    }
    free(text);
    wire_free(wire);
    CHECK_EQ(info_number(server, "/counters/results"), 3);
    CHECK_EQ(info_number(server, "/times/handling/count"), 3);
    CHECK_EQ(info_number(server, "/http/answers/405"), 1);

    /* The card is for everyone who reaches the server by its name. */
    wire = ask_at(port, "GET", "/mcp/server-card", "127.0.0.1", "Origin: https://elsewhere.example\r\n");
    CHECK_EQ(status_of(wire), 200);
    check_header(wire, "content-type", "application/mcp-server-card+json");
    check_header(wire, "access-control-allow-origin", "*");
    CHECK(json_is(body_of(wire), "/name", "com.example/weather"));
    CHECK(json_is(body_of(wire), "/version", "1.2"));
    char *url = format("http://127.0.0.1:%d/mcp", port);
    CHECK(json_is(body_of(wire), "/remotes/0/url", url));
    wire_free(wire);
    wire = ask_at(port, "GET", "/.well-known/ai-catalog.json", "127.0.0.1", "");
    CHECK_EQ(status_of(wire), 200);
    char *card = format("%s/server-card", url);
    CHECK(json_is(body_of(wire), "/entries/0/url", card));
    CHECK(json_is(body_of(wire), "/entries/0/identifier", "urn:air:example.com:mcp:weather"));
    /* What has not changed is not sent again. */
    char *tag = header_of(wire, "etag");
    CHECK(tag != NULL);
    wire_free(wire);
    char *known = format("If-None-Match: W/\"x\", %s\r\n", tag);
    check_status(port, "GET", "/.well-known/ai-catalog.json", "127.0.0.1", known, 304);
    check_status(port, "GET", "/mcp/server-card", "127.0.0.1", known, 200);
    free(known);
    free(tag);
    free(card);
    free(url);
    check_status(port, "GET", "/mcp/server-card", "evil.example.com", "", 403);
    check_status(port, "OPTIONS", "/mcp/server-card", "127.0.0.1", "Origin: https://elsewhere.example\r\n", 204);
    check_status(port, "POST", "/mcp/server-card", "127.0.0.1", "Content-Length: 0\r\n", 405);

    /* Nothing of this is there unless it is asked for. */
    int bare = serve_http(server, NULL);
    static const char *const paths[] = {"/healthz", "/metrics", "/mcp/server-card", "/.well-known/ai-catalog.json"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        check_status(bare, "GET", paths[i], "127.0.0.1", "", 404);
    }
    static const char *const wrong[] = {
        "{\"socket\":\"tcp:127.0.0.1:0\",\"health\":\"/healthz\"}",
        "{\"url\":\"http://127.0.0.1:0/mcp\",\"health\":\"healthz\"}",
        "{\"url\":\"http://127.0.0.1:0/mcp\",\"metrics\":\"/mcp\"}",
        "{\"url\":\"http://127.0.0.1:0/mcp\",\"card\":{\"name\":\"weather\"}}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char *error = NULL;
        CHECK_STATUS(mcp_server_serve(server, wrong[i], NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
        CHECK(error != NULL);
        mcp_string_free(error);
    }
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(held);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    server_http_answers_as_the_page_says();
    server_http_health_metrics_and_card();
    return 0;
}
