/*
 * A tool needs a scope that was not asked for at first. The person is asked for it once, the new token has the old scopes as
 * well, and it is renewed with all of them.
 */
#include "login.h"

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    struct person person = {0};
    mcp_client_t *client = login_client(&servers, "");
    works_attended(client, "echo", agrees, &person);
    CHECK_EQ(person.asked, 1);
    set_servers(&servers, "{\"ttl\":4}");
    works_attended(client, "write", agrees, &person);
    CHECK_EQ(person.asked, 2);
    CHECK_EQ(counted(&servers, "challenged_insufficient_scope"), 1);
    for (long long until = now_ms() + 30000; counted(&servers, "granted_refresh_token") < 2; breathe()) {
        CHECK_LE(now_ms(), until);
        works_attended(client, "echo", is_not_asked, NULL);
        works_attended(client, "write", is_not_asked, NULL);
    }
    CHECK_EQ(counted(&servers, "challenged_insufficient_scope"), 1);
    CHECK_EQ(counted(&servers, "registrations"), 1);
    close_and_free(client);
    stop_login_servers(&servers);
    check_nothing_left(at_first);
    return 0;
}
