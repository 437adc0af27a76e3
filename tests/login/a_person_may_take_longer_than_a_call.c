/*
 * The person takes longer to log in than the call has time for the server: the call waits, and so does one that is made meanwhile.
 */
#include "login.h"

#define CALL_MS 6000

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    char *options = format("{\"timeout_ms\":%d}", CALL_MS);
    mcp_client_t *client = login_client(&servers, "");
    start_tool(client, "echo", "{\"text\":\"hello\"}", options, 1);
    mcp_message_t *message = next_of_kind(client, MCP_KIND_AUTH);
    start_tool(client, "echo", "{\"text\":\"hello\"}", options, 2);
    long long thought = now_ms() + CALL_MS + 1000;
    UNTIL(now_ms() > thought);
    agrees(client, message, NULL);
    mcp_message_free(message);
    for (int replies = 0; replies < 2; replies++) {
        message = next_of_kind(client, MCP_KIND_REPLY);
        if (mcp_message_status(message) != MCP_OK) {
            FAIL("%s", mcp_message_json(message, NULL));
        }
        CHECK_TEXT(mcp_message_text(message, NULL), "hello");
        mcp_message_free(message);
    }
    close_and_free(client);
    stop_login_servers(&servers);
    free(options);
    check_nothing_left(at_first);
    return 0;
}
