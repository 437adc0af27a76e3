/*
 * Threads with stacks of 64 KiB, and a process whose limit for stacks is 128 KiB: connecting, listing, calling with checked
 * results, large, compressed and streamed answers and closing all work on them, over HTTP and over pipes, although the
 * thread that waits does the work.
 */
#include "http.h"

#include <sys/resource.h>

#define SMALL "MCP_TEST_SMALL_PROCESS"

static struct server server;
static char **paths;

static void check_pipes(void) {
    mcp_client_t *client = connected(paths[2], NULL, NULL);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_call_tool(client, "promise", "{\"value\":{\"sum\":1}}", NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_call_tool(client, "promise", "{\"value\":{\"sum\":true}}", NULL, &reply),
                 MCP_ERROR_PROTOCOL);
    mcp_message_free(reply);
    close_and_free(client);
}

static void check_era(const char *era) {
    static const char *const right[] = {"gzip-bomb:1", "br-bomb:1", "sse", "sse-split", "sse-crlf", "sse-lines", "charset"};
    mcp_client_t *client = connected_to(&server, era);
    CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_call_tool(client, "add", "{\"a\":1,\"b\":2}", NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_call_tool(client, "big", "{\"bytes\":1000000}", NULL, NULL), MCP_OK);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        check_fine(client, right[i]);
    }
    mcp_message_free(call_fault(client, "reset", "{\"timeout_ms\":2000}"));
    mcp_message_free(call_fault(client, "html", "{\"timeout_ms\":2000}"));
    check_echo(client, "h\xc3\xa9");
    close_and_free(client);
}

static void *use_all(void *unused) {
    check_pipes();
    check_era(LEGACY);
    check_era(MODERN);
    check_era("\"protocol\":\"auto\"");
    mcp_client_t *client = client_at(&server, "/nowhere", "\"reconnect\":false");
    CHECK_NE(mcp_client_connect(client, patience(), NULL), MCP_OK);
    close_and_free(client);
    return unused;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    paths = argv;
    struct holdings before = holdings_now();
    server = start_server(argv[3], NULL);
    pthread_attr_t small;
    pthread_t thread;
    bool watched = getenv("MCP_UNDER_SANITIZER") != NULL;
    CHECK_EQ(pthread_attr_init(&small), 0);
    CHECK_EQ(pthread_attr_setstacksize(&small, small_stack()), 0);
    CHECK_EQ(pthread_create(&thread, &small, use_all, NULL), 0);
    CHECK_EQ(pthread_attr_destroy(&small), 0);
    join_thread(thread);
    if (getenv(SMALL) != NULL) {
        /* And the first thread, whose stack grows up to the limit. */
        use_all(NULL);
    }
    stop_server(&server);
    check_nothing_left(before);
    if (getenv(SMALL) == NULL && !watched && getenv("MCP_UNDER_VALGRIND") == NULL) {
        struct rlimit limit;
        CHECK_EQ(getrlimit(RLIMIT_STACK, &limit), 0);
        CHECK_EQ(setrlimit(RLIMIT_STACK, &(struct rlimit){128 << 10, limit.rlim_max}), 0);
        CHECK_EQ(setenv(SMALL, "1", 1), 0);
        execv("/proc/self/exe", argv);
        FAIL("cannot start again: %s", strerror(errno));
    }
    return 0;
}
