/*
 * Many calls, answers in any order, twice or beside a cancellation, and progress: each call ends once.
 */
#include "check.h"

/*
 * Fifty calls whose answers come back in reverse order: each call gets its own answer.
 */
#define CALLS 50

static void answers_out_of_order_find_their_calls(char **argv) {
    char arguments[48];
    int last_tag = CALLS;
    mcp_client_t *client = connected(argv[2], NULL, NULL);
    snprintf(arguments, sizeof arguments, "{\"n\":%d}", CALLS);
    free(tool_text(client, "hold", arguments));
    for (int tag = 0; tag < CALLS; tag++) {
        snprintf(arguments, sizeof arguments, "{\"text\":\"answer %d\"}", tag);
        start_tool(client, "echo", arguments, NULL, (uint64_t)tag);
    }
    for (int i = 0; i < CALLS; i++) {
        char expected[48];
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        int tag = (int)mcp_message_tag(reply);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        CHECK_EQ(tag, last_tag - 1);
        last_tag = tag;
        snprintf(expected, sizeof expected, "answer %d", tag);
        CHECK_TEXT(mcp_message_text(reply, NULL), expected);
        mcp_message_free(reply);
    }
    close_and_free(client);
}

/*
 * Field fault E07: a server that answers the same call twice, or answers calls that were never made,
 * completes nothing twice: the first answer counts, the others are dropped and counted apart.
 */
static void e07_a_call_answered_twice_ends_once(char **argv) {
    mcp_client_t *client = connected(argv[2], NULL, NULL);
    mcp_message_t *message = NULL;
    drain(client);
    char *text = tool_text(client, "twice", NULL);
    CHECK_TEXT(text, "first");
    free(text);
    start_tool(client, "twice", NULL, NULL, 1);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_TEXT(mcp_message_text(reply, NULL), "first");
    mcp_message_free(reply);
    text = tool_text(client, "unknown_id", NULL);
    CHECK_TEXT(text, "right");
    free(text);
    text = tool_text(client, "string_id", NULL); /* "7" is 7: the answer behind it is the second one */
    CHECK_TEXT(text, "wrong");
    free(text);
    check_echo(client, "fine");
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/late_answers"), 3);
    CHECK_EQ(json_number(info, "/counters/unknown_answers"), 1);
    CHECK_EQ(json_number(info, "/counters/connections"), 1);
    mcp_string_free(info);
    close_and_free(client);
}

/*
 * A call that is cancelled while its answer is on the way ends exactly once, with its answer or as
 * MCP_ERROR_CANCELLED. An answer that the server sends in reaction to the cancellation is late and dropped.
 */
static void check_answer_after_cancellation(const char *server) {
    mcp_client_t *client = connected(server, NULL, NULL);
    mcp_message_t *message = NULL;
    drain(client);
    uint64_t call = start_tool(client, "late_after_cancel", NULL, NULL, 1);
    check_echo(client, "it is under way");
    CHECK_STATUS(mcp_call_cancel(client, call, "changed our mind"), MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "changed our mind");
    mcp_message_free(reply);
    CHECK_STATUS(mcp_call_cancel(client, call, NULL), MCP_EMPTY);
    check_echo(client, "and answered by now");
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/late_answers"), 1);
    CHECK_EQ(json_number(info, "/counters/cancelled"), 1);
    mcp_string_free(info);

    char *text = tool_text(client, "received", "{\"method\":\"notifications/cancelled\",\"lines\":true}");
    CHECK_CONTAINS(text, "changed our mind"); /* the reason reaches the server */
    free(text);
    close_and_free(client);
}

static void check_race(const char *server) {
    enum { RACES = 300 };
    static int ended[RACES];
    mcp_client_t *client = connected(server, NULL, NULL);
    mcp_message_t *message = NULL;
    drain(client);
    for (uint64_t tag = 0; tag < RACES; tag++) {
        uint64_t call = start_tool(client, "echo", "{\"text\":\"quick\"}", NULL, tag);
        for (uint64_t spin = 0; spin < tag * 200; spin++) { /* moves the race about */
            __atomic_signal_fence(__ATOMIC_SEQ_CST);
        }
        CHECK_GE(mcp_call_cancel(client, call, NULL), 0); /* MCP_EMPTY when the answer was first */
    }
    check_echo(client, "all are answered by now");
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        CHECK_EQ(mcp_message_kind(message), MCP_KIND_REPLY);
        CHECK(mcp_message_status(message) == MCP_OK || mcp_message_status(message) == MCP_ERROR_CANCELLED);
        CHECK(mcp_message_tag(message) < RACES);
        CHECK_EQ(++ended[mcp_message_tag(message)], 1);
        mcp_message_free(message);
    }
    for (int tag = 0; tag < RACES; tag++) {
        CHECK_EQ(ended[tag], 1);
    }
    close_and_free(client);
}

static void answer_racing_a_cancellation_gives_one_outcome(char **argv) {
    check_answer_after_cancellation(argv[2]);
    check_race(argv[1]);
}

/*
 * A call made with the option "progress" gets MCP_KIND_PROGRESS messages with its id and tag before its
 * reply; a call without it gets none. (Whether progress gives a call more time is the business of the tests
 * of field fault E03.)
 */
static void check_era(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), NULL);
    mcp_message_t *message = NULL;
    drain(client);
    uint64_t call = start_tool(client, "slow", "{\"ms\":200,\"steps\":4}", "{\"progress\":true}", 9);
    for (int step = 1; step <= 4; step++) {
        char number[16];
        snprintf(number, sizeof number, "%d", step);
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        CHECK_EQ(mcp_message_kind(message), MCP_KIND_PROGRESS);
        CHECK_EQ(mcp_message_tag(message), 9);
        CHECK_EQ(mcp_message_call_id(message), call);
        CHECK(json_is(mcp_message_json(message, NULL), "/progress", number));
        CHECK(json_is(mcp_message_json(message, NULL), "/total", "4"));
        mcp_message_free(message);
    }
    CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
    CHECK_EQ(mcp_message_kind(message), MCP_KIND_REPLY);
    mcp_message_free(message);

    mcp_message_free(call_tool(client, "slow", "{\"ms\":20,\"steps\":4}", NULL));
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    close_and_free(client);
}

static void progress_arrives_while_a_call_runs(char **argv) {
    check_era(argv[1], "legacy");
    check_era(argv[1], "modern");
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    answers_out_of_order_find_their_calls(argv);
    e07_a_call_answered_twice_ends_once(argv);
    answer_racing_a_cancellation_gives_one_outcome(argv);
    progress_arrives_while_a_call_runs(argv);
    return 0;
}
