/*
 * In the legacy era no request but a ping may come before `notifications/initialized`. Over HTTP that is a POST of its own: a
 * server that is slow to take it sees no call before it, also where the client does not wait for the stream of the server's
 * messages. One that never answers it costs a moment, not the calls.
 */
#include "http.h"

static const char *const SCRIPTS[] = {"slow-initialized=300", "slow-initialized=300,no-session", "on-initialized=hang"};

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    for (size_t i = 0; i < sizeof SCRIPTS / sizeof SCRIPTS[0]; i++) {
        struct server server = start_server(argv[3], NULL);
        set_script(&server, SCRIPTS[i]);
        mcp_client_t *client = client_at(&server, "/mcp", LEGACY ",\"timeouts\":{\"listen_ms\":1}");
        char *error = NULL;
        if (mcp_client_connect(client, patience(), &error) != MCP_OK) {
            FAIL("with %s: %s", SCRIPTS[i], error);
        }
        for (int calls = 0; calls < 3; calls++) {
            check_echo(client, SCRIPTS[i]);
        }
        CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
        close_and_free(client);
        if (strstr(SCRIPTS[i], "hang") == NULL) {
            check_no_violations(&server);
        }
        stop_server(&server);
    }
    check_nothing_left(before);
    return 0;
}
