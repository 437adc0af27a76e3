/*
 * Threads that use one client at once: they call, wait, look at it and close it.
 */
#include "check.h"

/*
 * Field fault C01: no function depends on the thread that calls it. A client is made by one thread, connected
 * by a second one that ends, used by a third, polled by a fourth and freed by a fifth.
 */
struct shared {
    const char *server;
    mcp_client_t *client;
};

static void *make(void *argument) {
    struct shared *shared = argument;
    shared->client = new_client(shared->server, NULL, NULL);
    return NULL;
}

static void *come_up(void *argument) {
    connect_client(((struct shared *)argument)->client);
    return NULL;
}

static void *use(void *argument) {
    mcp_client_t *client = ((struct shared *)argument)->client;
    check_echo(client, "third");
    start_tool(client, "slow", "{\"ms\":200}", NULL, 4);
    return NULL;
}

static void *take(void *argument) {
    mcp_message_t *reply = next_of_kind(((struct shared *)argument)->client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), 4);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    return NULL;
}

static void *give_back(void *argument) {
    CHECK_STATUS(mcp_client_free(((struct shared *)argument)->client), MCP_OK);
    return NULL;
}

static void c01_any_thread_may_use_a_client(char **argv) {
    struct holdings before = holdings_now();
    struct shared shared = {.server = argv[1]};
    void *(*const steps[])(void *) = {make, come_up, use, take, give_back};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        join_thread(start_thread(steps[i], &shared));
    }
    check_nothing_left(before);
}

/*
 * Field fault C03: a thread that waits holds nothing that another thread needs. While one thread is in a long
 * blocking call and another waits for messages, a third calls, looks at the client's state and cancels.
 */
static void *call_for_long(void *argument) {
    mcp_message_t *reply = call_tool(argument, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CLOSED);
    mcp_message_free(reply);
    return NULL;
}

static void *wait_for_a_notification(void *argument) {
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_poll_notification(argument, -1, &message), MCP_ERROR_CLOSED);
    CHECK(message == NULL);
    return NULL;
}

static void c03_a_waiting_call_blocks_no_other(char **argv) {
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    pthread_t caller = start_thread(call_for_long, client);
    pthread_t waiter = start_thread(wait_for_a_notification, client);
    int calls = scaled(1000, 20);
    long long begin = now_ms();
    for (int i = 0; i < calls; i++) {
        check_echo(client, "not held up");
        CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    }
    CHECK_LE(now_ms() - begin, patience());
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    join_thread(caller);
    join_thread(waiter);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

/*
 * Eight threads make blocking calls on one client at the same time. Each gets the answers to its own calls,
 * whichever of them reads from the server meanwhile. What the program gives may be spread over many lines: on the server's
 * input each message is one line, and there is nothing else, in both eras.
 */
#define THREADS 8
#define SPREAD "{\r\n  \"text\" : \"one \\n two\" ,\n\n\t\"more\":[1,\r2\n]\n}\n"

struct caller {
    mcp_client_t *client;
    int number;
    int calls;
};

static void *call_many(void *argument) {
    struct caller *caller = argument;
    for (int i = 0; i < caller->calls; i++) {
        char text[64];
        snprintf(text, sizeof text, "thread %d call %d", caller->number, i);
        check_echo(caller->client, text);
    }
    return NULL;
}

static void check_outcomes(const char *server) {
    struct caller callers[THREADS];
    pthread_t threads[THREADS];
    mcp_client_t *client = new_client(server, NULL, NULL); /* the first calls race for the start */
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (struct caller){client, i, scaled(2000, 50)};
        threads[i] = start_thread(call_many, &callers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/connections"), 1);
    CHECK_EQ(json_number(info, "/counters/results"), THREADS * callers[0].calls);
    mcp_string_free(info);
    close_and_free(client);
}

static void *call_spread(void *argument) {
    for (int i = 0; i < scaled(50, 5); i++) {
        char *text = tool_text(argument, "echo", SPREAD);
        CHECK_TEXT(text, "one \n two");
        free(text);
    }
    return NULL;
}

static void check_input(const char *server, const char *era) {
    mcp_client_t *client =
        connected(server, ARGS("--era", era), "\"capabilities\":{\"elicitation\":{\"form\":\n{}}}");
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        threads[i] = start_thread(call_spread, client);
    }
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
    mcp_message_free(call_tool(client, "echo", SPREAD, "{\n\"meta\":{\n\"com.example/x\":{\n\"y\":1}}}"));
    CHECK_STATUS(mcp_client_notify(client, "notifications/spread", SPREAD, NULL), MCP_OK);
    char *seen = tool_text(client, "received", NULL);
    CHECK_EQ(json_number(seen, "/counts/tools~1call"), THREADS * scaled(50, 5) + 2);
    CHECK(json_is(seen, "/counts/notifications~1spread", "1"));
    CHECK(!json_has(seen, "/counts/(not a message)"));
    free(seen);
    close_and_free(client);
}

static void eight_threads_call_on_one_client(char **argv) {
    check_outcomes(argv[1]);
    check_input(argv[2], "legacy");
    check_input(argv[2], "modern");
}

/*
 * Eight threads close the same client at the same moment. All return MCP_OK within the bound, the server is
 * gone, and closing once more changes nothing.
 */
#define THREADS_CLOSES 8

static pthread_barrier_t together;

static void *close_client(void *argument) {
    pthread_barrier_wait(&together);
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_close(argument, 2000), MCP_OK);
    CHECK_LE(now_ms() - begin, 2000 + slack());
    CHECK_EQ(mcp_client_state(argument), MCP_CLIENT_STATE_CLOSED);
    return NULL;
}

