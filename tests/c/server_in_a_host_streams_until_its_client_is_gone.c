/* Inside an HTTP server of the program: event streams, taken up again by a client that comes back; `ready` once after each MCP_EMPTY;
 * a client that goes away cancels in 2026-07-28 only; a program that does not read loses the answer, and the end of the server leaves
 * what was answered. */
#include "served_host.h"

/* A loop that is told when to read again. */
static void check_ready(mcp_server_t *server) {
    bool ended = false;
    char *session = host_session(server);
    struct seen *seen = host_begin(server, "POST", HEADERS("Mcp-Session-Id", session), "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"later\",\"arguments\":{}}}");
    mcp_message_t *request = taken();
    CHECK_STATUS(mcp_exchange_head(seen->exchange, 0, NULL, NULL), MCP_EMPTY);
    CHECK_STATUS(mcp_exchange_head(seen->exchange, 0, NULL, NULL), MCP_EMPTY);
    CHECK_EQ(readies(seen), 0);
    CHECK_STATUS(mcp_request_respond_text(request, "done", false, NULL), MCP_OK);
    mcp_message_free(request);
    long long deadline = now_ms() + patience();
    while (readies(seen) == 0) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    CHECK_STATUS(mcp_exchange_head(seen->exchange, 0, &seen->status, &seen->announced), MCP_OK);
    CHECK_EQ(seen->status, 200);
    CHECK_STATUS(host_read(seen, 0, &ended), MCP_OK);
    CHECK(strstr(seen->body, "done") != NULL);
    host_until_end(seen);
    CHECK_EQ(readies(seen), 1);
    host_free(seen);
    free(session);
}

static void check_resumed(mcp_server_t *server) {
    char *session = host_session(server);
    struct seen *call = host_begin(server, "POST", HEADERS("Mcp-Session-Id", session), CALL(3, "later"));
    host_head(call);
    CHECK_EQ(call->announced, -1);
    CHECK_TEXT(host_header(call, "content-type"), "text/event-stream");
    host_until(call, "\"progress\":1");
    char *id = format("%.*s", (int)strcspn(strstr(call->body, "-1\ndata") - 1, "\n"), strstr(call->body, "-1\ndata") - 1);
    host_free(call); /* in the middle of the answer */
    mcp_message_t *request = taken();
    CHECK(!mcp_request_cancelled(request));
    CHECK_STATUS(mcp_request_progress(request, 2, 2, NULL), MCP_OK);
    CHECK_STATUS(mcp_request_respond_text(request, "the rest", false, NULL), MCP_OK);
    mcp_message_free(request);
    struct seen *again = host_ask(server, "GET", HEADERS("Mcp-Session-Id", session, "Last-Event-ID", id, "Accept", "text/event-stream"), "");
    CHECK_EQ(again->status, 200);
    CHECK(strstr(again->body, "\"progress\":2") != NULL && strstr(again->body, "the rest") != NULL);
    CHECK(strstr(again->body, "\"progress\":1") == NULL);
    host_free(again);

    /* The stream of messages that belong to no request. */
    struct seen *listening = host_begin(server, "GET", HEADERS("Mcp-Session-Id", session, "Accept", "text/event-stream"), "");
    host_until(listening, "id: 0-0");
    add_tool(server, TOOL("more"), on_hello, NULL);
    host_until(listening, "notifications/tools/list_changed");
    struct seen *ended = host_ask(server, "DELETE", HEADERS("Mcp-Session-Id", session), "");
    CHECK_EQ(ended->status, 204);
    host_free(ended);
    listening->announced = -1;
    host_until_end(listening);
    host_free(listening);
    CHECK_STATUS(mcp_server_remove(server, "tool", "more", NULL), MCP_OK);
    free(id);
    free(session);
}

/* Quiet streams have comments. */
static void check_quiet(void) {
    mcp_server_t *quiet = new_server("{\"name\":\"quiet\",\"timeouts\":{\"keep_alive_ms\":20}}");
    serve_inside(quiet, NULL);
    char *session = host_session(quiet);
    struct seen *listening = host_begin(quiet, "GET", HEADERS("Mcp-Session-Id", session, "Accept", "text/event-stream"), "");
    host_until(listening, "\n:\n\n:\n");
    host_free(listening);
    free(session);
    CHECK_STATUS(mcp_server_free(quiet), MCP_OK);
}

