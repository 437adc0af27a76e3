/*
 * With the config "stderr":"message" each line that the server writes to stderr arrives as an MCP_KIND_STDERR
 * message, in order. With any other setting none does.
 */
#include "check.h"

static int count_lines(const char *server, const char *members) {
    mcp_client_t *client = connected(server, ARGS("stderr-at-start=5"), members);
    mcp_message_t *message = NULL;
    int lines = 0;
    mcp_message_free(call_tool(client, "echo", "{\"text\":\"x\"}", NULL));
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK); /* what was written is read to its end */
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_STDERR) {
            char expected[32];
            snprintf(expected, sizeof expected, "stderr line %d", lines);
            CHECK_CONTAINS(mcp_message_json(message, NULL), expected);
            lines++;
        }
        mcp_message_free(message);
    }
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    return lines;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    CHECK_EQ(count_lines(argv[2], "\"stderr\":\"message\""), 5);
    CHECK_EQ(count_lines(argv[2], "\"stderr\":\"drop\""), 0);
    CHECK_EQ(count_lines(argv[2], "\"stderr\":\"log\""), 0);
    CHECK_EQ(count_lines(argv[2], NULL), 0);
    return 0;
}
