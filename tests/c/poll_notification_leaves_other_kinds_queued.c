/*
 * mcp_poll_notification takes notifications only, in their order. Replies and state messages that came before
 * or between them stay in the queue, in their order too, for mcp_client_poll.
 */
#include "check.h"

static void check_next_notification(mcp_client_t *client, const char *number) {
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_poll_notification(client, patience(), &message), MCP_OK);
    CHECK_EQ(mcp_message_kind(message), MCP_KIND_NOTIFICATION);
    CHECK(json_is(mcp_message_json(message, NULL), "/data/number", number));
    mcp_message_free(message);
}

static void check_next_reply(mcp_client_t *client, uint64_t tag) {
    mcp_message_t *message = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(message), tag);
    mcp_message_free(message);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[1], NULL, NULL); /* which leaves state messages */
    mcp_message_t *message = NULL;
    start_tool(client, "echo", "{\"text\":\"a\"}", NULL, 1);
    start_tool(client, "notify", "{\"count\":3,\"changes\":false}", WITH_LOG, 2);
    start_tool(client, "echo", "{\"text\":\"b\"}", NULL, 3);
    check_next_notification(client, "1");
    check_next_notification(client, "2");
    check_next_notification(client, "3");
    check_echo(client, "all is here");
    CHECK_STATUS(mcp_poll_notification(client, 0, &message), MCP_EMPTY);
    CHECK(message == NULL);

    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_OK);
    CHECK_EQ(mcp_message_kind(message), MCP_KIND_STATE);
    CHECK(json_is(mcp_message_json(message, NULL), "/state", "starting"));
    CHECK(json_is(mcp_message_json(message, NULL), "/previous", "idle"));
    CHECK(json_has(mcp_message_json(message, NULL), "/reason"));
    mcp_message_free(message);
    check_next_reply(client, 1);
    check_next_reply(client, 2);
    check_next_reply(client, 3);
    close_and_free(client);
    return 0;
}
