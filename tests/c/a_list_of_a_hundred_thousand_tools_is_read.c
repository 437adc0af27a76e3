/*
 * A server with nearly a hundred thousand tools on one page: the list comes whole, in a bounded time and memory, calls go on
 * afterwards, and a page over limits.frame_bytes is refused with the key that says so.
 */
#include "check.h"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
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
        size_t count = 0;
        CHECK_STATUS(mcp_json_count(mcp_message_json(reply, NULL), "/tools", &count), MCP_OK);
        CHECK_GE(count, many);
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
    return 0;
}
