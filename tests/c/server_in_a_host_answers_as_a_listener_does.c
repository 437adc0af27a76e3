/* Inside an HTTP server of the program: the answers, refusals and sessions of both eras are those of a listener of the library;
 * what a hostile client sends is refused, with the status that HTTP has for it. */
#include "served_host.h"

#define DISCOVER "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"server/discover\",\"params\":{" MODERN_META "}}"

struct row {
    const char *about;
    const char *method;
    const char *headers[8];
    const char *body;
    int status;
    const char *code; /* of the JSON-RPC error, or NULL */
};

static const struct row ROWS[] = {
    {"a path has three methods", "PUT", {NULL}, "{}", 405, "-32600"},
    {"no method of HTTP", "GE T", {NULL}, "{}", 400, "-32600"},
    {"nothing that is accepted", "POST", {"Accept", "text/html"}, PING, 406, "-32600"},
    {"two media types", "POST", {"content-type", "text/plain"}, PING, 415, "-32600"},
    {"a page of another origin", "POST", {"Origin", "http://evil.example.com"}, PING, 403, "-32600"},
    {"two hosts", "POST", {"HOST", "evil.example.com"}, PING, 400, "-32600"},
    {"a header in a header", "POST", {"X", "a\r\nY: b"}, PING, 400, "-32600"},
    {"a name with a space", "POST", {"a b", "c"}, PING, 400, "-32600"},
    {"no JSON", "POST", {NULL}, "{", 400, "-32700"},
    {"no message", "POST", {NULL}, "{\"jsonrpc\":\"2.0\"}", 400, "-32600"},
    {"no session", "POST", {NULL}, PING, 400, "-32600"},
    {"an unknown session", "POST", {"Mcp-Session-Id", "nonsense"}, PING, 404, "-32600"},
    {"two sessions", "POST", {"Mcp-Session-Id", "a", "Mcp-Session-Id", "b"}, PING, 400, "-32020"},
    {"GET in the modern era", "GET", {"MCP-Protocol-Version", "2026-07-28"}, "", 405, "-32600"},
    {"discovery", "POST", {MODERN_HEADERS("server/discover")}, DISCOVER, 200, NULL},
    {"another method in the header", "POST", {MODERN_HEADERS("tools/list")}, DISCOVER, 400, "-32020"},
    {"another name", "POST", {MODERN_HEADERS("tools/call"), "Mcp-Name", "other"}, MODERN_CALL(9, "hello"), 400, "-32020"},
    {"a call", "POST", {MODERN_HEADERS("tools/call"), "Mcp-Name", "hello"}, MODERN_CALL(9, "hello"), 200, NULL},
    {"an unknown method", "POST", {MODERN_HEADERS("no/such")},
     "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"no/such\",\"params\":{" MODERN_META "}}", 404, "-32601"},
};

static void check_row(mcp_server_t *server, const struct row *row) {
    struct seen *seen = host_ask(server, row->method, row->headers, row->body);
    char *code = strstr(seen->body, "\"error\"") != NULL ? json_at(seen->body, "/error/code") : NULL;
    bool is_code = row->code == NULL ? code == NULL : code != NULL && strcmp(code, row->code) == 0;
    if (seen->status != row->status || !is_code) {
        FAIL("%s: %d %s", row->about, (int)seen->status, seen->body);
    }
    const char *type = host_header(seen, "content-type");
    CHECK(type != NULL);
    CHECK_TEXT(type, "application/json");
    if (row->status == 405) {
        CHECK(host_header(seen, "allow") != NULL);
    }
    mcp_string_free(code);
    host_free(seen);
}

static void check_session(mcp_server_t *server) {
    char *session = host_session(server);
    static const char *const accepts[][2] = {
        {"*/*", "application/json"},
        {"application/json, text/event-stream", "application/json"},
        {"text/event-stream", "text/event-stream"},
    };
    for (size_t i = 0; i < sizeof accepts / sizeof accepts[0]; i++) {
        struct seen *seen = host_ask(server, "POST", HEADERS("Mcp-Session-Id", session, "Accept", accepts[i][0]), CALL(5, "hello"));
        CHECK_EQ(seen->status, 200);
        CHECK_TEXT(host_header(seen, "content-type"), accepts[i][1]);
        CHECK_EQ(seen->announced < 0, i == 2);
        CHECK_EQ(strstr(seen->body, "id: ") != NULL, i == 2);
        CHECK(strstr(seen->body, "hello") != NULL);
        host_free(seen);
    }
    struct seen *seen = host_ask(server, "POST", HEADERS("Mcp-Session-Id", session), PING);
    CHECK_TEXT(seen->body, "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}");
    host_free(seen);
    seen = host_ask(server, "DELETE", HEADERS("Mcp-Session-Id", session), "");
    CHECK_EQ(seen->status, 204);
    host_free(seen);
    seen = host_ask(server, "POST", HEADERS("Mcp-Session-Id", session), PING);
    CHECK_EQ(seen->status, 404);
    host_free(seen);
    free(session);
}

