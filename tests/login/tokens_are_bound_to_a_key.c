/*
 * The MCP server takes only tokens that are bound to a key (DPoP), and both servers want their nonces in the proofs. The
 * login, the renewals and every call carry proofs that these servers verify; a nonce that changes is taken up.
 */
#include "login.h"

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    struct person person = {0};
    set_servers(&servers, "{\"ttl\":4,\"dpop\":true}");
    mcp_client_t *client = login_client(&servers, "");
    works_attended(client, "echo", agrees, &person);
    for (long long until = now_ms() + 30000; counted(&servers, "granted_refresh_token") < 2; breathe()) {
        CHECK_LE(now_ms(), until);
        works_attended(client, "echo", is_not_asked, NULL);
    }
    CHECK_EQ(counted(&servers, "challenged_use_dpop_nonce"), 1);
    free(control(&servers.mcp, "POST", "/new-nonce", ""));
    works_attended(client, "echo", is_not_asked, NULL);
    CHECK_EQ(counted(&servers, "challenged_use_dpop_nonce"), 2);
    CHECK_EQ(counted(&servers, "challenged_invalid_dpop_proof"), 0);
    CHECK_EQ(person.asked, 1);
    close_and_free(client);
    stop_login_servers(&servers);
    check_nothing_left(at_first);
    return 0;
}
