/*
 * A02: the MCP server names its authorization server by another name than the server's own document does. No person is asked to log
 * in; the error names the step, the check and both values, and the next call gets it at once. A slash at the end is no other name.
 */
#include "login.h"

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    set_servers(&servers, "{\"host\":\"localhost\"}");
    mcp_client_t *client = login_client(&servers, "");
    char *error = fails_attended(client, "echo", is_not_asked, NULL);
    char *written = format("http://127.0.0.1:%d", servers.authorization);
    char *named = format("http://localhost:%d", servers.authorization);
    CHECK(json_is(error, "/details/step", "authorization server metadata"));
    CHECK(json_is(error, "/details/check", "issuer"));
    CHECK(json_is(error, "/details/expected", named));
    CHECK(json_is(error, "/details/found", written));
    CHECK(json_is(error, "/retryable", "false"));
    CHECK_EQ(counted(&servers, "registrations"), 0);
    free(error);
    close_and_free(client);

    /* As it is written there, it works, and with a slash. */
    set_servers(&servers, "{\"host\":\"127.0.0.1\",\"slash\":\"/\"}");
    client = login_client(&servers, "");
    works_attended(client, "echo", agrees, NULL);
    close_and_free(client);
    stop_login_servers(&servers);
    free(named);
    free(written);
    check_nothing_left(at_first);
    return 0;
}
