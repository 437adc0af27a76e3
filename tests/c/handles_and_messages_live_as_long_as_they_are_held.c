/*
 * Handles and messages: what they lead to, how long they live, what is refused of one that is freed.
 */
#include "check.h"

/*
 * A message leads to what it belongs to without a table in the program: mcp_message_client and mcp_client_user
 * to the program's own object, mcp_message_call_id and mcp_message_tag to the call, also from a request that a
 * server of 2026-07-28 makes in the middle of the call. mcp_message_is_tool_error distinguishes a tool that
 * failed from a call that failed, and mcp_message_error is the text of the latter.
 */
#define ASKING "\"capabilities\":{\"elicitation\":{}}"

static mcp_client_t *made(const char *config) {
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new(config, NULL, &client, NULL), MCP_OK);
    return client;
}

static void check_requests(const char *server) {
    char *config = format("{\"command\":\"%s\",\"protocol\":\"2026-07-28\"," ASKING "}", server);
    mcp_client_t *client = made(config);
    int own = 0;
    CHECK(mcp_client_user(client) == NULL);
    CHECK_STATUS(mcp_client_set_user(client, &own), MCP_OK);
    uint64_t call = 0;
    const char *question = "{\"question\":\"Which?\"}";
    CHECK_STATUS(mcp_client_call_tool_start(client, "ask", question, NULL, 77, &call, NULL), MCP_OK);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    CHECK(mcp_client_user(mcp_message_client(request)) == &own);
    CHECK_EQ(mcp_message_call_id(request), call);
    CHECK_EQ(mcp_message_tag(request), 77);
    CHECK_STATUS(mcp_request_respond(request, "{\"action\":\"decline\"}", NULL), MCP_OK);
    mcp_message_free(request);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_call_id(reply), call);
    CHECK(!mcp_message_is_tool_error(reply));
    mcp_client_free(client);
    CHECK(mcp_client_user(mcp_message_client(reply)) == NULL); /* the client was freed */
    mcp_message_free(reply);
    free(config);
}

static void check_errors(const char *server) {
    char *config = format("{\"command\":\"%s\"}", server);
    mcp_client_t *client = made(config);
    mcp_message_t *reply = NULL;
    size_t length = 0;
    /* The call failed: there is a text, and no tool that failed. */
    CHECK_STATUS(mcp_call(client, "no/such", NULL, NULL, &reply), MCP_ERROR_SERVER);
    const char *text = mcp_message_error(reply, &length);
    CHECK(text != NULL && length == strlen(text) && length > 0);
    CHECK(json_is(mcp_message_json(reply, NULL), "/message", text));
    CHECK(!mcp_message_is_tool_error(reply));
    CHECK(mcp_message_text(reply, NULL) == NULL);
    mcp_message_free(reply);
    /* The tool failed: the call did not, and the text is what the tool says. */
    CHECK_STATUS(mcp_client_call_tool(client, "fail", NULL, NULL, &reply), MCP_OK);
    CHECK(mcp_message_is_tool_error(reply));
    CHECK(mcp_message_error(reply, NULL) == NULL);
    CHECK(mcp_message_text(reply, NULL) != NULL);
    mcp_message_free(reply);
    CHECK(!mcp_message_is_tool_error(NULL));
    CHECK(mcp_message_error(NULL, NULL) == NULL);
    CHECK_STATUS(mcp_client_set_user(NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(mcp_client_user(NULL) == NULL);
    mcp_client_free(client);
    free(config);
}

static void a_message_leads_to_its_call_and_its_client(char **argv) {
    check_requests(argv[1]);
    check_errors(argv[1]);
}

/*
 * A message owns what it points to: after its client and its queue are freed, its JSON, text and method still
 * read as before, from any thread, until the message is freed. What still waited in a shared queue for a
 * client that is freed goes with it. A request of the server that is answered after the client was closed gives
 * MCP_ERROR_CLOSED.
 */
static void *read_and_free(void *argument) {
    mcp_message_t *message = argument;
    size_t length = 0;
    const char *json = mcp_message_json(message, &length);
    CHECK_EQ(strlen(json), length);
    CHECK_STATUS(mcp_message_free(message), MCP_OK);
    return NULL;
}

/* The next notification of any client; other messages are dropped. */
static mcp_message_t *next_notification(mcp_queue_t *queue) {
    for (long long deadline = now_ms() + patience();;) {
        CHECK_LE(now_ms(), deadline);
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_NOTIFICATION) {
            return message;
        }
        mcp_message_free(message);
    }
}

static void check_request(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--era", "legacy"), "\"capabilities\":{\"elicitation\":{}}");
    start_tool(client, "ask", "{\"question\":\"Still there?\"}", NULL, 1);
    mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
    const char *answer = "{\"action\":\"accept\",\"content\":{\"answer\":\"late\"}}";
    char *error = NULL;
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    CHECK_STATUS(mcp_request_respond(request, answer, &error), MCP_ERROR_CLOSED);
    CHECK(json_is(error, "/status", "closed"));
    mcp_string_free(error);
    CHECK_STATUS(mcp_request_respond_error(request, 1, "late", NULL, NULL), MCP_ERROR_CLOSED);
    mcp_message_free(request);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

static void messages_outlive_their_client(char **argv) {
    mcp_queue_t *queue = NULL;
    mcp_message_t *failure = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_client_t *client = new_client_on(queue, argv[1], NULL, NULL);
    connect_client(client);
    mcp_message_t *reply = call_tool(client, "big", "{\"bytes\":100000}", NULL);
    const char *arguments = "{\"count\":1,\"text\":\"stay\",\"changes\":false}";
    mcp_message_free(call_tool(client, "notify", arguments, WITH_LOG));
    mcp_message_t *notification = next_notification(queue);
    CHECK_STATUS(mcp_call(client, "no/such/method", NULL, NULL, &failure), MCP_ERROR_SERVER);
    start_tool(client, "slow", "{\"ms\":3600000}", NULL, 5);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);

    size_t length = 0;
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK(mcp_message_text(reply, &length) != NULL);
    CHECK_EQ(length, 100000);
    CHECK_TEXT(mcp_message_method(notification), "notifications/message");
    CHECK(json_is(mcp_message_json(notification, NULL), "/data/text", "stay"));
    CHECK(json_is(mcp_message_json(failure, NULL), "/code", "-32601"));

    /* What had not been taken went with the client: no message names a client that is gone. */
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_EMPTY);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    join_thread(start_thread(read_and_free, reply));
    join_thread(start_thread(read_and_free, notification));
    join_thread(start_thread(read_and_free, failure));
    check_request(argv[1]);
}

