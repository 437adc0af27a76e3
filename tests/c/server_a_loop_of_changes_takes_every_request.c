/* A loop that hears of changes only, by an edge of the descriptor or by the function of mcp_queue_on_ready(), polls with timeout 0 until
 * MCP_EMPTY. A poll that leaves requests behind, because many handlers ran, lets it hear of these: all are answered though nothing
 * else ever wakes the loop. */
#include "served.h"

#if defined(__linux__)
#include <sys/epoll.h>
#endif

#define CALLS 500

static int handled;

static void on_call(void *user, mcp_message_t *request) {
    (void)user;
    handled++;
    CHECK_STATUS(mcp_request_respond_text(request, "done", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void *client_side(void *path) {
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    for (int id = 1; id <= CALLS; id++) {
        peer_call(peer, id, "handled");
    }
    for (int count = 0; count < CALLS; count++) {
        const char *line = peer_line(peer);
        CHECK(line != NULL && json_has(line, "/result/content"));
    }
    peer_free(peer);
    return NULL;
}

/* What the loop hears of: a queue has a function called, a server has a descriptor. */
struct loop {
    mcp_server_t *server;
    mcp_queue_t *queue;
    int changes;
    int is_called;
};

static void ready(void *user) { __atomic_store_n(&((struct loop *)user)->is_called, 1, __ATOMIC_SEQ_CST); }

static void wait_for_change(struct loop *loop) {
    if (loop->queue != NULL) {
        UNTIL(__atomic_exchange_n(&loop->is_called, 0, __ATOMIC_SEQ_CST) == 1);
        return;
    }
#if defined(__linux__)
    struct epoll_event event;
    CHECK_EQ(epoll_wait(loop->changes, &event, 1, patience()), 1);
#endif
}

static void take_all(struct loop *loop) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    do {
        status = loop->queue != NULL ? mcp_queue_poll(loop->queue, 0, &message)
                                     : mcp_server_poll(loop->server, 0, &message);
        mcp_message_free(message);
    } while (status == MCP_OK);
    CHECK_STATUS(status, MCP_EMPTY);
}

static void serve(struct loop *loop) {
    char *path = new_path();
    loop->server = NULL;
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\",\"limits\":{\"session_requests\":1000}}", loop->queue, &loop->server, NULL),
                 MCP_OK);
    add_tool(loop->server, TOOL("handled"), on_call, NULL);
    serve_at(loop->server, path);
    if (loop->queue != NULL) {
        CHECK_STATUS(mcp_queue_on_ready(loop->queue, ready, loop, NULL), MCP_OK);
    } else {
#if defined(__linux__)
        struct epoll_event watched = {.events = EPOLLIN | EPOLLET};
        loop->changes = epoll_create1(EPOLL_CLOEXEC);
        CHECK_EQ(epoll_ctl(loop->changes, EPOLL_CTL_ADD, mcp_server_fd(loop->server), &watched), 0);
#endif
    }
    handled = 0;
    pthread_t thread = start_thread(client_side, path);
    /* Everything waits before the first poll, so that more is there than one poll takes. */
    UNTIL(info_number(loop->server, "/requests") == CALLS);
    while (handled < CALLS) {
        wait_for_change(loop);
        take_all(loop);
    }
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(loop->server), MCP_OK);
    remove_path(path);
}

int main(void) {
    struct holdings held = holdings_now();
    struct loop loop = {.changes = -1};
#if defined(__linux__)
    serve(&loop);
    close(loop.changes);
#endif
    CHECK_STATUS(mcp_queue_new(NULL, &loop.queue, NULL), MCP_OK);
    serve(&loop);
    CHECK_STATUS(mcp_queue_free(loop.queue), MCP_OK);
    check_nothing_left(held);
    return 0;
}
