/*
 * A server that reports progress without end and never answers: the queue keeps to its bound and says what it dropped, the
 * call ends at its total time although each report starts its time again, and memory stays flat.
 */
#include "own_transport.h"

static atomic_bool flooding;
static atomic_int reports;

/* Reports on another thread, for as long as the call lasts. */
static void *flood(void *argument) {
    struct own *own = argument;
    char report[160];
    while (atomic_load(&flooding)) {
        int number = atomic_fetch_add(&reports, 1);
        snprintf(report, sizeof report,
                 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":%d}}",
                 (char *)own->waiting[0], number);
        mcp_transport_t *transport = atomic_load(&own->handle);
        if (transport == NULL) {
            return NULL;
        }
        CHECK_STATUS(mcp_transport_deliver(transport, report, strlen(report)), MCP_OK);
    }
    return NULL;
}

static pthread_t thread;

static mcp_status_t flooding_send(void *user, mcp_transport_t *transport, const char *frame, size_t length) {
    struct own *own = user;
    if (strstr(frame, "\"tools/call\"") == NULL || strstr(frame, "\"flood\"") == NULL) {
        return own_send(user, transport, frame, length);
    }
    char *token = json_at(frame, "/params/_meta/progressToken");
    own->waiting = malloc(sizeof *own->waiting);
    CHECK(own->waiting != NULL);
    /* A token that is a text has lost its quotes here. */
    own->waiting[0] = strspn(token, "0123456789") == strlen(token) ? format("%s", token) : format("\"%s\"", token);
    mcp_string_free(token);
    atomic_store(&flooding, true);
    thread = start_thread(flood, own);
    return MCP_OK;
}

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    struct own own = {0};
    mcp_client_t *client = NULL;
    mcp_transport_functions_t functions = own_functions;
    functions.send = flooding_send;
    CHECK_EQ(pthread_mutex_init(&own.lock, NULL), 0);
    CHECK_STATUS(mcp_client_new_with_transport(
                     "{\"protocol\":\"legacy\",\"limits\":{\"queue_messages\":1000}}", NULL, &functions, &own,
                     &client, NULL),
                 MCP_OK);
    connect_client(client);
    check_echo(client, "before");
    long memory = memory_kib("VmRSS:");
    long long begin = now_ms();
    mcp_message_t *reply = call_tool(
        client, "flood", NULL, "{\"progress\":true,\"reset_on_progress\":true,\"timeout_ms\":400,\"max_total_ms\":1500}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TIMEOUT);
    CHECK_GE(now_ms() - begin, 1500);
    CHECK_LE(now_ms() - begin, 1500 + slack());
    mcp_message_free(reply);
    /* A sanitizer keeps freed memory to itself, and more of it the more was reported. */
    if (getenv("MCP_UNDER_SANITIZER") == NULL) {
        CHECK_LE(memory_kib("VmRSS:") - memory, 16 * 1024 * scale());
    }
    atomic_store(&flooding, false);
    join_thread(thread);
    CHECK_GE(atomic_load(&reports), 1001);

    /* What waits is at most what may wait, and what was dropped is told. */
    int waiting = 0;
    long long lost = 0;
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        waiting++;
        if (mcp_message_kind(message) == MCP_KIND_LOST) {
            lost += 1;
        }
        mcp_message_free(message);
    }
    CHECK_LE(waiting, 1001);
    CHECK_EQ(lost, 1);
    check_echo(client, "after");
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    free(own.waiting[0]);
    own_free(&own, client);
    check_nothing_left(before);
    return 0;
}
