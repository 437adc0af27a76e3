/*
 * What can go wrong with a transport that the program brings: `open` or `send` refuses, a message is over the bound, comes
 * after the end, or finds the queue full; the client is closed in every state, or freed while `send` does not return.
 * Each is told, bounded, and leaves nothing; `destroy` is called exactly once, also when the client cannot be made.
 */
#include "own_transport.h"

#define PATIENT "\"reconnect\":{\"initial_ms\":3600000,\"max_ms\":3600000}"

static void a_refused_open_fails_the_attempt(void) {
    struct own own;
    char *error = NULL;
    mcp_client_t *client = own_client(&own, NULL, PATIENT);
    atomic_store(&own.open_status, MCP_ERROR_AUTH);
    CHECK_STATUS(mcp_client_connect(client, patience(), &error), MCP_ERROR_TRANSPORT);
    CHECK(json_is(error, "/message", "the program's transport failed to open: its function returned -11 (auth)"));
    CHECK_EQ(json_number(error, "/details/transport_status"), MCP_ERROR_AUTH);
    CHECK(json_is(error, "/details/function", "open"));
    mcp_string_free(error);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_BACKOFF);
    CHECK_EQ(own.opens, 0);
    CHECK_EQ(own.closes, 0);
    own_free(&own, client);
}

static void a_refused_send_loses_the_connection(void) {
    struct own own;
    mcp_client_t *client = own_client(&own, NULL, PATIENT);
    connect_client(client);
    atomic_store(&own.send_status, 42);
    mcp_message_t *reply = call_tool(client, "echo", NULL, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    const char *error = mcp_message_json(reply, NULL);
    CHECK(json_is(error, "/message", "the program's transport failed to send: its function returned 42 (unknown)"));
    CHECK_EQ(json_number(error, "/details/transport_status"), 42);
    mcp_message_free(reply);
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_BACKOFF);
    CHECK_EQ(own.closes, 1);
    own_free(&own, client);
}

/* The id of the last frame that waits; mcp_string_free() it. */
static char *waiting_id(struct own *own) {
    char *id = NULL;
    UNTIL((pthread_mutex_lock(&own->lock), id = own->count > 0 ? member(own->waiting[own->count - 1], "/id") : NULL,
           pthread_mutex_unlock(&own->lock), id != NULL));
    return id;
}

static void what_is_over_the_bound_is_refused(void) {
    struct own own;
    mcp_client_t *client = own_client(&own, NULL, "\"limits\":{\"frame_bytes\":2048}");
    connect_client(client);
    drain(client);
    atomic_store(&own.by_threads, true);
    start_tool(client, "echo", NULL, NULL, 7);
    char *id = waiting_id(&own);
    char *answer = format("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"x\":\"%04000d\"}}", id, 0);
    CHECK_STATUS(mcp_transport_deliver(own.handle, answer, strlen(answer)), MCP_ERROR_TOO_LARGE);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TOO_LARGE);
    CHECK_EQ(mcp_message_tag(reply), 7);
    mcp_message_free(reply);
    /* The connection goes on. */
    atomic_store(&own.by_threads, false);
    check_echo(client, "x");
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/oversized_frames"), 1);
    mcp_string_free(info);
    free(answer);
    mcp_string_free(id);
    free(own.waiting[0]);
    own_free(&own, client);
}

static void what_comes_after_the_end_is_refused(void) {
    struct own own;
    mcp_client_t *client = own_client(&own, NULL, "");
    connect_client(client);
    mcp_transport_t *transport = own.handle;
    CHECK_STATUS(mcp_transport_deliver(transport, NULL, 2), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_transport_deliver(transport, "{}", 0), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_transport_deliver(NULL, "{}", 2), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_transport_deliver((mcp_transport_t *)(void *)client, "{}", 2),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_transport_closed(transport, "\xff"), MCP_ERROR_INVALID_ARGUMENT);
    check_echo(client, "still here");
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    CHECK_STATUS(mcp_transport_deliver(transport, "{}", 2), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_transport_closed(transport, NULL), MCP_ERROR_INVALID_ARGUMENT);
    own_free(&own, client);
    CHECK_STATUS(mcp_transport_deliver(transport, "{}", 2), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_transport_closed(transport, NULL), MCP_ERROR_INVALID_ARGUMENT);
}

