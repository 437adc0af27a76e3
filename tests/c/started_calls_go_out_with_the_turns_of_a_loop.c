/*
 * A loop that watches mcp_client_fd and starts many calls in a turn: frames may be held back for its next turn, for which the
 * descriptor becomes readable. Whatever the number of calls, all are answered though nothing but the descriptor ever ends a wait: for a
 * loop that takes all messages, one that takes a single one each time, and one that is told of changes only.
 */
#include "check.h"

#if defined(__linux__)
#include <sys/epoll.h>
#endif

static const int rounds[] = {64, 1, 64, 2, 3, 200, 4, 33, 65, 1};
#define ROUNDS (sizeof rounds / sizeof rounds[0])

static void start(mcp_client_t *client, int calls) {
    for (int call = 0; call < calls; call++) {
        start_tool(client, "echo", "{\"text\":\"x\"}", NULL, (uint64_t)call);
    }
}

static int take(mcp_client_t *client, int most) {
    mcp_message_t *message = NULL;
    int taken = 0;
    while (taken < most) {
        mcp_status_t status = mcp_client_poll(client, 0, &message);
        if (status == MCP_EMPTY) {
            break;
        }
        CHECK_STATUS(status, MCP_OK);
        CHECK_EQ(mcp_message_kind(message), MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(message), MCP_OK);
        mcp_message_free(message);
        taken++;
    }
    return taken;
}

static bool is_readable(int descriptor, int timeout_ms) {
    struct pollfd one = {.fd = descriptor, .events = POLLIN};
    return poll(&one, 1, timeout_ms) == 1;
}

/* Each reply but the last ones starts another call, so that turns of every size follow each other. */
static void by_level(mcp_client_t *client, int most) {
    int descriptor = mcp_client_fd(client);
    CHECK_GE(descriptor, 0);
    for (size_t round = 0; round < ROUNDS; round++) {
        start(client, rounds[round]);
        int under_way = rounds[round];
        int more = rounds[round];
        while (under_way > 0) {
            CHECK(is_readable(descriptor, patience()));
            int taken = take(client, most);
            int next = taken < more ? taken : more;
            start(client, next);
            more -= next;
            under_way += next - taken;
        }
        CHECK_EQ(take(client, 1), 0);
        CHECK(!is_readable(descriptor, 0));
    }
}

static void by_edge(mcp_client_t *client) {
#if defined(__linux__)
    int changes = epoll_create1(EPOLL_CLOEXEC);
    CHECK_GE(changes, 0);
    struct epoll_event watched = {.events = EPOLLIN | EPOLLET};
    CHECK_EQ(epoll_ctl(changes, EPOLL_CTL_ADD, mcp_client_fd(client), &watched), 0);
    for (size_t round = 0; round < ROUNDS; round++) {
        start(client, rounds[round]);
        for (int replies = 0; replies < rounds[round];) {
            struct epoll_event event;
            CHECK_EQ(epoll_wait(changes, &event, 1, patience()), 1);
            replies += take(client, INT32_MAX);
        }
    }
    close(changes);
#else
    (void)client;
#endif
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    CHECK_GE(mcp_client_fd(client), 0);
    drain(client);
    by_level(client, INT32_MAX);
    by_level(client, 1);
    by_edge(client);
    /* A loop that does not come back: the library's thread writes in its stead. */
    start(client, 64);
    char *info = NULL;
    for (long long pending = 1; pending > 0; mcp_string_free(info)) {
        CHECK_STATUS(mcp_client_info(client, &info, NULL), MCP_OK);
        pending = json_number(info, "/pending_calls");
    }
    CHECK_EQ(take(client, INT32_MAX), 64);
    close_and_free(client);
    check_nothing_left(before);
    return 0;
}
