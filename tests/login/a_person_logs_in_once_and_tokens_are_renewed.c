/*
 * A person logs in once in a browser. Afterwards tokens are renewed ahead of their end, each refresh token is used once and
 * replaced, and the person is not asked again.
 */
#include "login.h"

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    struct person person = {0};
    set_servers(&servers, "{\"ttl\":4}");
    mcp_client_t *client = login_client(&servers, "");
    works_attended(client, "echo", agrees, &person);
    CHECK_EQ(person.asked, 1);
    CHECK_EQ(counted(&servers, "registrations"), 1);
    for (long long until = now_ms() + 30000; counted(&servers, "granted_refresh_token") < 3; breathe()) {
        CHECK_LE(now_ms(), until);
        works_attended(client, "echo", is_not_asked, NULL);
    }
    CHECK_EQ(counted(&servers, "granted_authorization_code"), 1);
    CHECK_EQ(counted(&servers, "refused_refresh_token"), 0);
    CHECK_EQ(counted(&servers, "server_errors"), 0);
    close_and_free(client);
    stop_login_servers(&servers);
    check_nothing_left(at_first);
    return 0;
}
