/*
 * A transport of the program's own: it carries calls, it fails in every way, it brings a flood.
 */
#include "own_transport.h"

/*
 * A client works over a transport that the program brings: calls are answered from inside `send` and from many other
 * threads at once, 10,000 started calls end exactly once, garbage is skipped, a transport that is closed is
 * opened again, and clients with such transports share a queue. Its functions are called by one thread at a time, with
 * no lock held, and `destroy` exactly once at the end. Nothing is left.
 */
static void calls_are_answered_from_inside_send(void) {
    struct own own;
    mcp_client_t *client = own_client(&own, NULL, "\"name\":\"mine\"");
    CHECK_EQ(own.opens, 0);
    check_echo(client, "in memory");
    CHECK_EQ(own.opens, 1);
    char *info = info_of(client);
    CHECK(json_is(info, "/transport", "custom"));
    CHECK(json_is(info, "/name", "mine"));
    CHECK(json_is(info, "/pid", "null"));
    mcp_string_free(info);
    char *text = tool_text(client, "noise", "{\"text\":\"x\"}");
    CHECK_TEXT(text, "x");
    free(text);
    info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/garbage_frames"), 1);
    mcp_string_free(info);
    own_free(&own, client);
}

static void every_started_call_ends_once(void) {
    struct own own;
    uint64_t total = (uint64_t)scaled(10000, 200);
    mcp_client_t *client = own_client(&own, NULL, "");
    bool *seen = calloc(total, sizeof *seen);
    CHECK(seen != NULL);
    connect_client(client);
    drain(client);
    for (uint64_t tag = 0; tag < total; tag++) {
        start_tool(client, "echo", "{\"text\":\"x\"}", NULL, tag);
    }
    for (uint64_t ended = 0; ended < total; ended++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        uint64_t tag = mcp_message_tag(reply);
        CHECK(tag < total && !seen[tag]);
        seen[tag] = true;
        mcp_message_free(reply);
    }
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    CHECK_EQ(own.closes, 1);
    free(seen);
    own_free(&own, client);
}

#define DELIVERERS 4
#define CALLERS 4

struct crowd {
    struct own own;
    mcp_client_t *client;
    atomic_bool over;
    int calls;
};

/* Answers what waits, and between that delivers what was not asked for. */
static void *deliver(void *argument) {
    struct crowd *crowd = argument;
    struct own *own = &crowd->own;
    static const char changed[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}";
    for (int round = 0; !atomic_load(&crowd->over); round++) {
        char *frame = NULL;
        pthread_mutex_lock(&own->lock);
        if (own->count > 0) {
            frame = own->waiting[--own->count];
        }
        pthread_mutex_unlock(&own->lock);
        mcp_transport_t *transport = atomic_load(&own->handle);
        if (frame != NULL) {
            own_answer(transport, frame);
            free(frame);
        } else {
            poll(NULL, 0, 1);
        }
        if (transport != NULL && round % 8 == 0) {
            CHECK_STATUS(mcp_transport_deliver(transport, changed, strlen(changed)), MCP_OK);
            CHECK_STATUS(mcp_transport_deliver(transport, "\xff\xfe garbage", 10), MCP_OK);
        }
    }
    return NULL;
}

static void *call(void *argument) {
    struct crowd *crowd = argument;
    for (int i = 0; i < crowd->calls; i++) {
        char *text = format("%d of %p", i, (void *)&text);
        check_echo(crowd->client, text);
        free(text);
    }
    return NULL;
}

static void many_threads_deliver_and_call(void) {
    static struct crowd crowd;
    pthread_t deliverers[DELIVERERS];
    pthread_t callers[CALLERS];
    crowd.client = own_client(&crowd.own, NULL, "");
    crowd.calls = scaled(500, 20);
    connect_client(crowd.client);
    atomic_store(&crowd.own.by_threads, true);
    for (int i = 0; i < DELIVERERS; i++) {
        deliverers[i] = start_thread(deliver, &crowd);
    }
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = start_thread(call, &crowd);
    }
    for (int i = 0; i < CALLERS; i++) {
        join_thread(callers[i]);
    }
    atomic_store(&crowd.over, true);
    for (int i = 0; i < DELIVERERS; i++) {
        join_thread(deliverers[i]);
    }
    own_free(&crowd.own, crowd.client);
}

static void what_is_closed_is_opened_again(void) {
    struct own own;
    mcp_client_t *client = own_client(&own, NULL,
                                      "\"reconnect\":{\"initial_ms\":10,\"max_ms\":20,\"jitter\":0},"
                                      "\"when_unavailable\":\"wait\"");
    for (int round = 1; round <= 5; round++) {
        check_echo(client, "here");
        CHECK_EQ(own.opens, round);
        mcp_message_t *reply = call_tool(client, "die", NULL, NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
        CHECK_CONTAINS(mcp_message_json(reply, NULL), "the program's transport was closed: it died");
        mcp_message_free(reply);
    }
    check_echo(client, "still");
    /* Not closed by a call. */
    CHECK_STATUS(mcp_transport_closed(atomic_load(&own.handle), NULL), MCP_OK);
    check_echo(client, "again");
    CHECK_EQ(own.opens, 7);
    own_free(&own, client);
}

static void clients_share_a_queue(void) {
    struct own first;
    struct own second;
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_client_t *clients[2] = {own_client(&first, queue, ""), own_client(&second, queue, "")};
    int replies[2] = {0, 0};
    for (int i = 0; i < 20; i++) {
        start_tool(clients[i % 2], "echo", "{\"text\":\"x\"}", NULL, (uint64_t)(i % 2));
    }
    while (replies[0] + replies[1] < 20) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK(mcp_message_client(message) == clients[mcp_message_tag(message)]);
            replies[mcp_message_tag(message)]++;
        }
        mcp_message_free(message);
    }
    CHECK_EQ(replies[0], replies[1]);
    own_free(&first, clients[0]);
    own_free(&second, clients[1]);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

