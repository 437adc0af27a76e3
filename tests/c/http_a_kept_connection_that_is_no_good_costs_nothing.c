/*
 * Servers that close each connection after an answer, that close at random, and that send bytes which were not asked for. A kept
 * connection with anything to read is not used again; where one ends before a byte of the answer, what may be repeated (the
 * handshake and lists) is sent once more on a new connection. Every first connect and every list works, and no stray answer is
 * taken for the answer to a call. Over TLS as well.
 */
#include "http.h"

static mcp_client_t *client_of(const struct server *server, const char *folder, const char *era) {
    return folder != NULL ? tls_client(server, folder, "ca.pem", era) : client_at(server, "/mcp", era);
}

/* Connects and lists, again and again, each time at once. */
static void check_connects(const char *path, const char *folder, const char *era, const char *behaviour) {
    const char *const arguments[] = {behaviour, "on-get=405", NULL};
    struct server server =
        folder != NULL ? start_tls_server(path, folder, (const char *const[]){"--alpn", "http/1.1", behaviour, "on-get=405", NULL})
                       : start_server(path, arguments);
    for (int i = 0; i < scaled(30, 5); i++) {
        char *members = format("%s,\"reconnect\":false,\"http\":{\"remember_era\":false}", era);
        mcp_client_t *client = client_of(&server, folder, members);
        char *error = NULL;
        if (mcp_client_connect(client, patience(), &error) != MCP_OK) {
            FAIL("%s, %s, attempt %d: %s", era, behaviour, i, error);
        }
        for (int list = 0; list < 5; list++) {
            mcp_message_t *reply = NULL;
            if (mcp_client_list_tools(client, NULL, &reply) != MCP_OK) {
                FAIL("%s, %s, attempt %d: %s", era, behaviour, i, mcp_message_json(reply, NULL));
            }
            mcp_message_free(reply);
        }
        close_and_free(client);
        free(members);
    }
    if (strncmp(behaviour, "close-at-random", 15) == 0) {
        CHECK_GE(stat_of(&server, "/random_ends"), 5);
    }
    check_no_violations(&server);
    stop_server(&server);
}

/* Each answer is followed by another one, which is there before the next call is made. */
static void check_strays(const char *path, const char *era) {
    struct server server = start_server(path, ARGS("on-get=405"));
    mcp_client_t *client = connected_to(&server, era);
    check_echo(client, "before");
    UNTIL(is_quiet(&server));
    set_script(&server, "stray,on-get=405");
    for (int i = 0; i < scaled(60, 10); i++) {
        long long strays = stat_of(&server, "/strays");
        check_echo(client, "right");
        UNTIL(stat_of(&server, "/strays") > strays);
    }
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *const eras[] = {MODERN, LEGACY, "\"protocol\":\"auto\""};
    char *folder = make_folder();
    for (int i = 0; i < 3; i++) {
        check_connects(argv[3], NULL, eras[i], "close-after=1");
        check_connects(argv[3], NULL, eras[i], "close-at-random=40");
        /* What the assembly of ring has written counts as uninitialised under Valgrind. */
        if (getenv("MCP_UNDER_VALGRIND") == NULL) {
            check_connects(argv[3], folder, eras[i], "close-at-random=40");
        }
        check_strays(argv[3], eras[i]);
    }
    remove_folder(folder);
    check_nothing_left(before);
    return 0;
}
