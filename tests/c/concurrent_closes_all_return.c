/*
 * Eight threads close the same client at the same moment. All return MCP_OK within the bound, the server is
 * gone, and closing once more changes nothing.
 */
#include "check.h"

#define THREADS 8

static pthread_barrier_t together;

static void *close_client(void *argument) {
    pthread_barrier_wait(&together);
    long long begin = now_ms();
    CHECK_STATUS(mcp_client_close(argument, 2000), MCP_OK);
    CHECK_LE(now_ms() - begin, 2000 + slack());
    CHECK_EQ(mcp_client_state(argument), MCP_CLIENT_STATE_CLOSED);
    return NULL;
}

static void check_once(const char *server) {
    pthread_t threads[THREADS];
    mcp_client_t *client = connected(server, NULL, NULL);
    CHECK_EQ(pthread_barrier_init(&together, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        threads[i] = start_thread(close_client, client);
    }
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
    pthread_barrier_destroy(&together);
    CHECK_EQ(count_children(NULL), 0);
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    for (int i = 0; i < scaled(20, 3); i++) {
        check_once(argv[1]);
    }
    check_nothing_left(before);
    return 0;
}
