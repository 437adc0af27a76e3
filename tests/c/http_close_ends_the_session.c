/*
 * Closing a client ends its session with one DELETE, whatever the server says to that. Where there is no session there is
 * no DELETE: in the modern era, even if the server sends a stray session id, and with servers that keep none.
 */
#include "http.h"

static bool is_delete_of_session(const char *request, void *user) {
    (void)user;
    return json_is(request, "/method", "DELETE") && json_has(request, "/headers/mcp-session-id") &&
           json_is(request, "/headers/mcp-protocol-version", "2025-11-25");
}

static void check(const char *path, const char *behaviours, const char *era, int deletes) {
    struct server server = start_server(path, ARGS(behaviours));
    mcp_client_t *client = connected_to(&server, era);
    check_echo(client, "x");
    close_and_free(client);
    CHECK_EQ(stat_of(&server, "/methods/DELETE"), deletes);
    CHECK_EQ(count_requests(&server, is_delete_of_session, NULL), deletes);
    check_no_violations(&server);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check(argv[3], "", LEGACY, 1);
    check(argv[3], "on-delete=405", LEGACY, 1);
    check(argv[3], "on-delete=html:404", LEGACY, 1);
    check(argv[3], "on-delete=close", LEGACY, 1);
    check(argv[3], "session-id=symbols", LEGACY, 1);
    check(argv[3], "no-session", LEGACY, 0);
    check(argv[3], "", MODERN, 0);
    check(argv[3], "stray-session", MODERN, 0);
    check_nothing_left(before);
    return 0;
}
