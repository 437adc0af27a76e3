/*
 * mcp_client_connect returns within the time it is given, whatever the server does: says nothing at all,
 * hangs in the probe, hangs in the handshake, or takes its time. After a timeout the client still comes up
 * when the server does.
 */
#include "check.h"

static void check_timeout(const char *server, const char *const *arguments) {
    mcp_client_t *client = new_client(server, arguments, NULL);
    char *error = NULL;
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_connect(client, 300, &error), MCP_ERROR_TIMEOUT);
    CHECK_LE(now_ms() - begin, 300 + slack());
    CHECK_GE(now_ms() - begin, 295);
    CHECK(json_is(error, "/status", "timeout"));
    mcp_string_free(error);
    close_and_free(client);
}

static void check_slow_start(const char *server) {
    mcp_client_t *client = new_client(server, ARGS("ready-after=800"), NULL);
    CHECK_STATUS(mcp_client_connect(client, 100, NULL), MCP_ERROR_TIMEOUT);
    connect_client(client);
    check_echo(client, "slow to rise");
    close_and_free(client);
}

static void check_slow_probe(const char *server) {
    const char *members = "\"timeouts\":{\"probe_ms\":200}";
    mcp_client_t *client = connected(server, ARGS("hang-on-probe=late"), members);
    char *info = info_of(client);
    CHECK(json_is(info, "/era", "legacy")); /* silence is no modern answer */
    mcp_string_free(info);
    check_echo(client, "the late answer to the probe does no harm");
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_timeout("sh", ARGS("-c", "cat >/dev/null; :"));
    check_timeout(argv[2], ARGS("--life", "120", "never-read"));
    check_timeout(argv[2], ARGS("--life", "120", "hang-on-probe"));
    check_timeout(argv[2], ARGS("--life", "120", "hang-on-initialize"));
    check_slow_start(argv[2]);
    check_slow_probe(argv[2]);
    check_nothing_left(before);
    return 0;
}
