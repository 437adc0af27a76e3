/*
 * mcp_client_connect_start() returns at once, and exactly one reply on the queue says what became of it: ready, failed, out
 * of time, cancelled, closed. mcp_client_connect() with a time of 0 starts the connection and does not wait.
 */
#include "http.h"

/* Takes the one reply, and checks that it is the started one's. */
static mcp_message_t *outcome(mcp_client_t *client, uint64_t call, uint64_t tag, mcp_status_t expected) {
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), tag);
    CHECK_EQ(mcp_message_call_id(reply), call);
    CHECK_STATUS(mcp_message_status(reply), expected);
    CHECK(mcp_message_client(reply) == client);
    return reply;
}

static uint64_t start(mcp_client_t *client, int32_t timeout_ms, uint64_t tag) {
    uint64_t call = 0;
    char *error = NULL;
    mcp_status_t status = mcp_client_connect_start(client, timeout_ms, tag, &call, &error);
    if (status != MCP_OK) {
        FAIL("not started: %s", error);
    }
    CHECK_NE(call, 0);
    return call;
}

static void becomes_ready(mcp_client_t *client) {
    uint64_t first = start(client, -1, 11);
    uint64_t second = start(client, patience(), 12);
    CHECK_NE(first, second);
    mcp_message_t *reply = outcome(client, first, 11, MCP_OK);
    CHECK_TEXT(mcp_message_json(reply, NULL), "{}");
    mcp_message_free(reply);
    mcp_message_free(outcome(client, second, 12, MCP_OK));
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    uint64_t third = start(client, 0, 13); /* it is ready already */
    mcp_message_free(outcome(client, third, 13, MCP_OK));
    check_echo(client, "it is ready");
    mcp_message_t *none = NULL;
    while (mcp_client_poll(client, 0, &none) == MCP_OK) {
        CHECK_NE(mcp_message_kind(none), MCP_KIND_REPLY);
        mcp_message_free(none);
    }
    close_and_free(client);
}

static void fails(void) {
    mcp_client_t *client = new_client("/no/such/server", NULL, NULL);
    mcp_message_t *reply = outcome(client, start(client, -1, 21), 21, MCP_ERROR_TRANSPORT);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "cannot start '/no/such/server'");
    CHECK_TEXT(mcp_message_method(reply), "connect");
    mcp_message_free(reply);
    close_and_free(client);
}

/* A program that never answers. */
static mcp_client_t *silent(const char *scripted, const char *members) {
    return new_client(scripted, ARGS("never-read"), members);
}

static void is_out_of_time(const char *scripted) {
    mcp_client_t *client = silent(scripted, NULL);
    long long begin = now_ms();
    uint64_t call = start(client, 100, 31);
    CHECK_LE(now_ms() - begin, slack());
    mcp_message_t *reply = outcome(client, call, 31, MCP_ERROR_TIMEOUT);
    CHECK_GE(now_ms() - begin, 100);
    CHECK(json_is(mcp_message_json(reply, NULL), "/details/limit_ms", "100"));
    mcp_message_free(reply);
    CHECK_STATUS(mcp_call_cancel(client, call, NULL), MCP_EMPTY);
    close_and_free(client);
}

static void is_cancelled_or_closed(const char *scripted) {
    mcp_client_t *client = silent(scripted, "\"limits\":{\"in_flight\":2}");
    uint64_t call = start(client, -1, 41);
    uint64_t other = start(client, -1, 42);
    char *error = NULL;
    CHECK_STATUS(mcp_client_connect_start(client, -1, 43, NULL, &error), MCP_ERROR_BACKPRESSURE);
    CHECK_CONTAINS(error, "limits.in_flight");
    mcp_string_free(error);
    CHECK_STATUS(mcp_call_cancel(client, call, "no longer wanted"), MCP_OK);
    CHECK_STATUS(mcp_call_cancel(client, call, NULL), MCP_EMPTY);
    mcp_message_t *reply = outcome(client, call, 41, MCP_ERROR_CANCELLED);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "no longer wanted");
    mcp_message_free(reply);
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_INITIALIZING); /* the attempt goes on */
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    mcp_message_free(outcome(client, other, 42, MCP_ERROR_CLOSED));
    CHECK_STATUS(mcp_client_connect_start(client, -1, 44, NULL, NULL), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_STATUS(mcp_client_connect_start(client, -1, 45, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
}

/* As an event loop does it: many clients on one queue, woken by its descriptor. */
static void loops(const char *server) {
    enum { MANY = 4 };
    mcp_queue_t *queue = NULL;
    mcp_client_t *clients[MANY];
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    int descriptor = mcp_queue_fd(queue);
    CHECK_GE(descriptor, 0);
    for (uint64_t i = 0; i < MANY; i++) {
        clients[i] = new_client_on(queue, server, NULL, NULL);
        CHECK_STATUS(mcp_client_connect_start(clients[i], patience(), i, NULL, NULL), MCP_OK);
    }
    for (int ready = 0; ready < MANY;) {
        struct pollfd entry = {.fd = descriptor, .events = POLLIN};
        mcp_message_t *message = NULL;
        CHECK_EQ(poll(&entry, 1, patience()), 1);
        while (mcp_queue_poll(queue, 0, &message) == MCP_OK) {
            if (mcp_message_kind(message) == MCP_KIND_REPLY) {
                CHECK_STATUS(mcp_message_status(message), MCP_OK);
                CHECK(mcp_message_client(message) == clients[mcp_message_tag(message)]);
                ready++;
            }
            mcp_message_free(message);
        }
    }
    for (int i = 0; i < MANY; i++) {
        close_and_free(clients[i]);
    }
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

static void connects_without_waiting(const char *server) {
    mcp_client_t *client = new_client(server, NULL, NULL);
    CHECK_STATUS(mcp_client_connect(client, 0, NULL), MCP_ERROR_TIMEOUT);
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_READY);
    CHECK_STATUS(mcp_client_connect(client, 0, NULL), MCP_OK);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct server server = start_server(argv[3], NULL);
    struct holdings before = holdings_now();
    becomes_ready(new_client(argv[1], NULL, NULL));
    becomes_ready(client_at(&server, "/mcp", NULL));
    fails();
    is_out_of_time(argv[2]);
    is_cancelled_or_closed(argv[2]);
    loops(argv[1]);
    connects_without_waiting(argv[1]);
    check_nothing_left(before);
    stop_server(&server);
    return 0;
}
