/* What a server starts with, and what a command that cannot start tells. */
#include "check.h"

/*
 * A server starts clean: no signal blocked and SIGPIPE at its default, whatever the host's calling thread
 * blocks and the host ignores; with exactly the arguments of the config, unchanged by any shell; in the
 * directory of the config.
 */

/* Behaviours of the scripted server are separated by commas; nothing between them says nothing. */
#define ODD_ARGUMENTS ARGS("--life", "120", ",", "", ",,")

static void check_arguments(const char *server) {
    mcp_client_t *client = connected(server, ODD_ARGUMENTS, "\"cwd\":\"/tmp\"");
    char *text = tool_text(client, "spawn", NULL);
    CHECK(json_is(text, "/cwd", "/tmp"));
    CHECK(json_is(text, "/arguments/1", "--life"));
    CHECK(json_is(text, "/arguments/3", ","));
    CHECK(json_is(text, "/arguments/4", ""));
    CHECK(json_is(text, "/arguments/5", ",,"));
    CHECK(!json_has(text, "/arguments/6"));
    CHECK(json_is(text, "/status/SigBlk", "0000000000000000"));
    free(text);
    close_and_free(client);
}

/* The scripted server's runtime changes SIGPIPE itself; a shell shows what it was given. */
static void check_sigpipe(const char *server) {
    const char *script = "grep SigIgn: /proc/$$/status >&2; exec \"$0\"";
    mcp_client_t *client = connected("sh", ARGS("-c", script, server), "\"stderr\":\"message\"");
    mcp_message_t *message = next_of_kind(client, MCP_KIND_STDERR);
    char *line = json_at(mcp_message_json(message, NULL), "/line");
    CHECK_CONTAINS(line, "SigIgn:");
    unsigned long long ignored = strtoull(line + strlen("SigIgn:"), NULL, 16);
    CHECK_EQ(ignored >> (SIGPIPE - 1) & 1, 0);
    mcp_string_free(line);
    mcp_message_free(message);
    close_and_free(client);
}

static void the_server_starts_with_clean_signals_and_its_own_directory(char **argv) {
    sigset_t all;
    sigfillset(&all);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &all, NULL), 0);
    CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    check_arguments(argv[2]);
    check_sigpipe(argv[1]);
}

/*
 * A command that does not exist ends mcp_client_connect at once, with an error that says so, also in a host
 * that ignores SIGCHLD and in one that waits for any child in a loop: nothing depends on the exit status of
 * the process that could not become the server. The client can be closed and freed without delay afterwards.
 */

#define MISSING "/no/such/directory/no-such-server"

static bool reaping; /* atomic */

static void *reap_everything(void *argument) {
    (void)argument;
    while (__atomic_load_n(&reaping, __ATOMIC_SEQ_CST)) {
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
        breathe();
    }
    return NULL;
}

static void fail_to_start(void) {
    char *error = NULL;
    mcp_client_t *client = new_client(MISSING, NULL, NULL);
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_connect(client, patience(), &error), MCP_ERROR_TRANSPORT);
    CHECK_LE(now_ms() - begin, slack());
    CHECK_CONTAINS(error, "cannot start '" MISSING "'");
    CHECK_CONTAINS(error, "no such file");
    CHECK_EQ(json_number(error, "/details/errno"), ENOENT);
    mcp_string_free(error);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_BACKOFF);

    begin = now_ms();
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_LE(now_ms() - begin, slack());
}

static void a_missing_command_is_told_in_any_host(void) {
    struct holdings before = holdings_now();
    fail_to_start();

    CHECK(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
    for (int i = 0; i < scaled(10, 2); i++) {
        fail_to_start();
    }
    CHECK(signal(SIGCHLD, SIG_DFL) == SIG_IGN); /* it is unchanged */

    __atomic_store_n(&reaping, true, __ATOMIC_SEQ_CST);
    pthread_t reaper = start_thread(reap_everything, NULL);
    for (int i = 0; i < scaled(20, 2); i++) {
        fail_to_start();
    }
    __atomic_store_n(&reaping, false, __ATOMIC_SEQ_CST);
    join_thread(reaper);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    a_missing_command_is_told_in_any_host();
    /* The last, as it blocks all signals. */
    the_server_starts_with_clean_signals_and_its_own_directory(argv);
    return 0;
}
