/*
 * Client credentials, with a secret that a form would encode: no person is asked, new tokens are got as the old ones end, and a
 * wrong secret is told.
 */
#include "login.h"

#define SERVICE "\"type\":\"client_credentials\",\"client_id\":\"given beforehand\",\"scopes\":[\"mcp:basic\",\"mcp:write\"]"

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    set_servers(&servers, "{\"ttl\":3,\"scope\":\"mcp:basic\"}");
    char *issuer = issuer_of(&servers);
    char *auth = format("%s," SERVICE ",\"client_secret\":\"a+secret/with=signs\"", issuer);
    mcp_client_t *client = login_client(&servers, auth);
    free(auth);
    for (long long until = now_ms() + 30000; counted(&servers, "granted_client_credentials") < 3; breathe()) {
        CHECK_LE(now_ms(), until);
        works_attended(client, "echo", is_not_asked, NULL);
    }
    /* It may ask for more by itself. */
    works_attended(client, "write", is_not_asked, NULL);
    close_and_free(client);

    auth = format("%s," SERVICE ",\"client_secret\":\"another\"", issuer);
    client = login_client(&servers, auth);
    free(auth);
    free(issuer);
    char *error = fails_attended(client, "echo", is_not_asked, NULL);
    CHECK_CONTAINS(error, "invalid_client");
    CHECK(strstr(error, "another") == NULL);
    free(error);
    close_and_free(client);
    stop_login_servers(&servers);
    check_nothing_left(at_first);
    return 0;
}
