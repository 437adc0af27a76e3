/*
 * A thread logs out without a limit while the application, which is the store, answers nothing: mcp_client_close ends that wait
 * long before "patience_ms", since no thread polls any more, and the logout is MCP_ERROR_CLOSED. So is one that begins later.
 */
#include "http.h"

static mcp_status_t outcome;
static char *error;

static void *log_out(void *client) {
    outcome = mcp_client_logout(client, -1, &error);
    return NULL;
}

static void is_closed(mcp_status_t status) {
    CHECK_STATUS(status, MCP_ERROR_CLOSED);
    CHECK_CONTAINS(error, "the client was closed");
    mcp_string_free(error);
    error = NULL;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *client = client_at(&server, "/mcp", "\"auth\":{\"store\":\"application\",\"patience_ms\":3600000}");
    pthread_t thread = start_thread(log_out, client);
    mcp_message_t *question = NULL;
    do {
        mcp_message_free(question);
        CHECK_STATUS(mcp_client_poll(client, patience(), &question), MCP_OK);
    } while (mcp_message_kind(question) != MCP_KIND_AUTH);
    CHECK(json_is(mcp_message_json(question, NULL), "/kind", "load"));
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    join_thread(thread);
    is_closed(outcome);
    is_closed(mcp_client_logout(client, -1, &error));
    mcp_message_free(question);
    close_and_free(client);
    stop_server(&server);
    return 0;
}
