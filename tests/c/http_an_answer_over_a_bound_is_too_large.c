/*
 * Over HTTP an event, or the headers of an answer, over their bound end the call as MCP_ERROR_TOO_LARGE, which is not retryable, and
 * the error names the key of the limit. Of a compressed body the error gives the size that it unpacks to.
 */
/* asan: skip it holds what was freed in a quarantine of hundreds of megabytes */
#include "http.h"

#define BOUND 1048576
#define MEMBERS ",\"limits\":{\"frame_bytes\":1048576,\"header_bytes\":65536}"

static const struct {
    const char *fault;
    const char *key;
} LARGE[] = {
    {"endless-event", "limits.frame_bytes"},    {"endless-line", "limits.frame_bytes"},
    {"endless-fields", "limits.frame_bytes"},   {"endless-body", "limits.frame_bytes"},
    {"endless-chunks", "limits.frame_bytes"},   {"endless-header", "limits.header_bytes"},
    {"endless-headers", "limits.header_bytes"}, {"endless-status", "limits.header_bytes"},
    {"hidden-id:700000", "limits.frame_bytes"},
};

static void check_large(mcp_client_t *client, const char *fault, const char *key) {
    mcp_message_t *reply = call_fault(client, fault, "{\"timeout_ms\":20000}");
    const char *error = mcp_message_json(reply, NULL);
    if (mcp_message_status(reply) != MCP_ERROR_TOO_LARGE || !json_is(error, "/retryable", "false") ||
        strstr(error, key) == NULL) {
        FAIL("%s: %s", fault, error);
    }
    mcp_message_free(reply);
    check_echo(client, fault);
}

static void check_unpacked(mcp_client_t *client, const char *fault) {
    mcp_message_t *reply = call_fault(client, fault, "{\"timeout_ms\":20000}");
    const char *error = mcp_message_json(reply, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TOO_LARGE);
    CHECK_CONTAINS(error, "unpacks to more than 1048576 bytes (limits.frame_bytes)");
    /* What it says of its size is larger than the bound that it broke. */
    CHECK_GE(json_number(error, "/details/bytes"), BOUND + 1);
    CHECK_EQ(json_number(error, "/details/frame_bytes"), BOUND);
    CHECK(json_is(error, "/retryable", "false"));
    mcp_message_free(reply);
    check_echo(client, fault);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *const eras[] = {MODERN MEMBERS, LEGACY MEMBERS};
    for (int i = 0; i < 2; i++) {
        struct server server = start_server(argv[3], NULL);
        mcp_client_t *client = connected_to(&server, eras[i]);
        for (size_t row = 0; row < sizeof LARGE / sizeof LARGE[0]; row++) {
            check_large(client, LARGE[row].fault, LARGE[row].key);
        }
        check_unpacked(client, "gzip-bomb:64");
        check_unpacked(client, "br-bomb:64");
        CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
        close_and_free(client);
        stop_server(&server);
    }
    check_nothing_left(before);
    return 0;
}
