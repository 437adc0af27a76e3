/*
 * With `unix_socket` HTTP goes over a Unix socket; the URL says path and host. A socket that is not there is an error that
 * names it.
 */
#include "http.h"

static bool has_host(const char *request, void *user) {
    return json_is(request, "/headers/host", user);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    char *path = format("/tmp/mcp-http-test-%ld.sock", (long)getpid());
    struct server server = start_server(argv[3], ARGS("--unix", path));
    const char *const eras[] = {MODERN, LEGACY, "\"protocol\":\"auto\""};
    for (int i = 0; i < 3; i++) {
        mcp_client_t *client = client_of_config(
            format("{\"url\":\"http://localhost/mcp\",\"unix_socket\":\"%s\",%s}", path, eras[i]));
        connect_client(client);
        for (int calls = 0; calls < 10; calls++) {
            check_echo(client, "over a socket");
        }
        close_and_free(client);
    }
    CHECK_GE(count_requests(&server, has_host, "localhost"), 30);
    check_no_violations(&server);
    stop_server(&server);
    CHECK_EQ(unlink(path), 0);
    mcp_client_t *client = client_of_config(
        format("{\"url\":\"http://localhost/mcp\",\"unix_socket\":\"%s\",\"reconnect\":false}", path));
    char *error = connect_error(client, MCP_ERROR_TRANSPORT);
    CHECK_CONTAINS(error, path);
    mcp_string_free(error);
    close_and_free(client);
    free(path);
    check_nothing_left(before);
    return 0;
}
