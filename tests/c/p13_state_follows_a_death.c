/*
 * Field fault P13: a server that dies while no call runs is not shown as connected. The state changes soon, a
 * message says so, and with it the reason; without reconnection the client ends closed.
 *
 * Field fault P06: a legacy server that dies of the probe for the modern era is started again and spoken to
 * the legacy way. Connecting just works, and the era is remembered: the client does not probe when it
 * reconnects.
 */
#include "check.h"

static void kill_server(mcp_client_t *client) {
    pid_t pid = server_pid(client);
    drain(client);
    CHECK_EQ(kill(pid, SIGKILL), 0);
}

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

static void check_death_of_the_probe(const char *server) {
    char path[] = "/tmp/mcp-test-XXXXXX";
    int file = mkstemp(path);
    CHECK_GE(file, 0);
    close(file);
    mcp_client_t *client =
        connected(server, ARGS("--state", path, "exit-on-probe=sig9"), "\"reconnect\":{\"initial_ms\":20}");
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
    unlink(path);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client =
        connected(argv[1], NULL, "\"reconnect\":{\"initial_ms\":3600000,\"max_ms\":3600000}");
    kill_server(client);
    mcp_message_t *message = next_of_kind(client, MCP_KIND_STATE);
    CHECK(json_is(mcp_message_json(message, NULL), "/state", "backoff"));
    CHECK(json_is(mcp_message_json(message, NULL), "/previous", "ready"));
    char *reason = json_at(mcp_message_json(message, NULL), "/reason");
    CHECK_CONTAINS(reason, "signal 9");
    mcp_string_free(reason);
    mcp_message_free(message);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_BACKOFF);
    CHECK_EQ(count_children(NULL), 0);
    close_and_free(client);

    client = connected(argv[1], NULL, "\"reconnect\":{\"initial_ms\":3600000,\"max_ms\":3600000}");
    kill_server(client);
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_BACKOFF); /* also for a program that takes no messages */
    close_and_free(client);

    client = connected(argv[1], NULL, "\"reconnect\":false");
    kill_server(client);
    await_state(client, MCP_CLIENT_STATE_CLOSED);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, NULL), MCP_ERROR_CLOSED);
    close_and_free(client);
    check_death_of_the_probe(argv[2]);
    return 0;
}
