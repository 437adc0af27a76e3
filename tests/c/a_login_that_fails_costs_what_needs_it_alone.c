/*
 * Functions of logins that make no sense, a logout that waits while its client is closed, and a login that fails.
 */
#include "http.h"

/*
 * The functions of authorization: NULL where nothing may be NULL, a client without authorization, an answer that is no longer waited for,
 * and a message that wants none. Each says what is wrong, and what to configure.
 */
static char *error;

/* That a status is the expected one, with an error that says something. */
static void refused(mcp_status_t status, mcp_status_t expected, const char *part) {
    CHECK_STATUS(status, expected);
    CHECK_CONTAINS(error, part);
    mcp_string_free(error);
    error = NULL;
}

static void authorization_functions_refuse_what_makes_no_sense(char **argv) {
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *without = connected(argv[1], NULL, NULL);
    mcp_message_t *other = call_tool(without, "echo", "{\"text\":\"x\"}", NULL);
    refused(mcp_client_complete_login(without, "?code=x", &error), MCP_ERROR_UNSUPPORTED, "'auth'");
    refused(mcp_client_supply_credential(without, "token", -1, &error), MCP_ERROR_UNSUPPORTED, "'auth'");
    refused(mcp_client_abort_login(without, NULL, &error), MCP_ERROR_UNSUPPORTED, "'auth'");
    refused(mcp_client_answer_auth(without, other, "x", NULL, &error), MCP_ERROR_UNSUPPORTED, "'auth'");
    refused(mcp_client_logout(without, 0, &error), MCP_ERROR_UNSUPPORTED, "'auth'");

    mcp_client_t *client = client_at(&server, "/mcp", "\"auth\":{}");
    refused(mcp_client_complete_login(client, NULL, &error), MCP_ERROR_INVALID_ARGUMENT, "callback_url");
    refused(mcp_client_complete_login(client, "?code=x&state=y", &error), MCP_ERROR_AUTH, "no login waits");
    refused(mcp_client_supply_credential(client, NULL, -1, &error), MCP_ERROR_INVALID_ARGUMENT, "credential");
    refused(mcp_client_supply_credential(client, "token", -1, &error), MCP_ERROR_AUTH, "no login waits");
    refused(mcp_client_answer_auth(client, NULL, "x", NULL, &error), MCP_ERROR_INVALID_ARGUMENT, "message");
    refused(mcp_client_answer_auth(client, other, "x", NULL, &error), MCP_ERROR_INVALID_ARGUMENT,
            "another client");
    refused(mcp_client_answer_auth(NULL, other, "x", NULL, &error), MCP_ERROR_INVALID_ARGUMENT, "client");
    /* There is no login, and that is well. */
    CHECK_STATUS(mcp_client_abort_login(client, NULL, &error), MCP_OK);
    CHECK_STATUS(mcp_client_logout(client, patience(), &error), MCP_OK);

    /* It was connected in the meantime, to a server that wants no login. */
    connect_client(client);
    mcp_message_t *own = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
    refused(mcp_client_answer_auth(client, own, "x", NULL, &error), MCP_ERROR_INVALID_ARGUMENT,
            "is answered in this way");
    CHECK_STATUS(mcp_client_logout(client, patience(), &error), MCP_OK);
    check_echo(client, "still there");
    mcp_message_free(own);
    mcp_message_free(other);
    close_and_free(client);
    close_and_free(without);
    stop_server(&server);
}

/*
 * A thread logs out without a limit while the application, which is the store, answers nothing: mcp_client_close ends that wait
 * long before "patience_ms", since no thread polls any more, and the logout is MCP_ERROR_CLOSED. So is one that begins later.
 */
static mcp_status_t outcome;
static char *error_logout;

static void *log_out(void *client) {
    outcome = mcp_client_logout(client, -1, &error_logout);
    return NULL;
}

static void is_closed(mcp_status_t status) {
    CHECK_STATUS(status, MCP_ERROR_CLOSED);
    CHECK_CONTAINS(error_logout, "the client was closed");
    mcp_string_free(error_logout);
    error_logout = NULL;
}

static void a_close_ends_the_wait_of_a_logout(char **argv) {
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *client = client_at(&server, "/mcp", "\"auth\":{\"store\":\"application\",\"patience_ms\":3600000}");
    pthread_t thread = start_thread(log_out, client);
    mcp_message_t *question = NULL;
    do {
        mcp_message_free(question);
        CHECK_STATUS(mcp_client_poll(client, patience(), &question), MCP_OK);
    } while (mcp_message_kind(question) != MCP_KIND_AUTH);
    CHECK(json_is(mcp_message_json(question, NULL), "/kind", "load"));
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    join_thread(thread);
    is_closed(outcome);
    is_closed(mcp_client_logout(client, -1, &error_logout));
    mcp_message_free(question);
    close_and_free(client);
    stop_server(&server);
}

