/*
 * A client works over a transport that the program brings: calls are answered from inside `send` and from many other
 * threads at once, 10,000 started calls end exactly once, garbage is skipped, a transport that is closed is
 * opened again, and clients with such transports share a queue. Its functions are called by one thread at a time, with
 * no lock held, and `destroy` exactly once at the end. Nothing is left.
 */
#include "own_transport.h"

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
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
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

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    calls_are_answered_from_inside_send();
    every_started_call_ends_once();
    many_threads_deliver_and_call();
    what_is_closed_is_opened_again();
    clients_share_a_queue();
    check_nothing_left(before);
    return 0;
}
