/*
 * A03: the disk is full. A refresh token is not used while the one that would come for it cannot be written down: the call fails
 * and says why, and once there is room the login goes on. A first login works and is told to be lost when the client ends.
 */
#include "login.h"

#include <sys/resource.h>

static bool warned;

static void notes(void *user, int32_t level, const char *record) {
    (void)level, (void)user;
    if (strstr(record, "auth.warning") != NULL && strstr(record, "token store") != NULL) {
        __atomic_store_n(&warned, true, __ATOMIC_SEQ_CST);
    }
}

/* From now on no file may grow beyond so many bytes. */
static void let_files_have(rlim_t bytes) {
    struct rlimit limit;
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    struct person person = {0};
    char *store = new_store();
    char *auth = in_store(store);
    set_servers(&servers, "{\"ttl\":2}");
    mcp_client_t *client = login_client(&servers, auth);
    works_attended(client, "echo", agrees, &person);
    long long ended = now_ms() + 2500;
    UNTIL(now_ms() > ended);

    long long before = counted(&servers, "granted_refresh_token");
    let_files_have(1024);
    char *error = fails_attended(client, "echo", is_not_asked, NULL);
    CHECK_CONTAINS(error, "token store");
    CHECK_CONTAINS(error, store);
    CHECK_CONTAINS(error, "too large");
    CHECK(json_is(error, "/retryable", "true"));
    free(error);
    CHECK_EQ(counted(&servers, "granted_refresh_token"), before);
    let_files_have(RLIM_INFINITY);
    works_attended(client, "echo", is_not_asked, NULL);
    CHECK_EQ(counted(&servers, "granted_refresh_token"), before + 1);
    close_and_free(client);

    char *other = new_store();
    char *elsewhere = in_store(other);
    set_servers(&servers, "{\"ttl\":3600}");
    CHECK_STATUS(mcp_log_set_logger(notes, MCP_LOG_WARN, NULL, NULL), MCP_OK);
    let_files_have(1024);
    client = login_client(&servers, elsewhere);
    works_attended(client, "echo", agrees, &person);
    works_attended(client, "echo", is_not_asked, NULL);
    UNTIL(__atomic_load_n(&warned, __ATOMIC_SEQ_CST));
    let_files_have(RLIM_INFINITY);
    close_and_free(client);
    CHECK_EQ(person.asked, 2);
    stop_login_servers(&servers);
    free(elsewhere);
    free(auth);
    remove_store(other);
    remove_store(store);
    check_nothing_left(at_first);
    return 0;
}
