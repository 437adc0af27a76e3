/*
 * A server that stops reading: notifications pile up to limits.outgoing_bytes and are MCP_ERROR_BACKPRESSURE from then
 * on, with the numbers in the error; memory does not grow further, and closing takes no longer for it.
 */
#include "check.h"

#define NOTIFICATIONS 400
#define BYTES (256 * 1024)

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    mcp_client_t *client =
        connected(argv[2], ARGS("--era", "legacy", "stop-reading"), "\"limits\":{\"outgoing_bytes\":1048576}");
    char *params = malloc(BYTES + 32);
    CHECK(params != NULL);
    strcpy(params, "{\"x\":\"");
    memset(params + strlen(params), 'x', BYTES);
    strcpy(params + 6 + BYTES, "\"}");
    int accepted = 0;
    int refused = 0;
    long memory = memory_kib("VmRSS:");
    for (int i = 0; i < NOTIFICATIONS; i++) {
        char *error = NULL;
        mcp_status_t status = mcp_client_notify(client, "notifications/x", params, &error);
        if (status == MCP_OK) {
            accepted++;
        } else {
            CHECK_STATUS(status, MCP_ERROR_BACKPRESSURE);
            CHECK_CONTAINS(error, "limits.outgoing_bytes");
            mcp_string_free(error);
            refused++;
        }
    }
    CHECK_GE(accepted, 4);
    CHECK_GE(refused, NOTIFICATIONS - 20);
    CHECK_LE(memory_kib("VmRSS:") - memory, 16 * 1024 * scale());
    free(params);
    close_and_free(client);
    check_nothing_left(before);
    return 0;
}