static void check_going_away(mcp_server_t *server) {
    struct seen *call = host_begin(server, "POST", HEADERS(MODERN_HEADERS("tools/call"), "Mcp-Name", "later"), MODERN_CALL(3, "later"));
    mcp_message_t *request = taken();
    CHECK(!mcp_request_cancelled(request));
    host_free(call);
    CHECK(mcp_request_cancelled(request));
    mcp_message_free(request);

    char *session = host_session(server);
    call = host_begin(server, "POST", HEADERS("Mcp-Session-Id", session), CALL(7, "later"));
    request = taken();
    host_free(call); /* before its head was asked for */
    CHECK(!mcp_request_cancelled(request));
    CHECK_STATUS(mcp_request_respond_text(request, "nothing reads this", false, NULL), MCP_OK);
    mcp_message_free(request);
    free(session);
}

/* Frees its exchange in `ready`. */
static void free_in_ready(void *user) {
    struct seen *seen = user;
    CHECK_STATUS(mcp_exchange_free(seen->exchange), MCP_OK);
    __atomic_add_fetch(&seen->readies, 1, __ATOMIC_SEQ_CST);
}

/* Waits for bytes, and keeps the status. */
static void *read_without_end(void *user) {
    size_t length = 0;
    struct seen *seen = user;
    seen->status = mcp_exchange_read(seen->exchange, -1, seen->body, sizeof seen->body, &length);
    return NULL;
}

static void check_freed_while_used(mcp_server_t *server) {
    const char *const headers[] = {"Host", "localhost", "Content-Type", "application/json", MODERN_HEADERS("tools/call"), "Mcp-Name", "later", NULL};
    const char *const body = MODERN_CALL(3, "later");
    struct seen *seen = calloc(1, sizeof *seen);
    CHECK(seen != NULL);
    CHECK_STATUS(mcp_server_http(server, "POST", "/mcp", headers, body, strlen(body), free_in_ready, seen, on_destroy, &seen->exchange, NULL), MCP_OK);
    mcp_message_t *request = taken();
    CHECK_STATUS(mcp_exchange_head(seen->exchange, 0, NULL, NULL), MCP_EMPTY);
    CHECK_STATUS(mcp_request_respond_text(request, "done", false, NULL), MCP_OK);
    mcp_message_free(request);
    long long deadline = now_ms() + patience();
    while (__atomic_load_n(&seen->destroyed, __ATOMIC_SEQ_CST) == 0) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    CHECK_EQ(readies(seen), 1);
    free(seen);

    /* A thread that waits returns. Now and then it is freed before the thread waits. */
    long long end = now_ms() + patience();
    int32_t status = 0;
    while (status != MCP_ERROR_CLOSED) {
        CHECK_LE(now_ms(), end);
        seen = host_begin(server, "POST", HEADERS(MODERN_HEADERS("tools/call"), "Mcp-Name", "later"), body);
        request = taken();
        pthread_t thread = start_thread(read_without_end, seen);
        breathe();
        CHECK_STATUS(mcp_exchange_free(seen->exchange), MCP_OK);
        join_thread(thread);
        CHECK(mcp_request_cancelled(request));
        mcp_message_free(request);
        status = seen->status;
        CHECK(status == MCP_ERROR_CLOSED || status == MCP_ERROR_INVALID_ARGUMENT);
        free(seen);
    }
}

/* How long a program may read nothing: longer than it takes here to go from one call to the next. */
static int write_ms(void) { return 500 * scale(); }

