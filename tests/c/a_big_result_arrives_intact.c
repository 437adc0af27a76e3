/*
 * A result of 10 MiB reaches the program whole, byte for byte, with plain text and with text in which every
 * byte is escaped on the wire. Reading its JSON does not copy it: what the process holds grows by not much
 * more than the frame.
 */
#include "check.h"

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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    size_t bytes = (size_t)scaled(10 << 20, 1 << 20);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    check_plain(client, bytes);
    check_escaped(client, bytes / 3);
    check_echo(client, "small again");
    close_and_free(client);
    return 0;
}
