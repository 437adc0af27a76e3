/*
 * Over HTTP/2 a stream that is reset ends its call and no other, and a connection that ends ends what was under way on it;
 * the next call has a new one. What the server has not looked at (a refused stream, one behind a GOAWAY) is sent once more.
 * What has no end is cut off.
 */
/* valgrind: skip what the assembly of ring has written counts as uninitialised there, and so does what is decided with it */
/* asan: skip it compares memory, and holds what was freed in a quarantine of hundreds of megabytes */
/* debug: skip without optimization the library reads what has no end for a minute, and is behind a flood at its close */
#include "http.h"

static char *folder;

static mcp_client_t *client_for(const struct server *server, const char *era, const char *more) {
    char *members = format("%s,\"limits\":{\"frame_bytes\":1048576,\"header_bytes\":65536}%s", era, more);
    mcp_client_t *client = tls_client(server, folder, "ca.pem", members);
    connect_client(client);
    free(members);
    return client;
}

static void one_call(const char *path, const char *era) {
    struct server server = start_tls_server(path, folder, NULL);
    mcp_client_t *client = client_for(&server, era, "");
    /* Another call is under way all the while. */
    start_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}", 7);
    UNTIL(count_of(&server, "tools/call") == 1);
    check_fault(client, "h2-reset:2", MCP_ERROR_TRANSPORT, "internal error");
    check_fault(client, "h2-reset:8", MCP_ERROR_TRANSPORT, "\"sent\":true");
    check_fault(client, "h2-reset:11", MCP_ERROR_TRANSPORT, "excessive load");
    /* Refused whenever it is sent: that is tried twice and not for ever. */
    long long calls = count_of(&server, "tools/call");
    check_fault(client, "h2-reset:7", MCP_ERROR_TRANSPORT, "refused stream");
    CHECK_EQ(count_of(&server, "tools/call") - calls, 2);
    check_fault(client, "close-in-body", MCP_ERROR_TRANSPORT, "");
    check_fault(client, "lost", MCP_ERROR_TRANSPORT, "without an answer");
    check_fault(client, "503", MCP_ERROR_UNAVAILABLE, "503");
    CHECK_EQ(stat_of(&server, "/h2_connections"), 1);
    set_script(&server, "on-call=h2-reset:7*1");
    check_echo(client, "refused once");
    CHECK_EQ(stat_of(&server, "/h2_connections"), 1);
    /* Connections that end, each in its own way. */
    check_fine(client, "h2-goaway");
    check_echo(client, "on a new one");
    CHECK_EQ(stat_of(&server, "/h2_connections"), 2);
    set_script(&server, "on-call=h2-goaway-before*1");
    check_echo(client, "behind a GOAWAY");
    CHECK_EQ(stat_of(&server, "/h2_connections"), 3);
    check_fault(client, "h2-goaway-close", MCP_ERROR_TRANSPORT, "lost before the answer");
    check_echo(client, "after an error");
    check_fault(client, "h2-close", MCP_ERROR_TRANSPORT, "lost before the answer");
    check_echo(client, "after the end");
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

/* Everything that was under way on a connection ends with it, each call once. */
static void all_calls(const char *path) {
    struct server server = start_tls_server(path, folder, NULL);
    mcp_client_t *client = client_for(&server, MODERN, "");
    for (uint64_t tag = 1; tag <= 16; tag++) {
        start_tool(client, "never", "{}", "{\"timeout_ms\":3600000}", tag);
    }
    UNTIL(count_of(&server, "tools/call") == 16);
    tell_server(&server, "/drop");
    unsigned ended = 0;
    for (int i = 0; i < 16; i++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
        unsigned mark = 1u << (mcp_message_tag(reply) - 1);
        CHECK_EQ(ended & mark, 0);
        ended |= mark;
        mcp_message_free(reply);
    }
    check_echo(client, "again");
    close_and_free(client);
    stop_server(&server);
}

static void no_end(const char *path, const char *era) {
    static const char *const endless[] = {"endless-body",         "endless-line",   "long-body:1073741824",
                                          "h2-endless-headers",   "endless-fields", "endless-trailers",
                                          "endless-chunks"};
    struct server server = start_tls_server(path, folder, NULL);
    mcp_client_t *client = client_for(&server, era, "");
    for (size_t i = 0; i < sizeof endless / sizeof endless[0]; i++) {
        long long sent = stat_of(&server, "/endless_bytes");
        long memory = memory_kib("VmRSS:");
        long long begin = now_ms();
        mcp_message_t *reply = call_fault(client, endless[i], "{\"timeout_ms\":20000}");
        mcp_status_t status = mcp_message_status(reply);
        if (status != MCP_ERROR_TOO_LARGE && status != MCP_ERROR_TRANSPORT && strcmp(endless[i],
                                                                                     "endless-trailers") != 0) {
            FAIL("%s: %s", endless[i], mcp_message_json(reply, NULL));
        }
        CHECK_LE(now_ms() - begin, 5000 + slack());
        mcp_message_free(reply);
        CHECK_LE(memory_kib("VmRSS:") - memory, 24 * 1024 * scale());
        CHECK_LE(stat_of(&server, "/endless_bytes") - sent, 48LL << 20);
        check_echo(client, endless[i]);
    }
    /* These are no answer and hold no memory; the others go on beside them. Where what watches a run makes reading so slow that
     * the flood is always ahead, the library's threads do not come to their end in the time that they have for it. */
    const char *const harmless[] = {"endless-hints", "h2-endless-pings"};
    for (int i = 0; i < 2 && scale() == 1; i++) {
        long memory = memory_kib("VmRSS:");
        long long resets = stat_of(&server, "/h2_resets");
        mcp_message_t *reply = call_fault(client, harmless[i], "{\"timeout_ms\":500}");
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
        mcp_message_free(reply);
        CHECK_LE(memory_kib("VmRSS:") - memory, 24 * 1024 * scale());
        /* The server hears in the middle of its flood that the answer is no longer waited for. */
        UNTIL(strcmp(harmless[i], "endless-hints") != 0 || stat_of(&server, "/h2_resets") > resets);
        check_echo(client, harmless[i]);
    }
    /* It is unknown how long a goodbye takes beside the flood. */
    tell_server(&server, "/drop");
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    folder = make_folder();
    one_call(argv[3], MODERN);
    one_call(argv[3], LEGACY);
    all_calls(argv[3]);
    no_end(argv[3], MODERN);
    no_end(argv[3], LEGACY);
    remove_folder(folder);
    check_nothing_left(before);
    return 0;
}
