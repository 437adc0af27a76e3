/*
 * Field fault H13: a redirect is followed only with 307 or 308, only within the origin and only a few times. Another origin
 * gets nothing at all, and the error says where the redirect led.
 */
#include "http.h"

#define SECRET "\"headers\":{\"Authorization\":\"Bearer secret-of-the-test\"},\"reconnect\":false"

static void check_followed(const struct server *server, const char *path) {
    const char *const eras[] = {MODERN, LEGACY, "\"protocol\":\"auto\""};
    for (int i = 0; i < 3; i++) {
        mcp_client_t *client = client_at(server, path, eras[i]);
        connect_client(client);
        check_echo(client, path);
        close_and_free(client);
    }
}

static void check_refused(const struct server *server, const char *path, const char *part) {
    const char *const eras[] = {MODERN, LEGACY, "\"protocol\":\"auto\""};
    for (int i = 0; i < 3; i++) {
        char *members = format("%s,%s", eras[i], SECRET);
        mcp_client_t *client = client_at(server, path, members);
        char *error = NULL;
        CHECK_NE(mcp_client_connect(client, patience(), &error), MCP_OK);
        CHECK_CONTAINS(error, part);
        CHECK(strstr(error, "secret-of-the-test") == NULL);
        mcp_string_free(error);
        close_and_free(client);
        free(members);
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], NULL);
    struct server other = start_server(argv[3], NULL);
    check_followed(&server, "/redirect/307");
    check_followed(&server, "/redirect/308");
    check_followed(&server, "/redirect/307/4");
    check_no_violations(&server);
    check_refused(&server, "/redirect/301", "301");
    check_refused(&server, "/redirect/302", "302");
    check_refused(&server, "/redirect/303", "303");
    check_refused(&server, "/redirect/307/loop", "redirect");
    check_refused(&server, "/redirect/308/20", "redirect");
    const char *const hosts[] = {"127.0.0.1", "localhost", "[::1]"};
    for (int i = 0; i < 3; i++) {
        char *origin = format("http://%s:%d", hosts[i], other.port);
        char *path = format("/redirect/307?to=%s/mcp", origin);
        check_refused(&server, path, origin);
        free(path);
        free(origin);
    }
    check_refused(&server, "/redirect/307?to=//127.0.0.1:1/mcp", "127.0.0.1:1");
    check_refused(&server, "/redirect/307?to=file:///etc/passwd", "redirect");
    CHECK_EQ(stat_of(&other, "/connections"), 0);
    stop_server(&server);
    stop_server(&other);
    check_nothing_left(before);
    return 0;
}