/*
 * mcp_queue_on_ready and mcp_log_set_logger with a NULL function, or with level 0, take the callback away. What was
 * there before is destroyed, and so is what came with the NULL: each destroy function runs exactly once, as it
 * does on every path, also on one that fails.
 */
static void destroy(void *user) { __atomic_add_fetch((int *)user, 1, __ATOMIC_SEQ_CST); }

static int count(int *destroyed) { return __atomic_load_n(destroyed, __ATOMIC_SEQ_CST); }

static void ready(void *user) { (void)user; }

static void note(void *user, int32_t level, const char *record_json) {
    (void)user;
    (void)level;
    (void)record_json;
}

static void check_ready(const char *server) {
    int real = 0;
    int none = 0;
    int refused = 0;
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_on_ready(NULL, ready, &refused, destroy), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_client_t *client = new_client_on(queue, server, NULL, NULL);
    CHECK_STATUS(mcp_queue_on_ready(queue, ready, &real, destroy), MCP_OK);
    connect_client(client);
    CHECK_EQ(count(&real), 0);
    CHECK_STATUS(mcp_queue_on_ready(queue, NULL, &none, destroy), MCP_OK);
    UNTIL(count(&real) == 1 && count(&none) == 1);
    CHECK_STATUS(mcp_queue_on_ready(queue, NULL, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    CHECK_EQ(count(&real), 1);
    CHECK_EQ(count(&none), 1);
    CHECK_EQ(count(&refused), 1);
}

static void check_logger(const char *server) {
    int real = 0;
    int none = 0;
    int silent = 0;
    int refused = 0;
    CHECK_STATUS(mcp_log_set_logger(note, MCP_LOG_TRACE + 1, &refused, destroy), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_log_set_logger(note, MCP_LOG_DEBUG, &real, destroy), MCP_OK);
    mcp_client_t *client = connected(server, NULL, NULL);
    CHECK_EQ(count(&real), 0);
    CHECK_STATUS(mcp_log_set_logger(NULL, MCP_LOG_DEBUG, &none, destroy), MCP_OK);
    UNTIL(count(&real) == 1 && count(&none) == 1);
    CHECK_STATUS(mcp_log_set_logger(note, 0, &silent, destroy), MCP_OK);
    check_echo(client, "nothing listens");
    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
    UNTIL(count(&silent) == 1);
    close_and_free(client);
    CHECK_EQ(count(&real), 1);
    CHECK_EQ(count(&none), 1);
    CHECK_EQ(count(&silent), 1);
    CHECK_EQ(count(&refused), 1);
}

static void a_callback_that_is_none_is_let_go_of_once(char **argv) {
    check_ready(argv[1]);
    check_logger(argv[1]);
}

/*
 * A handle that was freed (or never was one of ours) gives MCP_ERROR_INVALID_ARGUMENT from every function, also
 * from a second free. Nothing is read through it, so valgrind stays silent.
 */
static void check_client(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    char *text = NULL;
    CHECK_STATUS(mcp_client_connect(client, 10, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_state(client), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_info(client, &text, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_fd(client), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_close(client, 10), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_call_start(client, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_call_cancel(client, 1, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_notify(client, "notifications/x", NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_poll_notification(client, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_free(client), MCP_ERROR_INVALID_ARGUMENT);
}

static void check_queue(mcp_queue_t *queue) {
    mcp_message_t *message = NULL;
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_wake(queue), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_fd(queue), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_on_ready(queue, NULL, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_new("{\"command\":\"x\"}", queue, &client, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_free(queue), MCP_ERROR_INVALID_ARGUMENT);
}

static void a_freed_handle_is_refused(char **argv) {
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    check_client(client);

    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    check_client((mcp_client_t *)queue); /* one kind of handle is no other kind */
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    check_queue(queue);

    static long ours[64];
    check_client((mcp_client_t *)(void *)ours);
    check_queue((mcp_queue_t *)(void *)ours);
}

/*
 * Messages are looked up, not followed: a number, the address of something else, a handle of another kind and a message
 * that was freed are refused by every function that takes a message. Nothing is read through them.
 */
static void check_refused(const void *address) {
    const mcp_message_t *message = address;
    size_t length = 7;
    char *error = NULL;
    CHECK_EQ(mcp_message_kind(message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_message_status(message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(mcp_message_client(message) == NULL);
    CHECK_EQ(mcp_message_call_id(message), 0);
    CHECK_EQ(mcp_message_tag(message), 0);
    CHECK(mcp_message_method(message) == NULL);
    CHECK_EQ(mcp_message_topic(message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(mcp_message_json(message, &length) == NULL);
    CHECK(mcp_message_text(message, &length) == NULL);
    CHECK_STATUS(mcp_request_respond(message, "{}", &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, message == NULL ? "mcp_request_respond(): request is NULL" : "request is no live message");
    mcp_string_free(error);
    CHECK_STATUS(mcp_request_respond_error(message, -1, "no", NULL, NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_request_respond_elicitation(message, "accept", "{}", NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_request_respond_elicitation(message, "decline", NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    if (message != NULL) {
        CHECK_STATUS(mcp_message_free((mcp_message_t *)message), MCP_ERROR_INVALID_ARGUMENT);
    }
}

/* Many messages at once, and each handle of an old one tried while the memory of all is used again. */
static void check_many(mcp_client_t *client) {
    enum { MANY = 300 };
    mcp_message_t *first[MANY];
    mcp_message_t *second[MANY];
    for (int i = 0; i < MANY; i++) {
        CHECK(mcp_call(client, "", NULL, NULL, &first[i]) == MCP_ERROR_INVALID_ARGUMENT);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK_EQ(mcp_message_kind(first[i]), MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_free(first[i]), MCP_OK);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK(mcp_call(client, "", NULL, NULL, &second[i]) == MCP_ERROR_INVALID_ARGUMENT);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK_STATUS(mcp_message_free(first[i]), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_EQ(mcp_message_kind(first[i]), MCP_ERROR_INVALID_ARGUMENT);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK_EQ(mcp_message_kind(second[i]), MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_free(second[i]), MCP_OK);
    }
}

static void what_is_no_message_is_refused(char **argv) {
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_message_t *freed = call_tool(client, "pid", NULL, NULL);
    mcp_message_t *live = call_tool(client, "pid", NULL, NULL);
    CHECK_STATUS(mcp_message_free(freed), MCP_OK);

    static long ours[64];
    void *block = malloc(64);
    check_refused(NULL);
    for (uintptr_t number = 1; number < 256; number++) {
        check_refused((const void *)number);
    }
    check_refused((const void *)UINTPTR_MAX);
    check_refused(ours);
    check_refused((const char *)ours + 4);
    check_refused(block);
    check_refused("text");
    check_refused(mcp_message_json(live, NULL));
    check_refused(client);
    check_refused(queue);
    check_refused(freed);
    CHECK_STATUS(mcp_client_connect((mcp_client_t *)live, 10, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_free((mcp_queue_t *)live), MCP_ERROR_INVALID_ARGUMENT);
    check_many(client);

    CHECK_EQ(mcp_message_kind(live), MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_free(live), MCP_OK);
    check_refused(live);
    free(block);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    a_message_leads_to_its_call_and_its_client(argv);
    messages_outlive_their_client(argv);
    a_callback_that_is_none_is_let_go_of_once(argv);
    a_freed_handle_is_refused(argv);
    what_is_no_message_is_refused(argv);
    return 0;
}
