/* Closing a server refuses what is under way, works twice, from a handler and beside threads that serve; freeing at once
 * leaves nothing; use after free and in a child of fork gives a status. */
#include "served.h"

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

static void in_a_child(void) {
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

int main(void) {
    struct holdings held = holdings_now();
    from_a_handler();
    from_several_threads();
    at_once();
    in_a_child();
    does_not_read();
    check_nothing_left(held);
    return 0;
}
