/*
 * Field fault H07: some servers send no response headers on the GET before their first event. Connecting waits for them
 * only as long as timeouts.listen_ms says, and not at all longer than that by default.
 */
#include "http.h"

static void check(const struct server *server, const char *members, long long least, long long most) {
    long long begin = now_ms();
    mcp_client_t *client = connected_to(server, members);
    long long took = now_ms() - begin;
    CHECK_GE(took, least);
    CHECK_LE(took, most + slack());
    check_echo(client, "ready");
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], ARGS("on-get=hang"));
    check(&server, LEGACY ",\"timeouts\":{\"listen_ms\":150}", 140, 150);
    check(&server, LEGACY, 1900, 2000);
    /* A server that answers at once is not waited for any longer. */
    set_script(&server, "on-get=405");
    check(&server, LEGACY, 0, 500);
    stop_server(&server);
    check_nothing_left(before);
    return 0;
}
