/*
 * A server answers server/discover, or refuses it with -32022, and names the revisions that it has. The newest that is
 * permitted is taken, on the same connection: legacy ones lead to initialize. Only where there is none in common the client
 * is closed as UNSUPPORTED.
 */
#include "check.h"

static void reached(const char *server, const char *script, const char *config, const char *revision) {
    mcp_client_t *client = connected(server, ARGS(script), config);
    char *info = info_of(client);
    CHECK(json_is(info, "/revision", revision));
    CHECK(json_is(info, "/era", strcmp(revision, "2026-07-28") == 0 ? "modern" : "legacy"));
    CHECK_EQ(json_number(info, "/counters/connections"), 1);
    mcp_string_free(info);
    check_echo(client, "it works");
    close_and_free(client);
}

static void unsupported(const char *server, const char *script, const char *config) {
    mcp_client_t *client = new_client(server, ARGS(script), config);
    char *error = NULL;
    CHECK_EQ(mcp_client_connect(client, 10000, &error), MCP_ERROR_UNSUPPORTED);
    CHECK(strstr(error, "no revision in common") != NULL);
    mcp_string_free(error);
    mcp_client_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    reached(argv[2], "discover=2025-11-25+2025-06-18+2025-03-26+2024-11-05", NULL, "2025-11-25");
    reached(argv[2], "discover=2025-06-18+2024-11-05", NULL, "2025-06-18");
    reached(argv[2], "refuse-probe=2025-03-26", NULL, "2025-03-26");
    unsupported(argv[2], "discover=2025-11-25", "\"protocol\":\"modern\"");
    unsupported(argv[2], "refuse-probe=2031-01-01", NULL);
    check_nothing_left(before);
    return 0;
}
