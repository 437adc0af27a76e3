/*
 * A host that has little memory to give, by RLIMIT_AS: answers far larger than that are refused at limits.frame_bytes and
 * never held, so that the process lives on and calls go on; over pipes and HTTP, compressed too. Where the bound
 * is larger than the memory, see refused_memory_ends_one_call.
 */
/* asan: skip it reserves terabytes of addresses for itself */
/* tsan: skip it reserves terabytes of addresses for itself */
/* valgrind: skip it needs much memory of its own */
/* debug: skip it has the time that the optimized library takes */
#include "http.h"

#include <sys/resource.h>

/* Less than an answer, and more than two at the bound, as each grows by doubling: the one before is freed on another thread. */
#define ROOM (96L << 20)

/* Leaves the process so much more than what it has. */
static void leave(long bytes) {
    struct rlimit limit;
    CHECK_EQ(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = (rlim_t)(memory_kib("VmSize:") * 1024 + bytes);
    CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
}

static void check_big(mcp_client_t *client, long bytes, mcp_status_t expected) {
    char *arguments = format("{\"bytes\":%ld}", bytes);
    mcp_message_t *reply = call_tool(client, "big", arguments, "{\"timeout_ms\":120000}");
    CHECK_STATUS(mcp_message_status(reply), expected);
    mcp_message_free(reply);
    check_echo(client, "still well");
    free(arguments);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *pipes = connected(argv[2], NULL, NULL);
    mcp_client_t *http = connected_to(&server, MODERN);
    check_echo(pipes, "before");
    check_echo(http, "before");
    leave(ROOM);
    for (int round = 0; round < 3; round++) {
        check_big(pipes, 128L << 20, MCP_ERROR_TOO_LARGE);
        check_big(pipes, 1L << 20, MCP_OK);
        check_fault(http, "endless-body", MCP_ERROR_TOO_LARGE, "limits.frame_bytes");
        check_fault(http, "gzip-bomb:128", MCP_ERROR_TOO_LARGE, "limits.frame_bytes");
        check_echo(http, "still well");
    }
    close_and_free(pipes);
    close_and_free(http);
    stop_server(&server);
    return 0;
}
