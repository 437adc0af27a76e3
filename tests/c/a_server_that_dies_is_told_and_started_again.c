/*
 * A server that dies: the calls that it had, the state of its client, and its next start.
 */
#include "check.h"

/*
 * Field fault P05: when the server dies, every pending call, blocking or started, ends at once as
 * MCP_ERROR_TRANSPORT, with the exit status or the signal and the server's last stderr lines in its error. Half an
 * answer counts for nothing, and the next server begins with a clean stream; a whole one counts, however soon the server dies.
 */
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

static void p05_death_ends_pending_calls_with_the_reason(char **argv) {
    struct holdings before = holdings_now();
    check_death(argv[1], 77, "status 77");
    check_death(argv[1], 0,
                "status 0"); /* leaving in the middle of calls is a death too, whatever the status says */
    check_death(argv[1], -1, "signal 9");
    check_last_answer(argv[2]);
    check_nothing_left(before);
}

/*
 * Field fault P13: a server that dies while no call runs is not shown as connected. The state changes soon, a
 * message says so, and with it the reason; without reconnection the client ends closed.
 *
 * Field fault P06: a legacy server that dies of the probe for the modern era is started again and spoken to
 * the legacy way. Connecting just works, and the era is remembered: the client does not probe when it
 * reconnects.
 */
static void kill_server(mcp_client_t *client) {
    pid_t pid = server_pid(client);
    drain(client);
    CHECK_EQ(kill(pid, SIGKILL), 0);
}

static long starts(const char *path) {
    FILE *file = fopen(path, "re");
    CHECK(file != NULL);
    CHECK_EQ(fseek(file, 0, SEEK_END), 0);
    long count = ftell(file); /* one byte for each start */
    fclose(file);
    return count;
}

static void check_legacy(mcp_client_t *client) {
    char *info = info_of(client);
    CHECK(json_is(info, "/era", "legacy"));
    mcp_string_free(info);
    check_echo(client, "it works");
}

static void check_death_of_the_probe(const char *server) {
    char path[] = "/tmp/mcp-test-XXXXXX";
    int file = mkstemp(path);
    CHECK_GE(file, 0);
    close(file);
    mcp_client_t *client =
        connected(server, ARGS("--state", path, "exit-on-probe=sig9"), "\"reconnect\":{\"initial_ms\":20}");
    check_legacy(client);
    CHECK_EQ(starts(path), 2);
    pid_t pid = 0;
    drain(client);
    CHECK_EQ(count_children(&pid), 1);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    await_state(client, MCP_CLIENT_STATE_READY);
    check_legacy(client);
    CHECK_EQ(starts(path), 3);
    close_and_free(client);
    unlink(path);
}

static void p13_state_follows_a_death(char **argv) {
    mcp_client_t *client =
        connected(argv[1], NULL, "\"reconnect\":{\"initial_ms\":3600000,\"max_ms\":3600000}");
    kill_server(client);
    mcp_message_t *message = next_of_kind(client, MCP_KIND_STATE);
    CHECK(json_is(mcp_message_json(message, NULL), "/state", "backoff"));
    CHECK(json_is(mcp_message_json(message, NULL), "/previous", "ready"));
    char *reason = json_at(mcp_message_json(message, NULL), "/reason");
    CHECK_CONTAINS(reason, "signal 9");
    mcp_string_free(reason);
    mcp_message_free(message);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_BACKOFF);
    CHECK_EQ(count_children(NULL), 0);
    close_and_free(client);

    client = connected(argv[1], NULL, "\"reconnect\":{\"initial_ms\":3600000,\"max_ms\":3600000}");
    kill_server(client);
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_BACKOFF); /* also for a program that takes no messages */
    close_and_free(client);

    client = connected(argv[1], NULL, "\"reconnect\":false");
    kill_server(client);
    await_state(client, MCP_CLIENT_STATE_CLOSED);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, NULL), MCP_ERROR_CLOSED);
    close_and_free(client);
    check_death_of_the_probe(argv[2]);
}

/*
 * A server that dies is started again by itself: the states follow one another in messages, the next call is
 * answered by a new process, and this holds many times in a row.
 */
#define MEMBERS "\"reconnect\":{\"initial_ms\":20,\"max_ms\":100,\"jitter\":0.2}"

/* The next state message must say this. */
static void check_next_state(mcp_client_t *client, mcp_client_state_t state, mcp_client_state_t previous) {
    mcp_message_t *message = next_of_kind(client, MCP_KIND_STATE);
    const char *json = mcp_message_json(message, NULL);
    if (!json_is(json, "/state", mcp_client_state_name(state)) ||
        !json_is(json, "/previous", mcp_client_state_name(previous))) {
        FAIL("state message %s, expected %s after %s", json, mcp_client_state_name(state),
             mcp_client_state_name(previous));
    }
    CHECK(json_has(json, "/reason"));
    CHECK(mcp_message_client(message) == client);
    mcp_message_free(message);
}

