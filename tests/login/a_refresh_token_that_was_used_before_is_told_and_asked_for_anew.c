/*
 * A person put an old copy of the token store back, so that a refresh token is used a second time. The authorization server
 * takes that for theft and ends the login; the person is asked once, and the new login goes on.
 */
#include "login.h"

/* The one file of logins in a store; free() the path. */
static char *only_login(const char *store) {
    DIR *entries = opendir(store);
    char *found = NULL;
    CHECK(entries != NULL);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        if (strstr(entry->d_name, ".json") != NULL) {
            CHECK(found == NULL);
            found = format("%s/%s", store, entry->d_name);
        }
    }
    closedir(entries);
    CHECK(found != NULL);
    return found;
}

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    struct person person = {0};
    char *store = new_store();
    char *auth = in_store(store);
    set_servers(&servers, "{\"ttl\":3}");
    mcp_client_t *client = login_client(&servers, auth);
    works_attended(client, "echo", agrees, &person);
    char *path = only_login(store);
    char *copy = format("%s/copy", store);
    CHECK_EQ(link(path, copy), 0);
    for (long long until = now_ms() + 30000; counted(&servers, "granted_refresh_token") < 1; breathe()) {
        CHECK_LE(now_ms(), until);
        works_attended(client, "echo", is_not_asked, NULL);
    }
    close_and_free(client);
    CHECK_EQ(rename(copy, path), 0);
    /* By now the token in the copy has ended. */
    long long ended = now_ms() + 3500;
    UNTIL(now_ms() > ended);

    client = login_client(&servers, auth);
    works_attended(client, "echo", agrees, &person);
    CHECK_EQ(person.asked, 2);
    CHECK_EQ(counted(&servers, "refused_refresh_token"), 1);
    CHECK_EQ(counted(&servers, "registrations"), 1);
    close_and_free(client);
    stop_login_servers(&servers);
    free(copy);
    free(path);
    free(auth);
    remove_store(store);
    check_nothing_left(at_first);
    return 0;
}
