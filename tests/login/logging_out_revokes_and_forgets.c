/*
 * mcp_client_logout: the authorization server revokes the login, the store has no token of it left, and the next call asks the
 * person again. Also from a client that was never connected. Logins whose place another one took, in the store or here, are
 * revoked with it. Without a server that can be reached it is forgotten here, and that is told.
 */
#include "login.h"

static bool store_has(const char *store, const char *part) {
    DIR *entries = opendir(store);
    bool found = false;
    CHECK(entries != NULL);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char text[65536] = "";
        char *path = format("%s/%s", store, entry->d_name);
        FILE *file = fopen(path, "r");
        if (file != NULL && entry->d_name[0] != '.') {
            text[fread(text, 1, sizeof text - 1, file)] = '\0';
        }
        if (file != NULL) {
            fclose(file);
        }
        found = found || strstr(text, part) != NULL;
        free(path);
    }
    closedir(entries);
    return found;
}

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    struct person person = {0};
    char *store = new_store();
    char *auth = in_store(store);
    char *error = NULL;
    mcp_client_t *client = login_client(&servers, auth);
    works_attended(client, "echo", agrees, &person);
    CHECK(store_has(store, "\"refresh\""));
    CHECK_STATUS(mcp_client_logout(client, -1, &error), MCP_OK);
    CHECK(error == NULL);
    CHECK_EQ(counted(&servers, "grants_revoked"), 1);
    CHECK(!store_has(store, "\"refresh\""));
    /* Nothing is left to forget. */
    CHECK_STATUS(mcp_client_logout(client, -1, &error), MCP_OK);
    CHECK_EQ(counted(&servers, "grants_revoked"), 1);
    works_attended(client, "echo", agrees, &person);
    CHECK_EQ(person.asked, 2);
    CHECK_EQ(counted(&servers, "registrations"), 1);
    close_and_free(client);

    client = login_client(&servers, auth);
    CHECK_STATUS(mcp_client_logout(client, -1, &error), MCP_OK);
    CHECK_EQ(counted(&servers, "grants_revoked"), 2);
    CHECK(!store_has(store, "\"refresh\""));
    works_attended(client, "echo", agrees, &person);
    CHECK_EQ(person.asked, 3);

    /* For more scopes the person is asked again, and the first login goes on at the server; a third one knows of neither. */
    works_attended(client, "write", agrees, &person);
    CHECK_EQ(person.asked, 4);
    mcp_client_t *other = login_client(&servers, auth);
    CHECK_STATUS(mcp_client_logout(other, -1, &error), MCP_OK);
    CHECK_EQ(counted(&servers, "grants_revoked"), 4);
    CHECK(!store_has(store, "\"refresh\""));
    works_attended(other, "echo", agrees, &person);
    CHECK_EQ(person.asked, 5);
    /* The first client still has its own in memory, which the server does not know any more, and now finds the other's. */
    works_attended(client, "echo", is_not_asked, NULL);
    CHECK_STATUS(mcp_client_logout(client, -1, &error), MCP_OK);
    CHECK_EQ(counted(&servers, "grants_revoked"), 5);
    close_and_free(other);
    works_attended(client, "echo", agrees, &person);

    stop_login_servers(&servers);
    CHECK_STATUS(mcp_client_logout(client, -1, &error), MCP_ERROR_AUTH);
    CHECK_CONTAINS(error, "forgotten here");
    CHECK(!store_has(store, "\"refresh\""));
    mcp_string_free(error);
    close_and_free(client);

    /* There is nothing to forget where the library manages nothing. */
    client = client_of_config(format("{\"url\":\"http://127.0.0.1:%d/mcp\"}", servers.mcp.port));
    CHECK_STATUS(mcp_client_logout(client, -1, NULL), MCP_ERROR_UNSUPPORTED);
    close_and_free(client);
    free(auth);
    remove_store(store);
    check_nothing_left(at_first);
    return 0;
}
