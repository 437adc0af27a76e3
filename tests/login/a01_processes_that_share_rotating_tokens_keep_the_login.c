/*
 * A01: three processes share a store in files, and the authorization server takes each refresh token once: a process that uses one a
 * second time loses the login for all. Tokens end every few seconds. All processes go on, and the person is not asked again.
 */
#include "login.h"

#define PROCESSES 3
#define REFRESHES 5

/* One of the processes. It never returns. */
static void child(const struct login_servers *servers, const char *auth) {
    mcp_client_t *client = login_client(servers, auth);
    for (long long until = now_ms() + 60000; counted(servers, "granted_refresh_token") < REFRESHES; breathe()) {
        CHECK_LE(now_ms(), until);
        works_attended(client, "echo", is_not_asked, NULL);
    }
    close_and_free(client);
    exit(0);
}

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    char *store = new_store();
    char *auth = in_store(store);
    pid_t children[PROCESSES];
    set_servers(&servers, "{\"ttl\":3}");
    /* The library is first used in the children: what it has does not survive a fork. */
    pid_t first = fork();
    CHECK_GE(first, 0);
    if (first == 0) {
        mcp_client_t *client = login_client(&servers, auth);
        works_attended(client, "echo", agrees, NULL);
        close_and_free(client);
        exit(0);
    }
    int status = 0;
    CHECK_EQ(waitpid(first, &status, 0), first);
    CHECK_EQ(status, 0);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        CHECK_GE(children[i], 0);
        if (children[i] == 0) {
            child(&servers, auth);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        CHECK_EQ(waitpid(children[i], &status, 0), children[i]);
        CHECK_EQ(status, 0);
    }
    CHECK_EQ(counted(&servers, "granted_authorization_code"), 1);
    CHECK_EQ(counted(&servers, "refused_refresh_token"), 0);
    CHECK_EQ(counted(&servers, "error_invalid_grant"), 0);
    stop_login_servers(&servers);
    free(auth);
    remove_store(store);
    check_nothing_left(at_first);
    return 0;
}
