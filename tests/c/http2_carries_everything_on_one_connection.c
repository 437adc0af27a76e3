/*
 * Over TLS HTTP/2 is spoken where the server has it: 64 calls at a time and 1,000 one after another go over one connection,
 * and whatever else HTTP carries goes over it as well: event streams, progress, requests of the server, cancelling, the
 * session's end.
 */
/* valgrind: skip what the assembly of ring has written counts as uninitialised there, and so does what is decided with it */
#include "http.h"

#define CALLS 64

static char *folder;

static mcp_client_t *client_for(const struct server *server, const char *era) {
    mcp_client_t *client = tls_client(server, folder, "ca.pem", era);
    connect_client(client);
    return client;
}

/* Waits until the server knows that the call was cancelled. In the modern era its stream was reset. In the legacy era the server is told by
 * a notification, and may end the stream before it is reset. */
static void until_cancelled(const struct server *server, bool is_legacy) {
    if (is_legacy) {
        UNTIL(count_of(server, "notifications/cancelled") == 1);
    } else {
        UNTIL(stat_of(server, "/h2_resets") >= 1);
    }
}

static void in_flight(const char *path, const char *era, bool is_legacy) {
    struct server server = start_tls_server(path, folder, NULL);
    mcp_client_t *client = client_for(&server, era);
    int ended[CALLS] = {0};
    /* One of them is slow, and the others do not wait for it. */
    uint64_t slow = start_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}", 0);
    long long begin = now_ms();
    int ms = 500 * (scale() > 1 ? 4 : 1); /* so that all are under way before the first one ends */
    char *arguments = format("{\"ms\":%d}", ms);
    for (uint64_t tag = 1; tag < CALLS; tag++) {
        start_tool(client, "slow", arguments, "{\"timeout_ms\":30000}", tag);
    }
    free(arguments);
    for (int i = 1; i < CALLS; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        if (mcp_message_status(reply) != MCP_OK) {
            FAIL("call %d: %s", (int)mcp_message_tag(reply), mcp_message_json(reply, NULL));
        }
        CHECK_EQ(++ended[mcp_message_tag(reply)], 1);
        mcp_message_free(reply);
    }
    CHECK_LE(now_ms() - begin, ms + 2 * slack());
    CHECK_GE(stat_of(&server, "/h2_max_streams"), CALLS);
    CHECK_EQ(stat_of(&server, "/h2_connections"), 1);
    CHECK_EQ(stat_of(&server, "/tls_connections"), 1);
    /* A cancelled call resets its own stream at most; the connection goes on. */
    CHECK_STATUS(mcp_call_cancel(client, slow, NULL), MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    until_cancelled(&server, is_legacy);
    check_echo(client, "after");
    CHECK_LE(stat_of(&server, "/h2_resets"), 1);
    CHECK_EQ(stat_of(&server, "/h2_connections"), 1);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

static void in_sequence(const char *path, const char *era, const char *behaviours) {
    struct server server = start_tls_server(path, folder, ARGS(behaviours));
    mcp_client_t *client = client_for(&server, era);
    int calls = scaled(1000, 50);
    for (int i = 0; i < calls; i++) {
        check_echo(client, "again");
    }
    CHECK_EQ(stat_of(&server, "/tls_connections"), 1);
    CHECK_EQ(stat_of(&server, "/connections"), 1);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

/* As many streams as the server permits, and the others wait for their turn. */
static void few_streams(const char *path) {
    struct server server = start_tls_server(path, folder, ARGS("h2-streams=4"));
    mcp_client_t *client = client_for(&server, MODERN);
    for (uint64_t tag = 1; tag <= 16; tag++) {
        start_tool(client, "slow", "{\"ms\":20}", "{\"timeout_ms\":30000}", tag);
    }
    for (int i = 0; i < 16; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        mcp_message_free(reply);
    }
    CHECK_LE(stat_of(&server, "/h2_max_streams"), 4);
    close_and_free(client);
    stop_server(&server);
}

/* Bodies of either side that are larger than any window. */
static void large(const char *path) {
    struct server server = start_tls_server(path, folder, NULL);
    mcp_client_t *client = client_for(&server, MODERN);
    size_t length = (size_t)scaled(3 << 20, 1 << 18);
    char *text = malloc(length + 1);
    CHECK(text != NULL);
    memset(text, 'x', length);
    text[length] = '\0';
    check_echo(client, text);
    free(text);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

static void everything_else(const char *path, const char *era, bool is_legacy) {
    struct server server = start_tls_server(path, folder, NULL);
    mcp_client_t *client = client_for(&server, era);
    const char *const right[] = {"chunks:3", "trailers", "hints", "gzip", "br", "sse"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        check_fine(client, right[i]);
    }
    if (is_legacy) {
        UNTIL(stat_of(&server, "/get_streams_open") == 1);
        tell_server(&server, "/push");
        mcp_message_t *pushed = next_of_kind(client, MCP_KIND_NOTIFICATION);
        CHECK(strstr(mcp_message_json(pushed, NULL), "pushed 1 of 1") != NULL);
        mcp_message_free(pushed);
    }
    check_no_violations(&server);
    close_and_free(client);
    CHECK_EQ(stat_of(&server, "/methods/DELETE"), is_legacy ? 1 : 0);
    CHECK_EQ(stat_of(&server, "/tls_connections"), 1);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    folder = make_folder();
    in_flight(argv[3], MODERN, false);
    in_flight(argv[3], LEGACY, true);
    in_sequence(argv[3], MODERN, "");
    in_sequence(argv[3], MODERN, "sse");
    in_sequence(argv[3], LEGACY, "sse");
    few_streams(argv[3]);
    large(argv[3]);
    everything_else(argv[3], MODERN, false);
    everything_else(argv[3], LEGACY, true);
    remove_folder(folder);
    check_nothing_left(before);
    return 0;
}