/* The status of a request with exactly these parts. */
static int status_for(mcp_server_t *server, const char *target, const char *const *headers, const char *body, size_t length) {
    mcp_exchange_t *exchange = NULL;
    int32_t status = 0;
    CHECK_STATUS(mcp_server_http(server, "POST", target, headers, body, length, NULL, NULL, NULL, &exchange, NULL), MCP_OK);
    CHECK_STATUS(mcp_exchange_head(exchange, patience(), &status, NULL), MCP_OK);
    CHECK_STATUS(mcp_exchange_free(exchange), MCP_OK);
    return status;
}

#define LOCAL "Host", "127.0.0.1", "Content-Type", "application/json"

static void check_hostile(mcp_server_t *server) {
    CHECK_EQ(status_for(server, "/mcp", NULL, PING, strlen(PING)), 400);
    CHECK_EQ(status_for(server, "/mcp", HEADERS("Content-Type", "application/json"), PING, strlen(PING)), 400);
    CHECK_EQ(status_for(server, "/mcp", HEADERS("Host", "evil.example.com"), PING, strlen(PING)), 403);
    CHECK_EQ(status_for(server, "/other", HEADERS(LOCAL), PING, strlen(PING)), 404);
    CHECK_EQ(status_for(server, "no target", HEADERS(LOCAL), PING, strlen(PING)), 400);
    CHECK_EQ(status_for(server, "/mcp?query=1", HEADERS(LOCAL, MODERN_HEADERS("server/discover")), DISCOVER, strlen(DISCOVER)), 200);
    CHECK_EQ(status_for(server, "http://evil.example.com/mcp", HEADERS(LOCAL), PING, strlen(PING)), 403);
    /* A NUL in the body is not valid JSON. */
    CHECK_EQ(status_for(server, "/mcp", HEADERS(LOCAL), "{\0}", 3), 400);
    CHECK_EQ(status_for(server, "/mcp", HEADERS(LOCAL), NULL, 0), 400);

    /* So many headers, and so long ones. */
    const size_t many = 100000;
    const char **headers = calloc(2 * many + 1, sizeof *headers);
    CHECK(headers != NULL);
    for (size_t i = 0; i < many; i++) {
        headers[2 * i] = "X-Bomb";
        headers[2 * i + 1] = "1";
    }
    CHECK_EQ(status_for(server, "/mcp", headers, PING, strlen(PING)), 431);
    char *large = malloc(70000);
    CHECK(large != NULL);
    memset(large, 'x', 69999);
    large[69999] = '\0';
    CHECK_EQ(status_for(server, "/mcp", HEADERS(LOCAL, "X-Large", large), PING, strlen(PING)), 431);
    CHECK_EQ(status_for(server, "/mcp", HEADERS(LOCAL, "X-Small", "a", "X-\xc3\xb6", "b"), PING, strlen(PING)), 400);
    /* A body over limits.frame_bytes. */
    CHECK_EQ(status_for(server, "/mcp", HEADERS(LOCAL), large, 60000), 413);
    free(large);
    free(headers);
}

