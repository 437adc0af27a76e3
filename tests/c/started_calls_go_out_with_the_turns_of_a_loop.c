/*
 * A loop that watches mcp_client_fd or mcp_queue_fd and starts many calls in a turn: frames may be held back for its next turn, for which the
 * descriptor becomes readable. Whatever the number of calls, all are answered though nothing but the descriptor ever ends a wait: for a
 * loop that takes all messages, one that takes a single one each time, and one that is told of changes only. Without a loop or a
 * thread that polls they are sent as well, and again after a pause.
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

/* Where the messages of a client arrive: on its own queue, or on one that it shares with other clients. */
struct inbox {
    mcp_client_t *client;
    mcp_queue_t *queue;
};

static int descriptor_of(struct inbox inbox) {
    int descriptor = inbox.queue != NULL ? mcp_queue_fd(inbox.queue) : mcp_client_fd(inbox.client);
    CHECK_GE(descriptor, 0);
    return descriptor;
}

static int take(struct inbox inbox, int most) {
    mcp_message_t *message = NULL;
    int taken = 0;
    while (taken < most) {
        mcp_status_t status = inbox.queue != NULL ? mcp_queue_poll(inbox.queue, 0, &message)
                                                  : mcp_client_poll(inbox.client, 0, &message);
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
static void by_level(struct inbox inbox, int most) {
    int descriptor = descriptor_of(inbox);
    for (size_t round = 0; round < ROUNDS; round++) {
        start(inbox.client, rounds[round]);
        int under_way = rounds[round];
        int more = rounds[round];
        while (under_way > 0) {
            CHECK(is_readable(descriptor, patience()));
            int taken = take(inbox, most);
            int next = taken < more ? taken : more;
            start(inbox.client, next);
            more -= next;
            under_way += next - taken;
        }
        CHECK_EQ(take(inbox, 1), 0);
        CHECK(!is_readable(descriptor, 0));
    }
}

static void by_edge(struct inbox inbox) {
#if defined(__linux__)
    int changes = epoll_create1(EPOLL_CLOEXEC);
    CHECK_GE(changes, 0);
    struct epoll_event watched = {.events = EPOLLIN | EPOLLET};
    CHECK_EQ(epoll_ctl(changes, EPOLL_CTL_ADD, descriptor_of(inbox), &watched), 0);
    for (size_t round = 0; round < ROUNDS; round++) {
        start(inbox.client, rounds[round]);
        for (int replies = 0; replies < rounds[round];) {
            struct epoll_event event;
            CHECK_EQ(epoll_wait(changes, &event, 1, patience()), 1);
            replies += take(inbox, INT32_MAX);
        }
    }
    close(changes);
#else
    (void)inbox;
#endif
}

static long long pending(mcp_client_t *client) {
    char *info = info_of(client);
    long long count = json_number(info, "/pending_calls");
    mcp_string_free(info);
    return count;
}

static void in_turns(struct inbox inbox) {
    by_level(inbox, INT32_MAX);
    by_level(inbox, 1);
    by_edge(inbox);
    /* A loop that does not come back: the library's thread writes in its stead. */
    start(inbox.client, 64);
    UNTIL(pending(inbox.client) == 0);
    CHECK_EQ(take(inbox, INT32_MAX), 64);
    CHECK_EQ(take(inbox, 1), 0);
    CHECK(!is_readable(descriptor_of(inbox), 0));
    by_edge(inbox);
}

static void without_a_loop(const char *server) {
    mcp_client_t *client = connected(server, NULL, NULL);
    static const int numbers[] = {1, 3, 5, 31, 32, 33, 100, 4};
    int calls = 0;
    for (size_t round = 0; round < sizeof numbers / sizeof numbers[0]; round++) {
        start(client, numbers[round]);
        calls += numbers[round];
        UNTIL(pending(client) == 0);
    }
    int replies = 0;
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_STATUS(mcp_message_status(message), MCP_OK);
            replies++;
        }
        mcp_message_free(message);
    }
    CHECK_EQ(replies, calls);
    close_and_free(client);
}

static void with_its_own_queue(const char *server) {
    mcp_client_t *client = connected(server, NULL, NULL);
    struct inbox inbox = {.client = client};
    descriptor_of(inbox);
    drain(client);
    in_turns(inbox);
    close_and_free(client);
}

/* Two clients start calls in the same turns, and one of them goes away while the other's are held back. */
static void with_a_shared_queue(const char *server) {
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_client_t *first = new_client_on(queue, server, NULL, NULL);
    mcp_client_t *second = new_client_on(queue, server, NULL, NULL);
    connect_client(first);
    connect_client(second);
    struct inbox inbox = {.client = first, .queue = queue};
    descriptor_of(inbox);
    mcp_message_t *message = NULL;
    while (mcp_queue_poll(queue, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
    in_turns(inbox);
    start(first, 40);
    start(second, 40);
    for (int replies = 0; replies < 80;) {
        CHECK(is_readable(descriptor_of(inbox), patience()));
        replies += take(inbox, INT32_MAX);
    }
    start(first, 40);
    start(second, 40);
    close_and_free(second);
    for (int replies = 0; replies < 40;) {
        CHECK(is_readable(descriptor_of(inbox), patience()));
        replies += take(inbox, INT32_MAX);
    }
    close_and_free(first);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    without_a_loop(argv[1]);
    with_its_own_queue(argv[1]);
    with_a_shared_queue(argv[1]);
    check_nothing_left(before);
    return 0;
}
