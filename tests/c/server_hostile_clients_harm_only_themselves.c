/* A client that reads nothing is cut off at limits.outgoing_bytes and at timeouts.write_ms while others go on; lines that are
 * too long, half lines, garbage, too many clients and a thousand of them harm no other session; a closed pipe raises no
 * SIGPIPE. */
#include "served.h"

#include <sys/resource.h>

static char *path;

static mcp_server_t *big_server(const char *config) {
    mcp_server_t *server = new_server(config);
    char *big = malloc(1 << 20);
    CHECK(big != NULL);
    memset(big, 'x', (1 << 20) - 1);
    big[(1 << 20) - 1] = '\0';
    CHECK_STATUS(mcp_server_add_text(server, "{\"uri\":\"t:big\",\"name\":\"big\"}", big, NULL), MCP_OK);
    free(big);
    path = new_path();
    serve_at(server, path);
    return server;
}

static void end_server(mcp_server_t *server) {
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

#define READ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"t:big\"}}"

static void reads_nothing(const char *config, int requests) {
    mcp_server_t *server = big_server(config);
    struct peer *deaf = peer_at(path);
    struct peer *other = peer_at(path);
    peer_initialize(deaf);
    peer_initialize(other);
    for (int i = 0; i < requests; i++) {
        peer_write(deaf, READ "\n", sizeof READ);
    }
    long long start = now_ms();
    for (int id = 1; info_number(server, "/sessions") > 1; id++) {
        CHECK_LE(now_ms() - start, patience());
        peer_ping(other, id);
    }
    peer_ping(other, 1);
    peer_free(deaf);
    peer_free(other);
    UNTIL(info_number(server, "/sessions") == 0);
    end_server(server);
}

static void bad_lines(void) {
    mcp_server_t *server = big_server("{\"name\":\"s\",\"limits\":{\"frame_bytes\":4096,\"discard_bytes\":65536}}");
    struct peer *other = peer_at(path);
    peer_initialize(other);
    char *long_line = malloc(200000);
    CHECK(long_line != NULL);
    memset(long_line, 'x', 199999);
    long_line[199999] = '\0';

    /* Too long, skipped and refused: the session goes on. */
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    CHECK(peer_write(peer, long_line, 50000) && peer_write(peer, "\n", 1));
    CHECK(json_has(peer_line(peer), "/error"));
    peer_ping(peer, 2);
    /* Garbage is answered, and the session goes on. */
    peer_send(peer, "garbage");
    CHECK(json_is(peer_line(peer), "/error/code", "-32700"));
    peer_send(peer, "");
    peer_ping(peer, 3);
    /* Without an end within the bounds the session ends. */
    peer_write(peer, long_line, 199999);
    const char *line;
    while ((line = peer_line(peer)) != NULL) {
        CHECK(json_has(line, "/error"));
    }
    peer_free(peer);
    free(long_line);

    /* Half a line at the end. */
    peer = peer_at(path);
    peer_initialize(peer);
    static const char half[] = "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"";
    CHECK(peer_write(peer, half, sizeof half - 1));
    CHECK_EQ(shutdown(peer->out, SHUT_WR), 0);
    line = peer_line(peer);
    CHECK(line == NULL || (json_has(line, "/error") && peer_line(peer) == NULL));
    peer_free(peer);

    peer_ping(other, 5);
    peer_free(other);
    UNTIL(info_number(server, "/sessions") == 0);
    end_server(server);
}

static void too_many(void) {
    mcp_server_t *server = big_server("{\"name\":\"s\",\"limits\":{\"sessions\":2}}");
    struct peer *peers[2] = {peer_at(path), peer_at(path)};
    peer_initialize(peers[0]);
    peer_initialize(peers[1]);
    peer_ping(peers[0], 1);
    peer_ping(peers[1], 1);
    /* All are of one process: of its idle sessions the one that was not used for longest gives way. */
    struct peer *third = peer_at(path);
    peer_initialize(third);
    peer_ping(third, 1);
    CHECK(peer_line(peers[0]) == NULL);
    peer_ping(peers[1], 2);
    peer_free(peers[0]);
    peer_free(peers[1]);
    peer_free(third);
    UNTIL(info_number(server, "/sessions") == 0);
    end_server(server);
}

static void a_thousand(void) {
    struct rlimit files = {0, 0};
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
    files.rlim_cur = files.rlim_max;
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &files), 0);
    int count = scaled(1000, 50);
    /* Each session has two descriptors and its peer one; a quarter is left to the program. */
    if (files.rlim_cur < (rlim_t)count * 5) {
        count = (int)(files.rlim_cur / 5);
    }
    mcp_server_t *server = big_server("{\"name\":\"s\",\"limits\":{\"sessions\":1000}}");
    struct peer **peers = calloc((size_t)count, sizeof *peers);
    CHECK(peers != NULL);
    for (int i = 0; i < count; i++) {
        peers[i] = peer_at(path);
        peer_initialize(peers[i]);
        free(peers[i]->bytes);
        peers[i]->bytes = NULL;
        peers[i]->room = peers[i]->length = peers[i]->taken = 0;
    }
    CHECK_EQ(info_number(server, "/sessions"), count);
    for (int i = 0; i < count; i++) {
        peer_ping(peers[i], i);
    }
    for (int i = 0; i < count; i++) {
        peer_free(peers[i]);
    }
    UNTIL(info_number(server, "/sessions") == 0);
    free(peers);
    end_server(server);
}

static int serve(void) {
    signal(SIGPIPE, SIG_DFL);
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    CHECK_STATUS(mcp_server_serve(server, "{\"stdio\":true}", NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    return 0;
}

static void closed_pipe(void) {
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
    peer_initialize(peer);
    close(peer->in);
    peer->in = peer->out; /* freed once */
    CHECK_EQ(write(peer->out, READ "\n", sizeof READ), (ssize_t)sizeof READ);
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    peer_free(peer);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "serve") == 0) {
        return serve();
    }
    struct holdings held = holdings_now();
    reads_nothing("{\"name\":\"s\",\"limits\":{\"outgoing_bytes\":4000000},\"timeouts\":{\"write_ms\":600000}}", 10);
    reads_nothing("{\"name\":\"s\",\"timeouts\":{\"write_ms\":200}}", 2);
    bad_lines();
    too_many();
    a_thousand();
    closed_pipe();
    check_nothing_left(held);
    return 0;
}
