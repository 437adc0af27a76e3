/*
 * Clients of every era at our server over HTTP, those of the older transport, too.
 */
#include "served_http.h"

/* One URL serves every revision that has Streamable HTTP: calls, progress, questions, changes of lists and 64 calls at a time,
 * by our own client; all of these succeed also at a server that takes four and lets eight wait. */
#define FORM                                                                                                 \
    "{\"mode\":\"form\",\"message\":\"Name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"        \
    "{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}"

static void on_echo(void *user, mcp_message_t *request) {
    (void)user;
    char *text = json_at(mcp_message_json(request, NULL), "/arguments/text");
    CHECK_STATUS(mcp_request_respond_text(request, text, false, NULL), MCP_OK);
    mcp_string_free(text);
    mcp_message_free(request);
}

static void on_steps(void *user, mcp_message_t *request) {
    (void)user;
    for (int step = 1; step <= 3; step++) {
        CHECK_STATUS(mcp_request_progress(request, step, 3, "a step"), MCP_OK);
    }
    CHECK_STATUS(mcp_request_respond_text(request, "done", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void on_ask(void *user, mcp_message_t *request) {
    (void)user;
    char *answer = NULL;
    mcp_status_t status = mcp_request_ask(request, "name", "elicitation/create", FORM, &answer, NULL);
    if (status == MCP_OK) {
        char *name = json_at(answer, "/content/name");
        CHECK_STATUS(mcp_request_respond_text(request, name, false, NULL), MCP_OK);
        mcp_string_free(name);
        mcp_string_free(answer);
    } else {
        CHECK_STATUS(status, MCP_EMPTY);
    }
    mcp_message_free(request);
}

/* 64 calls at one time, whose results are "x". */
static void call_many(mcp_client_t *client, const char *tool) {
    for (int call = 0; call < 64; call++) {
        start_tool(client, tool, "{\"text\":\"x\"}", NULL, 100);
    }
    for (int call = 0; call < 64; call++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        if (mcp_message_status(reply) != MCP_OK) {
            FAIL("reply %d: %s", call, mcp_message_error(reply, NULL));
        }
        CHECK_TEXT(mcp_message_text(reply, NULL), "x");
        mcp_message_free(reply);
    }
}

static void era(mcp_server_t *server, int port, const char *protocol) {
    char *members = format("\"protocol\":\"%s\",\"capabilities\":{\"elicitation\":{\"form\":{}}}", protocol);
    mcp_client_t *client = http_client(port, members);
    free(members);
    check_echo(client, "over HTTP \xc3\xb6");

    start_tool(client, "steps", NULL, "{\"progress\":true}", 7);
    for (int step = 1; step <= 3; step++) {
        mcp_message_t *progress = next_of_kind(client, MCP_KIND_PROGRESS);
        CHECK_EQ(json_number(mcp_message_json(progress, NULL), "/progress"), step);
        mcp_message_free(progress);
    }
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_TEXT(mcp_message_text(reply, NULL), "done");
    mcp_message_free(reply);

    if (strcmp(protocol, "2025-03-26") != 0) {
        start_tool(client, "ask", NULL, NULL, 8);
        mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
        CHECK_STATUS(mcp_request_respond_elicitation(request, "accept", "{\"name\":\"Ada\"}", NULL), MCP_OK);
        mcp_message_free(request);
        reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_TEXT(mcp_message_text(reply, NULL), "Ada");
        mcp_message_free(reply);
    }

    call_many(client, "echo");

    if (strcmp(protocol, "2026-07-28") != 0) {
        add_tool(server, TOOL("another"), on_echo, NULL);
        mcp_message_t *change = next_of_kind(client, MCP_KIND_NOTIFICATION);
        CHECK_TEXT(mcp_message_method(change), "notifications/tools/list_changed");
        mcp_message_free(change);
        CHECK_STATUS(mcp_server_remove(server, "tool", "another", NULL), MCP_OK);
    }
    close_and_free(client);
}

static void on_wait(void *server, mcp_message_t *request) {
    /* The first one waits until a call has found no place. The library reads on meanwhile. */
    UNTIL(info_number(server, "/counters/held") > 0);
    CHECK_STATUS(mcp_request_respond_text(request, "x", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void with_few_places(const char *protocol) {
    mcp_server_t *server =
        new_server("{\"name\":\"s\",\"limits\":{\"session_requests\":4,\"requests\":8,\"session_waiting\":8}}");
    add_tool(server, TOOL("wait"), on_wait, server);
    int port = serve_http(server, NULL);
    pthread_t thread = start_thread(serve_on, server);
    char *members = format("\"protocol\":\"%s\"", protocol);
    mcp_client_t *client = http_client(port, members);
    free(members);
    call_many(client, "wait");
    close_and_free(client);
    CHECK_EQ(info_number(server, "/requests"), 0);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

static void server_http_serves_both_eras_at_one_url(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("echo"), on_echo, NULL);
    add_tool(server, TOOL("steps"), on_steps, NULL);
    add_tool(server, TOOL("ask"), on_ask, NULL);
    int port = serve_http(server, NULL);
    pthread_t thread = start_thread(serve_on, server);
    const char *const revisions[] = {"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};
    for (size_t i = 0; i < sizeof revisions / sizeof revisions[0]; i++) {
        era(server, port, revisions[i]);
    }
    CHECK_EQ(info_number(server, "/requests"), 0);
    CHECK_EQ(info_number(server, "/counters/held"), 0);
    CHECK_EQ(info_number(server, "/counters/busy"), 0);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    with_few_places("2025-11-25");
    with_few_places("2026-07-28");
    check_nothing_left(held);
}

/* HTTP+SSE of 2024-11-05 beside Streamable HTTP: a client that tries POST learns that it must GET; the stream begins with the address of
 * its messages; messages are 202 and their answers come on the stream; the session ends with its stream, or when no message comes in
 * its time; sessions of the two transports are not mixed up; a client of this library finds the transport out by itself. */
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

static void server_http_sse_serves_older_clients(void) {
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
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    server_http_serves_both_eras_at_one_url();
    server_http_sse_serves_older_clients();
    return 0;
}
