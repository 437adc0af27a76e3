/* What is large comes whole, in bounded time and memory. */
#include "check.h"

/*
 * A result of 10 MiB reaches the program whole, byte for byte, with plain text and with text in which every
 * byte is escaped on the wire. Reading its JSON does not copy it: what the process holds grows by not much
 * more than the frame.
 */

static void check_plain(mcp_client_t *client, size_t bytes) {
    char arguments[48];
    size_t length = 0;
    snprintf(arguments, sizeof arguments, "{\"bytes\":%zu}", bytes);
    long before = memory_kib("VmRSS:");
    mcp_message_t *reply = call_tool(client, "big", arguments, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    const char *json = mcp_message_json(reply, &length);
    CHECK(length > bytes);
    CHECK_EQ(json[0], '{');
    CHECK_EQ(json[length - 1], '}');
    CHECK_EQ(json[length], '\0');
    CHECK(mcp_message_json(reply, NULL) == json);
    if (scale() == 1) { /* two frames of air: a growing buffer doubles */
        CHECK_LE(memory_kib("VmRSS:") - before, (long)(3 * bytes / 1024) + 4096);
    }
    const char *text = mcp_message_text(reply, &length);
    CHECK_EQ(length, bytes);
    CHECK_EQ(strspn(text, "x"), bytes);
    mcp_message_free(reply);
}

static void check_escaped(mcp_client_t *client, size_t bytes) {
    static const char pattern[] = "\"\\\n\t\x01";
    char arguments[48];
    size_t length = 0;
    snprintf(arguments, sizeof arguments, "{\"bytes\":%zu,\"escapes\":true}", bytes);
    mcp_message_t *reply = call_tool(client, "big", arguments, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    const char *text = mcp_message_text(reply, &length);
    CHECK_EQ(length, bytes);
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] != pattern[i % 5]) {
            FAIL("byte %zu is %d, expected %d", i, text[i], pattern[i % 5]);
        }
    }
    CHECK_EQ(text[bytes], '\0');
    mcp_message_free(reply);
}

static void a_big_result_arrives_intact(char **argv) {
    size_t bytes = (size_t)scaled(10 << 20, 1 << 20);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    check_plain(client, bytes);
    check_escaped(client, bytes / 3);
    check_echo(client, "small again");
    close_and_free(client);
}

/*
 * A server with nearly a hundred thousand tools on one page: the list comes whole, in a bounded time and memory, calls go on
 * afterwards, and a page over limits.frame_bytes is refused with the key that says so.
 */

static void a_list_of_a_hundred_thousand_tools_is_read(char **argv) {
    int many = scaled(99900, 5000);
    char *behaviour = format("many-tools=%d", many);
    mcp_client_t *client = connected(argv[2], ARGS(behaviour), NULL);
    check_echo(client, "before");
    long before = memory_kib("VmRSS:");
    for (int i = 0; i < 3; i++) {
        mcp_message_t *reply = NULL;
        long long begin = now_ms();
        CHECK_STATUS(mcp_client_list_tools(client, NULL, &reply), MCP_OK);
        CHECK_LE(now_ms() - begin, 5000 + slack());
        CHECK_GE(json_count(mcp_message_json(reply, NULL), "/tools"), many);
        mcp_message_free(reply);
        check_echo(client, "after");
    }
    /* What is kept of them is bounded: 16 MiB of schemas, and the room that the page itself took. */
    if (getenv("MCP_UNDER_SANITIZER") == NULL && getenv("MCP_UNDER_VALGRIND") == NULL) {
        CHECK_LE(memory_kib("VmRSS:") - before, 96 * 1024);
    }
    close_and_free(client);

    mcp_message_t *reply = NULL;
    client = connected(argv[2], ARGS("many-tools=1000"), "\"limits\":{\"frame_bytes\":32768}");
    CHECK_STATUS(mcp_client_list_tools(client, NULL, &reply), MCP_ERROR_TOO_LARGE);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "limits.frame_bytes");
    mcp_message_free(reply);
    check_echo(client, "and on");
    close_and_free(client);
    free(behaviour);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    a_big_result_arrives_intact(argv);
    a_list_of_a_hundred_thousand_tools_is_read(argv);
    return 0;
}
