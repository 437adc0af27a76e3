/*
 * A server starts clean: no signal blocked and SIGPIPE at its default, whatever the host's calling thread
 * blocks and the host ignores; with exactly the arguments of the config, unchanged by any shell; in the
 * directory of the config.
 */
#include "check.h"

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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    sigset_t all;
    sigfillset(&all);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &all, NULL), 0);
    CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    check_arguments(argv[2]);
    check_sigpipe(argv[1]);
    return 0;
}
