/*
 * A host that has closed its descriptors 0, 1 and 2, as daemons do: the next ones that the system gives out
 * have these numbers, but a server's pipes are never among them. Servers start and answer, again and again,
 * each with its three streams in place, and nothing that the host writes to its own can get into a pipe.
 */
#include "check.h"

#include <sys/stat.h>

static void check_streams_of(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "fds", "{\"all\":true}", NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    for (int number = 0; number <= 2; number++) {
        char *pointer = format("/structuredContent/fds/%d", number);
        char *target = json_at(mcp_message_json(reply, NULL), pointer);
        CHECK_CONTAINS(target, "pipe:");
        mcp_string_free(target);
        free(pointer);
    }
    mcp_message_free(reply);
}

static void check_our_own(void) {
    for (int number = 0; number <= 2; number++) {
        struct stat what;
        CHECK(fstat(number, &what) != 0 || !S_ISFIFO(what.st_mode));
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    int complaints = fcntl(2, F_DUPFD_CLOEXEC, 100);
    CHECK_GE(complaints, 100);
    FILE *to_complaints = fdopen(complaints, "w");
    CHECK(to_complaints != NULL);
    stderr = to_complaints; /* what FAIL writes to */
    for (int number = 0; number <= 2; number++) {
        (void)close(number);
    }
    struct holdings before = holdings_now();
    for (int closed = 0; closed < scaled(3, 1); closed++) {
        mcp_client_t *first = connected(argv[2], NULL, "\"reconnect\":{\"initial_ms\":10}");
        mcp_client_t *second = connected(argv[2], NULL, NULL);
        check_our_own();
        check_streams_of(first);
        check_streams_of(second);
        mcp_message_t *reply = call_tool(first, "crash", NULL, NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
        mcp_message_free(reply);
        connect_client(first);
        check_echo(first, "again");
        check_echo(second, "still");
        check_our_own();
        close_and_free(first);
        close_and_free(second);
        check_nothing_left(before);
    }
    return 0;
}
