/*
 * Field fault E07: a server that answers the same call twice, or answers calls that were never made,
 * completes nothing twice: the first answer counts, the others are dropped and counted apart.
 */
#include "check.h"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[2], NULL, NULL);
    mcp_message_t *message = NULL;
    drain(client);
    char *text = tool_text(client, "twice", NULL);
    CHECK_TEXT(text, "first");
    free(text);
    start_tool(client, "twice", NULL, NULL, 1);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_TEXT(mcp_message_text(reply, NULL), "first");
    mcp_message_free(reply);
    text = tool_text(client, "unknown_id", NULL);
    CHECK_TEXT(text, "right");
    free(text);
    text = tool_text(client, "string_id", NULL); /* "7" is 7: the answer behind it is the second one */
    CHECK_TEXT(text, "wrong");
    free(text);
    check_echo(client, "fine");
    CHECK_STATUS(mcp_client_poll(client, 0, &message), MCP_EMPTY);
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/late_answers"), 3);
    CHECK_EQ(json_number(info, "/counters/unknown_answers"), 1);
    CHECK_EQ(json_number(info, "/counters/connections"), 1);
    mcp_string_free(info);
    close_and_free(client);
    return 0;
}
