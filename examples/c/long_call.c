/* long_call: a tool that takes long. A thread of the program does the work, reports progress, and stops when the client no longer
 * wants the answer; the thread that serves is free meanwhile.
 *
 *   ./call_with_timeout ./long_call
 */
#define _POSIX_C_SOURCE 200809L

#include <mcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static const char SLOW[] = "{\"name\": \"slow\", \"inputSchema\": {\"type\": \"object\", \"properties\": {"
                           "\"ms\": {\"type\": \"integer\"}, \"steps\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 1000}}}}";

static void *work(void *argument) {
    mcp_message_t *request = argument;
    mcp_value_t arguments = mcp_value_get(mcp_message_value(request), "arguments");
    int64_t ms = 400, steps = 4;
    char text[64];
    mcp_value_int64(mcp_value_get(arguments, "ms"), &ms); /* stays 400 if it is not there */
    mcp_value_int64(mcp_value_get(arguments, "steps"), &steps);
    for (int64_t step = 1; step <= steps; step++) {
        if (mcp_request_cancelled(request)) break; /* answering now would do no harm, and no program wants it */
        nanosleep(&(struct timespec){.tv_sec = ms / steps / 1000, .tv_nsec = ms / steps % 1000 * 1000000}, NULL);
        mcp_request_progress(request, (double)step, (double)steps, "working");
    }
    snprintf(text, sizeof text, "waited %lld ms", (long long)ms);
    mcp_request_respond_text(request, text, false, NULL);
    mcp_message_free(request);
    return NULL;
}

static void on_slow(void *user, mcp_message_t *request) {
    pthread_t thread;
    (void)user;
    if (pthread_create(&thread, NULL, work, request) == 0) {
        pthread_detach(thread);
    } else {
        mcp_message_free(request); /* without an answer: the client gets an internal error */
    }
}

static mcp_server_t *server;

/* SIGINT or SIGTERM: mcp_server_run() returns MCP_WOKEN. A second one ends the program at once. */
static void on_end(int number) {
    signal(number, SIG_DFL);
    mcp_queue_wake(mcp_server_queue(server));
}

int main(void) {
    mcp_status_t status = mcp_server_new("{\"name\": \"counter\", \"version\": \"1.0\"}", NULL, &server, NULL);
    signal(SIGINT, on_end), signal(SIGTERM, on_end);
    if (status == MCP_OK) status = mcp_server_add_tool(server, SLOW, on_slow, NULL, NULL, NULL);
    if (status == MCP_OK) status = mcp_server_serve(server, "{\"stdio\": true}", NULL, NULL);
    if (status == MCP_OK) status = mcp_server_run(server, -1);
    mcp_server_free(server); /* what a thread answers after this has no effect */
    return status == MCP_ERROR_CLOSED || status == MCP_WOKEN ? 0 : 1;
}
