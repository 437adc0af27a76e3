/*
 * Field fault P01: the whole tree of processes behind a server is gone after close: the grandchild it
 * started, the real server behind a wrapper such as npx, and those left behind by a server or wrapper that
 * ended before them. (The process that was started is the server: when it ends the connection is lost, even if
 * one of its children would go on answering. Whether a wrapper that ends at once lets a connection succeed
 * first is a matter of luck.)
 */
#include "check.h"

#define MOST_PIDS 8

/* The pids that the server's processes wrote into a file, one a line. */
static int read_pids(const char *path, pid_t *pids) {
    FILE *file = fopen(path, "re");
    int count = 0;
    long pid = 0;
    while (file != NULL && count < MOST_PIDS && fscanf(file, "%ld", &pid) == 1) {
        pids[count++] = (pid_t)pid;
    }
    if (file != NULL) {
        fclose(file);
    }
    return count;
}

static int running(const pid_t *pids, int count) {
    int alive = 0;
    for (int i = 0; i < count; i++) {
        alive += process_runs(pids[i]) ? 1 : 0;
    }
    return alive;
}

enum connects { YES, NO, PERHAPS };

/* Lets the script live, waits until `expected` processes of it were started, closes, and sees them all gone.
 */
static void check_script(const char *server, const char *script, int expected, enum connects connects) {
    char path[] = "/tmp/mcp-test-XXXXXX";
    pid_t pids[MOST_PIDS];
    int file = mkstemp(path);
    CHECK_GE(file, 0);
    close(file);
    char *behaviours = format("%s,write-pid=%s", script, path);
    mcp_client_t *client = new_client(server, ARGS("--life", "120", behaviours), "\"reconnect\":false");
    mcp_status_t status = mcp_client_connect(client, patience(), NULL);
    CHECK(connects == PERHAPS || (connects == YES) == (status == MCP_OK));
    UNTIL(read_pids(path, pids) >= expected);
    int count = read_pids(path, pids);
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    UNTIL(running(pids, count) == 0);
    CHECK_EQ(count_children(NULL), 0);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    unlink(path);
    free(behaviours);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_script(argv[2], "grandchild", 2, YES);
    check_script(argv[2], "wrapper", 2, YES);
    check_script(argv[2], "wrapper=exit", 2, PERHAPS);
    check_script(argv[2], "wrapper,grandchild", 3, YES);
    check_script(argv[2], "grandchild,ignore-eof,ignore-term", 2, YES);
    check_script(argv[2], "grandchild-exit-first=3", 2, NO);
    check_nothing_left(before);
    return 0;
}
