/*
 * Field fault P04: a server that writes megabytes to stderr, before it answers at all, is never blocked by a
 * full pipe: stderr is always read, whatever is done with the lines.
 */
#include "check.h"

static void check_policy(const char *server, const char *members) {
    char lines[32];
    snprintf(lines, sizeof lines, "stderr-at-start=%d",
             scaled(100000, 20000)); /* some 20 bytes each; a pipe holds 64 KiB */
    mcp_client_t *client = connected(server, ARGS("--life", "120", lines), members);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &reply), MCP_OK);
    mcp_message_free(reply);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_policy(argv[2], NULL);
    check_policy(argv[2], "\"stderr\":\"drop\"");
    check_policy(argv[2], "\"stderr\":\"log\"");
    check_policy(argv[2], "\"stderr\":\"message\",\"limits\":{\"queue_messages\":100}");
    return 0;
}
