/*
 * The authorization server ends a login: its tokens are refused, and so is the refresh token. However many calls meet that,
 * the person is asked once more, and all of them succeed.
 */
#include "login.h"

#define CALLS 20

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    struct person person = {0};
    mcp_client_t *client = login_client(&servers, "");
    works_attended(client, "echo", agrees, &person);
    free(control(&servers.mcp, "POST", "/revoke", ""));
    for (int i = 0; i < CALLS; i++) {
        start_tool(client, "echo", "{\"text\":\"hello\"}", "{\"timeout_ms\":30000}", 1);
    }
    for (int replies = 0; replies < CALLS;) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience() + 20000, &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_AUTH) {
            agrees(client, message, &person);
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_TEXT(mcp_message_text(message, NULL), "hello");
            replies++;
        }
        mcp_message_free(message);
    }
    CHECK_EQ(person.asked, 2);
    CHECK_EQ(counted(&servers, "refused_refresh_token"), 1);
    CHECK_EQ(counted(&servers, "granted_authorization_code"), 2);
    /* The client is still known there. */
    CHECK_EQ(counted(&servers, "registrations"), 1);
    close_and_free(client);
    stop_login_servers(&servers);
    check_nothing_left(at_first);
    return 0;
}
