/*
 * A host that has little memory to give, by RLIMIT_AS, and bounds that are larger than that: an answer that the system gives no
 * memory for is thrown away as it comes and ends its call as MCP_ERROR_NO_MEMORY, on every way that an answer comes. Nothing is
 * written to the host's stderr, and the same client goes on.
 */
/* asan: skip it reserves terabytes of addresses for itself */
/* tsan: skip it reserves terabytes of addresses for itself */
/* valgrind: skip it needs much memory of its own */
#include "http.h"

#include <sys/mman.h>
#include <sys/resource.h>

#define BOUND "\"limits\":{\"frame_bytes\":1073741824}"
#define LARGE (96L << 20)
/* What the process may have beside what it has: less than one such answer, more than a few small ones. */
#define ROOM (32L << 20)

/* Leaves the process so much more than what it has. */
static void leave(long bytes) {
    struct rlimit limit;
    CHECK_EQ(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = (rlim_t)(memory_kib("VmSize:") * 1024 + bytes);
    CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
}

static void leave_all(void) {
    struct rlimit limit;
    CHECK_EQ(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
}

/* A call whose answer there is no memory for, and others around it. */
static void check(mcp_client_t *client, const char *way, const char *tool, const char *arguments) {
    check_echo(client, "before");
    leave(ROOM);
    mcp_message_t *reply = call_tool(client, tool, arguments, "{\"timeout_ms\":60000}");
    const char *json = mcp_message_json(reply, NULL);
    if (mcp_message_status(reply) != MCP_ERROR_NO_MEMORY) {
        FAIL("%s: %s %.300s", way, mcp_status_name(mcp_message_status(reply)), json);
    }
    CHECK(json_is(json, "/status", "no_memory"));
    CHECK(json_is(json, "/retryable", "false"));
    CHECK_CONTAINS(json, "memory");
    mcp_message_free(reply);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    check_echo(client, "after");
    leave_all();
    close_and_free(client);
}

static void check_all(char **argv) {
    char *large = format("{\"bytes\":%ld}", LARGE);
    check(connected(argv[2], NULL, BOUND), "lines", "big", large);
    check(connected(argv[2], ARGS("--framing", "content-length"), "\"framing\":\"content-length\"," BOUND),
          "content-length", "big", large);
    struct server server = start_server(argv[3], NULL);
    check(connected_to(&server, LEGACY "," BOUND), "HTTP body", "big", large);
    check(connected_to(&server, MODERN "," BOUND), "gzip", "fault", "{\"do\":\"gzip-bomb:96\",\"text\":\"fine\"}");
    check(connected_to(&server, MODERN "," BOUND), "brotli", "fault", "{\"do\":\"br-bomb:96\",\"text\":\"fine\"}");
    stop_server(&server);
    server = start_server(argv[3], ARGS("sse"));
    check(connected_to(&server, MODERN "," BOUND), "event", "big", large);
    stop_server(&server);
    free(large);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    char said[4096] = "";
    int told = memfd_create("stderr", MFD_CLOEXEC);
    CHECK_GE(told, 0);
    pid_t child = fork();
    if (child == 0) {
        CHECK_EQ(dup2(told, 2), 2);
        check_all(argv);
        _exit(0);
    }
    int status = 0;
    CHECK_GE(child, 1);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_GE(pread(told, said, sizeof said - 1, 0), 0);
    if (status != 0 || said[0] != '\0') {
        FAIL("wait status %d, and this on stderr: %s", status, said);
    }
    close(told);
    return 0;
}
