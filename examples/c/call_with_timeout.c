/*
 * call_with_timeout SERVER [TIMEOUT_MS]: calls a tool that takes a while, and shows its progress. The call ends in one of
 * three ways: with the result of the tool, at the timeout, or when the user presses Ctrl-C. Each time exactly one reply arrives,
 * and the server learns that a call that timed out or was cancelled is no longer wanted.
 */
#define _POSIX_C_SOURCE 200809L /* sigaction(); signal() may remove the handler at the first signal */
#include <mcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static mcp_queue_t *queue;
static volatile sig_atomic_t interrupted;

/* A signal handler may call mcp_queue_wake(): it ends the wait in main(). */
static void on_interrupt(int number) {
    interrupted = number;
    mcp_queue_wake(queue);
}

/* Starts the tool "slow", which works for 400 ms and reports progress eight times. */
static mcp_status_t start(mcp_client_t *client, int64_t timeout_ms, uint64_t *call_id, char **error) {
    const char *options = NULL;
    mcp_builder_t *builder = mcp_builder_new();
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "progress");
    mcp_builder_bool(builder, true);
    mcp_builder_key(builder, "timeout_ms"); /* the whole call; with "reset_on_progress" the time without progress */
    mcp_builder_int64(builder, timeout_ms);
    mcp_builder_end(builder);
    mcp_status_t status = mcp_builder_finish(builder, &options, NULL, error);
    if (status == MCP_OK)
        status = mcp_client_call_tool_start(client, "slow", "{\"ms\": 400, \"steps\": 8}", options, 0, call_id, error);
    mcp_builder_free(builder);
    return status;
}

int main(int argc, char **argv) {
    char *error = NULL;
    const char *config = NULL;
    uint64_t call_id = 0;
    mcp_client_t *client = NULL;
    if (argc < 2 || argc > 3) return fprintf(stderr, "usage: call_with_timeout SERVER [TIMEOUT_MS]\n"), 2;
    mcp_builder_t *builder = mcp_builder_new();
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "command"), mcp_builder_string(builder, argv[1]);
    mcp_builder_end(builder);
    mcp_status_t status = mcp_builder_finish(builder, &config, NULL, &error);
    if (status == MCP_OK) status = mcp_queue_new(NULL, &queue, &error);
    if (status == MCP_OK) status = mcp_client_new(config, queue, &client, &error);
    if (status == MCP_OK) status = start(client, argc == 3 ? atoi(argv[2]) : 10000, &call_id, &error);
    struct sigaction action = {.sa_handler = on_interrupt};
    if (status == MCP_OK && sigaction(SIGINT, &action, NULL) != 0) status = MCP_ERROR_INTERNAL;
    for (bool done = false; status >= MCP_OK && !done;) {
        mcp_message_t *message = NULL;
        status = mcp_queue_poll(queue, -1, &message); /* MCP_WOKEN: the handler ended the wait */
        if (interrupted) mcp_call_cancel(client, call_id, "the user pressed Ctrl-C"); /* has its effect once */
        if (mcp_message_kind(message) == MCP_KIND_PROGRESS) {
            double progress = 0, total = 1;
            mcp_value_double(mcp_value_get(mcp_message_value(message), "progress"), &progress);
            mcp_value_double(mcp_value_get(mcp_message_value(message), "total"), &total);
            printf("%.0f %%\n", 100 * progress / total);
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            status = mcp_message_status(message); /* MCP_ERROR_TIMEOUT, MCP_ERROR_CANCELLED, ... */
            const char *text = mcp_message_text(message, NULL);
            if (status == MCP_OK) printf("%s\n", text != NULL ? text : mcp_message_json(message, NULL));
            else fprintf(stderr, "%s: %s\n", mcp_status_name(status), mcp_message_error(message, NULL));
            done = true;
        }
        mcp_message_free(message);
    }
    signal(SIGINT, SIG_IGN); /* the handler must not run when the queue is gone, and closing has a limit of its own */
    if (error != NULL) fprintf(stderr, "%s\n", error);
    mcp_client_free(client);
    mcp_queue_free(queue);
    mcp_builder_free(builder);
    mcp_string_free(error);
    return status == MCP_OK ? 0 : 1;
}
