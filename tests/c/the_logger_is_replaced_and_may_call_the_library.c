/*
 * The function that takes the library's log records.
 */
#include "check.h"

/*
 * mcp_log_set_logger: the function gets one JSON object per event with the level asked for or a graver one, among
 * them the stable names of requests and connection changes and the server's stderr lines. After it was
 * replaced it runs no more, and its destroy function runs exactly once.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct logbook {
    int32_t level; /* what was asked for */
    int events;
    int destroyed;
    bool request;
    bool transition;
    bool standard_error;
};

static void note(void *user, int32_t level, const char *event_json) {
    struct logbook *book = user;
    pthread_mutex_lock(&lock);
    CHECK_EQ(book->destroyed, 0);
    CHECK_GE(level, MCP_LOG_ERROR);
    CHECK_LE(level, book->level);
    CHECK_EQ(event_json[0], '{');
    CHECK(json_has(event_json, ""));
    book->events++;
    book->request = book->request || strstr(event_json, "\"request.start\"") != NULL;
    book->transition = book->transition || strstr(event_json, "\"connection.transition\"") != NULL;
    book->standard_error = book->standard_error || strstr(event_json, "mcp-example-server") != NULL;
    pthread_mutex_unlock(&lock);
}

static void destroy(void *user) {
    struct logbook *book = user;
    pthread_mutex_lock(&lock);
    book->destroyed++;
    pthread_mutex_unlock(&lock);
}

static struct logbook look(struct logbook *book) {
    pthread_mutex_lock(&lock);
    struct logbook copy = *book;
    pthread_mutex_unlock(&lock);
    return copy;
}

static void live(const char *server) {
    mcp_client_t *client = connected(server, NULL, NULL);
    check_echo(client, "worth a line");
    close_and_free(client);
}

static void the_logger_gets_events_until_it_is_replaced(char **argv) {
    struct logbook loud = {.level = MCP_LOG_TRACE};
    struct logbook quiet = {.level = MCP_LOG_ERROR};
    CHECK_STATUS(mcp_log_set_logger(note, MCP_LOG_TRACE, &loud, destroy), MCP_OK);
    live(argv[1]);
    UNTIL(look(&loud).request && look(&loud).transition && look(&loud).standard_error);

    CHECK_STATUS(mcp_log_set_logger(note, MCP_LOG_ERROR, &quiet, destroy), MCP_OK);
    UNTIL(look(&loud).destroyed == 1);
    int events = look(&loud).events;
    live(argv[1]);
    CHECK_EQ(look(&loud).events, events);

    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
    UNTIL(look(&quiet).destroyed == 1);
    events = look(&quiet).events;
    live(argv[1]);
    CHECK_EQ(look(&quiet).events, events);
    CHECK_EQ(look(&loud).destroyed, 1);
}

/*
 * The library never calls the application while it holds a lock: a logger and a ready function may themselves
 * ask for a client's state, start calls and wake queues. What would have to wait for the library itself
 * returns an error instead of hanging.
 */
static mcp_client_t *client;
static mcp_queue_t *queue;
static int started; /* atomic */
static int inside; /* callbacks that may be using the client; atomic */

static void log_and_call(void *user, int32_t level, const char *event_json) {
    (void)user;
    (void)level;
    (void)event_json;
    (void)__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    mcp_client_t *now = __atomic_load_n(&client, __ATOMIC_SEQ_CST);
    if (now != NULL) {
        (void)mcp_client_state(now);
        (void)mcp_queue_wake(queue);
    }
    (void)__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
}

static void ready_and_call(void *user) {
    (void)__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    mcp_client_t *now = __atomic_load_n(&client, __ATOMIC_SEQ_CST);
    (void)user;
    if (now != NULL && __atomic_exchange_n(&started, 1, __ATOMIC_SEQ_CST) == 0) {
        CHECK_GE(mcp_client_state(now), MCP_CLIENT_STATE_IDLE);
        start_tool(now, "echo", "{\"text\":\"from within\"}", NULL, 7);
    }
    (void)__atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
}

static void a_logger_may_call_the_library(char **argv) {
    CHECK_STATUS(mcp_log_set_logger(log_and_call, MCP_LOG_TRACE, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_queue_on_ready(queue, ready_and_call, NULL, NULL), MCP_OK);
    mcp_client_t *made = new_client_on(queue, argv[1], NULL, NULL);
    __atomic_store_n(&client, made, __ATOMIC_SEQ_CST);
    connect_client(made);
    check_echo(made, "from outside");

    bool answered = false;
    long long deadline = now_ms() + patience();
    while (!answered) {
        mcp_message_t *message = NULL;
        CHECK_LE(now_ms(), deadline);
        if (mcp_queue_poll(queue, 100, &message) == MCP_OK) {
            answered = mcp_message_kind(message) == MCP_KIND_REPLY && mcp_message_tag(message) == 7;
            mcp_message_free(message);
        }
    }
    __atomic_store_n(&client, NULL, __ATOMIC_SEQ_CST);
    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
    /* No other thread may be using what is freed: one that took the client before may still be at it. */
    UNTIL(__atomic_load_n(&inside, __ATOMIC_SEQ_CST) == 0);
    CHECK_STATUS(mcp_client_free(made), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    the_logger_gets_events_until_it_is_replaced(argv);
    a_logger_may_call_the_library(argv);
    return 0;
}
