/*
 * A server that speaks Streamable HTTP and answers with 2024-11-05, which has no such transport, opens a session all the same:
 * its id goes along with every further request, and the session is ended with a DELETE.
 */
#include "http.h"

static bool has_session(const char *request, void *user) {
    return json_is(request, "/method", user) && json_has(request, "/headers/mcp-session-id");
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct server server = start_server(argv[3], ARGS("--era", "legacy", "--revision", "2024-11-05"));
    mcp_client_t *client = client_at(&server, "/mcp", NULL);
    connect_client(client);
    char *info = info_of(client);
    CHECK(json_is(info, "/revision", "2024-11-05"));
    mcp_string_free(info);
    check_echo(client, "hello");
    check_echo(client, "again");
    /* The notification that the client is ready, and the two calls. */
    CHECK_GE(count_requests(&server, has_session, "POST"), 3);
    close_and_free(client);
    CHECK_EQ(count_requests(&server, has_session, "DELETE"), 1);
    stop_server(&server);
    return 0;
}
