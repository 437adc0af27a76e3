/*
 * A03: a process is killed in the middle of a refresh. If the authorization server had not looked at it, the refresh token is
 * still good, and the next process does not ask the person. If it had, the new token is lost with the answer: then the person is asked
 * once, the client keeps its registration, and everything goes on. The store is whole, and its lock is free.
 */
#include "login.h"

/* Runs a process that logs in or uses what is kept; gives its status. */
static int run(const struct login_servers *servers, const char *auth, attend *attends) {
    int status = 0;
    pid_t process = fork();
    CHECK_GE(process, 0);
    if (process == 0) {
        mcp_client_t *client = login_client(servers, auth);
        works_attended(client, "echo", attends, NULL);
        close_and_free(client);
        exit(0);
    }
    CHECK_EQ(waitpid(process, &status, 0), process);
    return status;
}

/* Has a process begin a refresh that the server holds up at a point, and kills it there. */
static void kill_in_a_refresh(const struct login_servers *servers, const char *auth, const char *point) {
    char *hold = format("{\"hold\":\"%s\"}", point);
    long long held = counted(servers, "held");
    set_servers(servers, hold);
    pid_t process = fork();
    CHECK_GE(process, 0);
    if (process == 0) {
        mcp_client_t *client = login_client(servers, auth);
        mcp_message_free(call_attended(client, "echo", "{\"text\":\"hello\"}", is_not_asked, NULL));
        exit(1);
    }
    UNTIL(counted(servers, "held") > held);
    CHECK_EQ(kill(process, SIGKILL), 0);
    CHECK_EQ(waitpid(process, NULL, 0), process);
    set_servers(servers, "{\"hold\":null}");
    free(hold);
}

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    char *store = new_store();
    char *auth = in_store(store);
    set_servers(&servers, "{\"ttl\":4}");
    CHECK_EQ(run(&servers, auth, agrees), 0);
    long long ended = now_ms() + 4500;
    UNTIL(now_ms() > ended);

    kill_in_a_refresh(&servers, auth, "before");
    set_servers(&servers, "{\"ttl\":4}");
    CHECK_EQ(run(&servers, auth, is_not_asked), 0);
    CHECK_EQ(counted(&servers, "granted_authorization_code"), 1);
    CHECK_EQ(counted(&servers, "refused_refresh_token"), 0);

    ended = now_ms() + 4500;
    UNTIL(now_ms() > ended);
    kill_in_a_refresh(&servers, auth, "after");
    CHECK_EQ(run(&servers, auth, agrees), 0);
    CHECK_EQ(counted(&servers, "granted_authorization_code"), 2);
    CHECK_EQ(counted(&servers, "refused_refresh_token"), 1);
    CHECK_EQ(counted(&servers, "registrations"), 1);
    stop_login_servers(&servers);
    free(auth);
    remove_store(store);
    check_nothing_left(at_first);
    return 0;
}