/*
 * One tool of a server wants a login, which fails: the other tools work, while it is remembered that there is no login to be had,
 * and also those whose calls waited for that login. No person is asked twice. A login that needs no person asks an
 * authorization server that does not answer: the call that waits for it ends in its own time.
 */
static void works(mcp_client_t *client, const char *options) {
    mcp_message_t *reply = call_tool(client, "add", "{\"a\":1,\"b\":2}", options);
    if (mcp_message_status(reply) != MCP_OK) {
        FAIL("%s", mcp_message_json(reply, NULL));
    }
    mcp_message_free(reply);
}

/* Takes connections and never answers; gives its port. */
static int listen_silently(int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int silent = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(silent, 0);
    CHECK_EQ(bind(silent, (struct sockaddr *)&address, length), 0);
    CHECK_EQ(listen(silent, 16), 0);
    CHECK_EQ(getsockname(silent, (struct sockaddr *)&address, &length), 0);
    *port = ntohs(address.sin_port);
    return silent;
}

/* Whether the call waits for the connection, or the connection is there. */
static void takes_no_more_than_the_calls_time(const char *path) {
    int port = 0;
    int silent = listen_silently(&port);
    char *named = format("authorization-server=http://127.0.0.1:%d", port);
    char *auth = format(MODERN ",\"auth\":{\"type\":\"client_credentials\",\"issuer\":\"http://127.0.0.1:%d\","
                               "\"client_id\":\"a\",\"client_secret\":\"a secret\"}",
                        port);
    for (int open = 0; open <= 1; open++) {
        struct server server = start_server(path, ARGS("login=yes", named, open ? "login-for=echo" : NULL));
        mcp_client_t *client = client_at(&server, "/mcp", auth);
        if (open) {
            connect_client(client);
        }
        /* A metadata request has 15 s, and there are two of them. */
        mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":1500}");
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
        mcp_message_free(reply);
        close_and_free(client);
        stop_server(&server);
    }
    free(auth);
    free(named);
    close(silent);
}

static void a_failed_login_keeps_no_open_tool_from_working(char **argv) {
    struct holdings at_first = holdings_now();

    /* The login fails for good: its authorization server publishes nothing. */
    struct server other = start_server(argv[3], NULL);
    char *named = format("authorization-server=http://127.0.0.1:%d", other.port);
    struct server server = start_server(argv[3], ARGS("login=yes", named, "login-for=echo"));
    mcp_client_t *client = client_at(&server, "/mcp", MODERN ",\"auth\":{}");
    connect_client(client);
    for (int again = 0; again < 3; again++) {
        mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_AUTH);
        CHECK_CONTAINS(mcp_message_json(reply, NULL), "publishes no metadata");
        mcp_message_free(reply);
        works(client, NULL);
    }
    close_and_free(client);
    stop_server(&server);
    stop_server(&other);
    free(named);

    /* A person is asked and does not want to, while the other tool is called. */
    server = start_server(argv[3], ARGS("login=yes", "login-for=echo"));
    client = client_at(&server, "/mcp",
                       MODERN ",\"auth\":{\"redirect_uri\":\"http://127.0.0.1:8976/callback\",\"listen\":false}");
    connect_client(client);
    start_tool(client, "echo", "{\"text\":\"x\"}", NULL, 1);
    mcp_message_free(next_of_kind(client, MCP_KIND_AUTH));
    start_tool(client, "add", "{\"a\":1,\"b\":2}", NULL, 2);
    CHECK_STATUS(mcp_client_abort_login(client, "not now", NULL), MCP_OK);
    for (int replies = 0; replies < 2;) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        CHECK_NE(mcp_message_kind(message), MCP_KIND_AUTH);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            bool is_open = mcp_message_tag(message) == 2;
            CHECK_STATUS(mcp_message_status(message), is_open ? MCP_OK : MCP_ERROR_AUTH);
            replies++;
        }
        mcp_message_free(message);
    }
    works(client, NULL);
    close_and_free(client);
    stop_server(&server);
    takes_no_more_than_the_calls_time(argv[3]);
    check_nothing_left(at_first);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    authorization_functions_refuse_what_makes_no_sense(argv);
    a_close_ends_the_wait_of_a_logout(argv);
    a_failed_login_keeps_no_open_tool_from_working(argv);
    return 0;
}