/* A program that does not read: the answer is cut off after timeouts.write_ms, and the request withdrawn. */
static void check_slow(mcp_server_t *slow) {
    struct seen *seen = host_begin(slow, "POST", HEADERS(MODERN_HEADERS("tools/call"), "Mcp-Name", "later"), MODERN_CALL(3, "later"));
    mcp_message_t *request = taken();
    long long deadline = now_ms() + patience();
    while (!mcp_request_cancelled(request)) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    mcp_message_free(request);
    CHECK_STATUS(mcp_exchange_head(seen->exchange, patience(), NULL, NULL), MCP_ERROR_BACKPRESSURE);
    bool ended = false;
    CHECK_STATUS(host_read(seen, 0, &ended), MCP_ERROR_BACKPRESSURE);
    host_free(seen);

    /* One that waits for its client's answer is not slow. The first keep-alive comment, which is a head, is far away. */
    seen = host_begin(slow, "POST", HEADERS(MODERN_HEADERS("tools/call"), "Mcp-Name", "later"), MODERN_CALL(3, "later"));
    CHECK_STATUS(mcp_exchange_head(seen->exchange, 0, NULL, NULL), MCP_EMPTY);
    request = taken();
    CHECK_STATUS(mcp_exchange_head(seen->exchange, 2 * write_ms(), NULL, NULL), MCP_EMPTY);
    CHECK(!mcp_request_cancelled(request));
    CHECK_STATUS(mcp_request_respond_text(request, "in time", false, NULL), MCP_OK);
    mcp_message_free(request);
    host_head(seen);
    host_until_end(seen);
    CHECK(strstr(seen->body, "in time") != NULL);
    host_free(seen);

    /* More waits on a stream than limits.outgoing_bytes. */
    char *session = host_session(slow);
    struct seen *listening = host_begin(slow, "GET", HEADERS("Mcp-Session-Id", session, "Accept", "text/event-stream"), "");
    host_head(listening);
    char *large = malloc(3002);
    CHECK(large != NULL);
    memset(large, 'x', 3001);
    large[0] = large[3000] = '"';
    large[3001] = '\0';
    for (int i = 0; i < 4; i++) {
        CHECK_STATUS(mcp_server_log(slow, "error", NULL, large, NULL), MCP_OK);
    }
    free(large);
    mcp_status_t status = MCP_OK;
    while (status == MCP_OK) {
        status = host_read(listening, patience(), &ended);
        CHECK(!ended);
    }
    CHECK_STATUS(status, MCP_ERROR_BACKPRESSURE);
    host_free(listening);
    free(session);

    /* One more than limits.connections. */
    struct seen *both[2];
    for (int i = 0; i < 2; i++) {
        both[i] = host_begin(slow, "POST", HEADERS("Mcp-Session-Id", "x"), PING);
    }
    seen = host_ask(slow, "POST", HEADERS("Mcp-Session-Id", "x"), PING);
    CHECK_EQ(seen->status, 503);
    CHECK_TEXT(host_header(seen, "retry-after"), "1");
    host_free(seen);
    host_free(both[0]);
    host_free(both[1]);
}

/* The end of the server waits for no reader, and what was answered stays. */
static void check_closed(mcp_server_t *server) {
    char *session = host_session(server);
    struct seen *listening = host_begin(server, "GET", HEADERS("Mcp-Session-Id", session, "Accept", "text/event-stream"), "");
    host_head(listening);
    struct seen *waiting = host_begin(server, "POST", HEADERS(MODERN_HEADERS("tools/call"), "Mcp-Name", "later"), MODERN_CALL(3, "later"));
    CHECK_STATUS(mcp_exchange_head(waiting->exchange, 0, NULL, NULL), MCP_EMPTY);
    mcp_message_t *request = taken();
    struct seen *unread = host_begin(server, "POST", HEADERS("Mcp-Session-Id", session), PING);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    CHECK_EQ(readies(waiting), 1);
    CHECK(mcp_request_cancelled(request));
    mcp_message_free(request);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    host_head(waiting);
    host_until_end(waiting);
    CHECK(json_has(waiting->body, "/error/code"));
    host_head(unread);
    host_until_end(unread);
    CHECK_TEXT(unread->body, "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}");
    host_until_end(listening);
    host_free(listening);
    host_free(waiting);
    host_free(unread);
    free(session);
}

/* A child of fork() leaves its parent's exchanges alone. */
static void check_forked(mcp_server_t *server) {
    struct seen *seen = host_begin(server, "POST", NULL, PING);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        size_t length = 0;
        bool right = mcp_exchange_head(seen->exchange, -1, NULL, NULL) == MCP_ERROR_FORKED &&
                     mcp_exchange_read(seen->exchange, -1, seen->body, 1, &length) == MCP_ERROR_FORKED &&
                     mcp_exchange_free(seen->exchange) == MCP_ERROR_FORKED;
        end_child(right ? 0 : 1);
    }
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    host_head(seen);
    CHECK_EQ(seen->status, 400);
    host_free(seen);
}

int main(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"workers\":1,\"timeouts\":{\"burst_ms\":1}}");
    char *config = format("{\"name\":\"slow\",\"workers\":1,\"announce\":{\"logging\":true},\"limits\":{\"outgoing_bytes\":4096,\"connections\":2},"
                          "\"timeouts\":{\"write_ms\":%d,\"keep_alive_ms\":%d}}", write_ms(), 10 * write_ms());
    mcp_server_t *slow = new_server(config);
    free(config);
    add_tool(server, TOOL("later"), on_later, NULL);
    add_tool(slow, TOOL("later"), on_later, NULL);
    serve_inside(server, NULL);
    serve_inside(slow, NULL);
    check_ready(server);
    check_resumed(server);
    check_quiet();
    check_going_away(server);
    check_freed_while_used(server);
    check_forked(server);
    check_slow(slow);
    CHECK_STATUS(mcp_server_free(slow), MCP_OK);
    check_closed(server);
    check_nothing_left(held);
    return 0;
}
