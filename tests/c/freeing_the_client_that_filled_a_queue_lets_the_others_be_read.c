/*
 * With "overflow":"block" on a shared queue, one server's notifications can hold up all clients on it. When the client
 * that filled the queue is freed, what waited for it is dropped, and that is room: the others are read again,
 * without anybody having polled in between. A client that is freed while it is itself held up leaves nothing.
 */
#include "check.h"

#include <sys/stat.h>

#define MOST_DESCRIPTORS 256

struct descriptors {
    bool open[MOST_DESCRIPTORS];
};

static struct descriptors descriptors_now(void) {
    struct descriptors now;
    for (int number = 0; number < MOST_DESCRIPTORS; number++) {
        now.open[number] = fcntl(number, F_GETFD) != -1;
    }
    return now;
}

/* Whether a pipe that was opened after `before` and not after `after` holds something that is not read. */
static bool holds_something_unread(const struct descriptors *before, const struct descriptors *after) {
    for (int number = 0; number < MOST_DESCRIPTORS; number++) {
        struct stat what;
        struct pollfd look = {.fd = number, .events = POLLIN};
        if (!before->open[number] && after->open[number] && fstat(number, &what) == 0 &&
            S_ISFIFO(what.st_mode) && (fcntl(number, F_GETFL) & O_ACCMODE) == O_RDONLY &&
            poll(&look, 1, 0) == 1 && (look.revents & POLLIN) != 0) {
            return true;
        }
    }
    return false;
}

static mcp_queue_t *small_queue(void) {
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new("{\"queue_messages\":50,\"overflow\":\"block\"}", &queue, NULL), MCP_OK);
    return queue;
}

static long long notifications_of(mcp_client_t *client) {
    char *info = info_of(client);
    long long count = json_number(info, "/counters/notifications");
    mcp_string_free(info);
    return count;
}

/* Takes what the queue has of clients that were connected: what is taken later would make room too. */
static void empty(mcp_queue_t *queue) {
    mcp_message_t *message = NULL;
    while (mcp_queue_poll(queue, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
}

/* Has the server send without end in sight, until the queue, which is empty, has as many messages as it takes. */
static void fill(mcp_client_t *client, int most) {
    start_tool(client, "notify", "{\"count\":10000,\"changes\":false}",
               "{\"timeout_ms\":600000,\"meta\":{\"io.modelcontextprotocol/logLevel\":\"info\"}}", 1);
    UNTIL(notifications_of(client) >= most);
}

static void check_others(const char *server) {
    mcp_queue_t *queue = small_queue();
    struct descriptors before = descriptors_now();
    mcp_client_t *quiet = new_client_on(queue, server, NULL, NULL);
    connect_client(quiet);
    struct descriptors after = descriptors_now();
    mcp_client_t *loud = new_client_on(queue, server, NULL, NULL);
    connect_client(loud);
    empty(queue);
    fill(loud, 50);

    start_tool(quiet, "pid", NULL, "{\"timeout_ms\":600000}", 2);
    UNTIL(holds_something_unread(&before, &after)); /* the answer is there, and is held up */
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_free(loud), MCP_OK);
    CHECK_LE(now_ms() - begin, 2500 + slack());
    mcp_message_t *message = NULL;
    for (bool answered = false; !answered;) {
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &message), MCP_OK);
        CHECK(mcp_message_client(message) == quiet);
        answered = mcp_message_kind(message) == MCP_KIND_REPLY;
        CHECK(!answered || (mcp_message_status(message) == MCP_OK && mcp_message_tag(message) == 2));
        mcp_message_free(message);
    }
    CHECK_STATUS(mcp_client_free(quiet), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

static void check_own(const char *server) {
    mcp_client_t *client =
        connected(server, NULL, "\"limits\":{\"queue_messages\":50,\"overflow\":\"block\"}");
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
    fill(client, 50);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    for (int i = 0; i < scaled(4, 1); i++) {
        check_others(argv[1]);
        check_own(argv[1]);
        check_nothing_left(before);
    }
    return 0;
}
