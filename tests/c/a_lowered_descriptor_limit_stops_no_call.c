/*
 * A host that lowers its limit of open descriptors far below what is open already: no new one can be opened and
 * poll() takes less of them, but what runs goes on. Calls get their answers, and waiting for them does not burn
 * the processor.
 */
#include "check.h"

#include <sys/resource.h>

static long long cpu_ms(void) {
    struct timespec used;
    CHECK_EQ(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used), 0);
    return (long long)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

static void call_slow(mcp_client_t *client) {
    long long used = cpu_ms();
    mcp_message_t *reply = call_tool(client, "slow", "{\"ms\":500}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    CHECK_LE(cpu_ms() - used, 200 + (scale() > 1 ? slack() : 0));
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    struct rlimit limit;
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    drain(client);
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    for (rlim_t lowered = 0; lowered < 2; lowered++) {
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &(struct rlimit){lowered, limit.rlim_max}), 0);
        call_slow(client);

        long long used = cpu_ms();
        mcp_message_t *message = NULL;
        start_tool(client, "slow", "{\"ms\":300}", NULL, 1);
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        CHECK_STATUS(mcp_message_status(message), MCP_OK);
        mcp_message_free(message);
        CHECK_LE(cpu_ms() - used, 200 + (scale() > 1 ? slack() : 0));
    }
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    check_nothing_left(before);
    return 0;
}
