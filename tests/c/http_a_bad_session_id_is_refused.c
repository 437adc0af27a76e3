/*
 * A session id that is not visible ASCII, or too long to be sent back, is not sent back: connecting fails and says why, and
 * the id, a secret, is not in the text. An empty one counts as missing.
 */
#include "http.h"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *const ids[] = {"space", "tab", "latin", "long"};
    for (int i = 0; i < 4; i++) {
        char *behaviour = format("session-id=%s", ids[i]);
        struct server server = start_server(argv[3], ARGS(behaviour));
        mcp_client_t *client = client_at(&server, "/mcp", LEGACY ",\"reconnect\":false");
        char *error = connect_error(client, MCP_ERROR_PROTOCOL);
        CHECK_CONTAINS(error, "session id");
        CHECK(strstr(error, "session-") == NULL && strstr(error, "xxxx") == NULL);
        mcp_string_free(error);
        close_and_free(client);
        stop_server(&server);
        free(behaviour);
    }
    check_nothing_left(before);
    return 0;
}