static void news_waits_for_room_and_answers_do_not(void) {
    struct own own;
    static const char changed[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}";
    mcp_client_t *client = own_client(&own, NULL, "\"limits\":{\"queue_messages\":10,\"overflow\":\"block\"}");
    int delivered = 0;
    connect_client(client);
    drain(client);
    while (mcp_transport_deliver(own.handle, changed, strlen(changed)) == MCP_OK) {
        delivered++;
        CHECK_LE(delivered, 10);
    }
    CHECK_EQ(delivered, 10);
    CHECK_STATUS(mcp_transport_deliver(own.handle, changed, strlen(changed)), MCP_ERROR_BACKPRESSURE);
    check_echo(client, "an answer is always taken");
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_poll_notification(client, 0, &message), MCP_OK);
    mcp_message_free(message);
    CHECK_STATUS(mcp_transport_deliver(own.handle, changed, strlen(changed)), MCP_OK);
    CHECK_STATUS(mcp_transport_deliver(own.handle, changed, strlen(changed)), MCP_ERROR_BACKPRESSURE);
    own_free(&own, client);
}

static void check_close(struct own *own, mcp_client_t *client, mcp_client_state_t state) {
    long long begun = now_ms();
    CHECK_EQ(mcp_client_state(client), state);
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    CHECK_LE(now_ms() - begun, slack());
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_EQ(own->opens, own->closes);
    own_free(own, client);
}

static void it_closes_in_every_state(void) {
    struct own own;
    mcp_client_t *client = own_client(&own, NULL, "");
    check_close(&own, client, MCP_CLIENT_STATE_IDLE);

    client = own_client(&own, NULL, "");
    atomic_store(&own.mute, true);
    CHECK_STATUS(mcp_client_connect(client, 20, NULL), MCP_ERROR_TIMEOUT);
    check_close(&own, client, MCP_CLIENT_STATE_INITIALIZING);

    client = own_client(&own, NULL, "");
    connect_client(client);
    atomic_store(&own.mute, true);
    start_tool(client, "echo", NULL, NULL, 1);
    check_close(&own, client, MCP_CLIENT_STATE_READY);

    client = own_client(&own, NULL, PATIENT);
    atomic_store(&own.open_status, MCP_ERROR_TRANSPORT);
    CHECK_STATUS(mcp_client_connect(client, -1, NULL), MCP_ERROR_TRANSPORT);
    check_close(&own, client, MCP_CLIENT_STATE_BACKOFF);
}

static void *call_and_be_closed(void *argument) {
    struct own *own = argument;
    mcp_message_t *reply = call_tool(atomic_load(&own->client), "echo", NULL, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CLOSED);
    mcp_message_free(reply);
    return NULL;
}

/* A transport that blocks although it must not: close and free are bounded all the same. */
static void a_stuck_send_holds_nobody_for_ever(void) {
    static struct own own;
    mcp_client_t *client = own_client(&own, NULL, "\"timeouts\":{\"close_ms\":100}");
    connect_client(client);
    atomic_store(&own.stuck_from, 1);
    pthread_t caller = start_thread(call_and_be_closed, &own);
    UNTIL(atomic_load(&own.inside) == 1);
    /* Others go on: a started call stands in line behind it. */
    start_tool(client, "echo", NULL, NULL, 1);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    long long begun = now_ms();
    CHECK_STATUS(mcp_client_close(client, 100), MCP_ERROR_TIMEOUT);
    CHECK_LE(now_ms() - begun, 600 + slack());
    CHECK_EQ(own.closes, 0);
    CHECK_EQ(own.destroys, 0);
    atomic_store(&own.stuck_from, 0);
    join_thread(caller);
    UNTIL(atomic_load(&own.closes) == 1);
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    own_free(&own, client);
}

