/*
 * The application's redirect URI is not the one that it is registered with. The authorization server shows the person an
 * error and redirects no browser; the application gives up, and the call says so.
 */
#include "login.h"

static void sees_an_error(mcp_client_t *client, mcp_message_t *message, void *user) {
    char *url = json_at(mcp_message_json(message, NULL), "/url");
    char *page = NULL;
    int *asked = user;
    char *error = NULL;
    CHECK_EQ(browse("agree", url, &page), 3);
    CHECK_CONTAINS(page, "invalid_redirect_uri");
    CHECK_STATUS(mcp_client_abort_login(client, page, &error), MCP_OK);
    free(page);
    mcp_string_free(url);
    ++*asked;
}

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    int asked = 0;
    mcp_client_t *client = login_client(
        &servers, "\"client_id\":\"desktop\",\"redirect_uri\":\"http://127.0.0.1/elsewhere\",\"listen\":true");
    char *error = fails_attended(client, "echo", sees_an_error, &asked);
    CHECK_CONTAINS(error, "invalid_redirect_uri");
    CHECK_EQ(asked, 1);
    free(error);
    close_and_free(client);

    /* With the right one, at any port of this machine, it works. */
    client = login_client(&servers,
                          "\"client_id\":\"desktop\",\"redirect_uri\":\"http://127.0.0.1/callback\",\"listen\":true");
    works_attended(client, "echo", agrees, NULL);
    CHECK_EQ(counted(&servers, "registrations"), 0);
    close_and_free(client);
    stop_login_servers(&servers);
    check_nothing_left(at_first);
    return 0;
}
