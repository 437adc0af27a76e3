/*
 * A server names an authorization server that asks for a client's certificate: the one that the configuration gives for the
 * server itself is not shown there, since the server may name any other one.
 */
/* valgrind: skip what the assembly of ring has written counts as uninitialised there, and so does what is decided with it */
#include "http.h"

static char *config(const struct server *server, const char *scheme, const char *folder) {
    return format("{\"url\":\"%s://localhost:%d/mcp\",\"proxy\":false,\"reconnect\":false," MODERN ",\"auth\":{},\"tls\":{"
                  "\"ca_file\":\"%s/ca.pem\",\"system_roots\":false,\"client_certificate\":\"%s/client.pem\","
                  "\"client_key\":\"%s/client.key\"}}",
                  scheme, server->port, folder, folder, folder);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    char *folder = make_folder();
    struct server other = start_tls_server(argv[3], folder, ARGS("--ask-certificate", "yes", "login=yes"));
    char *named = format("authorization-server=https://localhost:%d", other.port);
    struct server server = start_server(argv[3], ARGS("login=yes", named));
    mcp_client_t *client = client_of_config(config(&server, "http", folder));
    char *error = connect_error(client, MCP_ERROR_AUTH);
    CHECK_CONTAINS(error, "/.well-known/oauth-authorization-server");
    CHECK_CONTAINS(error, "certificate");
    char *requests = control(&other, "GET", "/requests", "");
    CHECK(strstr(requests, "well-known") == NULL);
    free(requests);
    mcp_string_free(error);
    close_and_free(client);
    /* The server that it is for gets it, also where it is its own authorization server. */
    client = client_of_config(config(&other, "https", folder));
    error = connect_error(client, MCP_ERROR_AUTH);
    CHECK(strstr(error, "certificate_required") == NULL);
    requests = control(&other, "GET", "/requests", "");
    CHECK_CONTAINS(requests, "/.well-known/oauth-protected-resource/mcp");
    free(requests);
    mcp_string_free(error);
    close_and_free(client);
    stop_server(&server);
    stop_server(&other);
    free(named);
    remove_folder(folder);
    check_nothing_left(before);
    return 0;
}
