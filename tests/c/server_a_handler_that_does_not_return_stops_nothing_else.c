/* A handler that does not return stops no ping, no list, no other session, and no answer that was given before it ran; the
 * deadline of its request answers for it. */
#include "served.h"

static pthread_barrier_t inside;
static pthread_barrier_t leave;

struct test {
    mcp_server_t *server;
    pthread_t *second;
    mcp_status_t late;
};

static void on_stuck(void *user, mcp_message_t *request) {
    struct test *test = user;
    if (test->second != NULL) {
        /* At once, before a thread of the library looks after the answers. */
        *test->second = start_thread(serve_on, test->server);
    }
    pthread_barrier_wait(&inside);
    pthread_barrier_wait(&leave);
    CHECK_STATUS(mcp_request_respond_text(request, "late", false, NULL), test->late);
    mcp_message_free(request);
}

static void on_quick(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "quick", false, NULL), MCP_OK);
    mcp_message_free(request);
}

#define CALL(id, tool) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" tool "\"}}\n"

static void with_threads(int runners, bool deadline) {
    char *path = new_path();
    mcp_server_t *server = new_server(deadline ? "{\"name\":\"s\",\"timeouts\":{\"request_ms\":400}}"
                                               : "{\"name\":\"s\",\"timeouts\":{\"request_ms\":0}}");
    pthread_t threads[2];
    struct test test = {server, runners > 1 ? &threads[1] : NULL, deadline ? MCP_ERROR_CANCELLED : MCP_OK};
    add_tool(server, TOOL("stuck"), on_stuck, &test);
    add_tool(server, TOOL("quick"), on_quick, NULL);
    serve_at(server, path);
    threads[0] = start_thread(serve_on, server);
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    /* Both come with one read: the answer to the first is not held back by the second. */
    static const char both[] = CALL("1", "quick") CALL("2", "stuck");
    CHECK(peer_write(peer, both, sizeof both - 1));
    pthread_barrier_wait(&inside);
    CHECK(json_is(peer_line(peer), "/result/content/0/text", "quick"));
    peer_ping(peer, 3);
    struct peer *other = peer_at(path);
    peer_initialize(other);
    peer_send(other, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\"}");
    CHECK(json_has(peer_answer(other, "4"), "/result/tools"));
    if (runners > 1) {
        peer_call(other, 5, "quick");
        CHECK(json_is(peer_line(other), "/result/content/0/text", "quick"));
    }
    if (deadline) {
        CHECK(json_has(peer_answer(peer, "2"), "/error"));
    }
    pthread_barrier_wait(&leave);
    if (!deadline) {
        CHECK(json_is(peer_answer(peer, "2"), "/result/content/0/text", "late"));
    }
    peer_call(peer, 6, "quick");
    CHECK(json_has(peer_answer(peer, "6"), "/result"));
    peer_free(peer);
    peer_free(other);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    for (int i = 0; i < runners; i++) {
        join_thread(threads[i]);
    }
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

static pthread_barrier_t all_inside;
static pthread_barrier_t all_leave;

static void on_both_stuck(void *user, mcp_message_t *request) {
    (void)user;
    pthread_barrier_wait(&all_inside);
    pthread_barrier_wait(&all_leave);
    CHECK_STATUS(mcp_request_respond_text(request, "at last", false, NULL), MCP_OK);
    mcp_message_free(request);
}

/* Every thread that serves goes into a handler with one read, after all of them were idle for a while: the library reads on. */
static void every_thread_stuck(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("stuck"), on_both_stuck, NULL);
    serve_at(server, path);
    pthread_barrier_init(&all_inside, NULL, 3);
    pthread_barrier_init(&all_leave, NULL, 3);
    pthread_t threads[2] = {start_thread(serve_on, server), start_thread(serve_on, server)};
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    for (int round = 0; round < scaled(100, 5); round++) {
        for (int pause = 0; pause < 5; pause++) {
            breathe();
        }
        static const char both[] = CALL("1", "stuck") CALL("2", "stuck");
        CHECK(peer_write(peer, both, sizeof both - 1));
        pthread_barrier_wait(&all_inside);
        peer_ping(peer, 3);
        pthread_barrier_wait(&all_leave);
        CHECK(json_is(peer_line(peer), "/result/content/0/text", "at last"));
        CHECK(json_is(peer_line(peer), "/result/content/0/text", "at last"));
    }
    peer_free(peer);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(threads[0]);
    join_thread(threads[1]);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

int main(void) {
    struct holdings held = holdings_now();
    every_thread_stuck();
    pthread_barrier_init(&inside, NULL, 2);
    pthread_barrier_init(&leave, NULL, 2);
    with_threads(1, true);
    with_threads(2, true);
    for (int round = 0; round < scaled(100, 5); round++) {
        with_threads(1 + round % 2, false);
    }
    check_nothing_left(held);
    return 0;
}
