/*
 * Streams of events that end before what they are for, and those that a server refuses.
 */
#include "http.h"

/*
 * Field fault H04: a call whose stream broke off is being taken up again and again when its time is over. Its end is the
 * end of everything that it started: no more requests, no open stream. The same for a cancelled call.
 */
#define DETACH "{\"answer\":false,\"retry\":50,\"cuts\":100000}"
#define WAITS_OPEN "{\"answer\":false,\"retry\":50}"

/* That nothing more is asked for, over a time in which it would have been many times. */
static void check_quiet(const struct server *server, mcp_client_t *client) {
    UNTIL(stat_of(server, "/get_streams_open") == 1); /* the session's own */
    long long resumed = stat_of(server, "/resumed");
    long long until = now_ms() + 1000;
    while (now_ms() < until) {
        check_echo(client, "meanwhile");
        breathe();
    }
    CHECK_EQ(stat_of(server, "/resumed"), resumed);
    CHECK_EQ(stat_of(server, "/get_streams_open"), 1);
}

static void h04_an_ended_call_asks_for_its_stream_no_more(char **argv) {
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *client = connected_to(&server, LEGACY);
    const char *const arguments[] = {DETACH, WAITS_OPEN};
    UNTIL(stat_of(&server, "/get_streams_open") == 1);
    for (int i = 0; i < 2; i++) {
        long long resumed = stat_of(&server, "/resumed");
        mcp_message_t *reply = call_tool(client, "detach", arguments[i], "{\"timeout_ms\":1500}");
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
        mcp_message_free(reply);
        CHECK_GE(stat_of(&server, "/resumed"), resumed + 1);
        check_quiet(&server, client);
    }
    uint64_t call = start_tool(client, "detach", DETACH, NULL, 7);
    long long resumed = stat_of(&server, "/resumed");
    UNTIL(stat_of(&server, "/resumed") > resumed);
    CHECK_STATUS(mcp_call_cancel(client, call, "no longer wanted"), MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    check_quiet(&server, client);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
    check_nothing_left(before);
}

/*
 * Field fault H05: when the attempts to take a broken stream up again are used up, the call ends and says so, and the
 * client stays usable. When the whole server is gone, every pending call ends and a STATE message tells.
 */
#define PENDING 6

static void check_attempts(const char *path, const char *fault) {
    char *behaviour = format("on-resume=%s", fault);
    struct server server = start_server(path, ARGS(behaviour));
    mcp_client_t *client = connected_to(&server, LEGACY ",\"reconnect\":{\"stream_attempts\":2}");
    mcp_message_t *reply = call_tool(client, "detach", "{\"retry\":50,\"ms\":60000}", NULL);
    const char *error = mcp_message_json(reply, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    CHECK_CONTAINS(error, "stream");
    mcp_message_free(reply);
    CHECK_GE(stat_of(&server, "/methods/GET"), 2);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    check_echo(client, "still usable");
    close_and_free(client);
    stop_server(&server);
    free(behaviour);
}

static void check_server_gone(const char *path, const char *era) {
    struct server server = start_server(path, NULL);
    char *members = format("%s,\"reconnect\":{\"initial_ms\":50,\"max_attempts\":2,\"stream_attempts\":2}", era);
    mcp_client_t *client = connected_to(&server, members);
    int ended[PENDING] = {0};
    for (uint64_t tag = 0; tag < PENDING; tag++) {
        start_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000,\"max_total_ms\":3600000}", tag);
    }
    UNTIL(stat_of(&server, "/in_flight") >= PENDING);
    stop_server(&server);
    for (int i = 0; i < PENDING; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
        CHECK(json_is(mcp_message_json(reply, NULL), "/details/sent", "true"));
        CHECK(json_is(mcp_message_json(reply, NULL), "/retryable", "false")); /* the tool may have run */
        CHECK_EQ(++ended[mcp_message_tag(reply)], 1);
        mcp_message_free(reply);
    }
    /* Another client asks for something, so that a client without any stream notices, too. */
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
    CHECK_NE(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_CLOSED);
    close_and_free(client);
    free(members);
}

static void h05_a_stream_that_cannot_be_taken_up_ends_the_call(char **argv) {
    struct holdings before = holdings_now();
    check_attempts(argv[3], "503");
    check_attempts(argv[3], "close");
    check_attempts(argv[3], "lost");
    check_attempts(argv[3], "404");
    check_server_gone(argv[3], LEGACY);
    check_server_gone(argv[3], MODERN);
    check_nothing_left(before);
}

/*
 * Field fault H06: whatever the server answers to the GET for its own messages, which no server needs to offer, the
 * connection is ready and calls work.
 */
static const char *const FAULTS[] = {
    "405",       "404",         "400",      "500",           "503",        "401",          "403",
    "202",       "html",        "html:404", "text:500",      "not-json",   "empty",        "no-content",
    "hang",      "silent",      "close",    "reset",         "wrong-type", "error:400",    "half-head",
    "garbage",   "bad-chunk",   "lost",     "comments:20",   "half-event", "endless-line", "endless-header",
    "rate-limit", "redirect:302:/elsewhere", "redirect:307:http://127.0.0.1:1/mcp", "redirect:307:/mcp",
};

static void h06_a_get_that_fails_harms_nothing(char **argv) {
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], NULL);
    for (size_t i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) {
        char *script = format("on-get=%s", FAULTS[i]);
        set_script(&server, script);
        mcp_client_t *client = client_at(&server, "/mcp", LEGACY ",\"timeouts\":{\"listen_ms\":100}");
        char *error = NULL;
        long long begin = now_ms();
        if (mcp_client_connect(client, patience(), &error) != MCP_OK) {
            FAIL("with GET answered by %s: %s", FAULTS[i], error);
        }
        CHECK_LE(now_ms() - begin, 1000 + slack());
        for (int calls = 0; calls < 3; calls++) {
            check_echo(client, FAULTS[i]);
        }
        CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
        close_and_free(client);
        free(script);
    }
    CHECK_EQ(stat_of(&server, "/sessions"), (long long)(sizeof FAULTS / sizeof FAULTS[0]));
    check_no_violations(&server);
    stop_server(&server);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    h04_an_ended_call_asks_for_its_stream_no_more(argv);
    h05_a_stream_that_cannot_be_taken_up_ends_the_call(argv);
    h06_a_get_that_fails_harms_nothing(argv);
    return 0;
}
