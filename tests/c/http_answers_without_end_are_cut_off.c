/*
 * Over HTTP nothing that a server sends may grow without a bound: bodies, headers, lines, events, comments, ids, and what
 * was compressed. The call ends with an error, the server gets no more than a little rid of, memory stays flat, and the
 * client goes on working. An event, or the headers of an answer, over their bound end the call as MCP_ERROR_TOO_LARGE, which is not
 * retryable, and the error names the key of the limit. Of a compressed body the error gives the size that it unpacks to.
 */
/* asan: skip it holds what was freed in a quarantine of hundreds of megabytes */
#include "http.h"

#define MEBIBYTE (1 << 20)
#define MEMBERS ",\"limits\":{\"frame_bytes\":1048576,\"header_bytes\":65536}"

#define FRAME "limits.frame_bytes"
#define HEADER "limits.header_bytes"

static const struct {
    const char *fault;
    const char *key; /* of the limit that the error names; NULL: the call may end in other ways than MCP_ERROR_TOO_LARGE */
} ENDLESS[] = {
    {"endless-body", FRAME},
    {"endless-chunks", FRAME},
    {"long-body:1073741824", NULL},
    {"endless-header", HEADER},
    {"endless-headers", HEADER},
    {"endless-status", HEADER},
    {"endless-line", FRAME},
    {"endless-event", FRAME},
    {"endless-id", NULL},
    {"endless-fields", FRAME},
    {"hidden-id:700000", FRAME},
    {"endless-chunk-extension", NULL},
    {"gzip-bomb:256", FRAME},
    {"br-bomb:256", FRAME},
    {"endless-trailers", NULL},
    {"endless-hints", NULL},
};

static void check_too_large(const mcp_message_t *reply, const char *fault, const char *key) {
    const char *error = mcp_message_json(reply, NULL);
    if (mcp_message_status(reply) != MCP_ERROR_TOO_LARGE || !json_is(error, "/retryable", "false") ||
        strstr(error, key) == NULL) {
        FAIL("%s: %s", fault, error);
    }
    if (strstr(fault, "-bomb:") != NULL) {
        CHECK_CONTAINS(error, "unpacks to more than 1048576 bytes (limits.frame_bytes)");
        /* What it says of its size is larger than the bound that it broke. */
        CHECK_GE(json_number(error, "/details/bytes"), MEBIBYTE + 1);
        CHECK_EQ(json_number(error, "/details/frame_bytes"), MEBIBYTE);
    }
}

static void check(const struct server *server, mcp_client_t *client, const char *fault, const char *key) {
    long long sent = stat_of(server, "/endless_bytes");
    long memory = memory_kib("VmRSS:");
    long long begin = now_ms();
    mcp_message_t *reply = call_fault(client, fault, "{\"timeout_ms\":10000}");
    mcp_status_t status = mcp_message_status(reply);
    if (status != MCP_ERROR_TOO_LARGE && status != MCP_ERROR_TRANSPORT && status != MCP_ERROR_PROTOCOL &&
        !(status == MCP_OK && strcmp(fault, "endless-trailers") == 0)) {
        FAIL("%s: %s", fault, mcp_message_json(reply, NULL));
    }
    if (key != NULL) {
        check_too_large(reply, fault, key);
    }
    /* It ended for what it saw, not for its time. */
    CHECK_LE(now_ms() - begin, 5000 + slack());
    mcp_message_free(reply);
    CHECK_LE(memory_kib("VmRSS:") - memory, 24 * 1024 * scale());
    /* The rest is not fetched: what was written is in the buffers of both sides at most. */
    UNTIL(stat_of(server, "/in_flight") <= 1); /* the stream of the server's own messages, where there is one */
    CHECK_LE(stat_of(server, "/endless_bytes") - sent, 48LL * MEBIBYTE);
    check_echo(client, fault);
}

static void check_era(const char *path, const char *era) {
    struct server server = start_server(path, NULL);
    char *members = format("%s%s", era, MEMBERS);
    mcp_client_t *client = connected_to(&server, members);
    for (size_t i = 0; i < sizeof ENDLESS / sizeof ENDLESS[0]; i++) {
        check(&server, client, ENDLESS[i].fault, ENDLESS[i].key);
    }
    /* Interim answers are counted, and the error says so. */
    check_fault(client, "endless-hints", MCP_ERROR_PROTOCOL,
                "more than 65536 bytes (limits.header_bytes) of interim answers");
    /* Comments are no answer and hold no memory: they end with the call. */
    long memory = memory_kib("VmRSS:");
    mcp_message_t *reply = call_fault(client, "endless-comments", "{\"timeout_ms\":500}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    mcp_message_free(reply);
    CHECK_LE(memory_kib("VmRSS:") - memory, 24 * 1024 * scale());
    check_echo(client, "endless-comments");
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    close_and_free(client);
    stop_server(&server);
    free(members);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check_era(argv[3], MODERN);
    check_era(argv[3], LEGACY);
    check_nothing_left(before);
    return 0;
}
