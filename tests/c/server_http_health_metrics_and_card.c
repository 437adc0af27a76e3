/* A URL has paths for its health, its counters and its card where the endpoint asks for them: behind the guard, and the first two
 * never for pages. */
#include "served_http.h"

static void on_hello(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "hello", false, NULL), MCP_OK);
    mcp_message_free(request);
}

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

int main(void) {
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
    return 0;
}
