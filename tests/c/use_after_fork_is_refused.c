/*
 * A process that forks while it has clients: in the child every function that would touch them says
 * MCP_ERROR_FORKED, freeing does no harm, and the child can end in the usual way. The parent does not notice.
 * a_child_of_fork_starts_afresh shows what the child may do instead.
 */
#include "check.h"

/* Runs in the child; the result tells which check failed. */
static int use_in_child(mcp_client_t *client, mcp_queue_t *queue, mcp_message_t *message) {
    mcp_message_t *reply = NULL;
    mcp_client_t *another = NULL;
    char *error = NULL;
    if (mcp_call(client, "tools/list", NULL, NULL, &reply) != MCP_ERROR_FORKED) return 2;
    if (reply != NULL) return 3;
    if (mcp_call_start(client, "tools/list", NULL, NULL, 1, NULL, NULL) != MCP_ERROR_FORKED) return 4;
    if (mcp_client_connect(client, 100, &error) != MCP_ERROR_FORKED) return 5;
    if (error == NULL || !json_has(error, "/message")) return 6;
    mcp_string_free(error);
    if (mcp_client_state(client) != MCP_ERROR_FORKED) return 7;
    if (mcp_client_poll(client, -1, &reply) != MCP_ERROR_FORKED) return 8;
    if (mcp_queue_poll(queue, -1, &reply) != MCP_ERROR_FORKED) return 9;
    if (mcp_client_notify(client, "notifications/x", NULL, NULL) != MCP_ERROR_FORKED) return 10;
    if (mcp_client_close(client, 100) != MCP_ERROR_FORKED) return 11;
    if (mcp_client_new("{\"command\":\"true\"}", queue, &another, NULL) != MCP_ERROR_FORKED) return 12;
    if (mcp_message_json(message, NULL) == NULL) return 13; /* what is only read can be read */
    if (mcp_message_free(message) != MCP_ERROR_FORKED) return 14;
    if (mcp_client_free(client) != MCP_ERROR_FORKED) return 15;
    if (mcp_queue_free(queue) != MCP_ERROR_FORKED) return 16;
    return 0;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_client_t *client = new_client_on(queue, argv[1], NULL, NULL);
    connect_client(client);
    mcp_message_t *message = call_tool(client, "pid", NULL, NULL);
    start_tool(client, "slow", "{\"ms\":500}", NULL, 3); /* the child takes nothing of the parent's */
    int ends[2];
    CHECK_EQ(pipe2(ends, O_CLOEXEC), 0);
    fflush(NULL);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        int failed = use_in_child(client, queue, message);
        CHECK_EQ(write(ends[1], &failed, sizeof failed), sizeof failed);
        exit(failed); /* with all that runs at exit */
    }
    close(ends[1]);
    int failed = -1;
    int status = 0;
    CHECK_EQ(read(ends[0], &failed, sizeof failed), sizeof failed);
    close(ends[0]);
    CHECK_EQ(failed, 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    if (scale() == 1) { /* a leak checker in the child finds what belonged to threads that are not there */
        CHECK_EQ(WEXITSTATUS(status), 0);
    }

    check_echo(client, "the parent goes on");
    long long deadline = now_ms() + patience();
    bool answered = false;
    while (!answered) {
        CHECK_LE(now_ms(), deadline);
        mcp_message_t *next = NULL;
        CHECK_STATUS(mcp_queue_poll(queue, patience(), &next), MCP_OK);
        answered = mcp_message_kind(next) == MCP_KIND_REPLY;
        CHECK(!answered || mcp_message_status(next) == MCP_OK);
        mcp_message_free(next);
    }
    mcp_message_free(message);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    check_nothing_left(before);
    return 0;
}
