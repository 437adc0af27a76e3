/* A request is answered once: from another thread, a second time, after a cancellation, after its session's end, freed without
 * an answer, and after the server is freed: each gives the documented status, and the client one answer at most. */
#include "served.h"

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
    if (mcp_request_respond_not_found(request, NULL) != MCP_ERROR_FORKED) return 4;
    if (mcp_request_progress(request, 1, 2, NULL) != MCP_ERROR_FORKED) return 5;
    if (mcp_request_log(request, "error", NULL, "{}") != MCP_ERROR_FORKED) return 6;
    if (mcp_request_ask(request, "q", "roots/list", "{}", &text, NULL) != MCP_ERROR_FORKED) return 7;
    if (mcp_request_state(request, &text, NULL) != MCP_ERROR_FORKED) return 8;
    if (mcp_request_set_state(request, "s", NULL) != MCP_ERROR_FORKED) return 9;
    if (mcp_request_context(request, &text, NULL) != MCP_ERROR_FORKED) return 10;
    return mcp_request_cancelled(request) ? 0 : 11;
}

int main(void) {
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
    return 0;
}
