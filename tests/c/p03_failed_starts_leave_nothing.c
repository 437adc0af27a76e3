/*
 * Field fault P03: a hundred starts that fail, each in its own way (no such command, an early exit, a crash
 * or a hang in the handshake, a refusal) leave no process, no descriptor and no thread, and each gives an
 * error with a reason.
 */
#include "check.h"

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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    for (int i = 0; i < scaled(100, KINDS); i++) {
        fail_once(argv[2], &FAILURES[(size_t)i % KINDS]);
    }
    check_nothing_left(before);
    return 0;
}
