/*
 * Requests that a server has taken are answered once, and its close leaves nothing.
 */
#include "served.h"

/* A request is answered once: from another thread, a second time, after a cancellation, after its session's end, freed without
 * an answer, and after the server is freed: each gives the documented status, and the client one answer at most. */
#define SLOTS 8

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static mcp_message_t *kept[SLOTS];
static int count;

static void on_keep(void *user, mcp_message_t *request) {
    (void)user;
    pthread_mutex_lock(&guard);
    CHECK(count < SLOTS);
    kept[count++] = request;
    pthread_mutex_unlock(&guard);
}

static int kept_count(void) {
    pthread_mutex_lock(&guard);
    int now = count;
    pthread_mutex_unlock(&guard);
    return now;
}

static void on_drop(void *user, mcp_message_t *request) {
    (void)user;
    mcp_message_free(request);
}

static mcp_status_t answer(mcp_message_t *request) { return mcp_request_respond_text(request, "answered", false, NULL); }

/* A child of fork() may not answer for its parent. Gives 0 if nothing works there. */
static int in_a_child(mcp_message_t *request) {
    char *text = NULL;
    if (answer(request) != MCP_ERROR_FORKED) return 1;
    if (mcp_request_respond(request, "{\"content\":[]}", NULL) != MCP_ERROR_FORKED) return 2;
    if (mcp_request_respond_error(request, -32000, "x", NULL, NULL) != MCP_ERROR_FORKED) return 3;
    if (mcp_request_respond_error(request, MCP_CODE_NOT_FOUND, NULL, NULL, NULL) != MCP_ERROR_FORKED) return 4;
    if (mcp_request_progress(request, 1, 2, NULL) != MCP_ERROR_FORKED) return 5;
    if (mcp_request_log(request, "error", NULL, "{}") != MCP_ERROR_FORKED) return 6;
    if (mcp_request_ask(request, "q", "roots/list", "{}", &text, NULL) != MCP_ERROR_FORKED) return 7;
    if (mcp_request_state(request, &text, NULL) != MCP_ERROR_FORKED) return 8;
    if (mcp_request_set_state(request, "s", NULL) != MCP_ERROR_FORKED) return 9;
    if (mcp_request_context(request, &text, NULL) != MCP_ERROR_FORKED) return 10;
    return mcp_request_cancelled(request) ? 0 : 11;
}

static void server_requests_are_answered_once(void) {
    struct holdings held = holdings_now();
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("keep"), on_keep, NULL);
    add_tool(server, TOOL("drop"), on_drop, NULL);
    serve_at(server, path);
    pthread_t thread = start_thread(serve_on, server);
    struct peer *peer = peer_at(path);
    peer_initialize(peer);

    peer_call(peer, 1, "keep");
    UNTIL(kept_count() == 1);
    CHECK(!mcp_request_cancelled(kept[0]));
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        end_child(in_a_child(kept[0]));
    }
    int outcome = 0;
    CHECK_EQ(waitpid(child, &outcome, 0), child);
    CHECK_EQ(outcome, 0);
    CHECK_STATUS(mcp_request_respond_text(kept[0], NULL, false, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_request_respond(kept[0], "[]", NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(answer(kept[0]), MCP_OK);
    CHECK_STATUS(answer(kept[0]), MCP_ERROR_CANCELLED);
    CHECK_STATUS(mcp_request_respond_error(kept[0], -32000, "x", NULL, NULL), MCP_ERROR_CANCELLED);
    CHECK(mcp_request_cancelled(kept[0]));
    CHECK_STATUS(mcp_message_free(kept[0]), MCP_OK);
    CHECK_STATUS(answer(kept[0]), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(json_is(peer_line(peer), "/result/content/0/text", "answered"));

    peer_call(peer, 2, "drop");
    const char *line = peer_line(peer);
    if (!json_is(line, "/error/code", "-32603")) {
        FAIL("a request freed without an answer gives %s", line);
    }

    peer_call(peer, 3, "keep");
    UNTIL(kept_count() == 2);
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3}}");
    UNTIL(mcp_request_cancelled(kept[1]));
    CHECK_STATUS(answer(kept[1]), MCP_ERROR_CANCELLED);
    CHECK_STATUS(mcp_request_progress(kept[1], 1, 2, NULL), MCP_EMPTY);
    CHECK_STATUS(mcp_message_free(kept[1]), MCP_OK);
    /* Nothing was sent for it: the next line is the pong. */
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}");
    CHECK(json_is(peer_line(peer), "/id", "4"));

    peer_call(peer, 5, "keep");
    UNTIL(kept_count() == 3);
    CHECK_EQ(shutdown(peer->in, SHUT_RDWR), 0);
    peer_free(peer);
    /* The end of input leaves the request its time; when it is answered, the session ends. */
    (void)answer(kept[2]);
    UNTIL(info_number(server, "/sessions") == 0);
    CHECK_STATUS(answer(kept[2]), MCP_ERROR_CANCELLED);
    CHECK_STATUS(mcp_message_free(kept[2]), MCP_OK);

    peer = peer_at(path);
    peer_initialize(peer);
    peer_call(peer, 6, "keep");
    UNTIL(kept_count() == 4);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    CHECK(json_has(peer_answer(peer, "6"), "/error"));
    CHECK(peer_line(peer) == NULL);
    CHECK_STATUS(answer(kept[3]), MCP_ERROR_CANCELLED);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(answer(kept[3]), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_message_free(kept[3]), MCP_OK);
    peer_free(peer);
    check_nothing_left(held);
    remove_path(path);
}

