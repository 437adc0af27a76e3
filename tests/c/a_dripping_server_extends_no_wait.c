/*
 * A server that is slow on purpose: it always sends one byte more and never comes to an end. That bytes come is not a reason
 * to wait longer: connecting, calls, lists, the stream of the server's own messages and close end within their bounds, over
 * pipes with both framings and over HTTP in both eras, and nothing is left. The same with one that accepts connections and
 * says nothing at all.
 */
#include "http.h"

/* Where the system does not tell whether a process reads, the time for its start ends the wait for it. */
#define REST "\"start_ms\":300,\"listen_ms\":300,\"exit_ms\":200,\"term_ms\":200,\"close_ms\":600}"
/* For a server that answers in its time, and for one that never does. */
#define PATIENT "\"reconnect\":false,\"timeouts\":{" REST
#define MEMBERS                                                                                              \
    "\"reconnect\":false,\"timeouts\":{\"probe_ms\":300,\"initialize_ms\":300,\"connect_ms\":300," REST

static void ends(long long begin, int bound, const char *what) {
    if (now_ms() - begin > bound + slack()) {
        FAIL("%s took %lld ms, allowed %d", what, now_ms() - begin, bound);
    }
}

static void check_close(mcp_client_t *client) {
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    ends(begin, 600 + 500, "close");
}

static void check_connect(mcp_client_t *client, const char *what) {
    long long begin = now_ms();
    mcp_string_free(connect_error(client, MCP_ERROR_TIMEOUT));
    ends(begin, 3 * 300, what);
    check_close(client);
}

static void check_pipes(const char *server) {
    check_connect(new_client(server, ARGS("drip=50"), MEMBERS ",\"protocol\":\"legacy\""), "a legacy handshake");
    check_connect(new_client(server, ARGS("--era", "modern", "drip=50"), MEMBERS ",\"protocol\":\"modern\""),
                  "a modern probe");
    check_connect(new_client(server, ARGS("--framing", "content-length", "drip=50"),
                             MEMBERS ",\"protocol\":\"legacy\",\"framing\":\"content-length\""),
                  "a handshake with Content-Length");
}

/* One that is connected and begins to drip afterwards. */
static void check_http(const char *path, const char *era) {
    struct server server = start_server(path, NULL);
    char *patient = format("%s,%s", PATIENT, era);
    char *members = format("%s,%s", MEMBERS, era);
    mcp_client_t *client = client_at(&server, "/mcp", patient);
    connect_client(client);
    const char *const drips[] = {"drip", "drip-events", "drip:1000", "silent", "comments:20", "half-head", "half-body"};
    for (size_t i = 0; i < sizeof drips / sizeof *drips; i++) {
        long long begin = now_ms();
        mcp_message_t *reply = call_fault(client, drips[i], "{\"timeout_ms\":300}");
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
        mcp_message_free(reply);
        ends(begin, 300, drips[i]);
        check_echo(client, drips[i]);
    }
    set_script(&server, "on-list=drip");
    long long begin = now_ms();
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_list_tools(client, "{\"timeout_ms\":300}", &reply), MCP_ERROR_TIMEOUT);
    mcp_message_free(reply);
    ends(begin, 300, "a list");
    set_script(&server, "on-delete=drip:500");
    check_close(client);

    /* And one that drips from the beginning. */
    set_script(&server, "on-post=drip");
    check_connect(client_at(&server, "/mcp", members), "connecting over HTTP");
    set_script(&server, "on-get=drip");
    client = client_at(&server, "/mcp", patient);
    begin = now_ms();
    connect_client(client);
    ends(begin, 3 * 300, "connecting with a stream that drips");
    check_echo(client, "while the stream drips");
    check_close(client);
    stop_server(&server);
    free(patient);
    free(members);
}

static void check_silence(const struct server *server, const char *era) {
    char *members = format("%s,%s", MEMBERS, era);
    check_connect(client_at(server, "/mcp", members), "connecting to what says nothing");
    mcp_client_t *client = client_at(server, "/mcp", members);
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":150}");
    CHECK_NE(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    ends(begin, 150, "a call while connecting");
    begin = now_ms();
    mcp_client_close(client, 200);
    ends(begin, 200, "close while connecting");
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    free(members);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check_pipes(argv[2]);
    check_http(argv[3], LEGACY);
    check_http(argv[3], MODERN);
    struct server old = start_server(argv[3], ARGS("--shape", "sse", "on-get=drip-events"));
    check_connect(client_at(&old, "/mcp", MEMBERS ",\"protocol\":\"2024-11-05\""), "waiting for an endpoint");
    stop_server(&old);
    struct server hole = start_server(argv[3], ARGS("black-hole"));
    check_silence(&hole, "\"protocol\":\"auto\"");
    check_silence(&hole, LEGACY);
    check_silence(&hole, MODERN);
    check_silence(&hole, "\"protocol\":\"2024-11-05\"");
    stop_server(&hole);
    check_nothing_left(before);
    return 0;
}