static void check_once(const char *server) {
    pthread_t threads[THREADS_CLOSES];
    mcp_client_t *client = connected(server, NULL, NULL);
    CHECK_EQ(pthread_barrier_init(&together, NULL, THREADS_CLOSES), 0);
    for (int i = 0; i < THREADS_CLOSES; i++) {
        threads[i] = start_thread(close_client, client);
    }
    for (int i = 0; i < THREADS_CLOSES; i++) {
        join_thread(threads[i]);
    }
    pthread_barrier_destroy(&together);
    CHECK_EQ(count_children(NULL), 0);
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

static void concurrent_closes_all_return(char **argv) {
    struct holdings before = holdings_now();
    for (int i = 0; i < scaled(20, 3); i++) {
        check_once(argv[1]);
    }
    check_nothing_left(before);
}

/*
 * Field fault E01: a client is closed by one thread while others are in blocking calls and started calls are
 * under way. Close returns within its bound, every call ends as MCP_ERROR_CLOSED exactly once, and what comes later
 * is MCP_ERROR_CLOSED too.
 */
#define THREADS_E01 4
#define STARTED 8

static int calling; /* atomic: how many threads are about to call */

static void *call_for_long_e01(void *argument) {
    __atomic_add_fetch(&calling, 1, __ATOMIC_SEQ_CST);
    mcp_message_t *reply = call_tool(argument, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CLOSED);
    CHECK(json_is(mcp_message_json(reply, NULL), "/status", "closed"));
    mcp_message_free(reply);
    return NULL;
}

static void check_started_calls(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    int ended[STARTED] = {0};
    while ((status = mcp_client_poll(client, patience(), &message)) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_STATUS(mcp_message_status(message), MCP_ERROR_CLOSED);
            CHECK(mcp_message_tag(message) < STARTED);
            ended[mcp_message_tag(message)]++;
        }
        mcp_message_free(message);
    }
    CHECK_STATUS(status, MCP_ERROR_CLOSED);
    for (int i = 0; i < STARTED; i++) {
        CHECK_EQ(ended[i], 1);
    }
}

static void check_closed(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &message), MCP_ERROR_CLOSED);
    CHECK(json_is(mcp_message_json(message, NULL), "/status", "closed"));
    mcp_message_free(message);
    CHECK_STATUS(mcp_call_start(client, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_client_notify(client, "notifications/x", NULL, NULL), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_client_connect(client, 100, NULL), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
}

static void e01_close_from_another_thread_ends_pending_calls(char **argv) {
    struct holdings before = holdings_now();
    pthread_t threads[THREADS_E01];
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    for (int i = 0; i < THREADS_E01; i++) {
        threads[i] = start_thread(call_for_long_e01, client);
    }
    for (uint64_t tag = 0; tag < STARTED; tag++) {
        start_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}", tag);
    }
    UNTIL(__atomic_load_n(&calling, __ATOMIC_SEQ_CST) == THREADS_E01);
    check_echo(client, "a round trip later the calls are under way");
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, 2000), MCP_OK);
    CHECK_LE(now_ms() - begin, 2000 + slack());
    for (int i = 0; i < THREADS_E01; i++) {
        join_thread(threads[i]);
    }
    check_started_calls(client);
    check_closed(client);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    c01_any_thread_may_use_a_client(argv);
    c03_a_waiting_call_blocks_no_other(argv);
    eight_threads_call_on_one_client(argv);
    concurrent_closes_all_return(argv);
    e01_close_from_another_thread_ends_pending_calls(argv);
    return 0;
}
