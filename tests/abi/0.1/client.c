/* What a client uses of mcp.h, compiled with the header of 0.1: it prints numbers that are part of a program, and what calls give. */
#include <mcp.h>

#include <stdio.h>
#include <string.h>

static int failed(const char *what, mcp_status_t status) {
    printf("%s: %s\n", what, mcp_status_name(status));
    return 1;
}

int main(int argc, char **argv) {
    char config[4096];
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    uint64_t call = 0;
    if (argc != 2 || !MCP_ABI_MATCHES()) {
        return failed("abi", MCP_ERROR_INVALID_ARGUMENT);
    }
    snprintf(config, sizeof config, "{\"command\":\"%s\"}", argv[1]);
    mcp_status_t status = mcp_client_new(config, NULL, &client, NULL);
    if (status != MCP_OK || (status = mcp_client_connect(client, 20000, NULL)) != MCP_OK) {
        return failed("connect", status);
    }
    printf("state %d is ready %d\n", (int)mcp_client_state(client), mcp_client_state(client) == MCP_CLIENT_STATE_READY);

    status = mcp_client_call_tool(client, "add", "{\"a\":2,\"b\":3}", NULL, &reply);
    printf("add: %s, kind %s, status %d\n", mcp_message_text(reply, NULL), mcp_kind_name(mcp_message_kind(reply)), (int)status);
    mcp_value_t sum = mcp_value_get(mcp_value_get(mcp_message_value(reply), "structuredContent"), "sum");
    int64_t number = 0;
    status = mcp_value_int64(sum, &number);
    printf("sum: %d %lld, size of a value %zu\n", (int)status, (long long)number, sizeof sum);
    mcp_message_free(reply);

    status = mcp_call(client, "tools/call", "{\"name\":\"gone\"}", NULL, &reply);
    printf("gone: %s %s\n", mcp_status_name(status), mcp_kind_name(mcp_message_kind(reply)));
    mcp_message_free(reply);

    status = mcp_call_start(client, "tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"later\"}}", NULL, 42, &call, NULL);
    for (int polls = 0; status == MCP_OK && polls < 100; polls++) {
        if (mcp_client_poll(client, 20000, &reply) != MCP_OK) {
            return failed("poll", MCP_ERROR_TIMEOUT);
        }
        if (mcp_message_kind(reply) == MCP_KIND_REPLY) {
            printf("tag %llu, its call %d: %s\n", (unsigned long long)mcp_message_tag(reply), mcp_message_call_id(reply) == call,
                   mcp_message_text(reply, NULL));
            mcp_message_free(reply);
            break;
        }
        mcp_message_free(reply);
    }
    status = mcp_client_close(client, -1);
    printf("close: %d %d\n", (int)status, (int)mcp_client_free(client));
    return 0;
}