static void check_recovery(mcp_client_t *client) {
    pid_t old = server_pid(client);
    drain(client);
    mcp_message_t *reply = call_tool(client, "crash", NULL, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    mcp_message_free(reply);
    check_next_state(client, MCP_CLIENT_STATE_BACKOFF, MCP_CLIENT_STATE_READY);
    check_next_state(client, MCP_CLIENT_STATE_STARTING, MCP_CLIENT_STATE_BACKOFF);
    check_next_state(client, MCP_CLIENT_STATE_INITIALIZING, MCP_CLIENT_STATE_STARTING);
    check_next_state(client, MCP_CLIENT_STATE_READY, MCP_CLIENT_STATE_INITIALIZING);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    CHECK_NE(server_pid(client), old);
    CHECK_EQ(count_children(NULL), 1);
}

static void check_era(const char *server, const char *era) {
    struct holdings before = holdings_now();
    int rounds = scaled(10, 2);
    mcp_client_t *client = connected(server, ARGS("--era", era), MEMBERS);
    check_next_state(client, MCP_CLIENT_STATE_STARTING, MCP_CLIENT_STATE_IDLE);
    check_next_state(client, MCP_CLIENT_STATE_INITIALIZING, MCP_CLIENT_STATE_STARTING);
    check_next_state(client, MCP_CLIENT_STATE_READY, MCP_CLIENT_STATE_INITIALIZING);
    for (int round = 0; round < rounds; round++) {
        check_recovery(client);
    }
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/connections"), rounds + 1);
    CHECK_EQ(json_number(info, "/counters/lost_calls"), rounds);
    CHECK(json_is(info, "/era", era));
    mcp_string_free(info);
    close_and_free(client);
    check_nothing_left(before);
}

static void a_crashed_server_is_started_again(char **argv) {
    check_era(argv[1], "legacy");
    check_era(argv[1], "modern");
}

/*
 * A call made while the client waits to start its server again ends at once as MCP_ERROR_UNAVAILABLE and says when
 * the next attempt is; with "when_unavailable":"wait" it waits for the new server instead, within its own
 * time.
 */
static void kill_server_backoff(mcp_client_t *client) {
    pid_t pid = server_pid(client);
    drain(client);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    await_state(client, MCP_CLIENT_STATE_BACKOFF);
}

static void check_fail(const char *server) {
    mcp_client_t *client = connected(server, NULL, "\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}");
    kill_server_backoff(client);
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
    CHECK_LE(now_ms() - begin, slack());
    const char *error = mcp_message_json(reply, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_UNAVAILABLE);
    CHECK(json_is(error, "/status", "unavailable"));
    CHECK(json_is(error, "/retryable", "true"));
    CHECK_GE(json_number(error, "/details/next_attempt_in_ms"), 400000); /* 600 s less the jitter */
    CHECK_CONTAINS(error, "signal 9");                                   /* why it is in this state */
    mcp_message_free(reply);
    CHECK_STATUS(mcp_call_start(client, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_ERROR_UNAVAILABLE);
    CHECK_STATUS(mcp_client_notify(client, "notifications/x", NULL, NULL), MCP_ERROR_UNAVAILABLE);
    close_and_free(client);
}

static void check_wait(const char *server) {
    const char *members = "\"when_unavailable\":\"wait\",\"reconnect\":{\"initial_ms\":300}";
    mcp_client_t *client = connected(server, NULL, members);
    kill_server_backoff(client);
    check_echo(client, "after a while");
    close_and_free(client);
}

static void check_wait_too_long(const char *server) {
    const char *members =
        "\"when_unavailable\":\"wait\",\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}";
    mcp_client_t *client = connected(server, NULL, members);
    kill_server_backoff(client);
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":200}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    CHECK_LE(now_ms() - begin, 200 + slack());
    mcp_message_free(reply);
    close_and_free(client);
}

static void a_call_in_backoff_is_unavailable_or_waits(char **argv) {
    check_fail(argv[1]);
    check_wait(argv[1]);
    check_wait_too_long(argv[1]);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    p05_death_ends_pending_calls_with_the_reason(argv);
    p13_state_follows_a_death(argv);
    a_crashed_server_is_started_again(argv);
    a_call_in_backoff_is_unavailable_or_waits(argv);
    return 0;
}
