/*
 * Field fault P04: a server that writes megabytes to stderr, before it answers at all, is never blocked by a
 * full pipe: stderr is always read, whatever is done with the lines. With the config "stderr":"message" each line arrives as
 * an MCP_KIND_STDERR message, in order. With any other setting none does.
 */
#include "check.h"

/* How many of the lines that the server writes arrive as messages. */
static int count_messages(const char *server, const char *members, int lines) {
    char behaviour[32];
    snprintf(behaviour, sizeof behaviour, "stderr-at-start=%d", lines);
    mcp_client_t *client = connected(server, ARGS("--life", "120", behaviour), members);
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &message), MCP_OK);
    mcp_message_free(message);
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK); /* what was written is read to its end */
    int count = 0;
    int next = 0;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_STDERR) {
            const char *text = strstr(mcp_message_json(message, NULL), "stderr line ");
            CHECK(text != NULL);
            int number = atoi(text + strlen("stderr line "));
            CHECK_GE(number, next);
            next = number + 1;
            count++;
        }
        mcp_message_free(message);
    }
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    return count;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    int flood = scaled(100000, 20000); /* some 20 bytes each; a pipe holds 64 KiB */
    CHECK_EQ(count_messages(argv[2], NULL, flood), 0);
    CHECK_EQ(count_messages(argv[2], "\"stderr\":\"drop\"", flood), 0);
    CHECK_EQ(count_messages(argv[2], "\"stderr\":\"log\"", flood), 0);
    CHECK_LE(count_messages(argv[2], "\"stderr\":\"message\",\"limits\":{\"queue_messages\":100}", flood), 100);
    CHECK_EQ(count_messages(argv[2], "\"stderr\":\"message\"", 5), 5);
    return 0;
}
