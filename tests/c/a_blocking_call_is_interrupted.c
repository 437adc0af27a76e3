/*
 * mcp_client_interrupt() ends the calls that threads wait for, from another thread and from a signal handler, over pipes and
 * over HTTP, and tells the server; it ends a wait for the connection; it changes no call that was started, none that is made
 * later, and not the connection. mcp_client_wake() ends a wait for messages from a signal handler.
 */
#include "http.h"

#include <signal.h>

static mcp_client_t *interrupted;
static mcp_status_t (*end_wait)(mcp_client_t *client);

static void on_signal(int number) {
    (void)number;
    CHECK_STATUS(end_wait(interrupted), MCP_OK);
}

/* Ends waits again and again until it is told to stop: the wait may not have begun the first time. */
struct interrupter {
    bool by_signal;
    pthread_t waiting;
    int stop;
};

static void *interrupt_it(void *user) {
    struct interrupter *interrupter = user;
    while (__atomic_load_n(&interrupter->stop, __ATOMIC_SEQ_CST) == 0) {
        if (interrupter->by_signal) {
            CHECK_EQ(pthread_kill(interrupter->waiting, SIGUSR1), 0);
        } else {
            on_signal(0);
        }
        breathe();
    }
    return NULL;
}

static void check_wait(mcp_client_t *client, bool by_signal, mcp_status_t (*end)(mcp_client_t *), void (*wait)(mcp_client_t *)) {
    interrupted = client;
    end_wait = end;
    struct interrupter interrupter = {.by_signal = by_signal, .waiting = pthread_self()};
    pthread_t thread = start_thread(interrupt_it, &interrupter);
    wait(client);
    __atomic_store_n(&interrupter.stop, 1, __ATOMIC_SEQ_CST);
    join_thread(thread);
}

/* ---- what is waited for ---------------------------------------------------------------------- */

static void call_slow(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "slow", "{\"ms\":3600000}", "{\"timeout_ms\":3600000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    CHECK(json_is(mcp_message_json(reply, NULL), "/message", "cancelled by the application: interrupted"));
    mcp_message_free(reply);
}

static void call_never(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "never", NULL, "{\"timeout_ms\":3600000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
}

static void connect_long(mcp_client_t *client) {
    char *error = NULL;
    CHECK_STATUS(mcp_client_connect(client, 3600000, &error), MCP_ERROR_CANCELLED);
    CHECK(json_is(error, "/operation", "connect"));
    mcp_string_free(error);
}

static void poll_long(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    while ((status = mcp_client_poll(client, -1, &message)) == MCP_OK) {
        mcp_message_free(message);
    }
    CHECK_STATUS(status, MCP_WOKEN);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void over_pipes(const char *path, const char *members, bool by_signal) {
    mcp_client_t *client = connected(path, NULL, members);
    uint64_t started = start_tool(client, "slow", "{\"ms\":3600000}", NULL, 7);
    check_wait(client, by_signal, mcp_client_interrupt, call_slow);
    check_wait(client, by_signal, mcp_client_wake, poll_long);
    /* No thread waits: nothing happens, also not to the next call. */
    CHECK_STATUS(mcp_client_interrupt(client), MCP_OK);
    check_echo(client, "afterwards");
    CHECK_STATUS(mcp_call_cancel(client, started, NULL), MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_tag(reply), 7);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    close_and_free(client);
    CHECK_STATUS(mcp_client_wake(client), MCP_ERROR_INVALID_ARGUMENT);
}

static void over_http(const char *path, const char *era, bool by_signal) {
    struct server server = start_server(path, ARGS(""));
    mcp_client_t *client = connected_to(&server, era);
    check_wait(client, by_signal, mcp_client_interrupt, call_never);
    /* Interrupted before it was sent, it is not sent; else the server is told. */
    UNTIL(stat_of(&server, "/in_flight") <= 1 || count_of(&server, "notifications/cancelled") > 0);
    check_echo(client, "afterwards");
    check_no_violations(&server);
    close_and_free(client);
    stop_server(&server);
}

static void while_connecting(const char *path) {
    mcp_client_t *client = new_client(path, ARGS("--life", "120", "hang-on-probe"), NULL);
    check_wait(client, false, mcp_client_interrupt, connect_long);
    check_wait(client, true, mcp_client_interrupt, connect_long);
    close_and_free(client);
}

static void refused(const char *path) {
    CHECK_STATUS(mcp_client_interrupt(NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_wake(NULL), MCP_ERROR_INVALID_ARGUMENT);
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    mcp_client_t *client = new_client_on(queue, path, NULL, NULL);
    CHECK_STATUS(mcp_client_wake(client), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_client_interrupt(client), MCP_OK);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        end_child(mcp_client_interrupt(client) != MCP_ERROR_FORKED || mcp_client_wake(client) != MCP_ERROR_FORKED);
    }
    int outcome = 0;
    CHECK_EQ(waitpid(child, &outcome, 0), child);
    CHECK_EQ(outcome, 0);
    close_and_free(client);
    CHECK_STATUS(mcp_client_interrupt(client), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    CHECK(signal(SIGUSR1, on_signal) != SIG_ERR);
    struct holdings before = holdings_now();
    for (int by_signal = 0; by_signal <= 1; ++by_signal) {
        over_pipes(argv[1], "\"protocol\":\"modern\"", by_signal);
        over_pipes(argv[1], "\"protocol\":\"legacy\"", by_signal);
        over_http(argv[3], MODERN, by_signal);
        over_http(argv[3], LEGACY, by_signal);
    }
    while_connecting(argv[2]);
    refused(argv[1]);
    check_nothing_left(before);
    return 0;
}
