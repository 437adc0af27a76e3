/*
 * A01: a hundred calls begin when the token has just ended. One refresh runs, and all of them succeed.
 */
#include "login.h"

#define CALLS 100

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    set_servers(&servers, "{\"ttl\":2}");
    mcp_client_t *client = login_client(&servers, "");
    works_attended(client, "echo", agrees, NULL);
    long long ended = now_ms() + 2500;
    UNTIL(now_ms() > ended);
    set_servers(&servers, "{\"ttl\":3600}");
    long long before = counted(&servers, "granted_refresh_token");
    long long refused = counted(&servers, "challenged_invalid_token");
    for (int i = 0; i < CALLS; i++) {
        start_tool(client, "echo", "{\"text\":\"hello\"}", "{\"timeout_ms\":30000}", 1);
    }
    for (int replies = 0; replies < CALLS;) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience() + 20000, &message), MCP_OK);
        CHECK_NE(mcp_message_kind(message), MCP_KIND_AUTH);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_TEXT(mcp_message_text(message, NULL), "hello");
            replies++;
        }
        mcp_message_free(message);
    }
    CHECK_EQ(counted(&servers, "granted_refresh_token"), before + 1);
    /* The ended one was not sent. */
    CHECK_EQ(counted(&servers, "challenged_invalid_token"), refused);
    close_and_free(client);
    stop_login_servers(&servers);
    check_nothing_left(at_first);
    return 0;
}
