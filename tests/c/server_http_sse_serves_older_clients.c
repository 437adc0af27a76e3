/* HTTP+SSE of 2024-11-05 beside Streamable HTTP: a client that tries POST learns that it must GET; the stream begins with the address of
 * its messages; messages are 202 and their answers come on the stream; the session ends with its stream, or when no message comes in
 * its time; sessions of the two transports are not mixed up; a client of this library finds the transport out by itself. */
#include "served_http.h"

static mcp_message_t *held_back;

static void on_hello(void *user, mcp_message_t *request) {
    (void)user;
    mcp_request_progress(request, 1, 2, NULL); /* not every request asks for it */
    CHECK_STATUS(mcp_request_respond_text(request, "hello", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void on_later(void *user, mcp_message_t *request) {
    (void)user;
    __atomic_store_n(&held_back, request, __ATOMIC_SEQ_CST);
}

/* A request to any path, without waiting for its answer. */
static struct wire *send_to(int port, const char *method, const char *path, const char *headers, const char *body) {
    struct wire *wire = wire_to(port);
    char *request = format("%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%sContent-Length: %zu\r\n\r\n%s", method, path, port, headers,
                           strcasestr(headers, "content-type:") != NULL ? "" : "Content-Type: application/json\r\n",
                           strlen(body), body);
    CHECK(wire_send(wire, request, strlen(request)));
    free(request);
    return wire;
}

static int status_at(int port, const char *method, const char *path, const char *headers, const char *body) {
    char *closing = format("Connection: close\r\n%s", headers);
    struct wire *wire = send_to(port, method, path, closing, body);
    free(closing);
    wire_until_end(wire);
    int status = status_of(wire);
    if (status == 405) {
        char *allow = header_of(wire, "allow");
        CHECK(allow != NULL);
        free(allow);
    }
    if (status == 202) {
        CHECK_TEXT(body_of(wire), "");
    }
    wire_free(wire);
    return status;
}

/* Opens a session; gives the path of its messages. free() it. */
static struct wire *open_stream(int port, char **path) {
    struct wire *stream = send_to(port, "GET", "/sse", "Accept: text/event-stream\r\n", "");
    wire_until(stream, "\r\n\r\n");
    CHECK_EQ(status_of(stream), 200);
    wire_until(stream, "\n\n");
    const char *first = strstr(stream->bytes, "event: ");
    CHECK(first != NULL && strncmp(first, "event: endpoint\ndata: /sse?session_id=", 38) == 0);
    first += 22;
    *path = format("%.*s", (int)strcspn(first, "\n"), first);
    return stream;
}

static void handshake(int port, struct wire *stream, const char *path, const char *initialize) {
    CHECK_EQ(status_at(port, "POST", path, "", initialize), 202);
    wire_until(stream, "\"serverInfo\"");
    CHECK_EQ(status_at(port, "POST", path, "", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"), 202);
}

#define PING "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}"

static void check_raw(mcp_server_t *server, int port) {
    /* The compatibility rules: POST first, 4xx, then GET. */
    CHECK_EQ(status_at(port, "POST", "/sse", "", INITIALIZE_AS("2025-11-25")), 405);
    CHECK_EQ(status_at(port, "DELETE", "/sse", "", ""), 405);
    CHECK_EQ(status_at(port, "GET", "/sse", "Accept: application/json\r\n", ""), 406);
    CHECK_EQ(status_at(port, "GET", "/sse", "Origin: http://evil.example.com\r\n", ""), 403);
    CHECK_EQ(status_at(port, "POST", "/sse?session_id=nonsense", "", PING), 404);
    CHECK_EQ(info_number(server, "/sessions"), 0);

    char *path = NULL;
    struct wire *stream = open_stream(port, &path);
    handshake(port, stream, path, INITIALIZE_AS("2024-11-05"));
    CHECK_CONTAINS(stream->bytes, "2024-11-05");
    CHECK(strstr(stream->bytes, "\nid:") == NULL);
    CHECK_EQ(status_at(port, "POST", path, "", CALL(3, "hello")), 202);
    wire_until(stream, "\"text\":\"hello\"");
    CHECK_CONTAINS(stream->bytes, "\"progress\":1");
    CHECK_EQ(status_at(port, "POST", path, "Content-Type: text/plain\r\n", PING), 415);
    CHECK_EQ(status_at(port, "POST", path, "Origin: http://evil.example.com\r\n", PING), 403);
    CHECK_EQ(status_at(port, "POST", path, "", "{"), 400);
    CHECK_EQ(status_at(port, "POST", path, "", MODERN_CALL(3, "hello")), 400);
    /* Changes come on the same stream. */
    add_tool(server, TOOL("more"), on_hello, NULL);
    wire_until(stream, "notifications/tools/list_changed");

    /* The other transport does not know the session, and has none that this one knows. */
    char *header = format("Mcp-Session-Id: %s\r\n", strchr(path, '=') + 1);
    CHECK_EQ(status_at(port, "POST", "/mcp", header, PING), 404);
    free(header);
    char *streamable = open_session(port);
    char *wrong = format("/sse?session_id=%.*s", (int)strcspn(streamable + 16, "\r"), streamable + 16);
    CHECK_EQ(status_at(port, "POST", wrong, "", PING), 404);
    CHECK_EQ(status_at(port, "POST", "/mcp", streamable, PING), 200);
    free(wrong);
    free(streamable);

    /* Two clients have the same id, and each its own answer. */
    char *other_path = NULL;
    struct wire *other = open_stream(port, &other_path);
    handshake(port, other, other_path, INITIALIZE_AS("2025-06-18"));
    CHECK_CONTAINS(other->bytes, "2025-06-18");
    CHECK_EQ(status_at(port, "POST", other_path, "", CALL(77, "later")), 202);
    long long deadline = now_ms() + patience();
    mcp_message_t *request;
    while ((request = __atomic_exchange_n(&held_back, NULL, __ATOMIC_SEQ_CST)) == NULL) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    CHECK(!mcp_request_cancelled(request));
    wire_free(other); /* the session has ended with its stream */
    while (!mcp_request_cancelled(request)) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    mcp_message_free(request);
    while (status_at(port, "POST", other_path, "", PING) != 404) {
        CHECK_LE(now_ms(), deadline);
    }
    CHECK(strstr(stream->bytes, "\"id\":77") == NULL);
    CHECK_EQ(status_at(port, "POST", path, "", PING), 202);
    wire_until(stream, "\"id\":9");
    wire_free(stream);
    free(other_path);
    free(path);
}

static void check_own_client(int port) {
    mcp_client_t *client = NULL;
    char *config = format("{\"url\":\"http://127.0.0.1:%d/sse\"}", port);
    CHECK_STATUS(mcp_client_new(config, NULL, &client, NULL), MCP_OK);
    free(config);
    connect_client(client);
    for (int turn = 0; turn < 20; turn++) {
        mcp_message_t *reply = NULL;
        CHECK_STATUS(mcp_client_call_tool(client, "hello", "{}", NULL, &reply), MCP_OK);
        CHECK_CONTAINS(mcp_message_json(reply, NULL), "hello");
        mcp_message_free(reply);
    }
    close_and_free(client);
}

/* Opens a stream and sends nothing; and one that is there when the server closes. */
static void check_ends(int hasty, mcp_server_t *server, int port) {
    char *path = NULL;
    struct wire *silent = open_stream(hasty, &path);
    wire_until(silent, "\r\n0\r\n\r\n"); /* timeouts.head_ms */
    CHECK_EQ(status_at(hasty, "POST", path, "", PING), 404);
    wire_free(silent);
    free(path);
    struct wire *stream = open_stream(port, &path);
    handshake(port, stream, path, INITIALIZE_AS("2024-11-05"));
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    wire_until(stream, "\r\n0\r\n\r\n");
    wire_free(stream);
    free(path);
}

static void check_refused(const char *members, const char *key) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    char *endpoint = format("{\"url\":\"http://127.0.0.1:0/mcp\",%s}", members);
    char *error = NULL;
    CHECK_STATUS(mcp_server_serve(server, endpoint, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, key);
    mcp_string_free(error);
    free(endpoint);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

int main(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"timeouts\":{\"burst_ms\":1}}");
    mcp_server_t *hasty = new_server("{\"name\":\"s\",\"timeouts\":{\"head_ms\":100}}");
    add_tool(server, TOOL("hello"), on_hello, NULL);
    add_tool(server, TOOL("later"), on_later, NULL);
    int port = serve_http(server, "\"sse\":\"/sse\"");
    int other = serve_http(hasty, "\"sse\":\"/sse\"");
    pthread_t threads[2] = {start_thread(serve_on, server), start_thread(serve_on, hasty)};
    check_raw(server, port);
    check_own_client(port);
    check_ends(other, server, port);
    check_refused("\"sse\":\"/mcp\"", "sse");
    check_refused("\"sse\":\"sse\"", "sse");
    check_refused("\"sse\":\"/a?b\"", "sse");
    CHECK_STATUS(mcp_server_close(hasty, patience()), MCP_OK);
    join_thread(threads[0]);
    join_thread(threads[1]);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(mcp_server_free(hasty), MCP_OK);
    check_nothing_left(held);
    return 0;
}
