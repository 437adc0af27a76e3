/*
 * TLS on both sides: our server's certificate, and one of a client.
 */
#include "http.h"

/* A server at an https URL: our client trusts its certificate and calls it in both eras, one that trusts another
 * authority does not; bytes that are no TLS cost the others nothing; files that cannot be used are named. */
/* valgrind: skip what the assembly of ring has written counts as uninitialised there, and so does what is decided with it */

static void on_hello(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "over TLS", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void *serve_on(void *server) {
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    return NULL;
}

static void refused(mcp_server_t *server, const char *certificate, const char *key, const char *part) {
    char *error = NULL;
    char *endpoint = format("{\"url\":\"https://127.0.0.1:0/mcp\",\"certificate_file\":\"%s\",\"key_file\":\"%s\"}", certificate, key);
    CHECK_STATUS(mcp_server_serve(server, endpoint, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    if (strstr(error, part) == NULL) {
        FAIL("%s does not say '%s'", error, part);
    }
    mcp_string_free(error);
    free(endpoint);
}

static void server_http_over_tls(char **argv) {
    struct holdings held = holdings_now();
    /* The certificates are those of another server's folder. */
    char *folder = make_folder();
    struct server maker = start_tls_server(argv[3], folder, NULL);
    char *error = NULL;
    char *bound = NULL;
    mcp_server_t *server = NULL;
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\",\"timeouts\":{\"head_ms\":300}}", NULL, &server, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_add_tool(server, "{\"name\":\"hello\",\"inputSchema\":{\"type\":\"object\"}}", on_hello, NULL, NULL, NULL), MCP_OK);

    char *certificate = format("%s/server.pem", folder);
    char *key = format("%s/server.key", folder);
    char *other = format("%s/client.key", folder);
    refused(server, "/nonexistent.pem", key, "/nonexistent.pem");
    refused(server, key, key, "no certificate");
    refused(server, certificate, certificate, certificate);
    refused(server, certificate, other, "do not work together");

    char *endpoint = format("{\"url\":\"https://localhost:0/mcp\",\"certificate_file\":\"%s\",\"key_file\":\"%s\"}", certificate, key);
    if (mcp_server_serve(server, endpoint, &bound, &error) != MCP_OK) {
        FAIL("%s not served: %s", endpoint, error);
    }
    struct server here = {0};
    CHECK_EQ(sscanf(strrchr(bound, ':'), ":%d/mcp", &here.port), 1);
    mcp_string_free(bound);
    pthread_t thread = start_thread(serve_on, server);

    /* Bytes that are no TLS, and a handshake that never goes on. */
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)here.port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int silent = 0; silent < 2; silent++) {
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        CHECK_EQ(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
        if (!silent) {
            CHECK_EQ(send(fd, "GET / HTTP/1.1\r\n\r\n", 18, MSG_NOSIGNAL), 18);
        }
        char rest[256];
        while (recv(fd, rest, sizeof rest, 0) > 0) {
        }
        close(fd);
    }

    static const char *const members[] = {LEGACY, MODERN};
    for (size_t i = 0; i < 2; i++) {
        mcp_client_t *client = tls_client(&here, folder, "ca.pem", members[i]);
        connect_client(client);
        for (int call = 0; call < 3; call++) {
            char *text = tool_text(client, "hello", NULL);
            CHECK_TEXT(text, "over TLS");
            free(text);
        }
        close_and_free(client);
    }
    mcp_client_t *wary = tls_client(&here, folder, "other-ca.pem", MODERN ",\"reconnect\":false");
    error = NULL;
    CHECK_STATUS(mcp_client_connect(wary, patience(), &error), MCP_ERROR_TRANSPORT);
    mcp_string_free(error);
    close_and_free(wary);

    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    stop_server(&maker);
    remove_folder(folder);
    free(endpoint);
    free(certificate);
    free(key);
    free(other);
    check_nothing_left(held);
}

/*
 * A server names an authorization server that asks for a client's certificate: the one that the configuration gives for the
 * server itself is not shown there, since the server may name any other one.
 */
static char *config(const struct server *server, const char *scheme, const char *folder) {
    return format("{\"url\":\"%s://localhost:%d/mcp\",\"proxy\":false,\"reconnect\":false," MODERN ",\"auth\":{},\"tls\":{"
                  "\"ca_file\":\"%s/ca.pem\",\"system_roots\":false,\"client_certificate\":\"%s/client.pem\","
                  "\"client_key\":\"%s/client.key\"}}",
                  scheme, server->port, folder, folder, folder);
}

static void a_client_certificate_is_for_its_server_only(char **argv) {
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
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    server_http_over_tls(argv);
    a_client_certificate_is_for_its_server_only(argv);
    return 0;
}
