/*
 * Field fault E03: progress gives a call its time again when the config says so ("reset_on_progress"), but the
 * total maximum ends it however much progress is reported. Without the setting, progress changes nothing.
 */
#include "check.h"

#define RESET "\"timeouts\":{\"reset_on_progress\":true}"

static mcp_status_t outcome(const char *server, const char *members, const char *options, long long *took) {
    mcp_client_t *client = connected(server, NULL, members);
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(client, "slow", "{\"ms\":1500,\"steps\":30}", options);
    mcp_status_t status = mcp_message_status(reply);
    *took = now_ms() - begin;
    mcp_message_free(reply);
    close_and_free(client);
    return status;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    int factor =
        scale() > 1 ? 2 : 1; /* the steps come every 50 ms; a slowed-down run needs more air between */
    char options[96];
    long long took = 0;
    snprintf(options, sizeof options, "{\"progress\":true,\"timeout_ms\":%d}", 500 * factor);
    CHECK_STATUS(outcome(argv[1], RESET, options, &took), MCP_OK);
    CHECK_GE(took, 1400);

    snprintf(options, sizeof options, "{\"progress\":true,\"timeout_ms\":%d}", 500);
    CHECK_STATUS(outcome(argv[1], NULL, options, &took), MCP_ERROR_TIMEOUT);
    CHECK_GE(took, 495);
    CHECK_LE(took, 500 + slack());

    snprintf(options, sizeof options, "{\"progress\":true,\"timeout_ms\":%d,\"max_total_ms\":800}",
             500 * factor);
    CHECK_STATUS(outcome(argv[1], RESET, options, &took), MCP_ERROR_TIMEOUT);
    CHECK_GE(took, 795);
    CHECK_LE(took, 800 + slack());
    return 0;
}