/* Frees a client whose `send` is busy on the library's thread and does not return in time. */
static void a_client_freed_meanwhile_is_destroyed_once_later(void) {
    static struct own own;
    mcp_client_t *client = own_client(&own, NULL,
                                      "\"timeouts\":{\"close_ms\":50,\"probe_ms\":50,\"initialize_ms\":60000},"
                                      "\"reconnect\":false");
    struct own other;
    mcp_client_t *keeper = own_client(&other, NULL, "");
    atomic_store(&own.mute, true);
    atomic_store(&own.client, NULL);
    /* Either thread may send the probe. What follows it is sent by the library's own: no thread waits any more. */
    atomic_store(&own.stuck_from, 2);
    CHECK_STATUS(mcp_client_connect(client, 0, NULL), MCP_ERROR_TIMEOUT);
    UNTIL(atomic_load(&own.sent) == 2);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_EQ(own.closes, 0);
    CHECK_EQ(own.destroys, 0);
    atomic_store(&own.stuck_from, 0);
    UNTIL(atomic_load(&own.destroys) == 1);
    CHECK_EQ(own.closes, 1);
    own_free(&other, keeper);
    CHECK_EQ(own.destroys, 1);
}

static atomic_int destroyed;

static void count_destroy(void *user) {
    CHECK(user == (void *)&destroyed);
    atomic_fetch_add(&destroyed, 1);
}

static void making_one_may_fail(void) {
    mcp_transport_functions_t right = own_functions;
    right.destroy = count_destroy;
    struct {
        const char *config;
        mcp_transport_functions_t functions;
        mcp_status_t status;
        const char *why;
    } cases[10];
    size_t count = 0;
#define CASE(CONFIG, STATUS, WHY)                                                                             \
    cases[count].config = CONFIG, cases[count].functions = right, cases[count].status = STATUS,               \
    cases[count].why = WHY, count++
    CASE("{\"command\":\"x\"}", MCP_ERROR_INVALID_ARGUMENT,
         "the transport is the program's own; leave the key out");
    CASE("{\"socket\":\"unix:/x\"}", MCP_ERROR_INVALID_ARGUMENT, "leave the key out");
    CASE("{\"nonsense\":1}", MCP_ERROR_INVALID_ARGUMENT, "unknown");
    CASE(NULL, MCP_ERROR_INVALID_ARGUMENT, "config_json is NULL");
    CASE("{}", MCP_ERROR_INVALID_ARGUMENT, "must not be NULL");
    cases[count - 1].functions.send = NULL;
    CASE("{}", MCP_ERROR_INVALID_ARGUMENT, "set it to sizeof");
    cases[count - 1].functions.size = 8;
    CASE("{}", MCP_ERROR_UNSUPPORTED, "its version is 2");
    cases[count - 1].functions.version = 2;
    CASE("{}", MCP_ERROR_INVALID_ARGUMENT, "its version is 0");
    cases[count - 1].functions.version = 0;
    for (size_t i = 0; i < count; i++) {
        mcp_client_t *client = NULL;
        char *error = NULL;
        atomic_store(&destroyed, 0);
        CHECK_STATUS(mcp_client_new_with_transport(cases[i].config, NULL, &cases[i].functions, &destroyed,
                                                   &client, &error),
                     cases[i].status);
        CHECK_CONTAINS(error, cases[i].why);
        CHECK_EQ(destroyed, 1);
        CHECK(client == NULL);
        mcp_string_free(error);
    }
    atomic_store(&destroyed, 0);
    CHECK_STATUS(mcp_client_new_with_transport("{}", NULL, &right, &destroyed, NULL, NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(destroyed, 1);
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new_with_transport("{}", NULL, NULL, NULL, &client, NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_new_with_transport("{}", (mcp_queue_t *)(void *)&destroyed, &right, &destroyed,
                                               &client, NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(destroyed, 2);
    /* A larger struct is one of a later header that says it is of this version. */
    right.size += 8;
    CHECK_STATUS(mcp_client_new_with_transport("{}", NULL, &right, &destroyed, &client, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_EQ(destroyed, 3);
    /* Nothing has to be told. */
    right.destroy = NULL;
    CHECK_STATUS(mcp_client_new_with_transport("{}", NULL, &right, NULL, &client, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    a_refused_open_fails_the_attempt();
    a_refused_send_loses_the_connection();
    what_is_over_the_bound_is_refused();
    what_comes_after_the_end_is_refused();
    news_waits_for_room_and_answers_do_not();
    it_closes_in_every_state();
    a_stuck_send_holds_nobody_for_ever();
    a_client_freed_meanwhile_is_destroyed_once_later();
    making_one_may_fail();
    check_nothing_left(before);
    return 0;
}
