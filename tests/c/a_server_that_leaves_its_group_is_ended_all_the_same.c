/*
 * A server that moves to another process group, and takes no notice of the end of its input nor of SIGTERM: the
 * signals to its group miss it, but it is ended all the same, within the bound. This program is its own server.
 */
#include "check.h"

static int serve(const char *pid_file) {
    FILE *file = fopen(pid_file, "we");
    signal(SIGTERM, SIG_IGN);
    if (file == NULL || setpgid(0, getpgid(getppid())) != 0) {
        return 1;
    }
    fprintf(file, "%d\n", (int)getpid());
    fclose(file);
    poll(NULL, 0, 60000);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--serve") == 0) {
        return serve(argv[2]);
    }
    char path[] = "/tmp/mcp-test-XXXXXX";
    char self[4096] = "";
    int pid = 0;
    struct holdings before = holdings_now();
    int file = mkstemp(path);
    CHECK_GE(file, 0);
    close(file);
    CHECK_GE(readlink("/proc/self/exe", self, sizeof self - 1), 1);
    mcp_client_t *client = new_client(self, ARGS("--serve", path), "\"reconnect\":false");
    CHECK_STATUS(mcp_client_connect(client, 50, NULL), MCP_ERROR_TIMEOUT);
    long long until = now_ms() + patience();
    while (pid == 0) {
        FILE *pids = fopen(path, "re");
        if (pids != NULL && fscanf(pids, "%d", &pid) != 1) {
            pid = 0;
        }
        if (pids != NULL) {
            fclose(pids);
        }
        CHECK_LE(now_ms(), until);
        breathe();
    }
    CHECK(process_runs(pid));
    CHECK_STATUS(mcp_client_close(client, 300), MCP_OK);
    CHECK(!process_runs(pid));
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    unlink(path);
    check_nothing_left(before);
    return 0;
}