static void check_misuse(mcp_server_t *server) {
    mcp_exchange_t *exchange = NULL;
    char *error = NULL;
    int destroyed = 0;
    struct seen seen = {0};
    CHECK_STATUS(mcp_server_http(server, NULL, "/mcp", NULL, NULL, 0, NULL, &seen, on_destroy, &exchange, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(error != NULL && exchange == NULL);
    mcp_string_free(error);
    CHECK_EQ(seen.destroyed, ++destroyed);
    CHECK_STATUS(mcp_server_http(server, "POST", "/mcp", HEADERS("Host"), NULL, 0, NULL, &seen, on_destroy, &exchange, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(seen.destroyed, ++destroyed);
    CHECK_STATUS(mcp_server_http(server, "POST", "/mcp", NULL, NULL, 1, NULL, &seen, on_destroy, &exchange, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(seen.destroyed, ++destroyed);
    CHECK_STATUS(mcp_server_http(server, "POST", "/mcp", NULL, NULL, 0, NULL, &seen, on_destroy, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(seen.destroyed, ++destroyed);
    CHECK_STATUS(mcp_exchange_free(NULL), MCP_OK);
    CHECK_STATUS(mcp_exchange_head(NULL, 0, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_exchange_free((mcp_exchange_t *)server), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(mcp_exchange_header(NULL, 0, NULL) == NULL);

    struct seen *ping = host_begin(server, "POST", NULL, PING);
    size_t length = 1;
    CHECK(mcp_exchange_header(ping->exchange, 1000, NULL) == NULL);
    CHECK_STATUS(mcp_exchange_read(ping->exchange, 0, ping->body, 0, &length), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(length, 0);
    CHECK_STATUS(mcp_exchange_read(ping->exchange, 0, NULL, 1, &length), MCP_ERROR_INVALID_ARGUMENT);
    /* Byte by byte, without the head. */
    char byte;
    while (mcp_exchange_read(ping->exchange, 0, &byte, 1, &length) == MCP_OK && length == 1) {
        ping->body[ping->length++] = byte;
    }
    CHECK(json_is(ping->body, "/error/code", "-32600"));
    host_free(ping);

    static const char *const endpoints[] = {
        "{\"url\":\"http://127.0.0.1/mcp\",\"listen\":false}", /* the path is taken */
        "{\"url\":\"https://127.0.0.1/x\",\"listen\":false,\"certificate_file\":\"a\",\"key_file\":\"b\"}",
        "{\"socket\":\"tcp:127.0.0.1:0\",\"listen\":false}",
    };
    for (size_t i = 0; i < sizeof endpoints / sizeof endpoints[0]; i++) {
        CHECK_STATUS(mcp_server_serve(server, endpoints[i], NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    }
    mcp_server_t *other = new_server("{\"name\":\"other\"}");
    CHECK_STATUS(mcp_server_http(other, "POST", "/mcp", NULL, NULL, 0, NULL, &seen, on_destroy, &exchange, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(strstr(error, "listen") != NULL);
    mcp_string_free(error);
    CHECK_EQ(seen.destroyed, ++destroyed);
    CHECK_STATUS(mcp_server_free(other), MCP_OK);
}

/* Pages of listed origins may read answers; another URL of the program needs its own host. */
static void check_pages(mcp_server_t *server) {
    const char *const origin[] = {"Host", "mcp.example.com", "Origin", "https://app.example.com", "Access-Control-Request-Method", "POST", NULL};
    struct seen seen = {0};
    CHECK_STATUS(mcp_server_serve(server, "{\"url\":\"https://mcp.example.com/public\",\"listen\":false,\"origins\":[\"https://app.example.com\"]}", NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_http(server, "OPTIONS", "/public", origin, NULL, 0, NULL, NULL, NULL, &seen.exchange, NULL), MCP_OK);
    host_head(&seen);
    CHECK_EQ(seen.status, 204);
    CHECK_TEXT(host_header(&seen, "access-control-allow-origin"), "https://app.example.com");
    CHECK_STATUS(mcp_exchange_free(seen.exchange), MCP_OK);
    CHECK_EQ(status_for(server, "/public", HEADERS("Host", "127.0.0.1", "Content-Type", "application/json"), PING, strlen(PING)), 403);
    CHECK_EQ(status_for(server, "/public", HEADERS("Host", "mcp.example.com:8443", "Content-Type", "application/json"), PING, strlen(PING)), 400);
}

int main(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"workers\":1,\"limits\":{\"frame_bytes\":50000}}");
    add_tool(server, TOOL("hello"), on_hello, NULL);
    serve_inside(server, NULL);
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        check_row(server, &ROWS[i]);
    }
    check_session(server);
    check_hostile(server);
    check_misuse(server);
    check_pages(server);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    mcp_exchange_t *exchange = NULL;
    CHECK_STATUS(mcp_server_http(server, "POST", "/mcp", NULL, NULL, 0, NULL, NULL, NULL, &exchange, NULL), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(held);
    return 0;
}
