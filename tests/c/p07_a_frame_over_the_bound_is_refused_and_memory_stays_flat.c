/*
 * Field fault P07: an answer larger than limits.frame_bytes is never held in memory: its call ends as
 * MCP_ERROR_TOO_LARGE, what follows on the stream is read as before, and a line that never ends takes no memory
 * either, until the connection is ended for it (limits.discard_bytes). Both framings.
 */
/* debug: skip it has the time that the optimized library takes */
#include "check.h"

#define BOUND "\"limits\":{\"frame_bytes\":1048576,\"discard_bytes\":134217728}"
#define ALLOWANCE_KIB                                                                                        \
    12288 /* some frames of the bound, and what one burst of reads may leave with the allocator */

/* Lets the peak start over from what is held now. */
static void reset_peak(void) {
    FILE *file = fopen("/proc/self/clear_refs", "we");
    CHECK(file != NULL);
    CHECK_GE(fputs("5", file), 0);
    fclose(file);
}

static void check_peak(long before) {
    if (scale() == 1) { /* a tool that watches memory has its own */
        CHECK_LE(memory_kib("VmHWM:") - before, ALLOWANCE_KIB);
    }
}

static void check_counters(mcp_client_t *client) {
    char *info = info_of(client);
    CHECK_GE(json_number(info, "/counters/oversized_frames"), 1);
    CHECK_EQ(json_number(info, "/counters/connections"), 1);
    mcp_string_free(info);
}

static void check_big_answers(const char *server, const char *framing) {
    char *members = format("\"framing\":\"%s\"," BOUND, framing);
    mcp_client_t *client = connected(server, ARGS("--framing", framing), members);
    check_echo(client, "warm");
    reset_peak();
    long before = memory_kib("VmRSS:");
    for (int i = 0; i < 3; i++) {
        mcp_message_t *reply = call_tool(client, "big", "{\"bytes\":67108864}", NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TOO_LARGE);
        CHECK(json_is(mcp_message_json(reply, NULL), "/status", "too_large"));
        CHECK_CONTAINS(mcp_message_json(reply, NULL), "1048576");
        mcp_message_free(reply);
        check_echo(client, "what follows is read as before");
    }
    mcp_message_t *reply = call_tool(client, "big", "{\"bytes\":1000000}", NULL); /* just below the bound */
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    check_peak(before);
    check_counters(client);
    close_and_free(client);
    free(members);
}

static void check_endless_line(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--life", "120"), BOUND ",\"reconnect\":false");
    reset_peak();
    long before = memory_kib("VmRSS:");
    char *text = tool_text(client, "no_newline_forever", "{\"bytes\":67108864,\"right_after\":true}");
    CHECK_TEXT(text, "right");
    free(text);
    check_counters(client);
    mcp_message_t *reply = call_tool(client, "no_newline_forever", "{}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_PROTOCOL);
    mcp_message_free(reply);
    check_peak(before);
    close_and_free(client);
}

/* A length that no frame has is not believed. */
static void check_huge_length(const char *server) {
    const char *members = "\"framing\":\"content-length\"," BOUND;
    mcp_client_t *client = connected(server, ARGS("--framing", "content-length", "huge-length"), members);
    reset_peak();
    long before = memory_kib("VmRSS:");
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":500}");
    CHECK_NE(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    check_peak(before);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_big_answers(argv[1], "newline");
    check_big_answers(argv[1], "content-length");
    check_endless_line(argv[2]);
    check_huge_length(argv[2]);
    return 0;
}
