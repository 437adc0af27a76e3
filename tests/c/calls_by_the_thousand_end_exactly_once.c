/* Many calls under way at once: each ends once, with its own answer. */
#include "check.h"

/*
 * 10,000 calls started on one client, without waiting in between, all end exactly once, each with its own
 * answer. When the client says MCP_ERROR_BACKPRESSURE the program takes a message and tries again; that call was
 * not started.
 */

struct calls {
    int count;
    int ended;
    char *outcomes; /* by tag, how often that call ended */
};

static void take_reply(struct calls *calls, const mcp_message_t *message) {
    char expected[32];
    uint64_t tag = mcp_message_tag(message);
    CHECK_STATUS(mcp_message_status(message), MCP_OK);
    CHECK(tag < (uint64_t)calls->count);
    CHECK_EQ(++calls->outcomes[tag], 1);
    snprintf(expected, sizeof expected, "call %llu", (unsigned long long)tag);
    CHECK_TEXT(mcp_message_text(message, NULL), expected);
    calls->ended++;
}

static void take_message(mcp_client_t *client, struct calls *calls) {
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
    if (mcp_message_kind(message) == MCP_KIND_REPLY) {
        take_reply(calls, message);
    }
    mcp_message_free(message);
}

static uint64_t start(mcp_client_t *client, struct calls *calls, int tag) {
    char params[96];
    uint64_t call = 0;
    mcp_status_t status = MCP_ERROR_BACKPRESSURE;
    snprintf(params, sizeof params, "{\"name\":\"echo\",\"arguments\":{\"text\":\"call %d\"}}", tag);
    while (status == MCP_ERROR_BACKPRESSURE) {
        status = mcp_call_start(client, "tools/call", params, NULL, (uint64_t)tag, &call, NULL);
        if (status == MCP_ERROR_BACKPRESSURE) {
            take_message(client, calls);
        }
    }
    CHECK_STATUS(status, MCP_OK);
    return call;
}

static void ten_thousand_started_calls_end_exactly_once(char **argv) {
    struct calls calls = {.count = scaled(10000, 500)};
    uint64_t last = 0;
    calls.outcomes = calloc((size_t)calls.count, 1);
    CHECK(calls.outcomes != NULL);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    for (int tag = 0; tag < calls.count; tag++) {
        uint64_t call = start(client, &calls, tag);
        CHECK(call > last); /* ids grow, so none is ever used twice */
        last = call;
    }
    while (calls.ended < calls.count) {
        take_message(client, &calls);
    }
    check_echo(client, "one more"); /* whatever came twice would be here by now */
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    close_and_free(client);
    free(calls.outcomes);
}

/*
 * Field fault P08: a thousand calls under way at once, each with an answer of 64 KiB: none is missing, none
 * is cut, none is mixed up with another.
 */

#define MOST_CALLS 1000
#define BYTES 65536

static void p08_a_thousand_concurrent_answers_of_64_kib_all_arrive(char **argv) {
    static int ended[MOST_CALLS];
    int calls = scaled(MOST_CALLS, 50);
    mcp_client_t *client = connected(argv[1], NULL, "\"limits\":{\"queue_bytes\":268435456}");
    for (int tag = 0; tag < calls; tag++) {
        char arguments[32];
        snprintf(arguments, sizeof arguments, "{\"bytes\":%d}", BYTES + tag); /* the length tells the call */
        start_tool(client, "big", arguments, "{\"timeout_ms\":120000}", (uint64_t)tag);
    }
    for (int i = 0; i < calls; i++) {
        size_t length = 0;
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        uint64_t tag = mcp_message_tag(reply);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        CHECK(tag < (uint64_t)calls);
        CHECK_EQ(++ended[tag], 1);
        const char *text = mcp_message_text(reply, &length);
        CHECK_EQ(length, BYTES + tag);
        CHECK_EQ(strspn(text, "x"), length);
        mcp_message_free(reply);
    }
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    ten_thousand_started_calls_end_exactly_once(argv);
    p08_a_thousand_concurrent_answers_of_64_kib_all_arrive(argv);
    return 0;
}
