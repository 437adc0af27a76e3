/*
 * Servers that close each connection after an answer, that close at random, and that send bytes which were not asked for. A kept
 * connection with anything to read is not used again; where one ends before a byte of the answer, what may be repeated (the
 * handshake and lists) is sent once more on a new connection. Every first connect and every list works, and no stray answer is
 * taken for the answer to a call. Over TLS as well. A connection that was ended while it was idle costs no call either, with
 * and without "Connection: close" on its last answer: the next call takes a new connection.
 */
#include "http.h"

#define CALLS scaled(20, 5)

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

/* The client has asked for what it listens to, and everything is answered. */
static bool is_settled(const struct server *server) {
    char *stats = control(server, "GET", "/stats", "");
    bool listens = json_number(stats, "/get_streams") > 0 || json_has(stats, "/methods/GET");
    free(stats);
    return listens && is_quiet(server);
}

static void check_hung_up(const char *path, const char *era) {
    struct server server = start_server(path, ARGS("on-get=405"));
    mcp_client_t *client = connected_to(&server, era);
    for (int i = 0; i < CALLS; i++) {
        UNTIL(is_settled(&server));
        tell_server(&server, "/hang-up");
        check_echo(client, "after a while");
    }
    CHECK_GE(stat_of(&server, "/connections"), CALLS);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

/* How many connections have ended. */
static long long count_ended(const struct server *server) {
    long long open = stat_of(server, "/open");
    return stat_of(server, "/connections") - open;
}

/*
 * Each answer is the last of its connection. One request is sent at a time: where a server ends a connection without a word,
 * what is sent in the moment before that arrives is lost, and it is unknown whether the server has seen it.
 */
static void check_closed(const char *path, const char *behaviour, const char *era) {
    struct server server = start_server(path, ARGS("on-get=405"));
    mcp_client_t *client = connected_to(&server, era);
    /* Once the tools are known, an echo is one request. */
    check_echo(client, "before");
    UNTIL(is_settled(&server));
    set_script(&server, behaviour);
    for (int i = 0; i < CALLS; i++) {
        long long ended = count_ended(&server);
        check_echo(client, "once");
        UNTIL(count_ended(&server) > ended);
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
    for (int i = 0; i < 2; i++) {
        check_hung_up(argv[3], eras[i]);
        check_closed(argv[3], "close-after=1", eras[i]);
        check_closed(argv[3], "say-close-after=1", eras[i]);
    }
    remove_folder(folder);
    check_nothing_left(before);
    return 0;
}
