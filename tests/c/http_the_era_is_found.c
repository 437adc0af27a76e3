/*
 * Which era and which transport a server has is found out from what it answers, whatever servers of the legacy era answer
 * to a question that they do not know.
 */
#include "http.h"

static void check(const char *path, const char *const *arguments, const char *era, const char *revision) {
    struct server server = start_server(path, arguments);
    mcp_client_t *client = connected_to(&server, NULL);
    char *info = info_of(client);
    if (!json_is(info, "/era", era) || !json_is(info, "/revision", revision)) {
        FAIL("with %s %s: %s, expected %s %s", arguments[0], arguments[1], info, era, revision);
    }
    mcp_string_free(info);
    check_echo(client, "x");
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check(argv[3], ARGS("--era", "both"), "modern", "2026-07-28");
    check(argv[3], ARGS("--era", "modern"), "modern", "2026-07-28");
    check(argv[3], ARGS("--era", "legacy"), "legacy", "2025-11-25");
    check(argv[3], ARGS("--era", "legacy", "no-session"), "legacy", "2025-11-25");
    check(argv[3], ARGS("--era", "legacy", "--revision", "2025-06-18"), "legacy", "2025-06-18");
    check(argv[3], ARGS("--era", "legacy", "--revision", "2025-03-26"), "legacy", "2025-03-26");
    check(argv[3], ARGS("--shape", "sse"), "legacy", "2024-11-05");
    check(argv[3], ARGS("--shape", "sse", "on-post=404*2"), "legacy", "2024-11-05");
    static const char *const REFUSALS[] = {
        "400", "404", "405", "406", "415", "html:400", "text:404", "error:400:32000", "error:404:32001",
        "own-error:404:32601", "own-error:400:32601", "own-error:200:32601", "own-error:200:32602", "error:400:32600",
        "accepted", "no-content", "empty", "number", "html", "not-json",
    };
    for (size_t i = 0; i < sizeof REFUSALS / sizeof REFUSALS[0]; i++) {
        char *behaviour = format("on-probe=%s", REFUSALS[i]);
        /* The version header of the probe is not known there, so a server of both eras would not do. */
        check(argv[3], ARGS("--era", "legacy", behaviour), "legacy", "2025-11-25");
        free(behaviour);
    }
    check_nothing_left(before);
    return 0;
}
