/*
 * A call that has become a task goes on when its server dies: the next process is asked for the task, and the call has the
 * one outcome that it comes to. What goes wrong with a task ends its call, and nothing else.
 */
#include "check.h"

#define MEMBERS \
    "\"tasks\":{\"poll_min_ms\":5,\"poll_ms\":20},\"reconnect\":{\"initial_ms\":20,\"max_ms\":100},\"max_retries\":1"

static uint64_t start_work(mcp_client_t *client, const char *arguments, const char *options, uint64_t tag) {
    uint64_t call = 0;
    char *error = NULL;
    if (mcp_client_call_tool_start(client, "work", arguments, options, tag, &call, &error) != MCP_OK) {
        FAIL("not started: %s", error);
    }
    return call;
}

/* The outcome of the call with this tag; mcp_message_free() it. */
static mcp_message_t *outcome(mcp_client_t *client, uint64_t tag) {
    long long deadline = now_ms() + patience();
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    while (mcp_message_tag(reply) != tag) {
        CHECK_LE(now_ms(), deadline);
        mcp_message_free(reply);
        reply = next_of_kind(client, MCP_KIND_REPLY);
    }
    return reply;
}

static void check_outcome(mcp_client_t *client, uint64_t tag, mcp_status_t status, const char *part) {
    mcp_message_t *reply = outcome(client, tag);
    if (mcp_message_status(reply) != status) {
        FAIL("%s: %s", mcp_status_name(mcp_message_status(reply)), mcp_message_json(reply, NULL));
    }
    CHECK_CONTAINS(mcp_message_json(reply, NULL), part);
    mcp_message_free(reply);
}

static void survives(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), MEMBERS);
    char *arguments = format("{\"ms\":%d,\"poll_ms\":30}", scaled(1500, 1500));
    start_work(client, arguments, "{\"task\":true}", 1);
    free(arguments);
    mcp_message_free(next_of_kind(client, MCP_KIND_NOTIFICATION));
    for (int deaths = 0; deaths < 2; deaths++) {
        mcp_message_t *reply = call_tool(client, "crash", NULL, NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
        mcp_message_free(reply);
        connect_client(client);
    }
    check_outcome(client, 1, MCP_OK, "the work is done");
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/connections"), 3);
    CHECK_EQ(json_number(info, "/counters/lost_calls"), 2);
    mcp_string_free(info);
    close_and_free(client);
}

static void what_goes_wrong_ends_its_call(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), MEMBERS);
    start_work(client, "{\"kind\":\"forgotten\",\"ms\":50}", "{\"task\":true}", 1);
    check_outcome(client, 1, MCP_ERROR_SERVER, "Task not found");
    start_work(client, "{\"kind\":\"odd\",\"ms\":20}", "{\"task\":true}", 2);
    check_outcome(client, 2, MCP_ERROR_PROTOCOL, "status 'asleep' is unknown");
    start_work(client, "{\"kind\":\"silent\"}", "{\"task\":true,\"timeout_ms\":100}", 3);
    check_outcome(client, 3, MCP_ERROR_TIMEOUT, "did not say within 100 ms how the task is");
    check_echo(client, "still there");
    close_and_free(client);
}

static void a_notification_spares_the_wait(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), MEMBERS);
    long long before = now_ms();
    start_work(client, "{\"kind\":\"push\",\"ms\":300,\"poll_ms\":60000}", "{\"task\":true}", 4);
    check_outcome(client, 4, MCP_OK, "the work is done");
    CHECK_LE(now_ms() - before, 300 + 2 * slack());
    close_and_free(client);
}

static bool was_asked_to_cancel(mcp_client_t *client) {
    char *received = tool_text(client, "received", NULL);
    bool was = json_is(received, "/counts/tasks~1cancel", "1");
    free(received);
    return was;
}

/* The call ends before its answer comes, which then names a task: that is cancelled as one. */
static void a_task_made_too_late_is_cancelled(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), MEMBERS);
    check_echo(client, "known");
    start_work(client, "{\"kind\":\"late\",\"ms\":400}", "{\"task\":true,\"max_total_ms\":200}", 5);
    check_outcome(client, 5, MCP_ERROR_TIMEOUT, "\"call\"");
    UNTIL(was_asked_to_cancel(client));
    close_and_free(client);
}

int main(int argc, char **argv) {
    static const char *const ERAS[] = {"legacy", "modern"};
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    for (int i = 0; i < 2; i++) {
        survives(argv[2], ERAS[i]);
        what_goes_wrong_ends_its_call(argv[2], ERAS[i]);
        a_notification_spares_the_wait(argv[2], ERAS[i]);
        a_task_made_too_late_is_cancelled(argv[2], ERAS[i]);
    }
    check_nothing_left(before);
    return 0;
}
