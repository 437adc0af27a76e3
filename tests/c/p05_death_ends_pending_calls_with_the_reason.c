/*
 * Field fault P05: when the server dies, every pending call, blocking or started, ends at once as
 * MCP_ERROR_TRANSPORT, with the exit status or the signal and the server's last stderr lines in its error. Half an
 * answer counts for nothing, and the next server begins with a clean stream; a whole one counts, however soon the server dies.
 */
#include "check.h"

#define THREADS 4
#define STARTED 20
#define LONG "{\"timeout_ms\":600000,\"max_total_ms\":600000}"

static const char *expected_reason;

static void check_error(const mcp_message_t *reply) {
    const char *error = mcp_message_json(reply, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    CHECK(json_is(error, "/status", "transport"));
    CHECK(json_is(error, "/operation", "tools/call"));
    CHECK(json_is(error, "/details/sent", "true"));
    CHECK(json_is(error, "/retryable", "false")); /* the tool may have run */
    CHECK_CONTAINS(error, expected_reason);
    CHECK_CONTAINS(error, "mcp-example-server"); /* the line it wrote to stderr when it started */
}

static void *call_for_long(void *argument) {
    mcp_message_t *reply = call_tool(argument, "slow", "{\"ms\":3600000}", LONG);
    check_error(reply);
    mcp_message_free(reply);
    return NULL;
}

static bool are_pending(mcp_client_t *client, int calls) {
    char *info = info_of(client);
    bool are = json_number(info, "/pending_calls") == calls;
    mcp_string_free(info);
    return are;
}

/* `crash_code` < 0: the server is killed by a signal instead of ending itself. */
static void check_death(const char *server, int crash_code, const char *reason) {
    pthread_t threads[THREADS];
    int ended[STARTED + 1] = {0};
    char arguments[32];
    mcp_client_t *client = connected(server, NULL, "\"reconnect\":false");
    pid_t pid = server_pid(client);
    expected_reason = reason;
    for (int i = 0; i < THREADS; i++) {
        threads[i] = start_thread(call_for_long, client);
    }
    for (uint64_t tag = 0; tag < STARTED; tag++) {
        start_tool(client, "slow", "{\"ms\":3600000}", LONG, tag);
    }
    UNTIL(are_pending(client, THREADS + STARTED)); /* a thread that calls later would find the client closed */
    for (int trip = 0; trip < 20; trip++) {
        check_echo(client, "some round trips later all calls are under way");
    }
    long long begin = now_ms();
    if (crash_code >= 0) {
        snprintf(arguments, sizeof arguments, "{\"code\":%d}", crash_code);
        start_tool(client, "crash", arguments, LONG, STARTED);
    } else {
        CHECK_EQ(kill(pid, SIGKILL), 0);
    }
    for (int i = 0; i < STARTED + (crash_code >= 0 ? 1 : 0); i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK(mcp_message_tag(reply) <= STARTED);
        CHECK_EQ(++ended[mcp_message_tag(reply)], 1);
        check_error(reply);
        mcp_message_free(reply);
    }
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
    CHECK_LE(now_ms() - begin, 1000 + slack());
    close_and_free(client);
}

static void check_last_answer(const char *server) {
    mcp_client_t *client = connected(server, NULL, "\"reconnect\":{\"initial_ms\":20}");
    for (int round = 0; round < 3; round++) {
        drain(client);
        mcp_message_t *reply = call_tool(client, "half", "{\"code\":42}", NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
        CHECK_CONTAINS(mcp_message_json(reply, NULL), "status 42");
        mcp_message_free(reply);
        await_state(client, MCP_CLIENT_STATE_READY);
        check_echo(client, "clean");
    }
    mcp_message_t *reply = call_tool(client, "crash", "{\"answer\":true}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), "about to die");
    mcp_message_free(reply);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_death(argv[1], 77, "status 77");
    check_death(argv[1], 0,
                "status 0"); /* leaving in the middle of calls is a death too, whatever the status says */
    check_death(argv[1], -1, "signal 9");
    check_last_answer(argv[2]);
    check_nothing_left(before);
    return 0;
}
