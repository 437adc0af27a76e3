/*
 * A client that is freed while its queue is full, or in a function that the library calls.
 */
#include "check.h"

#include <sys/stat.h>

/*
 * With "overflow":"block" on a shared queue, one server's notifications can hold up all clients on it. When the client
 * that filled the queue is freed, what waited for it is dropped, and that is room: the others are read again,
 * without anybody having polled in between. A client that is freed while it is itself held up leaves nothing.
 */
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

static void freeing_the_client_that_filled_a_queue_lets_the_others_be_read(char **argv) {
    struct holdings before = holdings_now();
    for (int i = 0; i < scaled(4, 1); i++) {
        check_others(argv[1]);
        check_own(argv[1]);
        check_nothing_left(before);
    }
}

/*
 * The logger and the function given to mcp_queue_on_ready may free the last client. They run on a thread of the
 * library, which cannot wait for itself then, but ends once the callback has returned: soon afterwards no
 * thread, descriptor or child is left.
 */
static mcp_client_t *to_free; /* atomic: the thread that takes it frees it */

static void free_it(void) {
    mcp_client_t *client = __atomic_exchange_n(&to_free, NULL, __ATOMIC_SEQ_CST);
    if (client != NULL) {
        CHECK_STATUS(mcp_client_free(client), MCP_OK);
    }
}

static void note(void *user, int32_t level, const char *record_json) {
    (void)user;
    (void)level;
    (void)record_json;
    free_it();
}

static void ready(void *user) {
    (void)user;
    free_it();
}

static bool is_freed(void) { return __atomic_load_n(&to_free, __ATOMIC_SEQ_CST) == NULL; }

static void free_in_the_logger(const char *server, struct holdings before) {
    CHECK_STATUS(mcp_log_set_logger(note, MCP_LOG_TRACE, NULL, NULL), MCP_OK);
    mcp_client_t *client = connected(server, NULL, NULL);
    /* A call's records come when this thread has done with the client. */
    start_tool(client, "slow", "{\"ms\":50}", NULL, 1);
    __atomic_store_n(&to_free, client, __ATOMIC_SEQ_CST);
    UNTIL(is_freed());
    check_nothing_left(before);
    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
}

static void free_when_ready(const char *server, struct holdings before) {
    mcp_queue_t *queue = NULL;
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_queue_on_ready(queue, ready, NULL, NULL), MCP_OK);
    mcp_client_t *client = new_client_on(queue, server, NULL, NULL);
    connect_client(client);
    while (mcp_queue_poll(queue, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
    start_tool(client, "slow", "{\"ms\":50}", NULL, 1);
    __atomic_store_n(&to_free, client, __ATOMIC_SEQ_CST);
    UNTIL(is_freed());
    check_nothing_left(before);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

static void the_last_client_may_be_freed_in_a_callback(char **argv) {
    struct holdings before = holdings_now();
    for (int i = 0; i < scaled(10, 2); i++) {
        free_in_the_logger(argv[1], before);
        free_when_ready(argv[1], before);
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    freeing_the_client_that_filled_a_queue_lets_the_others_be_read(argv);
    the_last_client_may_be_freed_in_a_callback(argv);
    return 0;
}
