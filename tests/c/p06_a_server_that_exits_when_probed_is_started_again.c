/*
 * Field fault P06: a legacy server that dies of the probe for the modern era is started again and spoken to
 * the legacy way. Connecting just works, and the era is remembered: the client does not probe when it
 * reconnects. A server known to be legacy ("protocol":"legacy") is not probed at all.
 */
#include "check.h"

static long starts(const char *path) {
    FILE *file = fopen(path, "re");
    CHECK(file != NULL);
    CHECK_EQ(fseek(file, 0, SEEK_END), 0);
    long count = ftell(file); /* one byte for each start */
    fclose(file);
    return count;
}

static void check_legacy(mcp_client_t *client) {
    char *info = info_of(client);
    CHECK(json_is(info, "/era", "legacy"));
    mcp_string_free(info);
    check_echo(client, "it works");
}

static void check_death(const char *server, const char *script) {
    char path[] = "/tmp/mcp-test-XXXXXX";
    int file = mkstemp(path);
    CHECK_GE(file, 0);
    close(file);
    mcp_client_t *client =
        connected(server, ARGS("--state", path, script), "\"reconnect\":{\"initial_ms\":20}");
    check_legacy(client);
    CHECK_EQ(starts(path), 2);
    pid_t pid = 0;
    drain(client);
    CHECK_EQ(count_children(&pid), 1);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    await_state(client, MCP_CLIENT_STATE_READY);
    check_legacy(client);
    CHECK_EQ(starts(path), 3);
    close_and_free(client);

    client = connected(server, ARGS("--state", path, script), "\"protocol\":\"legacy\"");
    check_legacy(client);
    CHECK_EQ(starts(path), 4);
    close_and_free(client);
    unlink(path);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    check_death(argv[2], "exit-on-probe");
    check_death(argv[2], "exit-on-probe=sig9");
    check_death(argv[2], "exit-on-probe=0");
    check_nothing_left(before);
    return 0;
}
