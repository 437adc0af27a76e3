/*
 * A server that takes longer to start than a server may take to answer the probe: what it needs until it reads does not count.
 * An answer to the probe that comes while initialize waits is taken, and a refusal of initialize that names a modern revision
 * leads back to the probe. Each time on the one process that was started, and in the server's own era.
 */
#include "check.h"

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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
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
    return 0;
}
