/*
 * A proxy: the one of the environment, unless the server is on this machine or NO_PROXY names it, and the one of the
 * configuration in any case. `false` means none.
 */
#include "http.h"

static bool is_for_a_proxy(const char *request, void *user) {
    char *target = json_at(request, "/target");
    bool is = strncmp(target, user, strlen(user)) == 0;
    mcp_string_free(target);
    return is;
}

static mcp_client_t *client_for(const char *origin, const char *members) {
    return client_of_config(format("{\"url\":\"%s/mcp\",\"reconnect\":false,\"timeouts\":{\"connect_ms\":2000}%s}", origin, members));
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server proxy = start_server(argv[3], NULL);
    struct server direct = start_server(argv[3], NULL);
    char *proxy_url = format("http://127.0.0.1:%d", proxy.port);
    char *local = format("http://127.0.0.1:%d", direct.port);
    char *named = format(",\"proxy\":\"%s\"", proxy_url);
    unsetenv("no_proxy");
    unsetenv("NO_PROXY");
    unsetenv("ALL_PROXY");
    unsetenv("all_proxy");
    CHECK_EQ(setenv("http_proxy", proxy_url, 1), 0);

    mcp_client_t *client = client_for("http://mcp-test.invalid", "");
    connect_client(client);
    check_echo(client, "by the environment");
    close_and_free(client);
    CHECK_GE(count_requests(&proxy, is_for_a_proxy, "http://mcp-test.invalid/mcp"), 2);
    long long seen = stat_of(&proxy, "/methods/POST");

    client = client_for(local, "");
    connect_client(client);
    check_echo(client, "this machine needs no proxy");
    close_and_free(client);
    CHECK_EQ(stat_of(&proxy, "/methods/POST"), seen);

    CHECK_EQ(setenv("no_proxy", "mcp-test.invalid", 1), 0);
    client = client_for("http://mcp-test.invalid", "");
    CHECK_NE(mcp_client_connect(client, patience(), NULL), MCP_OK);
    close_and_free(client);
    CHECK_EQ(stat_of(&proxy, "/methods/POST"), seen);
    unsetenv("no_proxy");

    client = client_for("http://mcp-test.invalid", ",\"proxy\":false");
    CHECK_NE(mcp_client_connect(client, patience(), NULL), MCP_OK);
    close_and_free(client);
    CHECK_EQ(stat_of(&proxy, "/methods/POST"), seen);

    unsetenv("http_proxy");
    client = client_for(local, named);
    connect_client(client);
    check_echo(client, "by the configuration");
    close_and_free(client);
    CHECK_GE(count_requests(&proxy, is_for_a_proxy, local), 2);

    mcp_client_t *none = NULL;
    CHECK_STATUS(mcp_client_new("{\"url\":\"http://a.invalid/\",\"proxy\":\"ftp://x\"}", NULL, &none, NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_new("{\"url\":\"http://a.invalid/\",\"proxy\":true}", NULL, &none, NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    free(named);
    free(local);
    free(proxy_url);
    stop_server(&proxy);
    stop_server(&direct);
    check_nothing_left(before);
    return 0;
}
