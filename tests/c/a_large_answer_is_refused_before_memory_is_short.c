/*
 * A host that has little memory to give, by RLIMIT_AS: answers far larger than that are refused at limits.frame_bytes and
 * never held, so that the process lives on and calls go on; over pipes and HTTP, compressed too. What is not promised is
 * shown as well: where the bound is larger than the memory, the process ends by abort(), and not in some other way.
 */
/* asan: skip it reserves terabytes of addresses for itself */
/* tsan: skip it reserves terabytes of addresses for itself */
/* valgrind: skip it needs much memory of its own */
#include "http.h"

#include <sys/resource.h>

#define ROOM (192L << 20)

/* Leaves the process so much more than what it has. */
static void leave(long bytes) {
    struct rlimit limit;
    CHECK_EQ(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = (rlim_t)(memory_kib("VmSize:") * 1024 + bytes);
    CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
}

static void check_big(mcp_client_t *client, long bytes, mcp_status_t expected) {
    char *arguments = format("{\"bytes\":%ld}", bytes);
    mcp_message_t *reply = call_tool(client, "big", arguments, "{\"timeout_ms\":20000}");
    CHECK_STATUS(mcp_message_status(reply), expected);
    mcp_message_free(reply);
    check_echo(client, "still well");
    free(arguments);
}

/* In a child: the bound lets through what the memory cannot hold. */
static void check_abort(const char *server) {
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nowhere, 2);
        mcp_client_t *client = connected(server, NULL, "\"limits\":{\"frame_bytes\":1073741824}");
        leave(ROOM / 2);
        mcp_message_free(call_tool(client, "big", "{\"bytes\":400000000}", "{\"timeout_ms\":20000}"));
        _exit(0);
    }
    int status = 0;
    CHECK_GE(child, 1);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    check_abort(argv[2]);
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *pipes = connected(argv[2], NULL, NULL);
    mcp_client_t *http = connected_to(&server, MODERN);
    check_echo(pipes, "before");
    check_echo(http, "before");
    leave(ROOM);
    for (int round = 0; round < 3; round++) {
        check_big(pipes, 400L << 20, MCP_TOO_LARGE);
        check_big(pipes, 1L << 20, MCP_OK);
        check_fault(http, "endless-body", MCP_TOO_LARGE, "limits.frame_bytes");
        check_fault(http, "gzip-bomb:400", MCP_TOO_LARGE, "limits.frame_bytes");
        check_echo(http, "still well");
    }
    close_and_free(pipes);
    close_and_free(http);
    stop_server(&server);
    return 0;
}
