/* Packets that are dropped hold nothing up. */
/* valgrind: skip what the assembly of ring has written counts as uninitialised there, and so does what is decided with it */
#include "http.h"
#include "cut_off.h"

/*
 * A server whose packets are dropped without a word, as behind a firewall or a cable that was pulled: the kernel drops what
 * comes for it, so that nothing is refused, acknowledged or ended. Connecting, a call, a call on a connection that was kept
 * idle, and close end within their bounds, over HTTP/1.1, HTTP/2 and HTTP+SSE; and when packets arrive again, so do calls.
 */

static void deafen(const struct server *server) { tell_server(server, "/deaf"); }

static void hear(const struct server *server) { tell_server(server, "/hear"); }

static void http_dropped_packets_hold_nothing_up(char **argv) {
    struct holdings before = holdings_now();
    check_all(argv[3], deafen, hear, true, 1);
    check_nothing_left(before);
}

/*
 * A connection over HTTP/2 on which no answers come any more is noticed and not used again.
 */

static char *folder;

static mcp_client_t *client_for(const struct server *server, const char *era, const char *more) {
    char *members = format("%s%s", era, more);
    mcp_client_t *client = tls_client(server, folder, "ca.pem", members);
    connect_client(client);
    free(members);
    return client;
}

/* The server is gone and nothing says so: the call ends long before its time, and the next one works. */
static void silence(const char *path, const char *era) {
    struct server server = start_tls_server(path, folder, NULL);
    mcp_client_t *client =
        client_for(&server, era, scale() > 1 ? ",\"http\":{\"ping_ms\":1000}" : ",\"http\":{\"ping_ms\":200}");
    check_echo(client, "before");
    tell_server(&server, "/deaf");
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":60000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    if (strstr(mcp_message_json(reply, NULL), "keep-alive") == NULL) {
        FAIL("%s", mcp_message_json(reply, NULL));
    }
    CHECK_LE(now_ms() - begin, 2000 + slack());
    mcp_message_free(reply);
    tell_server(&server, "/hear");
    UNTIL((reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"when_unavailable\":\"wait\"}"),
           begin = mcp_message_status(reply), mcp_message_free(reply), begin == MCP_OK));
    CHECK_GE(stat_of(&server, "/h2_connections"), 2);
    close_and_free(client);
    stop_server(&server);
}

static void http2_a_silent_connection_is_given_up(char **argv) {
    struct holdings before = holdings_now();
    folder = make_folder();
    silence(argv[3], MODERN);
    silence(argv[3], LEGACY);
    remove_folder(folder);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    http_dropped_packets_hold_nothing_up(argv);
    http2_a_silent_connection_is_given_up(argv);
    return 0;
}
