/*
 * The start of a server: its arguments and descriptors, one that is slow, and one that fails.
 */
#include "check.h"

/*
 * A server is started with the list of arguments as it stands in the config. No shell sees them: quotes,
 * spaces, line breaks, wildcards, variables and command substitutions arrive as they are, and so does an empty
 * argument. The same holds for the values of its environment.
 */
/* Starts the server if its argument is what the environment says it should be. */
#define COMPARE "test $# = 1 && test \"$1\" = \"$WANTED\" && exec \"$0\""

static const char *const ODD[] = {
    "",
    " ",
    "*",
    "$HOME ${HOME} $(exit 3) `exit 3`",
    "'single' \"double\" \\back\\",
    "a;b|c&d>e<f",
    "two\nlines\n",
    "-n",
    "gr\xc3\xbc\xc3\x9f",
};

static void check_argument(const char *server, const char *argument) {
    char *quoted = NULL;
    CHECK_STATUS(mcp_json_quote(argument, &quoted), MCP_OK);
    char *members = format("\"reconnect\":false,\"env\":{\"WANTED\":%s}", quoted);
    mcp_client_t *client = connected("sh", ARGS("-c", COMPARE, server, argument), members);
    check_echo(client, "started");
    close_and_free(client);
    free(members);
    mcp_string_free(quoted);
}

static void arguments_reach_the_server_without_a_shell(char **argv) {
    for (size_t i = 0; i < sizeof ODD / sizeof ODD[0]; i++) {
        check_argument(argv[1], ODD[i]);
    }
}

/*
 * Every descriptor that the library opens is close-on-exec, so that a program which the host starts for its
 * own purposes inherits none of them.
 */
#define MOST_DESCRIPTORS 1024

static void look(bool *open, bool *careless) {
    for (int number = 0; number < MOST_DESCRIPTORS; number++) {
        int flags = fcntl(number, F_GETFD);
        open[number] = flags != -1;
        careless[number] = flags != -1 && (flags & FD_CLOEXEC) == 0;
    }
}

static void every_descriptor_is_close_on_exec(char **argv) {
    static bool open_before[MOST_DESCRIPTORS];
    static bool open_now[MOST_DESCRIPTORS];
    static bool careless[MOST_DESCRIPTORS];
    look(open_before, careless);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    CHECK_GE(mcp_client_fd(client), 0);
    check_echo(client, "all is in use");
    look(open_now, careless);
    int opened = 0;
    for (int number = 0; number < MOST_DESCRIPTORS; number++) {
        if (open_now[number] && !open_before[number]) {
            opened++;
            if (careless[number]) {
                FAIL("descriptor %d is not close-on-exec", number);
            }
        }
    }
    CHECK_GE(opened, 3);
    close_and_free(client);
}

/*
 * A server that takes longer to start than a server may take to answer the probe: what it needs until it reads does not count.
 * An answer to the probe that comes while initialize waits is taken, and a refusal of initialize that names a modern revision
 * leads back to the probe. Each time on the one process that was started, and in the server's own era.
 */
static void reached(const char *server, const char *era, const char *script, const char *timeouts) {
    char *members = format("\"timeouts\":{%s}", timeouts);
    mcp_client_t *client = connected(server, ARGS("--era", era, script), members);
    char *info = info_of(client);
    if (!json_is(info, "/era", era) || json_number(info, "/counters/connections") != 1 ||
        json_number(info, "/counters/failed_attempts") != 0) {
        FAIL("not reached at once and in its era: %s", info);
    }
    mcp_string_free(info);
    check_echo(client, "it works");
    close_and_free(client);
    free(members);
}

static void a_slow_start_costs_no_connection(char **argv) {
    struct holdings before = holdings_now();
    /* It reads nothing for a second, which is ten times what an answer to the probe may take. */
    reached(argv[2], "modern", "ready-after=1000", "\"probe_ms\":100,\"initialize_ms\":100");
    reached(argv[2], "legacy", "ready-after=1000", "\"probe_ms\":100,\"initialize_ms\":5000");
    /* It reads at once and answers the probe late. initialize it refuses, naming 2026-07-28. */
    reached(argv[2], "modern", "probe-after=1000", "\"probe_ms\":100,\"initialize_ms\":20000");
    /* The answer to the probe comes when initialize was sent; that is never answered. */
    reached(argv[2], "modern", "probe-after=1000,hang-on-initialize", "\"probe_ms\":100,\"initialize_ms\":20000");

    /* What never reads is told as that, after its own time. */
    mcp_client_t *client = new_client(argv[2], ARGS("ready-after=600000"),
                                      "\"reconnect\":false,\"timeouts\":{\"start_ms\":300,\"probe_ms\":50}");
    char *error = NULL;
    CHECK_EQ(mcp_client_connect(client, patience(), &error), MCP_ERROR_TIMEOUT);
    CHECK_CONTAINS(error, "neither read nor written");
    CHECK_CONTAINS(error, "timeouts.start_ms");
    CHECK_EQ(json_number(error, "/details/limit_ms"), 300);
    mcp_string_free(error);
    mcp_client_free(client);
    check_nothing_left(before);
}

/*
 * Field fault P03: a hundred starts that fail, each in its own way (no such command, an early exit, a crash
 * or a hang in the handshake, a refusal) leave no process, no descriptor and no thread, and each gives an
 * error with a reason.
 */
struct failure {
    bool scripted;
    const char *script;
};

static const struct failure FAILURES[] = {
    {false, NULL},
    {true, "exit-at-once=3"},
    {true, "exit-at-once=sig9"},
    {true, "crash-before-initialize"},
    {true, "crash-in-initialize"},
    {true, "crash-after-initialize=5"},
    {true, "hang-on-probe,hang-on-initialize"},
    {true, "hang-on-initialize,ignore-eof"},
    {true, "initialize-error=32603"},
    {true, "initialize-version=1999-01-01"},
};
#define KINDS (sizeof FAILURES / sizeof FAILURES[0])
#define MEMBERS "\"reconnect\":false,\"timeouts\":{\"initialize_ms\":100,\"probe_ms\":100,\"close_ms\":200}"

static void fail_once(const char *server, const struct failure *failure) {
    const char *command = failure->scripted ? server : "/nowhere/mcp-server";
    const char *const *arguments = failure->scripted ? ARGS("--life", "120", failure->script) : NULL;
    mcp_client_t *client = new_client(command, arguments, MEMBERS);
    char *error = NULL;
    mcp_status_t status = mcp_client_connect(client, patience(), &error);
    if (status == MCP_OK) {
        /* It died right after a good handshake. The loss is seen soon, and there is no second try. */
        CHECK_CONTAINS(failure->script, "crash-after-initialize");
        UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_CLOSED);
    } else {
        CHECK(error != NULL);
        char *message = json_at(error, "/message");
        CHECK_GE(strlen(message), 10);
        mcp_string_free(message);
        CHECK(json_is(error, "/status", mcp_status_name(status)));
    }
    mcp_string_free(error);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

static void p03_failed_starts_leave_nothing(char **argv) {
    struct holdings before = holdings_now();
    for (int i = 0; i < scaled(100, KINDS); i++) {
        fail_once(argv[2], &FAILURES[(size_t)i % KINDS]);
    }
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    arguments_reach_the_server_without_a_shell(argv);
    every_descriptor_is_close_on_exec(argv);
    a_slow_start_costs_no_connection(argv);
    p03_failed_starts_leave_nothing(argv);
    return 0;
}
