/*
 * Field fault P02: a server that ends when its input ends is given the time for it and gets no signal on the
 * way. The server here runs under a shell that writes down every signal it gets and how the server ended,
 * half a second after it.
 */
#include "check.h"

static const char WATCHER[] = "for s in TERM INT HUP QUIT USR1; do trap \"echo SIG$s >>'$1'\" $s; done;"
                              "\"$0\"; code=$?; sleep 0.5; echo \"exit $code\" >>\"$1\"";

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    char path[] = "/tmp/mcp-test-XXXXXX";
    char notes[256] = "";
    int file = mkstemp(path);
    CHECK_GE(file, 0);
    mcp_client_t *client =
        connected("sh", ARGS("-c", WATCHER, argv[1], path), "\"timeouts\":{\"exit_ms\":10000}");
    check_echo(client, "before the end");
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, 15000), MCP_OK);
    CHECK_GE(now_ms() - begin, 450); /* it waited for the end */
    CHECK_EQ(count_children(NULL), 0);
    CHECK_GE(read(file, notes, sizeof notes - 1), 0);
    CHECK_TEXT(notes, "exit 0\n");
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    close(file);
    unlink(path);
    return 0;
}
