/*
 * After a login the MCP server drops its metadata as a resource and publishes a document of its own, which claims to be the authorization
 * server of that login with a token endpoint at the MCP server: no refresh token, client id or code of the authorization server
 * goes there, and no secret or key of the configuration. When the metadata is back, so is the login.
 */
#include "login.h"

#define SERVICE "\"type\":\"client_credentials\",\"client_id\":\"given beforehand\",\"client_secret\":\"a+secret/with=signs\""

/* What was sent to the endpoints that the MCP server named; free() it. */
static char *collected(const struct login_servers *servers) { return control(&servers->mcp, "GET", "/collected", ""); }

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    char *store = new_store();
    char *auth = in_store(store);
    struct person person = {0};
    mcp_client_t *client = login_client(&servers, auth);
    works_attended(client, "echo", agrees, &person);
    CHECK_EQ(person.asked, 1);

    /* Only the token endpoint is its own: a code of the authorization server would go there. */
    set_servers(&servers, "{\"claims\":\"token\"}");
    free(control(&servers.mcp, "POST", "/revoke-access", "{}"));
    char *error = fails_attended(client, "echo", is_not_asked, NULL);
    CHECK(json_is(error, "/details/check", "endpoints"));
    free(error);
    close_and_free(client);

    /* All endpoints are its own; another process has the login from the store. */
    set_servers(&servers, "{\"claims\":\"all\"}");
    client = login_client(&servers, auth);
    error = fails_attended(client, "echo", is_not_asked, NULL);
    free(error);
    close_and_free(client);
    char *sent = collected(&servers);
    /* It registered there, as at any server that is new to it. */
    CHECK_CONTAINS(sent, "POST /register");
    CHECK(strstr(sent, "/token") == NULL && strstr(sent, "grant_type=") == NULL && strstr(sent, "code_verifier") == NULL);
    free(sent);

    /* Credentials of the configuration are for the authorization server that it names. */
    char *configured = format(SERVICE ",\"issuer\":\"http://127.0.0.1:%d\",\"scopes\":[\"mcp:basic\"]", servers.authorization);
    client = login_client(&servers, configured);
    works_attended(client, "echo", is_not_asked, NULL);
    close_and_free(client);
    free(configured);
    client = login_client(&servers, SERVICE ",\"allow_any_issuer\":true");
    error = fails_attended(client, "echo", is_not_asked, NULL);
    CHECK(json_is(error, "/details/check", "issuer"));
    CHECK_CONTAINS(error, "'auth.issuer'");
    free(error);
    close_and_free(client);
    sent = collected(&servers);
    CHECK(strstr(sent, "/token") == NULL && strstr(sent, "secret") == NULL && strstr(sent, "beforehand") == NULL);
    free(sent);

    /* Without a word about it in the configuration there is no such client. */
    char *config = format("{\"url\":\"http://127.0.0.1:%d/mcp\",\"auth\":{%s}}", servers.mcp.port, SERVICE);
    char *why = NULL;
    client = NULL;
    CHECK_STATUS(mcp_client_new(config, NULL, &client, &why), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(why, "'auth.issuer'");
    mcp_string_free(why);
    free(config);

    /* The metadata is back: the kept login is refreshed where it is from. */
    set_servers(&servers, "{\"claims\":null}");
    client = login_client(&servers, auth);
    works_attended(client, "echo", is_not_asked, NULL);
    CHECK_EQ(counted(&servers, "granted_refresh_token"), 1);
    close_and_free(client);
    stop_login_servers(&servers);
    free(auth);
    remove_store(store);
    check_nothing_left(at_first);
    return 0;
}
