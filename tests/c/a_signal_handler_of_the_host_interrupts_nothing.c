/*
 * A host whose timer signal fires all the time, without SA_RESTART: blocking calls, waits, starts and closes
 * are interrupted in the middle of system calls again and again and work as if nothing had happened.
 */
#include "check.h"

#include <sys/time.h>

static volatile sig_atomic_t ticks;

static void tick(int number) {
    (void)number;
    ticks++;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct sigaction action = {.sa_handler = tick};
    struct itimerval often = {.it_interval = {0, 500 * scale()}, .it_value = {0, 500 * scale()}};
    struct itimerval never = {{0, 0}, {0, 0}};
    mcp_message_t *message = NULL;
    CHECK_EQ(sigaction(SIGALRM, &action, NULL), 0);
    CHECK_EQ(setitimer(ITIMER_REAL, &often, NULL), 0);
    for (int round = 0; round < scaled(5, 1); round++) {
        mcp_client_t *client = connected(argv[1], NULL, NULL);
        for (int i = 0; i < 100; i++) {
            check_echo(client, "uninterrupted");
        }
        drain(client);
        long long begin = now_ms();
        CHECK_STATUS(mcp_client_poll(client, 100, &message), MCP_EMPTY);
        CHECK_GE(now_ms() - begin, 95);
        mcp_message_t *reply = call_tool(client, "big", "{\"bytes\":1000000}", NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        mcp_message_free(reply);
        close_and_free(client);
    }
    CHECK_EQ(setitimer(ITIMER_REAL, &never, NULL), 0);
    CHECK_GE(ticks, 5);
    return 0;
}
