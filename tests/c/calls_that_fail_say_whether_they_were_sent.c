/*
 * A call that ends at its time, and what errors say of calls that may have been sent.
 */
#include "check.h"

/*
 * A call ends as MCP_ERROR_TIMEOUT when its time is over, not before and not much later, whether the time comes
 * from the call's options, from the config for its method, or from the config for all calls. The client goes
 * on.
 */
static void check_timeout(const char *server, const char *members, const char *options) {
    mcp_client_t *client = connected(server, NULL, members);
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "slow", "{\"ms\":3600000}", options);
    long long took = now_ms() - begin;
    const char *error = mcp_message_json(reply, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    CHECK_GE(took, 195);
    CHECK_LE(took, 200 + slack());
    CHECK(json_is(error, "/status", "timeout"));
    CHECK(json_is(error, "/operation", "tools/call"));
    CHECK(json_is(error, "/details/sent", "true"));
    CHECK(json_is(error, "/retryable", "false")); /* the tool may have run */
    mcp_message_free(reply);
    check_echo(client, "on we go");
    close_and_free(client);
}

static void a_call_ends_at_its_timeout(char **argv) {
    check_timeout(argv[1], NULL, "{\"timeout_ms\":200}");
    check_timeout(argv[1], NULL, "{\"max_total_ms\":200}");
    check_timeout(argv[1], "\"timeouts\":{\"call_ms\":200}", NULL);
    check_timeout(argv[1], "\"timeouts\":{\"call_ms\":60000,\"methods\":{\"tools/call\":200}}", NULL);
    check_timeout(argv[1], "\"timeouts\":{\"call_ms\":60000}", "{\"timeout_ms\":200,\"max_total_ms\":60000}");
}

/*
 * Every error of a call says whether the server may have the request ("sent" in "details"), however the call ends and whatever
 * it waits for: an answer, a task, an input or a page that the application has not answered. Such an error never says that
 * the call may be made again, for the tool may have run.
 */
enum wait { AN_ANSWER, A_TASK, AN_INPUT, A_PAGE };

/* Makes a call that ends only when it is told to, or at its timeout. */
static uint64_t begin(mcp_client_t *client, enum wait wait, const char *options) {
    switch (wait) {
    case AN_ANSWER: return start_tool(client, "hang", NULL, options, 1);
    case AN_INPUT: return start_tool(client, "input_required", "{\"kind\":\"forever\"}", options, 1);
    case A_PAGE: return start_tool(client, "wants_visits", "{\"ids\":[\"a\"]}", options, 1);
    case A_TASK: break;
    }
    uint64_t call = 0;
    char *with_task = format("{\"task\":true,%s", options + 1);
    CHECK_STATUS(mcp_client_call_tool_start(client, "work", "{\"ms\":3600000}", with_task, 1, &call, NULL),
                 MCP_OK);
    free(with_task);
    return call;
}

/* Waits until the call waits for what it is to wait for. Gives the message that says so: freeing a request refuses it. */
static mcp_message_t *await(mcp_client_t *client, enum wait wait) {
    if (wait == AN_ANSWER) {
        check_echo(client, "which the server answers after it has read the other");
        return NULL;
    }
    return next_of_kind(client, wait == A_TASK ? MCP_KIND_NOTIFICATION : MCP_KIND_REQUEST);
}

static void says_so(const mcp_message_t *reply, mcp_status_t status) {
    const char *error = mcp_message_json(reply, NULL);
    if (mcp_message_status(reply) != status || !json_is(error, "/details/sent", "true") ||
        !json_is(error, "/retryable", "false")) {
        FAIL("instead of %s, sent and not retryable: %s", mcp_status_name(status), error);
    }
}

static void ends(mcp_client_t *client, mcp_status_t status) {
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    says_so(reply, status);
    mcp_message_free(reply);
}

static void check(const char *server, const char *era, enum wait wait) {
    const char *members = "\"tasks\":{\"poll_min_ms\":5,\"poll_ms\":20},"
                          "\"capabilities\":{\"elicitation\":{\"form\":{},\"url\":{}}}";
    const char *forever = "{\"timeout_ms\":3600000,\"max_total_ms\":3600000}";
    mcp_client_t *client = connected(server, ARGS("--era", era), members);
    uint64_t call = begin(client, wait, forever);
    mcp_message_t *message = await(client, wait);
    CHECK_STATUS(mcp_call_cancel(client, call, NULL), MCP_OK);
    ends(client, MCP_ERROR_CANCELLED);
    mcp_message_free(message);
    begin(client, wait, forever);
    message = await(client, wait);
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    ends(client, MCP_ERROR_CLOSED);
    mcp_message_free(message);
    mcp_client_free(client);

    client = connected(server, ARGS("--era", era), members);
    begin(client, wait, "{\"timeout_ms\":500,\"max_total_ms\":500}");
    mcp_message_t *kept[8] = {NULL};
    int count = 0;
    do {
        CHECK_LE(count, 7);
        CHECK_STATUS(mcp_client_poll(client, patience(), &kept[count]), MCP_OK);
    } while (mcp_message_kind(kept[count++]) != MCP_KIND_REPLY);
    says_so(kept[count - 1], MCP_ERROR_TIMEOUT);
    for (int i = 0; i < count; i++) {
        mcp_message_free(kept[i]);
    }
    mcp_client_free(client);
}

static void details_say_whether_a_call_was_sent(char **argv) {
    struct holdings before = holdings_now();
    check(argv[2], "legacy", AN_ANSWER);
    check(argv[2], "modern", AN_ANSWER);
    check(argv[2], "legacy", A_TASK);
    check(argv[2], "modern", A_TASK);
    check(argv[2], "modern", AN_INPUT);
    check(argv[2], "legacy", A_PAGE);
    /* What never left says so, and may be made later. */
    mcp_client_t *client = new_client("/nonexistent/server", NULL, "\"reconnect\":false");
    mcp_message_t *reply = call_tool(client, "any", NULL, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    CHECK(json_is(mcp_message_json(reply, NULL), "/details/sent", "false"));
    mcp_message_free(reply);
    mcp_client_free(client);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    a_call_ends_at_its_timeout(argv);
    details_say_whether_a_call_was_sent(argv);
    return 0;
}
