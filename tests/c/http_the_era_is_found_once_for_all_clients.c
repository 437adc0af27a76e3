/*
 * What one client found out about a server's era, the next ones in the process know: a legacy server is probed once, an old
 * one found once. It holds for the place and not for the host, is dropped when it proves wrong, and a program can have each
 * client find out by itself.
 */
#include "http.h"

#define ALONE "\"http\":{\"remember_era\":false}"

static void meets(const struct server *server, const char *path, const char *members, const char *revision) {
    mcp_client_t *client = client_at(server, path, members);
    connect_client(client);
    check_echo(client, "hello");
    char *info = info_of(client);
    if (!json_is(info, "/revision", revision)) {
        FAIL("expected %s: %s", revision, info);
    }
    mcp_string_free(info);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    const char *path = argv[3];
    struct holdings before = holdings_now();
    struct server server = start_server(path, ARGS("--era", "legacy"));
    meets(&server, "/mcp", ALONE, "2025-11-25");
    meets(&server, "/mcp", ALONE, "2025-11-25");
    CHECK_EQ(count_of(&server, "server/discover"), 2);
    for (int i = 0; i < 5; i++) {
        meets(&server, "/mcp", NULL, "2025-11-25");
    }
    CHECK_EQ(count_of(&server, "server/discover"), 3);
    /* Not what else is there; it leads here, so that its probe comes twice. */
    meets(&server, "/redirect/308", NULL, "2025-11-25");
    CHECK_EQ(count_of(&server, "server/discover"), 5);
    /* A program that permits one era only never asks. */
    meets(&server, "/mcp", LEGACY, "2025-11-25");
    CHECK_EQ(count_of(&server, "server/discover"), 5);
    check_no_violations(&server);
    /* The server is replaced by a modern one: initialize fails, it is probed at once, and the next client probes too. */
    int port = server.port;
    stop_server(&server);
    server = start_server_on(path, port, ARGS("--era", "modern"));
    meets(&server, "/mcp", NULL, "2026-07-28");
    CHECK_EQ(count_of(&server, "initialize"), 1);
    CHECK_EQ(count_of(&server, "server/discover"), 1);
    meets(&server, "/mcp", NULL, "2026-07-28");
    CHECK_EQ(count_of(&server, "initialize"), 1);
    stop_server(&server);
    /* And that by one of HTTP+SSE, which is found by a probe, an initialize and a GET, and then by the GET alone. */
    server = start_server_on(path, port, ARGS("--shape", "sse", "--era", "legacy"));
    meets(&server, "/mcp", NULL, "2024-11-05");
    long long posts = stat_of(&server, "/methods/POST");
    meets(&server, "/mcp", NULL, "2024-11-05");
    long long alone = stat_of(&server, "/methods/POST") - posts;
    CHECK_LE(alone, posts - 2);
    stop_server(&server);
    /* That stream is gone again: the attempt fails, and the next finds the server as it is. */
    server = start_server_on(path, port, ARGS("--era", "legacy"));
    mcp_client_t *client = client_at(&server, "/mcp", "\"reconnect\":{\"initial_ms\":20,\"max_ms\":50}");
    UNTIL(mcp_client_connect(client, 5000, NULL) == MCP_OK);
    check_echo(client, "hello");
    close_and_free(client);
    stop_server(&server);
    check_nothing_left(before);
    return 0;
}
