/*
 * The person refuses: the call says who did. The application may also take the browser's answer itself; one for another
 * login is not taken, and the login goes on.
 */
#include "login.h"

static void refuses(mcp_client_t *client, mcp_message_t *message, void *user) {
    char *url = json_at(mcp_message_json(message, NULL), "/url");
    (void)client, (void)user;
    /* The listener's page says that it did not work out. */
    browse("deny", url, NULL);
    mcp_string_free(url);
}

static void hands_over(mcp_client_t *client, mcp_message_t *message, void *user) {
    const char *what = mcp_message_json(message, NULL);
    char *url = json_at(what, "/url");
    char *back = NULL;
    char *error = NULL;
    (void)user;
    CHECK(json_is(what, "/listens", "false"));
    CHECK_EQ(browse("stop", url, &back), 0);
    CHECK_CONTAINS(back, "http://127.0.0.1:9/callback?");
    CHECK_STATUS(mcp_client_complete_login(client, "http://127.0.0.1:9/callback?code=x&state=y", &error),
                 MCP_ERROR_AUTH);
    CHECK_CONTAINS(error, "not for this login");
    mcp_string_free(error);
    CHECK_STATUS(mcp_client_complete_login(client, back, NULL), MCP_OK);
    /* One answer is taken once. */
    CHECK_STATUS(mcp_client_complete_login(client, back, NULL), MCP_ERROR_AUTH);
    free(back);
    mcp_string_free(url);
}

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    mcp_client_t *client = login_client(&servers, "");
    char *error = fails_attended(client, "echo", refuses, NULL);
    CHECK_CONTAINS(error, "access_denied");
    free(error);
    close_and_free(client);

    client = login_client(&servers, "\"client_id\":\"desktop\",\"redirect_uri\":\"http://127.0.0.1:9/callback\"");
    works_attended(client, "echo", hands_over, NULL);
    close_and_free(client);
    stop_login_servers(&servers);
    check_nothing_left(at_first);
    return 0;
}
