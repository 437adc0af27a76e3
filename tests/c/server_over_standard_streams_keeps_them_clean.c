/* A server over its own standard streams does both handshakes, lists and calls; what the program prints does not get between
 * the messages; the end of input ends mcp_server_run after the request under way is answered, and descriptors 0 and 1 are
 * the ones from before. */
#include "served.h"

#include <sys/stat.h>

static void *late(void *request) {
    breathe();
    CHECK_STATUS(mcp_request_respond_text(request, "late", false, NULL), MCP_OK);
    mcp_message_free(request);
    return NULL;
}

static void on_late(void *user, mcp_message_t *request) {
    *(pthread_t *)user = start_thread(late, request);
}

static void on_print(void *user, mcp_message_t *request) {
    (void)user;
    printf("printed by the program\n");
    fflush(stdout);
    CHECK_EQ(write(1, "raw\n", 4), 4);
    char byte;
    CHECK_EQ(read(0, &byte, 1), 0);
    CHECK_STATUS(mcp_request_respond_text(request, "printed", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static int serve(void) {
    struct stat before[2];
    struct stat after[2];
    pthread_t thread;
    struct holdings held = holdings_now();
    CHECK_EQ(fstat(0, &before[0]) | fstat(1, &before[1]), 0);
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("print"), on_print, NULL);
    add_tool(server, TOOL("late"), on_late, &thread);
    CHECK_STATUS(mcp_server_serve(server, "{\"stdio\":true}", NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_serve(server, "{\"stdio\":true}", NULL, NULL), MCP_ERROR_UNAVAILABLE);
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    CHECK_EQ(fstat(0, &after[0]) | fstat(1, &after[1]), 0);
    for (int fd = 0; fd < 2; fd++) {
        CHECK(before[fd].st_ino == after[fd].st_ino && before[fd].st_dev == after[fd].st_dev);
    }
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    join_thread(thread);
    check_nothing_left(held);
    return 0;
}

#define META                                                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                  \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"                              \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

static void one_era(bool modern) {
    int to[2];
    int from[2];
    CHECK_EQ(pipe2(to, O_CLOEXEC), 0);
    CHECK_EQ(pipe2(from, O_CLOEXEC), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        become_server();
        _exit(9);
    }
    close(to[0]);
    close(from[1]);
    struct peer *peer = peer_on(from[0], to[1]);
    const char *meta = modern ? META : "\"x\":1";
    if (modern) {
        peer_send(peer, "{\"jsonrpc\":\"2.0\",\"id\":\"d\",\"method\":\"server/discover\",\"params\":{" META "}}");
        CHECK(json_has(peer_line(peer), "/result/supportedVersions"));
    } else {
        peer_initialize(peer);
    }
    char *line = format("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{%s}}", meta);
    peer_send(peer, line);
    free(line);
    const char *listed = peer_line(peer);
    CHECK(json_is(listed, "/result/tools/1/name", "late") || json_is(listed, "/result/tools/1/name", "print"));
    line = format("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"print\",%s}}", meta);
    peer_send(peer, line);
    free(line);
    CHECK(json_is(peer_line(peer), "/result/content/0/text", "printed"));
    line = format("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"late\",%s}}\n", meta);
    CHECK(peer_write(peer, line, strlen(line)));
    free(line);
    close(peer->out);
    peer->out = -1;
    CHECK(json_is(peer_line(peer), "/result/content/0/text", "late"));
    CHECK(peer_line(peer) == NULL);
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    peer_free(peer);
}

/* Standard streams that are files, which no poller takes: each request of the file is answered, then the server ends. A byte order
 * mark may stand before the first one. */
static void files(void) {
    char name[] = "/tmp/mcp-test-XXXXXX";
    int file = mkstemp(name);
    CHECK_GE(file, 0);
    CHECK_EQ(unlink(name), 0);
    static const char input[] = "\xef\xbb\xbf" INITIALIZE
        "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"late\"}}";
    CHECK_EQ(write(file, input, sizeof input - 1), (ssize_t)sizeof input - 1);
    CHECK_EQ(write(file, "\n", 1), 1);
    CHECK_EQ(lseek(file, 0, SEEK_SET), 0);
    char output[] = "/tmp/mcp-test-XXXXXX";
    int out = mkstemp(output);
    CHECK_GE(out, 0);
    CHECK_EQ(unlink(output), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(file, 0);
        dup2(out, 1);
        become_server();
        _exit(9);
    }
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    CHECK_EQ(lseek(out, 0, SEEK_SET), 0);
    struct peer *peer = peer_on(out, file);
    CHECK(json_has(peer_line(peer), "/result/serverInfo"));
    CHECK(json_is(peer_line(peer), "/result/content/0/text", "late"));
    CHECK(peer_line(peer) == NULL);
    peer_free(peer);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "serve") == 0) {
        return serve();
    }
    signal(SIGPIPE, SIG_IGN);
    one_era(false);
    one_era(true);
    files();
    return 0;
}