static void a_transport_of_the_programs_own_carries_calls(void) {
    struct holdings before = holdings_now();
    calls_are_answered_from_inside_send();
    every_started_call_ends_once();
    many_threads_deliver_and_call();
    what_is_closed_is_opened_again();
    clients_share_a_queue();
    check_nothing_left(before);
}

/*
 * What can go wrong with a transport that the program brings: `open` or `send` refuses, a message is over the bound, comes
 * after the end, or finds the queue full; the client is closed in every state, or freed while `send` does not return.
 * Each is told, bounded, and leaves nothing; `destroy` is called exactly once, also when the client cannot be made.
 */
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
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
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
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
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
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
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

static void a_transport_of_the_programs_own_may_fail(void) {
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
}

/*
 * A server that reports progress without end and never answers: the queue keeps to its bound and says what it dropped, the
 * call ends at its total time although each report starts its time again, and memory stays flat.
 */
static atomic_bool flooding;
static atomic_int reports;

/* Reports on another thread, for as long as the call lasts. */
static void *flood(void *argument) {
    struct own *own = argument;
    char report[160];
    while (atomic_load(&flooding)) {
        int number = atomic_fetch_add(&reports, 1);
        snprintf(report, sizeof report,
                 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":%d}}",
                 (char *)own->waiting[0], number);
        mcp_transport_t *transport = atomic_load(&own->handle);
        if (transport == NULL) {
            return NULL;
        }
        CHECK_STATUS(mcp_transport_deliver(transport, report, strlen(report)), MCP_OK);
    }
    return NULL;
}

static pthread_t thread;

static mcp_status_t flooding_send(void *user, mcp_transport_t *transport, const char *frame, size_t length) {
    struct own *own = user;
    if (strstr(frame, "\"tools/call\"") == NULL || strstr(frame, "\"flood\"") == NULL) {
        return own_send(user, transport, frame, length);
    }
    char *token = json_at(frame, "/params/_meta/progressToken");
    own->waiting = malloc(sizeof *own->waiting);
    CHECK(own->waiting != NULL);
    /* A token that is a text has lost its quotes here. */
    own->waiting[0] = strspn(token, "0123456789") == strlen(token) ? format("%s", token) : format("\"%s\"", token);
    mcp_string_free(token);
    atomic_store(&flooding, true);
    thread = start_thread(flood, own);
    return MCP_OK;
}

static void a_flood_of_progress_is_bounded_in_memory_and_time(void) {
    struct holdings before = holdings_now();
    struct own own = {0};
    mcp_client_t *client = NULL;
    mcp_transport_functions_t functions = own_functions;
    functions.send = flooding_send;
    CHECK_EQ(pthread_mutex_init(&own.lock, NULL), 0);
    CHECK_STATUS(mcp_client_new_with_transport(
                     "{\"protocol\":\"legacy\",\"limits\":{\"queue_messages\":1000}}", NULL, &functions, &own,
                     &client, NULL),
                 MCP_OK);
    connect_client(client);
    check_echo(client, "before");
    long memory = memory_kib("VmRSS:");
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(
        client, "flood", NULL, "{\"progress\":true,\"reset_on_progress\":true,\"timeout_ms\":400,\"max_total_ms\":1500}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    CHECK_GE(now_ms() - begin, 1500);
    CHECK_LE(now_ms() - begin, 1500 + slack());
    mcp_message_free(reply);
    /* A sanitizer keeps freed memory to itself, and more of it the more was reported. */
    if (getenv("MCP_UNDER_SANITIZER") == NULL) {
        CHECK_LE(memory_kib("VmRSS:") - memory, 16 * 1024 * scale());
    }
    atomic_store(&flooding, false);
    join_thread(thread);
    CHECK_GE(atomic_load(&reports), 1001);

    /* What waits is at most what may wait, and what was dropped is told. */
    int waiting = 0;
    long long lost = 0;
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        waiting++;
        if (mcp_message_kind(message) == MCP_KIND_LOST) {
            lost += 1;
        }
        mcp_message_free(message);
    }
    CHECK_LE(waiting, 1001);
    CHECK_EQ(lost, 1);
    check_echo(client, "after");
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    free(own.waiting[0]);
    own_free(&own, client);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    a_transport_of_the_programs_own_carries_calls();
    a_transport_of_the_programs_own_may_fail();
    a_flood_of_progress_is_bounded_in_memory_and_time();
    return 0;
}
