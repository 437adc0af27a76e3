/*
 * Field fault P14: a grandchild keeps the server's stdout and stderr open after the server is gone, so their
 * end never comes. Close does not wait for it, and a death is noticed by the process, not by the pipe. A
 * grandchild in a session of its own is out of the library's reach; the test ends it.
 */
#include "check.h"

#define MEMBERS "\"reconnect\":false"

/* A server that follows the script and writes the pid of each of its processes into the file. */
static mcp_client_t *start(const char *server, const char *script, char *path) {
    int file = mkstemp(path);
    CHECK_GE(file, 0);
    close(file);
    char *behaviours = format("%s,write-pid=%s", script, path);
    mcp_client_t *client = connected(server, ARGS("--life", "120", behaviours), MEMBERS);
    free(behaviours);
    return client;
}

/* Ends what the library cannot know. */
static void end_leftovers(const char *path) {
    FILE *file = fopen(path, "re");
    long pid = 0;
    CHECK(file != NULL);
    while (fscanf(file, "%ld", &pid) == 1) {
        (void)kill((pid_t)pid, SIGKILL);
    }
    fclose(file);
    unlink(path);
}

static void check_close(const char *server, const char *script) {
    char path[] = "/tmp/mcp-test-XXXXXX";
    mcp_client_t *client = start(server, script, path);
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, 2000), MCP_OK);
    CHECK_LE(now_ms() - begin, 2000 + slack());
    CHECK_EQ(count_children(NULL), 0);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    end_leftovers(path);
}

static void check_death(const char *server, const char *script) {
    char path[] = "/tmp/mcp-test-XXXXXX";
    mcp_client_t *client = start(server, script, path);
    pid_t pid = 0;
    CHECK_EQ(count_children(&pid), 1);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    await_state(client, MCP_CLIENT_STATE_CLOSED);
    close_and_free(client);
    end_leftovers(path);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_close(argv[2], "grandchild");
    check_close(argv[2], "grandchild=setsid");
    check_close(argv[2], "grandchild,ignore-term");
    check_death(argv[2], "grandchild");
    check_death(argv[2], "grandchild=setsid");
    check_nothing_left(before);
    return 0;
}
