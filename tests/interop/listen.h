/*
 * A server of others that is started and then listens on a port.
 */
#ifndef MCP_INTEROP_LISTEN_H
#define MCP_INTEROP_LISTEN_H

#include "../c/http.h"

/* Starts a server and waits until its port is open. */
static inline struct server listening(char **argv, int port) {
    struct server server = {.port = port};
    posix_spawn_file_actions_t actions;
    /* What it says is not output of ours. */
    CHECK_EQ(posix_spawn_file_actions_init(&actions), 0);
    CHECK_EQ(posix_spawn_file_actions_adddup2(&actions, 2, 1), 0);
    CHECK_EQ(posix_spawnp(&server.pid, argv[0], &actions, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (long long deadline = now_ms() + patience();;) {
        int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        int failed = connect(descriptor, (struct sockaddr *)&address, sizeof address);
        close(descriptor);
        if (failed == 0) {
            return server;
        }
        CHECK_EQ(waitpid(server.pid, NULL, WNOHANG), 0);
        if (now_ms() > deadline) {
            FAIL("nothing listens on port %d", port);
        }
        breathe();
    }
}

#endif