/* Closing a server refuses what is under way, works twice, from a handler and beside threads that serve; freeing at once
 * leaves nothing; use after free and in a child of fork gives a status. */
static void on_close(void *server, mcp_message_t *request) {
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    CHECK_STATUS(mcp_request_respond_text(request, "late", false, NULL), MCP_ERROR_CANCELLED);
    mcp_message_free(request);
}

static void from_a_handler(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("close"), on_close, server);
    serve_at(server, path);
    pthread_t thread = start_thread(serve_on, server);
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    peer_call(peer, 1, "close");
    CHECK(json_has(peer_answer(peer, "1"), "/error"));
    CHECK(peer_line(peer) == NULL);
    join_thread(thread);
    CHECK_STATUS(mcp_server_close(server, 0), MCP_OK);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    peer_free(peer);
    remove_path(path);
}

static void *close_it(void *server) {
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    return NULL;
}

static void from_several_threads(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("queued"), NULL, NULL);
    serve_at(server, path);
    pthread_t serving = start_thread(serve_on, server);
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    for (int id = 1; id <= 10; id++) {
        peer_call(peer, id, "queued");
    }
    UNTIL(info_number(server, "/requests") == 10);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        threads[i] = start_thread(close_it, server);
    }
    for (int id = 1; id <= 10; id++) {
        CHECK(json_has(peer_line(peer), "/error"));
    }
    CHECK(peer_line(peer) == NULL);
    for (int i = 0; i < 4; i++) {
        join_thread(threads[i]);
    }
    join_thread(serving);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    peer_free(peer);
    remove_path(path);
}

static void at_once(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(mcp_server_free(server), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_run(server, 0), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_close(server, 0), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_add_tool(server, TOOL("x"), NULL, NULL, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    server = new_server("{\"name\":\"s\"}");
    serve_at(server, path);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_EQ(access(path, F_OK), -1); /* the socket's file is gone with the server */
    remove_path(path);
}

static void in_a_child_close(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("queued"), NULL, NULL);
    serve_at(server, path);
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    pid_t child = fork();
    if (child == 0) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_server_run(server, 0), MCP_ERROR_FORKED);
        CHECK_STATUS(mcp_server_poll(server, 0, &message), MCP_ERROR_FORKED);
        CHECK_STATUS(mcp_server_close(server, 0), MCP_ERROR_FORKED);
        CHECK_STATUS(mcp_server_free(server), MCP_ERROR_FORKED);
        end_child(0);
    }
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    peer_ping(peer, 1);
    peer_free(peer);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

static void does_not_read(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    char *big = malloc(4 << 20);
    CHECK(big != NULL);
    memset(big, 'x', (4 << 20) - 1);
    big[(4 << 20) - 1] = '\0';
    CHECK_STATUS(mcp_server_add_text(server, "{\"uri\":\"t:big\",\"name\":\"big\"}", big, NULL), MCP_OK);
    free(big);
    serve_at(server, path);
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"t:big\"}}");
    UNTIL(info_number(server, "/counters/requests") >= 2);
    long long start = now_ms();
    CHECK_STATUS(mcp_server_close(server, 50), MCP_ERROR_TIMEOUT);
    CHECK_LE(now_ms() - start, 50 + slack());
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    peer_free(peer);
    remove_path(path);
}

static void server_close_is_bounded_and_leaves_nothing(void) {
    struct holdings held = holdings_now();
    from_a_handler();
    from_several_threads();
    at_once();
    in_a_child_close();
    does_not_read();
    check_nothing_left(held);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    server_requests_are_answered_once();
    server_close_is_bounded_and_leaves_nothing();
    return 0;
}
