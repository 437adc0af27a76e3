/*
 * A server dies and leaves children that write to its output without end. They are killed with it; what they
 * wrote delays no other client's deadline. This program is its own server.
 */
#include "check.h"

#define HEIRS 4

/* Lines of so many bytes: under a slow tool each costs much, and there are thousands of short ones in one read. */
static int serve(size_t line) {
    for (int heir = 0; heir < HEIRS; heir++) {
        if (fork() == 0) {
            char lines[4096];
            memset(lines, '{', sizeof lines);
            for (size_t at = line - 1; at < sizeof lines; at += line) {
                lines[at] = '\n';
            }
            for (int write_count = 0; write_count < 1000000; write_count++) {
                if (write(STDOUT_FILENO, lines, sizeof lines) < 0) {
                    _exit(0);
                }
            }
            _exit(0);
        }
    }
    poll(NULL, 0, 50);
    return 3;
}

int main(int argc, char **argv) {
    if (argc == 2) {
        return serve(strcmp(argv[1], "--serve") == 0 ? 2 : 128);
    }
    CHECK_EQ(argc, 3);
    char self[4096] = "";
    struct holdings before = holdings_now();
    CHECK_GE(readlink("/proc/self/exe", self, sizeof self - 1), 1);
    mcp_client_t *steady = connected(argv[2], NULL, NULL);
    drain(steady);
    mcp_client_t *dying = new_client(self, ARGS(scale() > 1 ? "--serve-long" : "--serve"), "\"reconnect\":false");
    mcp_call_start(dying, "tools/list", NULL, NULL, 1, NULL, NULL);
    for (int round = 0; round < 3; round++) {
        long long begin = now_ms();
        start_tool(steady, "hang", "{}", "{\"timeout_ms\":200}", 2);
        mcp_message_t *reply = next_of_kind(steady, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
        CHECK_LE(now_ms() - begin, 200 + slack());
        mcp_message_free(reply);
    }
    mcp_message_t *reply = next_of_kind(dying, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
    mcp_message_free(reply);
    close_and_free(dying);
    close_and_free(steady);
    check_nothing_left(before);
    return 0;
}
